// What a robot may be commanded: one row a limit, each with its source. Must not know bytes,
// physics or what is raised when a limit is exceeded (judge/checks).
#pragma once

#include "base/types.hpp"

namespace fsim::robot {

/// libfranka's limiters aim this far below a limit (rate_limiting.h kLimitEps); Control's own
/// threshold is the nominal number, so this margin is never part of a threshold here.
inline constexpr double kLimitEps = 1e-3;

/// Joint limits of one robot. Thresholds are nominal: what Control checks.
struct JointLimits {
  Vec7 lower;            ///< [rad]
  Vec7 upper;            ///< [rad]
  Vec7 velocity;         ///< [rad/s]
  Vec7 acceleration;     ///< [rad/s^2]
  Vec7 jerk;             ///< [rad/s^3]
  Vec7 torque;           ///< [Nm]
  Vec7 torque_rate;      ///< [Nm/s]
  Vec7 velocity_offset;  ///< [rad/s], position-based velocity envelope
  Vec7 deceleration;     ///< [rad/s^2], position-based velocity envelope
  bool position_based;   ///< false: the velocity limit is flat (FER)
};

/// First three derivatives of one scalar: speed, acceleration, jerk.
struct Derivatives {
  double velocity;
  double acceleration;
  double jerk;
};

/// Limits of a commanded Cartesian motion.
struct CartesianLimits {
  Derivatives translation;  ///< [m]
  Derivatives rotation;     ///< [rad]
  Derivatives elbow;        ///< [rad], of q3
};

/// Upper velocity limit of joint `i` at position `q` [rad/s]: the braking parabola towards the
/// upper stop. Source: reference 000 "position-based joint velocity limits"; no kLimitEps.
double upper_velocity_limit(const JointLimits& limits, std::size_t i, double q) noexcept;
/// The same towards the lower stop; never positive.
double lower_velocity_limit(const JointLimits& limits, std::size_t i, double q) noexcept;

}  // namespace fsim::robot
