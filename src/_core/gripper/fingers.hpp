// Two fingers on one drive: what the drive is told, what the fingers do, and the kinematic fingers
// that need no physics. Values in, values out; must not know commands or states.
#pragma once

namespace fsim::gripper {

/// What the drive does in a cycle: go to a width at a speed, pressing no harder than `force`.
struct Drive {
  double width = 0;  ///< [m]; may lie beyond the stroke, to press against its end
  double speed = 0;  ///< [m/s], of the width
  double force = 0;  ///< [N], largest; 0: none
};

/// What the fingers did, at the end of a cycle.
struct Fingers {
  double width = 0;       ///< [m] between the fingertips, as the hand measures it
  double rate = 0;        ///< [m/s]
  double force = 0;       ///< [N] on what is between the fingers, or of them on each other
  bool pressing = false;  ///< the drive gives all it may
};

/// A thing that may be between the fingers.
struct Obstacle {
  double width = 0;  ///< [m]; 0: nothing
  /// [N/m]; chosen: 20 N press a part of wood or plastic in by a tenth of a millimetre.
  double stiffness = 2e5;
};

/// Fingers that follow the drive exactly, but for what is between them. Built for the hand that no
/// physics moves.
class KinematicFingers {
 public:
  /// Open at `width`, at rest, with nothing between.
  void reset(double width) noexcept;
  /// Put something there. It is between the fingers as soon as they are wide enough for it.
  void place(const Obstacle& obstacle) noexcept;
  /// Something else holds it for now: it is not between the fingers.
  void hold_away(bool away) noexcept;
  /// Nothing moves, whatever the drive does (a stalled drive).
  void block(bool blocked) noexcept { blocked_ = blocked; }
  Fingers step(const Drive& drive) noexcept;
  const Fingers& fingers() const noexcept { return out_; }

 private:
  double at_ = 0;    ///< [m] of the drive; below a contact by what that gives way
  double rate_ = 0;  ///< [m/s]
  Obstacle obstacle_;
  bool inside_ = false;  ///< the obstacle is between the fingers
  bool away_ = false;
  bool blocked_ = false;
  Fingers out_;
};

}  // namespace fsim::gripper
