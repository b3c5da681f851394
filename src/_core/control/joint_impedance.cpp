// Joint impedance and the feed-forward. Laws are unpublished; robot-model.md section 8 names these.
#include <algorithm>
#include <cmath>

#include "control/controllers.hpp"
#include "control/joint_terms.hpp"

namespace fsim::control {
namespace {

/// Damping ratio. Source: robot-model.md section 8.
constexpr double kZeta = 0.7;
/// Reference speed at which 3/4 of the Coulomb friction is compensated [rad/s]. Chosen: slow enough
/// to leave the start of a motion no visible step, zero at rest so that a resting arm is quiet.
constexpr double kFrictionSpeed = 0.01;

}  // namespace

Vec7 feed_forward(const robot::RobotType& robot, const robot::ArmState& arm,
                  const judge::Reference& ref) noexcept {
  Vec7 tau;
  for (std::size_t i = 0; i < kJoints; ++i) {
    const double friction =
        robot.coulomb[i] * std::tanh(ref.dq_d[i] / kFrictionSpeed) + robot.viscous[i] * ref.dq_d[i];
    tau[i] = arm.coriolis[i] + robot.armature[i] * ref.ddq_d[i] + friction;
    for (std::size_t j = 0; j < kJoints; ++j) tau[i] += arm.M[j * kJoints + i] * ref.ddq_d[j];
  }
  return tau;
}

Vec7 joint_impedance(const robot::RobotType& robot, const robot::ArmState& arm, const Vec7& q,
                     const Vec7& dq, const judge::Reference& ref, const Vec7& K_theta) noexcept {
  Vec7 tau = feed_forward(robot, arm, ref);
  for (std::size_t i = 0; i < kJoints; ++i) {
    const double D = joint_damping(robot, arm, i, K_theta[i], kZeta);
    tau[i] += K_theta[i] * (ref.q_d[i] - q[i]) + D * (ref.dq_d[i] - dq[i]);
  }
  return tau;
}

}  // namespace fsim::control
