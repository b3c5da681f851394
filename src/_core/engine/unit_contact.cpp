// What pushes a unit's arm from outside, and the stop when it is more than the client allows. Must
// not hold a threshold or the law of an estimate.
#include "base/transforms.hpp"
#include "engine/unit.hpp"

namespace fsim::engine {

using motion::State;

namespace {

/// Where a collision stops the arm. Not in Guiding, where a hand pushes it, nor where it is stopped
/// already or the brakes hold it (assumed.hpp X4).
bool watches_for_collisions(State state) noexcept {
  switch (state) {
    case State::kIdle:
    case State::kStarting:
    case State::kMoving:
    case State::kFinishing:
    case State::kStopping:
    case State::kHalting:
      return true;
    case State::kOther:
    case State::kReflex:
    case State::kRecovering:
    case State::kGuiding:
    case State::kUserStopped:
      break;
  }
  return false;
}

}  // namespace

void Unit::watch_contact() noexcept {
  const Mat4 F_T_K = compose(configuration_.F_T_EE, configuration_.EE_T_K);
  external_wrench_ = control::external_wrench(arm_, F_T_K, external_torque_.filtered());
  const judge::ContactThresholds thresholds =
      judge::thresholds_of(configuration_.collision, reference_.ddq_d,
                           controller_mode_ == wire::ControllerMode::kExternalController);
  const judge::SafetyResult result =
      contact_.observe(external_torque_.filtered(), external_wrench_.K_F_ext_hat_K, thresholds,
                       watches_for_collisions(state_), published_.next());
  if (!result.abort.any()) return;
  FixedVector<judge::Violation, 8> told;
  for (const judge::Violation& v : result.violations) told.push(placed(v));
  report(told);
  errors_ |= result.abort;
  reflex_reason_ = errors_;
  input(motion::Input::kViolation);
}

void Unit::fill_contact(wire::RobotState& s) const noexcept {
  s.tau_ext_hat_filtered = external_torque_.filtered();
  s.O_F_ext_hat_K = external_wrench_.O_F_ext_hat_K;
  s.K_F_ext_hat_K = external_wrench_.K_F_ext_hat_K;
  s.joint_contact = contact_.contact().joints();
  s.cartesian_contact = contact_.contact().axes();
  s.joint_collision = contact_.collision().joints();
  s.cartesian_collision = contact_.collision().axes();
}

}  // namespace fsim::engine
