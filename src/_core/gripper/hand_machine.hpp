// The state machine of a hand as a table: what each input does in each state. Must not know widths,
// forces or time; hand.cpp carries out the actions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fsim::gripper {

enum class HandState : std::uint8_t {
  kIdle,      ///< fingers held. In: anything that ended. Out: commands, heat, power off.
  kHoming,    ///< closing, then opening all the way. Out: homed, blocked, commands, stop.
  kMoving,    ///< to a width. Out: arrived, blocked, commands, stop.
  kGrasping,  ///< closing under force. Out: the stalled width is in the band or not, commands,
              ///< stop.
  kHolding,   ///< something is grasped, force on. Out: lost, commands, stop.
  kPressing,  ///< what was grasped is lost, force still on. Out: commands, stop.
  kStopping,  ///< halting where the fingers are. Out: standing, commands.
  kHot,       ///< too warm to work. Out: cooled, power off.
  kOff,       ///< no power. Out: power on.
};
inline constexpr std::size_t kHandStateCount = 9;

enum class HandInput : std::uint8_t {
  kHoming,
  kGrasp,
  kMove,
  kStop,
  kArrived,   ///< the width, or the end of homing
  kBlocked,   ///< something else than the end was met
  kGripped,   ///< stalled inside the tolerances
  kMissed,    ///< stalled outside
  kLost,      ///< what was grasped is gone
  kStanding,  ///< the fingers stand
  kTooHot,
  kCooled,
  kPowerOff,
  kPowerOn,
};
inline constexpr std::size_t kHandInputCount = 14;

/// How the request that is the input is answered.
enum class HandAnswer : std::uint8_t {
  kNone,     ///< the input is no request
  kLater,    ///< when it ends
  kSuccess,  ///< at once
  kFail,     ///< at once
};

/// What the hand does besides changing its state; a set of bits.
enum HandAction : std::uint16_t {
  kNothing = 0,
  kBegin = 1 << 0,        ///< carry out the command that is the input
  kHalt = 1 << 1,         ///< stop and hold the fingers where they are
  kRelax = 1 << 2,        ///< hold them without pressing on what was met
  kLimp = 1 << 3,         ///< no drive
  kLearnStroke = 1 << 4,  ///< homed: max_width is known
  kForget = 1 << 5,       ///< max_width is not known any more
  kEndSuccess = 1 << 6,   ///< the running command ends with this
  kEndUnsuccessful = 1 << 7,
  kEndFail = 1 << 8,
  kEndAborted = 1 << 9,
  kEndStops = 1 << 10,  ///< stops that wait are answered: success
};
using HandActions = std::uint16_t;

struct HandTransition {
  HandState to = HandState::kIdle;
  HandAnswer answer = HandAnswer::kNone;
  HandActions actions = kNothing;
  const char* source = nullptr;
};

/// Total: every (state, input) pair has exactly one transition (checked at compile time).
const HandTransition& transition(HandState state, HandInput input) noexcept;

const char* name(HandState state) noexcept;
const char* name(HandInput input) noexcept;

}  // namespace fsim::gripper
