// The motion state machine of one robot as a table: what each input does in each state. Must not
// know torques, bytes or time; the engine carries out the actions.
#pragma once

#include <cstdint>
#include <span>

#include "wire/modes.hpp"

namespace fsim::motion {

enum class State : std::uint8_t {
  kOther,      ///< brakes closed. In: brakes closed. Out: brakes opened.
  kIdle,       ///< holding. In: at rest after anything. Out: Move, stop inputs, guiding.
  kStarting,   ///< Move accepted, no command yet. Out: first command, stop, violation, client gone.
  kMoving,     ///< following commands. Out: finish, stop, violation, client gone.
  kFinishing,  ///< finish accepted, settling. Out: at rest (kSuccess), violation, client gone.
  kStopping,   ///< StopMove or preempting Move, braking. Out: at rest (kPreempted).
  kHalting,    ///< braking for nobody (client gone, guiding ended). Out: at rest.
  kReflex,     ///< an error is latched. Out: recovery, user stop, brakes.
  kRecovering,   ///< automatic error recovery runs. Out: at rest, user stop.
  kGuiding,      ///< hand guiding. Out: guiding ended, user stop, brakes.
  kUserStopped,  ///< activation device pressed. Out: released, brakes.
};
inline constexpr std::size_t kStateCount = 11;

enum class Input : std::uint8_t {
  kMove,
  kStopMove,
  kSetter,
  kSetGuidingMode,
  kRecover,
  kFirstCommand,
  kFinish,
  kViolation,
  kAtRest,
  kClientGone,
  kUserStopPressed,
  kUserStopReleased,
  kGuidingStarted,
  kGuidingEnded,
  kBrakesClosed,
  kBrakesOpened,
};
inline constexpr std::size_t kInputCount = 16;

/// How the request that is the input is answered.
enum class Answer : std::uint8_t {
  kNone,         ///< the input is no request
  kSuccess,      ///< at once
  kNotPossible,  ///< at once, kCommandNotPossibleRejected
  kStarted,      ///< kMotionStarted now, a terminal status later
  kAtRest,       ///< when the arm stands (a Move: taken up again then)
};

/// What the engine does besides changing the state; a set of bits.
enum Action : std::uint16_t {
  kNoAction = 0,
  kStart = 1 << 0,       ///< begin judging a motion
  kBrake = 1 << 1,       ///< brake to rest
  kSettle = 1 << 2,      ///< hold the last reference and wait for the arm
  kApply = 1 << 3,       ///< carry out the setter
  kLatch = 1 << 4,       ///< latch the errors and the reflex reason
  kClear = 1 << 5,       ///< clear the errors
  kEndSuccess = 1 << 6,  ///< the running Move ends with this status
  kEndPreempted = 1 << 7,
  kEndReflex = 1 << 8,
  kEndEmergency = 1 << 9,
  kEndAborted = 1 << 10,
  kAbortRecovery = 1 << 11,  ///< a running recovery ends kEmergencyAborted
  kResume = 1 << 12,         ///< back to Reflex instead, when errors are latched
};
using Actions = std::uint16_t;

struct Transition {
  State to = State::kIdle;
  Answer answer = Answer::kNone;
  Actions actions = kNoAction;
  const char* source = nullptr;
};

/// Total: every (state, input) pair has exactly one transition (checked at compile time).
const Transition& transition(State state, Input input) noexcept;

/// The mode that RobotState shows. kStopping still shows the motion it ends.
constexpr wire::RobotMode robot_mode(State state) noexcept {
  switch (state) {
    case State::kOther:
      return wire::RobotMode::kOther;
    case State::kStarting:
    case State::kMoving:
    case State::kFinishing:
    case State::kStopping:
      return wire::RobotMode::kMove;
    case State::kReflex:
      return wire::RobotMode::kReflex;
    case State::kRecovering:
      return wire::RobotMode::kAutomaticErrorRecovery;
    case State::kGuiding:
      return wire::RobotMode::kGuiding;
    case State::kUserStopped:
      return wire::RobotMode::kUserStopped;
    case State::kIdle:
    case State::kHalting:
      break;
  }
  return wire::RobotMode::kIdle;
}

/// A motion is running: its modes are shown and its Move is unanswered.
constexpr bool in_motion(State state) noexcept {
  return robot_mode(state) == wire::RobotMode::kMove;
}

const char* name(State state) noexcept;
const char* name(Input input) noexcept;

}  // namespace fsim::motion
