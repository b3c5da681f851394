// How a width goes to another one: at a speed, with the hand's acceleration, without overshoot.
// Values in, values out; must not know forces.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/types.hpp"
#include "gripper/hand_facts.hpp"

namespace fsim::gripper {

/// Rate of the next cycle [m/s] on the way from `at` to `to`, `rate` being that of the last one.
inline double next_rate(double at, double rate, double to, double speed) noexcept {
  constexpr double a = kHandFacts.acceleration;
  // As fast as asked for, slower where that would overshoot.
  const double way = to - at;
  const double stopping = std::sqrt(2 * a * std::abs(way));
  const double wanted = std::copysign(std::min({speed, stopping, std::abs(way) / kDt}), way);
  const double next = std::clamp(wanted, rate - a * kDt, rate + a * kDt);
  return next * way >= 0 && std::abs(next) * kDt > std::abs(way) ? way / kDt : next;
}

}  // namespace fsim::gripper
