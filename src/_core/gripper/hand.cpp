// Commands, actions and what the hand makes of its fingers.
#include "gripper/hand.hpp"

#include <algorithm>
#include <cmath>

#include "base/types.hpp"
#include "gripper/hand_facts.hpp"

namespace fsim::gripper {
namespace {

/// Beyond any stroke: the fingers go on until something stops them.
constexpr double kAllTheWay = 1.0;
/// [N] that keeps fingers where they are without pressing; chosen: friction of the drive.
constexpr double kRelaxedForce = 5.0;
/// Widths are compared with this room, so that the stroke itself can be asked for [m]; chosen.
constexpr double kWidthRoom = 1e-6;
/// The world may stand when the fingers were slower than this for so long; chosen as for the arm.
constexpr double kRestSpeed = 1e-4;
constexpr unsigned kRestCycles = 50;

}  // namespace

void Hand::reset(bool homed, const Fingers& fingers) noexcept {
  *this = Hand{};
  fingers_ = fingers;
  max_width_ = homed ? kHandFacts.stroke : 0.0;
  temperature_ = kHandHeat.idle;
  drive_ = {fingers.width, kHandFacts.top_speed, kHandFacts.move_force};
}

bool Hand::acceptable(const HandCommand& c) const noexcept {
  using Kind = HandCommand::Kind;
  if (c.kind == Kind::kHoming || c.kind == Kind::kStop) return true;
  // Comparisons are false for what is no number.
  const bool reachable = c.width >= 0 && c.width <= max_width_ + kWidthRoom;
  const bool moves = c.speed > 0 && std::isfinite(c.speed);
  if (c.kind == Kind::kMove) return reachable && moves;
  const bool presses = c.force > 0 && std::isfinite(c.force);
  return reachable && moves && presses && !std::isnan(c.epsilon_inner) &&
         !std::isnan(c.epsilon_outer);
}

void Hand::request(Ticket ticket, const HandCommand& command) noexcept {
  using Kind = HandCommand::Kind;
  // What is refused for its arguments changes nothing, and nothing is stopped for it.
  if (!acceptable(command)) {
    answer(ticket, Outcome::kFail);
    return;
  }
  constexpr HandInput kInputs[] = {HandInput::kHoming, HandInput::kGrasp, HandInput::kMove,
                                   HandInput::kStop};
  const HandInput in = kInputs[static_cast<std::size_t>(command.kind)];
  const HandAnswer how = transition(state_, in).answer;
  next_ = command;
  next_ticket_ = ticket;
  input(in);
  if (how == HandAnswer::kSuccess || how == HandAnswer::kFail) {
    const Outcome outcome = how == HandAnswer::kFail ? Outcome::kFail : Outcome::kSuccess;
    answer(ticket, outcome);
  } else if (command.kind == Kind::kStop && !stops_.push(ticket)) {
    answer(ticket, Outcome::kSuccess);
  }
}

void Hand::answer(Ticket ticket, Outcome outcome) noexcept {
  if (ticket != 0) answers_.push({ticket, outcome});
}

void Hand::power(bool on) noexcept { input(on ? HandInput::kPowerOn : HandInput::kPowerOff); }

void Hand::heat_to(double temperature) noexcept {
  temperature_ = temperature;
  rest_cycles_ = 0;
}

void Hand::stall(bool stalled) noexcept {
  stalled_ = stalled;
  blocked_cycles_ = 0;
  rest_cycles_ = 0;
}

void Hand::input(HandInput in) noexcept {
  const HandTransition& t = transition(state_, in);
  if (t.to == state_ && t.actions == kNothing) return;
  state_ = t.to;
  blocked_cycles_ = loose_cycles_ = standing_cycles_ = rest_cycles_ = 0;
  act(t.actions);
}

void Hand::act(HandActions actions) noexcept {
  const auto has = [actions](HandAction a) { return (actions & a) != 0; };
  if (has(kLearnStroke)) max_width_ = fingers_.width;
  if (has(kForget)) max_width_ = 0;
  if (has(kEndSuccess)) end(Outcome::kSuccess);
  if (has(kEndUnsuccessful)) end(Outcome::kUnsuccessful);
  if (has(kEndFail)) end(Outcome::kFail);
  if (has(kEndAborted)) end(Outcome::kAborted);
  if (has(kEndStops)) {
    for (const Ticket ticket : stops_) answer(ticket, Outcome::kSuccess);
    stops_.clear();
  }
  if (has(kBegin)) begin();
  if (has(kHalt)) halt();
  if (has(kRelax)) drive_ = {fingers_.width, kHandFacts.top_speed, kRelaxedForce};
  if (has(kLimp)) drive_.force = 0;
}

void Hand::begin() noexcept {
  command_ = next_;
  ticket_ = next_ticket_;
  const double speed = std::min(command_.speed, kHandFacts.top_speed);
  switch (command_.kind) {
    case HandCommand::Kind::kHoming:
      opening_ = false;
      drive_ = {-kAllTheWay, kHandFacts.homing_speed, kHandFacts.move_force};
      break;
    case HandCommand::Kind::kGrasp:
      // Under force until the fingers stall, whatever width was asked for (reference 000).
      drive_ = {-kAllTheWay, speed, std::min(command_.force, kHandFacts.peak_force)};
      break;
    case HandCommand::Kind::kMove:
      drive_ = {command_.width, speed, kHandFacts.move_force};
      break;
    case HandCommand::Kind::kStop:
      break;
  }
}

void Hand::halt() noexcept {
  // Where the fingers are when they have braked; what they press on stays pressed.
  const double way =
      fingers_.rate * (std::abs(fingers_.rate) / (2 * kHandFacts.acceleration) + kDt);
  drive_.width = std::clamp(fingers_.width + way, 0.0, kHandFacts.stroke);
  drive_.speed = kHandFacts.top_speed;
  if (drive_.force <= 0) drive_.force = kHandFacts.move_force;
}

void Hand::end(Outcome outcome) noexcept {
  if (ticket_ == 0) return;
  answer(ticket_, outcome);
  ticket_ = 0;
}

bool Hand::in_band() const noexcept {
  const double d = fingers_.width;
  return command_.width - command_.epsilon_inner < d && d < command_.width + command_.epsilon_outer;
}

void Hand::observe(const Fingers& fingers) noexcept {
  fingers_ = fingers;
  const double speed = std::abs(fingers.rate);
  const bool blocked = fingers.pressing && speed <= kHandSenses.blocked_fraction * drive_.speed;
  blocked_cycles_ = blocked ? blocked_cycles_ + 1 : 0;
  loose_cycles_ = fingers.pressing ? 0 : loose_cycles_ + 1;
  standing_cycles_ = speed < kHandSenses.standing_speed ? standing_cycles_ + 1 : 0;
  rest_cycles_ = speed < kRestSpeed ? rest_cycles_ + 1 : 0;
  warm();
  sense();
}

void Hand::sense() noexcept {
  const bool blocked = blocked_cycles_ >= kHandSenses.blocked_cycles;
  if (state_ == HandState::kStopping) {
    if (standing_cycles_ >= kHandSenses.standing_cycles) input(HandInput::kStanding);
    return;
  }
  if (stalled_) return;
  switch (state_) {
    case HandState::kHoming:
      if (blocked) sense_homing();
      break;
    case HandState::kMoving:
      if (std::abs(fingers_.width - command_.width) <= kHandSenses.arrived_error)
        input(HandInput::kArrived);
      else if (blocked)
        input(HandInput::kBlocked);
      break;
    case HandState::kGrasping:
      if (blocked) input(in_band() ? HandInput::kGripped : HandInput::kMissed);
      break;
    case HandState::kHolding:
      if (!in_band() || loose_cycles_ >= kHandSenses.blocked_cycles) input(HandInput::kLost);
      break;
    default:
      break;
  }
}

void Hand::sense_homing() noexcept {
  if (opening_) {
    // The fingers stay where they met the end of their way.
    drive_ = {fingers_.width, kHandFacts.top_speed, kHandFacts.move_force};
    input(HandInput::kArrived);
  } else if (fingers_.width <= kHandSenses.closed_width) {
    opening_ = true;
    blocked_cycles_ = 0;
    drive_.width = kAllTheWay;
  } else {
    input(HandInput::kBlocked);
  }
}

void Hand::warm() noexcept {
  constexpr HandHeat h = kHandHeat;
  const bool drives = state_ == HandState::kGrasping || state_ == HandState::kHolding ||
                      state_ == HandState::kPressing;
  const double press = drives && fingers_.pressing ? drive_.force / kHandFacts.steady_force : 0.0;
  const double motion = std::abs(fingers_.rate) / kHandFacts.top_speed;
  const double settles_at = h.idle + h.steady_rise * press * press + h.motion_rise * motion;
  temperature_ += (settles_at - temperature_) * kDt / h.time_constant;
  if (temperature_ >= h.limit)
    input(HandInput::kTooHot);
  else if (temperature_ <= h.works_again_at)
    input(HandInput::kCooled);
}

HandReport Hand::report() const noexcept {
  return {fingers_.width, max_width_,     state_ == HandState::kHolding,
          temperature_,   fingers_.force, state_};
}

bool Hand::at_rest() const noexcept {
  if (stalled_ || rest_cycles_ < kRestCycles) return false;
  return state_ == HandState::kIdle || state_ == HandState::kHolding ||
         state_ == HandState::kPressing || state_ == HandState::kOff;
}

}  // namespace fsim::gripper
