// The kinematic fingers: a speed and an acceleration towards the drive's width, a linear spring
// where something is met.
#include "gripper/fingers.hpp"

#include <algorithm>
#include <cmath>

#include "base/types.hpp"
#include "gripper/profile.hpp"

namespace fsim::gripper {

void KinematicFingers::reset(double width) noexcept {
  at_ = width;
  rate_ = 0;
  out_ = {width, 0, 0, false};
  place(obstacle_);
}

void KinematicFingers::place(const Obstacle& obstacle) noexcept {
  obstacle_ = obstacle;
  inside_ = obstacle.width > 0 && at_ >= obstacle.width;
}

void KinematicFingers::hold_away(bool away) noexcept {
  if (away_ && !away) place(obstacle_);
  away_ = away;
}

Fingers KinematicFingers::step(const Drive& drive) noexcept {
  // Where the fingers meet something, and where the drive's force is used up against it.
  const bool met = inside_ && !away_;
  const Obstacle contact = met ? obstacle_ : Obstacle{};
  const double lowest = contact.width - drive.force / contact.stiffness;
  const double highest = kHandFacts.stroke;

  if (blocked_ || drive.force <= 0) {
    rate_ = 0;
  } else {
    rate_ = next_rate(at_, rate_, drive.width, drive.speed);
    const double next = at_ + rate_ * kDt;
    // Where the drive got weaker than what it had pressed together, that gives way at once.
    const double kept = std::clamp(next, lowest, highest);
    if (kept != next) rate_ = (kept - at_) / kDt;
    at_ = kept;
  }
  if (obstacle_.width > 0 && at_ >= obstacle_.width) inside_ = true;

  const double width = std::max(at_, 0.0);
  out_.rate = (width - out_.width) / kDt;
  out_.width = width;
  out_.force = std::max(0.0, (contact.width - at_) * contact.stiffness);
  constexpr double kHere = 1e-9;  // chosen: rounding of positions below 0.1 m
  out_.pressing = !blocked_ && ((at_ <= lowest + kHere && drive.width < at_ - kHere) ||
                                (at_ >= highest - kHere && drive.width > at_ + kHere));
  return out_;
}

}  // namespace fsim::gripper
