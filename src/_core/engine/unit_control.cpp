// Which torque acts in which state, and when the arm counts as standing.
#include <algorithm>
#include <cmath>

#include "engine/unit.hpp"

namespace fsim::engine {

using motion::State;

namespace {

double largest(const Vec7& v) noexcept {
  double m = 0;
  for (const double x : v) m = std::max(m, std::abs(x));
  return m;
}

double largest_difference(const Vec7& a, const Vec7& b) noexcept {
  double m = 0;
  for (std::size_t i = 0; i < kJoints; ++i) m = std::max(m, std::abs(a[i] - b[i]));
  return m;
}

// reference 000, AutomaticErrorRecovery: |dq| below 0.005 rad/s for 50 cycles is standstill.
constexpr double kStandstillSpeed = 0.005;
constexpr unsigned kRecoveryCycles = 50;
// chosen: a finished motion is reported when the arm is this near to its goal, or after the time in
// which a stiff arm would be (needs.md 25: settled within 1 mrad in 200 ms).
constexpr unsigned kSettledCycles = 20;
constexpr double kSettledError = 3e-4;
constexpr unsigned kSettleLimitCycles = 300;
// chosen: lockstep freezes the world when the arm has crept below these for this long; a
// microradian of drift is left.
constexpr double kRestSpeed = 1e-4;
constexpr unsigned kRestCycles = 50;
// chosen: objects that lie creep less than this under MuJoCo's soft contacts [m/s, rad/s].
constexpr double kSceneRestSpeed = 1e-3;
// chosen: what still moves after this long (a pendulum, an arm shaken by noise without friction)
// will not come to rest soon; counted from a known instant, so that runs repeat.
constexpr unsigned kRestlessCycles = 5000;
// chosen: a hold set-point nearer than this to the arm stays where the last motion put it, so that
// a chain of motions starts from what was commanded; a softer arm is held where it came to rest.
constexpr double kKeepSetpoint = 5e-3;
/// chosen: how far an acceleration may be over its limit and still be the motion that is brought
/// down; the limits leave room for the rounding of the states (architecture.md, Judging).
constexpr double kSlack = 1.5;

}  // namespace

void Unit::reset(const plant::Output& world) noexcept {
  world_ = world;
  if (settings_.locked) state_ = State::kOther;
  reference_ = {};
  reference_.q_d = world.q;
  robot::evaluate(robot_, world_.q, world_.dq, configuration_.total(), settings_.gravity, arm_);
  hold_.begin(robot_, arm_, world_.q, world_.q, world_.dq, {});
  world_.tau_J = arm_.gravity;
  external_torque_.reset();
  external_wrench_ = {};
  contact_ = {};
}

void Unit::begin_brake(bool from_measured) noexcept {
  // Without enforcement a reference may be one that no arm follows; bringing that down would take
  // it away from the arm, for any time. The arm is then stopped from where it is.
  for (std::size_t i = 0; i < kJoints; ++i)
    from_measured |= std::abs(reference_.dq_d[i]) > robot_.limits.velocity[i] ||
                     std::abs(reference_.ddq_d[i]) > robot_.limits.acceleration[i] * kSlack;
  if (from_measured) {
    reference_.q_d = world_.q;
    reference_.dq_d = world_.dq;
    reference_.ddq_d = {};
  }
  reference_.tau_J_d = {};
  brake_.begin(reference_, robot_.limits);
  braking_ = true;
}

bool Unit::still_enough() const noexcept {
  if (braking_) return false;
  switch (state_) {
    case State::kFinishing:
      return still_cycles_ >= kSettledCycles &&
             (largest_difference(world_.q, reference_.q_d) < kSettledError ||
              phase_cycles_ >= kSettleLimitCycles);
    case State::kStopping:
    case State::kHalting:
      return still_cycles_ >= kSettledCycles;
    case State::kRecovering:
      return still_cycles_ >= kRecoveryCycles && phase_cycles_ > settings_.recovery_cycles;
    default:
      return false;
  }
}

bool Unit::at_rest() const noexcept {
  const bool calm = rest_cycles_ >= kRestCycles || restless_cycles_ >= kRestlessCycles;
  return !braking_ && calm && state_ != State::kMoving && state_ != State::kFinishing &&
         state_ != State::kGuiding;
}

/// Torque without gravity that the state asks for.
Vec7 Unit::reference_torque() noexcept {
  using control::cartesian_impedance;
  using control::joint_impedance;
  const bool external = controller_mode_ == wire::ControllerMode::kExternalController;
  switch (state_) {
    case State::kMoving:
      if (external) return reference_.tau_J_d;
      break;
    case State::kFinishing:
    case State::kStopping:
      break;
    case State::kGuiding:
      return guiding_.torque(robot_, arm_, world_.q, world_.dq, configuration_.F_T_EE,
                             configuration_.guiding);
    default:
      // A fault, a user stop, a client that left, idle: stiff, on the robot's own gains.
      if (braking_) {
        constexpr Configuration kBoot{};
        return joint_impedance(robot_, arm_, world_.q, world_.dq, reference_, kBoot.K_theta);
      }
      if (!holding_) {
        if (largest_difference(world_.q, reference_.q_d) > kKeepSetpoint) reference_.q_d = world_.q;
        reference_.dq_d = {};
        reference_.ddq_d = {};
        hold_.begin(robot_, arm_, reference_.q_d, world_.q, world_.dq, tau_applied_);
        holding_ = true;
      }
      return hold_.torque(robot_, arm_, world_.q, world_.dq);
  }
  if (controller_mode_ == wire::ControllerMode::kCartesianImpedance)
    return cartesian_impedance(robot_, arm_, world_.q, world_.dq, reference_, configuration_.F_T_EE,
                               configuration_.EE_T_K, configuration_.K_x);
  return joint_impedance(robot_, arm_, world_.q, world_.dq, reference_, configuration_.K_theta);
}

bool Unit::control(bool hold_still, plant::Input& out) noexcept {
  if (braking_) {
    follow_brake();
    braking_ = !brake_.at_rest();
  }
  if (hold_still) return false;
  if (state_ == State::kOther) {
    // The motors are off; the brakes carry the arm's weight.
    out.tau = arm_.gravity;
    out.brakes = true;
    return true;
  }
  if (state_ != State::kIdle && state_ != State::kStarting && state_ != State::kReflex &&
      state_ != State::kUserStopped && state_ != State::kRecovering && state_ != State::kHalting)
    holding_ = false;
  if (braking_) holding_ = false;
  Vec7 tau_d = reference_torque();
  // The joints give no more than their rated torque (robot-model.md 8). Without enforcement a
  // finite reference may even lie so far away that its torque is not finite.
  for (std::size_t i = 0; i < kJoints; ++i) {
    const double rated = robot_.limits.torque[i];
    tau_d[i] = std::isfinite(tau_d[i]) ? std::clamp(tau_d[i], -rated, rated) : 0.0;
  }
  tau_J_d_ = motion::in_motion(state_) && state_ != State::kStarting ? tau_d : Vec7{};
  tau_applied_ = tau_d;
  for (std::size_t i = 0; i < kJoints; ++i) out.tau[i] = tau_d[i] + arm_.gravity[i];
  return true;
}

void Unit::observe(const plant::Output& measured, const plant::Output& world) noexcept {
  // The torque with which closing brakes stop the arm is not the sensors' in a simulated plant.
  const Vec7& dq_before = state_ == State::kOther ? measured.dq : world_.dq;
  external_torque_.observe(arm_, dq_before, measured.dq, measured.tau_J);
  for (std::size_t i = 0; i < kJoints; ++i)
    dtau_J_[i] = (measured.tau_J[i] - world_.tau_J[i]) / kDt;
  world_ = measured;
  robot::evaluate(robot_, world_.q, world_.dq, configuration_.total(), settings_.gravity, arm_);
  // A hand leads; q_d follows.
  if (state_ == State::kGuiding) reference_ = {world_.q, {}, {}, {}};
  const double speed = largest(world_.dq);
  still_cycles_ = speed < kStandstillSpeed ? still_cycles_ + 1 : 0;
  // What stands still is the simulation's own question: noise must not keep the world awake.
  const bool calm = largest(world.dq) < kRestSpeed && world.scene_speed < kSceneRestSpeed;
  rest_cycles_ = calm ? rest_cycles_ + 1 : 0;
  ++restless_cycles_;
  watch();
  watch_deviation();
  watch_contact();
}

}  // namespace fsim::engine
