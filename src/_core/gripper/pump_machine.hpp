// The state machine of the vacuum gripper as a table. Must not know pressures or time; pump.cpp
// carries out the actions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fsim::gripper {

enum class PumpState : std::uint8_t {
  kIdle,        ///< pump off, valve closed. Out: commands, power off.
  kEvacuating,  ///< towards the setpoint. Out: established, timed out, commands, stop.
  kHolding,     ///< controlling the vacuum. Out: commands, stop.
  kDropping,    ///< valve open. Out: released, timed out, commands, stop.
  kOff,         ///< no power. Out: power on.
};
inline constexpr std::size_t kPumpStateCount = 5;

enum class PumpInput : std::uint8_t {
  kVacuum,
  kDropOff,
  kStop,
  kEstablished,
  kReleased,
  kTimedOut,
  kPowerOff,
  kPowerOn,
};
inline constexpr std::size_t kPumpInputCount = 8;

enum class PumpAnswer : std::uint8_t { kNone, kLater, kSuccess, kFail };

/// What the pump does besides changing its state; a set of bits.
enum PumpAction : std::uint8_t {
  kPumpNothing = 0,
  kPumpBegin = 1 << 0,
  kPumpSuccess = 1 << 1,  ///< the running command ends with this
  kPumpUnsuccessful = 1 << 2,
  kPumpFail = 1 << 3,
  kPumpAborted = 1 << 4,
};
using PumpActions = std::uint8_t;

struct PumpTransition {
  PumpState to = PumpState::kIdle;
  PumpAnswer answer = PumpAnswer::kNone;
  PumpActions actions = kPumpNothing;
  const char* source = nullptr;
};

/// Total: every (state, input) pair has exactly one transition (checked at compile time).
const PumpTransition& transition(PumpState state, PumpInput input) noexcept;

const char* name(PumpState state) noexcept;
const char* name(PumpInput input) noexcept;

}  // namespace fsim::gripper
