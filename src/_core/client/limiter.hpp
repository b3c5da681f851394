// What a client does to its own commands, second half: one step of each rate limiter. Pure
// functions: limits, command and the last command's state in, command out. Must not know which
// robot, clock or bytes. Values as libfranka 0.21.3's limitRate returns them (wire.md section 6).
#pragma once

#include "base/types.hpp"

namespace fsim::client {

/// Limits of one scalar. Upper and lower are apart: near a stop a joint may move one way only.
struct ScalarLimits {
  double upper_velocity;
  double lower_velocity;
  double acceleration;
  double jerk;
};

/// Limits of the norm of a vector.
struct NormLimits {
  double velocity;
  double acceleration;
  double jerk;
};

struct CartesianLimits {
  NormLimits translation;
  NormLimits rotation;
};

/// libfranka kFactorCartesianRotationPoseInterface: the rotational limits of the pose interface are
/// this much smaller.
inline constexpr double kPoseRotationFactor = 0.99;

/// `value`, but no further from `last` than max_rate allows in a cycle.
double limit_rate(double max_rate, double value, double last) noexcept;

/// By how much a torque rate is to stay below its limit where tau_J_d is published as f32: what
/// half a unit in the last place is worth over a cycle [Nm/s]. Source: reference 001, "The
/// torque-rate margin on FCI v10".
double torque_rate_margin(double tau_J_d) noexcept;

/// The velocity nearest to `velocity` that keeps jerk, acceleration and velocity. Close to a
/// velocity limit the acceleration shrinks in proportion to the distance, so that leaving it needs
/// no more than the jerk limit.
double limit_velocity(const ScalarLimits& limits, double velocity, double last_velocity,
                      double last_acceleration) noexcept;

/// The same for the step from `last_position`.
double limit_position(const ScalarLimits& limits, double position, double last_position,
                      double last_velocity, double last_acceleration) noexcept;

/// The same for a twist: translation and rotation apart, each by its norm.
Vec6 limit_twist(const CartesianLimits& limits, const Vec6& O_dP_EE, const Vec6& last_O_dP_EE,
                 const Vec6& last_O_ddP_EE) noexcept;

/// The same for the step from a pose; rotational limits times kPoseRotationFactor. Both poses are
/// homogeneous and right-handed.
Mat4 limit_pose(const CartesianLimits& limits, const Mat4& O_T_EE, const Mat4& last_O_T_EE,
                const Vec6& last_O_dP_EE, const Vec6& last_O_ddP_EE) noexcept;

/// The twist that takes `from` to `to` in one cycle.
Vec6 twist_between(const Mat4& from, const Mat4& to) noexcept;

}  // namespace fsim::client
