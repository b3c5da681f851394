// A spring and a damper between reference and fingers, cut off at the force limit.
#include "gripper/finger_drive.hpp"

#include <algorithm>
#include <cmath>

#include "base/types.hpp"
#include "gripper/profile.hpp"

namespace fsim::gripper {
namespace {

/// Of one finger against its half of the reference. Chosen: 0.115 kg (finger and drive,
/// robots/fingers.py) then follow at 33 Hz, critically damped; a millisecond is short beside that.
constexpr double kStiffness = 5000;  // [N/m]
constexpr double kDamping = 48;      // [N s/m]
/// [N] that a drive without power holds against; chosen: its gear does not run backwards easily.
constexpr double kUnpoweredForce = 5;
/// [m] fingers as near as this to a thing touch it; chosen.
constexpr double kTouch = 5e-4;

}  // namespace

void FingerDrive::reset(double width) noexcept {
  reference_ = width;
  reference_rate_ = 0;
  out_ = {width, 0, 0, false};
  force_ = 0;
}

void FingerDrive::place(const Obstacle& obstacle) noexcept {
  obstacle_ = obstacle;
  inside_ = obstacle.width > 0 && out_.width >= obstacle.width;
}

void FingerDrive::hold_away(bool away) noexcept {
  if (away_ && !away) place(obstacle_);
  away_ = away;
}

double FingerDrive::force(const Drive& drive) noexcept {
  const bool powered = drive.force > 0 && !blocked_;
  const double limit = blocked_ ? kHandFacts.peak_force : powered ? drive.force : kUnpoweredForce;
  if (powered) {
    reference_rate_ = next_rate(reference_, reference_rate_, drive.width, drive.speed);
    reference_ += reference_rate_ * kDt;
  } else {
    reference_rate_ = 0;
  }
  // The reference waits for the fingers where the spring between them gives all that is allowed.
  const double lead = 2 * limit / kStiffness;
  double low = out_.width - lead;
  const double high = out_.width + lead;
  if (inside_ && !away_) low = std::max(low, obstacle_.width);
  if (powered && (reference_ < low || reference_ > high)) {
    reference_ = std::clamp(reference_, std::min(low, high), high);
    reference_rate_ = 0;
  }
  const double asked =
      (kStiffness * (reference_ - out_.width) + kDamping * (reference_rate_ - out_.rate)) / 2;
  force_ = std::clamp(asked, -limit, limit);
  // Nearly all: a finger that still creeps takes a little of it.
  constexpr double kNearly = 0.98;
  saturated_ =
      powered && std::abs(force_) >= kNearly * limit && (drive.width - out_.width) * force_ > 0;
  return force_;
}

Fingers FingerDrive::observe(double width, double rate) noexcept {
  out_.width = std::clamp(width, 0.0, kHandFacts.stroke);
  out_.rate = rate;
  if (obstacle_.width > 0 && out_.width >= obstacle_.width) inside_ = true;
  const bool touches =
      inside_ && !away_ && reference_ <= obstacle_.width && out_.width <= obstacle_.width + kTouch;
  out_.pressing = !blocked_ && (saturated_ || touches);
  out_.force = std::max(0.0, -force_);
  return out_;
}

}  // namespace fsim::gripper
