// How a moving arm comes to rest when nobody commands it any more. Must not decide that it should.
#pragma once

#include <array>

#include "base/types.hpp"
#include "control/jerk_profile.hpp"
#include "judge/judge.hpp"
#include "robot/limits.hpp"

namespace fsim::control {

/// The fastest stop of each joint on its own within its acceleration and jerk limits; a joint that
/// would leave its range that way brakes harder. Plans once, then only evaluates.
class Brake {
 public:
  /// Plan from (q_d, dq_d, ddq_d) of `from`; for a stop from the measured motion that is
  /// (q, dq, 0). Values that are not finite count as zero motion.
  void begin(const judge::Reference& from, const robot::JointLimits& limits) noexcept;
  /// Reference one cycle later; tau_J_d is zero. After the stop it stays.
  judge::Reference step() noexcept;
  /// The last reference given out is at rest (true before the first begin).
  bool at_rest() const noexcept;

 private:
  static JerkProfile plan(double q, double dq, double ddq, double acceleration,
                          double jerk) noexcept;
  static JerkProfile constant_deceleration(double q, double dq, double acceleration) noexcept;

  std::array<JerkProfile, kJoints> stops_{};
  double time_ = 0;
};

}  // namespace fsim::control
