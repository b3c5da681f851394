// How a robot that nobody moves keeps its pose. Must not decide when that is.
#pragma once

#include "base/types.hpp"
#include "robot/model.hpp"

namespace fsim::control {

/// A stiff spring on q_hold with an integrator, so that an undeclared load does not sag. Recorded
/// robots hold to 1.6e-5 rad under 2 Nm (robot-model.md section 8).
class IdleHold {
 public:
  /// Start to hold `q_hold` from the measured (q, dq), where `tau` (without gravity) was applied in
  /// the cycle before. The first torque equals `tau` within the rated torque; from there the pose
  /// is drawn to q_hold within a quarter of a second.
  void begin(const robot::RobotType& robot, const robot::ArmState& arm, const Vec7& q_hold,
             const Vec7& q, const Vec7& dq, const Vec7& tau) noexcept;

  /// Torque without gravity for this cycle, within the rated torque [Nm]. Call once a cycle.
  Vec7 torque(const robot::RobotType& robot, const robot::ArmState& arm, const Vec7& q,
              const Vec7& dq) noexcept;

  const Vec7& q_hold() const noexcept { return q_hold_; }

 private:
  Vec7 q_hold_{};
  Vec7 offset_{};       ///< of the spring's other end from q_hold; fades [rad]
  Vec7 offset_rate_{};  ///< [rad/s]
  Vec7 integral_{};     ///< [Nm]
};

}  // namespace fsim::control
