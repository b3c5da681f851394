// The drive of fingers that physics moves: a reference that goes where the hand wants it, and the
// force that pulls the fingers after it, never more than the hand may give. Must not know commands.
#pragma once

#include "gripper/fingers.hpp"

namespace fsim::gripper {

class FingerDrive {
 public:
  /// At rest at `width`.
  void reset(double width) noexcept;
  /// A thing that physics does not know of: the reference does not get narrower than it.
  void place(const Obstacle& obstacle) noexcept;
  void hold_away(bool away) noexcept;
  /// The fingers are held where they are, whatever the hand wants (a stalled drive).
  void block(bool blocked) noexcept { blocked_ = blocked; }

  /// Force on each finger in the next cycle [N], opening positive.
  double force(const Drive& drive) noexcept;
  /// What physics made of it: width [m] and its rate [m/s].
  Fingers observe(double width, double rate) noexcept;

 private:
  double reference_ = 0;  ///< [m]
  double reference_rate_ = 0;
  Fingers out_;
  double force_ = 0;
  Obstacle obstacle_;
  bool inside_ = false;
  bool away_ = false;
  bool blocked_ = false;
  bool saturated_ = false;
};

}  // namespace fsim::gripper
