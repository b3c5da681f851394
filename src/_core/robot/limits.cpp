// The position-based velocity envelope. Must not clip, warn or raise anything.
#include "robot/limits.hpp"

#include <algorithm>
#include <cmath>

namespace fsim::robot {
namespace {

/// Speed from which the envelope's deceleration still stops within `distance`, less the offset.
double braking_speed(const JointLimits& limits, std::size_t i, double distance) noexcept {
  const double parabola = std::sqrt(std::max(0.0, 2.0 * limits.deceleration[i] * distance));
  return std::clamp(parabola - limits.velocity_offset[i], 0.0, limits.velocity[i]);
}

}  // namespace

double upper_velocity_limit(const JointLimits& limits, std::size_t i, double q) noexcept {
  if (!limits.position_based) return limits.velocity[i];
  return braking_speed(limits, i, limits.upper[i] - q);
}

double lower_velocity_limit(const JointLimits& limits, std::size_t i, double q) noexcept {
  if (!limits.position_based) return -limits.velocity[i];
  return -braking_speed(limits, i, q - limits.lower[i]);
}

}  // namespace fsim::robot
