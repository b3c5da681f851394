// Gains and the bumpless start of the idle hold.
#include "control/idle_hold.hpp"

#include <algorithm>
#include <cmath>

#include "control/joint_terms.hpp"

namespace fsim::control {
namespace {

/// Spring as a multiple of the power-on joint impedance. Chosen: 9000 Nm/rad at joint 1, stiff but
/// below the 14250 for which the joint law is stable.
constexpr double kStiffnessFactor = 3.0;
/// Damping ratio, as the joint impedance (robot-model.md section 8).
constexpr double kZeta = 0.7;
/// Integral action [1/s]. Chosen: five times slower than the slowest spring (50 rad/s with the arm
/// stretched and 3 kg in hand), so that it cannot ring.
constexpr double kIntegralRate = 10.0;
/// Most that the integrator may hold, as a share of the rated torque. Chosen: 35 and 5 Nm, above
/// what an undeclared 3 kg at 0.8 m asks for.
constexpr double kIntegralShare = 0.4;
/// Rate of the critically damped fade of the start offset [1/s]. Chosen: 0.05 rad starts with
/// 20 rad/s^2.
constexpr double kFadeRate = 20.0;

double stiffness(const robot::RobotType& robot, std::size_t i) noexcept {
  return kStiffnessFactor * robot.K_theta[i];
}

}  // namespace

void IdleHold::begin(const robot::RobotType& robot, const robot::ArmState& arm, const Vec7& q_hold,
                     const Vec7& q, const Vec7& dq, const Vec7& tau) noexcept {
  q_hold_ = q_hold;
  offset_rate_ = {};
  for (std::size_t i = 0; i < kJoints; ++i) {
    const double K = stiffness(robot, i), D = joint_damping(robot, arm, i, K, kZeta);
    const double bound = kIntegralShare * robot.limits.torque[i];
    // At rest the old torque carries a load: keep it. What does not fit becomes spring tension.
    integral_[i] = std::clamp(tau[i], -bound, bound);
    offset_[i] = q[i] - q_hold[i] + (tau[i] - integral_[i] + D * dq[i]) / K;
  }
}

Vec7 IdleHold::torque(const robot::RobotType& robot, const robot::ArmState& arm, const Vec7& q,
                      const Vec7& dq) noexcept {
  Vec7 tau;
  for (std::size_t i = 0; i < kJoints; ++i) {
    const double K = stiffness(robot, i), D = joint_damping(robot, arm, i, K, kZeta);
    const double error = q_hold_[i] + offset_[i] - q[i];
    const double wanted = K * error + D * (offset_rate_[i] - dq[i]) + integral_[i];
    const double rated = robot.limits.torque[i];
    tau[i] = std::clamp(wanted, -rated, rated);
    // A saturated joint does not wind up further.
    if (tau[i] == wanted || error * wanted < 0) {
      const double bound = kIntegralShare * rated;
      integral_[i] = std::clamp(integral_[i] + kIntegralRate * K * error * kDt, -bound, bound);
    }
    // The offset fades like a critically damped spring, from rest.
    offset_rate_[i] -= kDt * kFadeRate * (2.0 * offset_rate_[i] + kFadeRate * offset_[i]);
    offset_[i] += kDt * offset_rate_[i];
  }
  return tau;
}

}  // namespace fsim::control
