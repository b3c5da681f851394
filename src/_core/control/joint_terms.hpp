// Terms that several joint-space laws share. Must not hold state.
#pragma once

#include <cmath>

#include "base/types.hpp"
#include "judge/judge.hpp"
#include "robot/model.hpp"

namespace fsim::control {

/// What joint `i` alone has to accelerate: links and reflected motor [kg m^2].
inline double joint_inertia(const robot::RobotType& robot, const robot::ArmState& arm,
                            std::size_t i) noexcept {
  return arm.M[i * kJoints + i] + robot.armature[i];
}

/// Damping of a spring `K` on joint `i` to ratio `zeta` [Nm s/rad].
inline double joint_damping(const robot::RobotType& robot, const robot::ArmState& arm,
                            std::size_t i, double K, double zeta) noexcept {
  return 2.0 * zeta * std::sqrt(K * joint_inertia(robot, arm, i));
}

/// Torque that the reference motion itself needs: (M + armature) ddq_d + C + friction [Nm].
Vec7 feed_forward(const robot::RobotType& robot, const robot::ArmState& arm,
                  const judge::Reference& ref) noexcept;

}  // namespace fsim::control
