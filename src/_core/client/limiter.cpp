// Rate limiters, one step each.
#include "client/limiter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/rotation.hpp"
#include "client/filter.hpp"

namespace fsim::client {
namespace {

/// libfranka kNormEps: a vector shorter than this has no direction.
constexpr double kNormEps = std::numeric_limits<double>::epsilon();

double dot(const Vec3& a, const Vec3& b) noexcept {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
double norm(const Vec3& v) noexcept { return std::sqrt(dot(v, v)); }

/// Between two bounds that may cross; the lower one wins then.
double between(double value, double lower, double upper) noexcept {
  return std::max(std::min(value, upper), lower);
}

/// How much may be added along the unit vector `along` before |velocity| is `limit`. Infinite where
/// the line stays outside the sphere, as in libfranka: a velocity over its limit is left to jerk.
double room_along(const Vec3& along, const Vec3& velocity, double limit) noexcept {
  const double towards = dot(along, velocity);
  const double radicand = towards * towards - dot(velocity, velocity) + limit * limit;
  if (!(radicand >= 0)) return std::numeric_limits<double>::infinity();
  return std::sqrt(radicand) - towards;
}

Vec3 limit_vector(const NormLimits& limits, const Vec3& velocity, const Vec3& last_velocity,
                  const Vec3& last_acceleration) noexcept {
  // The jerk that is asked for, shortened to its limit, gives the acceleration.
  Vec3 jerk{};
  for (std::size_t k = 0; k < 3; ++k)
    jerk[k] = ((velocity[k] - last_velocity[k]) / kDt - last_acceleration[k]) / kDt;
  Vec3 acceleration = last_acceleration;
  const double jerk_norm = norm(jerk);
  if (jerk_norm > kNormEps)
    for (std::size_t k = 0; k < 3; ++k)
      acceleration[k] += jerk[k] / jerk_norm * std::min(jerk_norm, limits.jerk) * kDt;

  // Its length is bounded by the limit and by what the velocity limit leaves in its direction.
  Vec3 limited = last_velocity;
  const double length = norm(acceleration);
  if (!(length > kNormEps)) return limited;
  const Vec3 along{acceleration[0] / length, acceleration[1] / length, acceleration[2] / length};
  const double room = room_along(along, last_velocity, limits.velocity);
  double allowed = length;
  if (std::isfinite(room)) {
    const double safe = std::min(limits.jerk / limits.acceleration * room, limits.acceleration);
    allowed = std::min(length, safe);
  }
  for (std::size_t k = 0; k < 3; ++k) limited[k] += along[k] * allowed * kDt;
  return limited;
}

Vec3 half(const Vec6& v, std::size_t from) noexcept { return {v[from], v[from + 1], v[from + 2]}; }

}  // namespace

double limit_rate(double max_rate, double value, double last) noexcept {
  const double rate = (value - last) / kDt;
  return last + between(rate, -max_rate, max_rate) * kDt;
}

double torque_rate_margin(double tau_J_d) noexcept {
  constexpr double kEpsilon = static_cast<double>(std::numeric_limits<float>::epsilon());
  return kEpsilon * std::abs(tau_J_d) / 2 / kDt;
}

double limit_velocity(const ScalarLimits& limits, double velocity, double last_velocity,
                      double last_acceleration) noexcept {
  // Jerk.
  const double jerk = ((velocity - last_velocity) / kDt - last_acceleration) / kDt;
  const double wanted = last_acceleration + between(jerk, -limits.jerk, limits.jerk) * kDt;
  // Acceleration: its limit, and what the velocity limits leave.
  const double slope = limits.jerk / limits.acceleration;
  const double most =
      std::min(slope * (limits.upper_velocity - last_velocity), limits.acceleration);
  const double least =
      std::max(slope * (limits.lower_velocity - last_velocity), -limits.acceleration);
  return last_velocity + between(wanted, least, most) * kDt;
}

double limit_position(const ScalarLimits& limits, double position, double last_position,
                      double last_velocity, double last_acceleration) noexcept {
  const double velocity = (position - last_position) / kDt;
  return last_position + limit_velocity(limits, velocity, last_velocity, last_acceleration) * kDt;
}

Vec6 limit_twist(const CartesianLimits& limits, const Vec6& O_dP_EE, const Vec6& last_O_dP_EE,
                 const Vec6& last_O_ddP_EE) noexcept {
  const Vec3 v = limit_vector(limits.translation, half(O_dP_EE, 0), half(last_O_dP_EE, 0),
                              half(last_O_ddP_EE, 0));
  const Vec3 w = limit_vector(limits.rotation, half(O_dP_EE, 3), half(last_O_dP_EE, 3),
                              half(last_O_ddP_EE, 3));
  return {v[0], v[1], v[2], w[0], w[1], w[2]};
}

Vec6 twist_between(const Mat4& from, const Mat4& to) noexcept {
  const Vec3 turn = rotation_between(from, to);
  Vec6 twist{};
  for (std::size_t k = 0; k < 3; ++k) {
    twist[k] = (to[12 + k] - from[12 + k]) / kDt;
    twist[3 + k] = turn[k] / kDt;
  }
  return twist;
}

Mat4 limit_pose(const CartesianLimits& limits, const Mat4& O_T_EE, const Mat4& last_O_T_EE,
                const Vec6& last_O_dP_EE, const Vec6& last_O_ddP_EE) noexcept {
  CartesianLimits reduced = limits;
  reduced.rotation.velocity *= kPoseRotationFactor;
  reduced.rotation.acceleration *= kPoseRotationFactor;
  reduced.rotation.jerk *= kPoseRotationFactor;
  const Mat4 from = with_nearest_rotation(last_O_T_EE);
  const Vec6 asked = twist_between(from, with_nearest_rotation(O_T_EE));
  return integrate_twist(from, limit_twist(reduced, asked, last_O_dP_EE, last_O_ddP_EE), kDt);
}

}  // namespace fsim::client
