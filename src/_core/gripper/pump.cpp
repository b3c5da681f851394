// Commands of the vacuum gripper, and the vacuum in its cup: first-order towards what pump, valve
// and part allow.
#include "gripper/pump.hpp"

#include <algorithm>
#include <cmath>

#include "base/types.hpp"
#include "gripper/pump_facts.hpp"

namespace fsim::gripper {
namespace {

bool acceptable(const PumpCommand& c) noexcept {
  switch (c.kind) {
    case PumpCommand::Kind::kVacuum:
      return c.vacuum > 0 && c.profile < kPumpProfiles.size() && c.timeout >= 0;
    case PumpCommand::Kind::kDropOff:
      return c.timeout >= 0;
    case PumpCommand::Kind::kStop:
      return true;
  }
  return false;
}

constexpr std::uint8_t kRed = 3;
/// [mbar] a cup with less counts as vented; chosen, below the unit of the state.
constexpr double kVented = 0.5;

}  // namespace

void Pump::answer(Ticket ticket, Outcome outcome) noexcept {
  if (ticket != 0) answers_.push({ticket, outcome});
}

void Pump::end(Outcome outcome) noexcept {
  answer(ticket_, outcome);
  ticket_ = 0;
}

void Pump::request(Ticket ticket, const PumpCommand& command) noexcept {
  if (!acceptable(command)) {
    answer(ticket, Outcome::kFail);
    return;
  }
  constexpr PumpInput kInputs[] = {PumpInput::kVacuum, PumpInput::kDropOff, PumpInput::kStop};
  const PumpInput in = kInputs[static_cast<std::size_t>(command.kind)];
  const PumpAnswer how = transition(state_, in).answer;
  next_ = command;
  next_ticket_ = ticket;
  input(in);
  if (how == PumpAnswer::kSuccess) answer(ticket, Outcome::kSuccess);
  if (how == PumpAnswer::kFail) answer(ticket, Outcome::kFail);
}

void Pump::power(bool on) noexcept { input(on ? PumpInput::kPowerOn : PumpInput::kPowerOff); }

void Pump::input(PumpInput in) noexcept {
  const PumpTransition& t = transition(state_, in);
  const auto has = [&t](PumpAction a) { return (t.actions & a) != 0; };
  state_ = t.to;
  if (has(kPumpSuccess)) end(Outcome::kSuccess);
  if (has(kPumpUnsuccessful)) end(Outcome::kUnsuccessful);
  if (has(kPumpFail)) end(Outcome::kFail);
  if (has(kPumpAborted)) end(Outcome::kAborted);
  if (!has(kPumpBegin)) return;
  ticket_ = next_ticket_;
  left_ms_ = next_.timeout;
  if (next_.kind == PumpCommand::Kind::kVacuum) {
    setpoint_ = next_.vacuum;
    profile_ = next_.profile;
    detached_ = false;
  }
}

bool Pump::sucks() const noexcept {
  return state_ == PumpState::kEvacuating || state_ == PumpState::kHolding;
}

bool Pump::in_range() const noexcept {
  return sucks() && std::abs(vacuum_ - setpoint_) <= kPumpFacts.control_range;
}

void Pump::advance() noexcept {
  constexpr PumpFacts f = kPumpFacts;
  // What the vacuum goes to, and how fast.
  double goal = 0;
  double time = state_ == PumpState::kDropping || !sealed_ ? f.vent_time : f.leak_time;
  const bool above = vacuum_ > setpoint_;
  if (sucks() && above) {
    // Too much is bled off through the valve (chosen).
    goal = setpoint_;
    time = f.vent_time;
  } else if (sucks()) {
    goal = sealed_ ? f.reach : f.open_reach;
    if (goal > vacuum_) time = f.time_constant;
  }
  if (!stalled_) {
    vacuum_ += (goal - vacuum_) * (kDt / time);
    // The pump stops at its setpoint.
    if (sucks() && !above) vacuum_ = std::min(vacuum_, setpoint_);
  }
  // A part counts as present with a hysteresis, and as detached when it was.
  const PumpProfile& profile = kPumpProfiles[profile_];
  const bool was = present_;
  present_ = vacuum_ > (was ? profile.h2 - profile.hysteresis : profile.h2);
  if (was && !present_) detached_ = true;

  if (state_ == PumpState::kEvacuating && in_range()) input(PumpInput::kEstablished);
  if (state_ == PumpState::kDropping && vacuum_ < f.released) {
    detached_ = true;
    input(PumpInput::kReleased);
  }
  if (left_ms_ > 0) --left_ms_;
  if (left_ms_ == 0) input(PumpInput::kTimedOut);
}

PumpReport Pump::report() const noexcept {
  PumpReport r;
  r.in_control_range = in_range();
  r.part_detached = detached_;
  r.part_present = present_;
  r.device_status = state_ == PumpState::kOff ? kRed : device_status_;
  r.vacuum = vacuum_;
  r.state = state_;
  if (sucks())
    r.actual_power = in_range() && sealed_ ? kPumpFacts.holding_power : kPumpFacts.evacuating_power;
  return r;
}

bool Pump::at_rest() const noexcept {
  if (state_ == PumpState::kHolding) return in_range() && sealed_;
  return !stalled_ && (state_ == PumpState::kIdle || state_ == PumpState::kOff) &&
         vacuum_ < kVented;
}

}  // namespace fsim::gripper
