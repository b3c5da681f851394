// A plant without MuJoCo: the simulated arm of the controller tests behind plant::Plant. Must not
// know FCI words; repeats exactly.
#pragma once

#include "../simulated_arm.hpp"
#include "plant/plant.hpp"
#include "robot/model.hpp"

namespace fsim::test {

class ArmPlant final : public plant::Plant {
 public:
  Vec7 push{};  ///< torque that somebody applies to the links from outside [Nm]

  explicit ArmPlant(const robot::RobotType& type = robot::kFr3) : arm_(type), type_(type) {}

  void reset(const Vec7& q, plant::Output& out) noexcept override {
    arm_.q = q;
    arm_.dq = {};
    read({}, out);
  }

  void step(const plant::Input& in, plant::Output& out) noexcept override {
    const Vec7 before = arm_.dq;
    // A motor gives its rated torque and no more.
    Vec7 motor;
    for (std::size_t i = 0; i < kJoints; ++i)
      motor[i] = std::clamp(in.tau[i], -type_.limits.torque[i], type_.limits.torque[i]);
    arm_.step(plus(motor, push));
    Vec7 ddq;
    for (std::size_t i = 0; i < kJoints; ++i) ddq[i] = (arm_.dq[i] - before[i]) / kDt;
    read(ddq, out);
  }

  const SimulatedArm& arm() const noexcept { return arm_; }
  SimulatedArm& arm() noexcept { return arm_; }

 private:
  void read(const Vec7& ddq, plant::Output& out) const noexcept {
    out.q = arm_.q;
    out.dq = arm_.dq;
    out.ddq = ddq;
    // The sensor sits behind the gear: what the links need, less what is pushed from outside.
    out.tau_J = robot::inverse_dynamics(type_, arm_.q, arm_.dq, ddq, arm_.load, kGravity);
    for (std::size_t i = 0; i < kJoints; ++i) out.tau_J[i] -= push[i];
  }

  SimulatedArm arm_;
  const robot::RobotType& type_;
};

}  // namespace fsim::test
