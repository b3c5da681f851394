// A plant without MuJoCo: the simulated arm of the controller tests behind plant::Plant. Must not
// know FCI words; repeats exactly.
#pragma once

#include "../simulated_arm.hpp"
#include "plant/plant.hpp"
#include "robot/kinematics.hpp"
#include "robot/model.hpp"

namespace fsim::test {

class ArmPlant final : public plant::Plant {
 public:
  Vec7 push{};  ///< torque that somebody applies to the links from outside [Nm]

  explicit ArmPlant(const robot::RobotType& type = robot::kFr3) : arm_(type), type_(type) {}

  /// Torque of what acts on the links, by the principle of virtual work.
  Vec7 external(const FixedVector<plant::LinkWrench, plant::kMaxWrenches>& wrenches) const {
    std::array<Mat4, kJoints> O_T_J;
    robot::joint_frames(type_, arm_.q, O_T_J);
    Vec7 tau = push;
    for (const plant::LinkWrench& w : wrenches) {
      const Mat4 T = w.link == 0 ? kIdentity4 : O_T_J[w.link - 1u];
      const auto turned = [&T](const Vec3& v) {
        Vec3 out{};
        for (std::size_t c = 0; c < 3; ++c)
          for (std::size_t r = 0; r < 3; ++r) out[r] += T[c * 4 + r] * v[c];
        return out;
      };
      const Vec3 f = w.in_base ? w.force : turned(w.force);
      const Vec3 m = w.in_base ? w.torque : turned(w.torque);
      Vec3 p = turned(w.point);
      for (std::size_t k = 0; k < 3; ++k) p[k] += T[12 + k];
      for (std::size_t j = 0; j < w.link; ++j) {
        const double* z = &O_T_J[j][8];
        const double* o = &O_T_J[j][12];
        const Vec3 d{p[0] - o[0], p[1] - o[1], p[2] - o[2]};
        tau[j] += z[0] * (m[0] + d[1] * f[2] - d[2] * f[1]) +
                  z[1] * (m[1] + d[2] * f[0] - d[0] * f[2]) +
                  z[2] * (m[2] + d[0] * f[1] - d[1] * f[0]);
      }
    }
    return tau;
  }

  void reset(const Vec7& q, plant::Output& out) noexcept override {
    arm_.q = q;
    arm_.dq = {};
    acting_ = push;
    read(q, {}, {}, out);
  }

  void step(const plant::Input& in, plant::Output& out) noexcept override {
    const Vec7 q = arm_.q, dq = arm_.dq;
    // A motor gives its rated torque and no more.
    Vec7 motor;
    for (std::size_t i = 0; i < kJoints; ++i)
      motor[i] = std::clamp(in.tau[i], -type_.limits.torque[i], type_.limits.torque[i]);
    acting_ = external(in.wrenches);
    arm_.step(plus(motor, acting_));
    if (in.brakes) {
      arm_.q = q;
      arm_.dq = {};
    }
    // As in MuJoCo's driver the sensors do not feel the brakes' grip.
    Vec7 ddq{};
    for (std::size_t i = 0; i < kJoints && !in.brakes; ++i) ddq[i] = (arm_.dq[i] - dq[i]) / kDt;
    read(q, dq, ddq, out);
  }

  const SimulatedArm& arm() const noexcept { return arm_; }
  SimulatedArm& arm() noexcept { return arm_; }

 private:
  /// `q` and `dq` from which the arm accelerated with `ddq`: the torques are the cycle's.
  void read(const Vec7& q, const Vec7& dq, const Vec7& ddq, plant::Output& out) const noexcept {
    out.q = arm_.q;
    out.dq = arm_.dq;
    out.ddq = ddq;
    // The sensor sits behind the gear: what the links need, less what is pushed from outside.
    out.tau_J = robot::inverse_dynamics(type_, q, dq, ddq, arm_.load, kGravity);
    for (std::size_t i = 0; i < kJoints; ++i) out.tau_J[i] -= acting_[i];
  }

  SimulatedArm arm_;
  Vec7 acting_{};  ///< in the last cycle
  const robot::RobotType& type_;
};

}  // namespace fsim::test
