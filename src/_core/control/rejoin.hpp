// The way of the arm onto a joint trajectory that jumped. Must not judge it or know why.
#pragma once

#include <array>

#include "base/types.hpp"
#include "control/jerk_profile.hpp"
#include "judge/reference.hpp"
#include "robot/limits.hpp"

namespace fsim::control {

/// Between a trajectory that jumps (JointPath) and the arm: the difference is taken back along a
/// way of its own, within a share of the joints' limits. A trajectory that never jumps passes
/// through, bit by bit.
class Rejoin {
 public:
  /// At rest at `q_d`, on the trajectory.
  void begin(const Vec7& q_d) noexcept;
  /// What to follow instead of `judged`, one cycle after the last call. Only q_d, dq_d and ddq_d
  /// differ.
  judge::Reference follow(const judge::Reference& judged, judge::JointPath path,
                          const robot::JointLimits& limits) noexcept;

 private:
  void plan(const judge::Reference& judged, const robot::JointLimits& limits,
            double share) noexcept;

  std::array<JerkProfile, kJoints> ways_{};  ///< from what was followed to the judged, less this
  double time_ = 0;
  bool apart_ = false;
  Vec7 q_{}, dq_{}, ddq_{};  ///< followed last
};

}  // namespace fsim::control
