// The way to the newest joint target of an asynchronous motion: jerk-limited, planned anew from the
// moving state. Must not judge targets or know who sends them.
#pragma once

#include <array>

#include "base/types.hpp"
#include "control/jerk_profile.hpp"
#include "judge/reference.hpp"
#include "robot/limits.hpp"

namespace fsim::control {

/// Plans the fastest way of all joints that arrives at the same time, within the velocities asked
/// for and the robot's acceleration and jerk limits. Towards a stop it decelerates as gently as the
/// position-based velocity envelope wants, so that the arm that follows is never faster than the
/// safety controller allows there (assumed.hpp A3).
class TargetPlanner {
 public:
  /// Rest at `q_d`; velocities above the robot's limits count as these.
  void begin(const Vec7& q_d, const Vec7& maximum_velocity,
             const robot::JointLimits& limits) noexcept;
  /// Go to `q` from wherever the reference is by then: finite and inside the joint range.
  void set_target(const Vec7& q) noexcept;
  /// Reference one cycle later; in the end exactly the target, at rest. tau_J_d is zero.
  judge::Reference step() noexcept;
  /// The last reference given out rests at the target (true after begin).
  bool at_rest() const noexcept;

 private:
  using Ways = std::array<JerkProfile, kJoints>;

  bool plan() noexcept;
  bool keeps_range(std::size_t i, const JerkProfile& way) const noexcept;
  bool keeps_envelope(std::size_t i, const JerkProfile& way) const noexcept;

  robot::JointLimits limits_{};
  Vec7 velocity_{};
  Vec7 target_{};
  bool planned_ = true;  ///< the way followed leads to the target
  judge::Reference now_;
  Ways ways_{};
  double time_ = 0;
};

/// Greatest deceleration [rad/s^2] of joint `i` that, all the way to a rest `distance` from a stop,
/// stays below the velocity envelope there plus kCreep, from `velocity` on.
double envelope_deceleration(const robot::JointLimits& limits, std::size_t i, double distance,
                             double velocity) noexcept;

/// chosen: half of what the safety controller tolerates above the envelope (reference 000, error 3:
/// 0.1 rad/s); the envelope alone is zero on the last 4 to 11 mrad before a stop, so that nothing
/// could arrive there, and the other half is left to the arm that follows [rad/s].
inline constexpr double kCreep = 0.05;

}  // namespace fsim::control
