// The record of a broken limit: what "why did it stop" is answered from. Must not decide anything.
#pragma once

#include <cstdint>
#include <span>

#include "base/types.hpp"
#include "judge/reference.hpp"
#include "wire/errors.hpp"

namespace fsim::judge {

/// What of a Cartesian signal broke a limit.
enum class Axis : std::uint8_t {
  kNone,
  kTranslation,
  kRotation,
  kElbow,
  kX,  ///< a force along this axis of K; the rest: a moment about it
  kY,
  kZ,
  kAboutX,
  kAboutY,
  kAboutZ,
};
const char* name(Axis axis) noexcept;
const char* name(Generator generator) noexcept;

/// Likely cause of a violation, computed from the command and the history it met (cause.cpp), never
/// from the error's name.
enum class Cause : std::uint8_t {
  kOwnSignal,               ///< nothing was lost: the signal itself is over the limit
  kNotFinite,               ///< a command holds NaN or infinity
  kRowMajor,                ///< the frame is a transform when read row by row
  kOpeningStep,             ///< the first command is away from where the robot stands
  kSeededFromMeasured,      ///< the command is the measured value, not the desired one
  kStoppedInOneCycle,       ///< the command stands still while the reference moved
  kResumedFromOwnWaypoint,  ///< after lost cycles the command is the last one that had arrived
  kAssumedOneMillisecond,   ///< after lost cycles it is one millisecond past the last that arrived
  kStraddlesGap,            ///< the differences span cycles that the server had to guess
  kOutOfOrder,              ///< a late command that is not the oldest unanswered one
  kExtrapolation,   ///< the server's own guess ran over the limit while the client was quiet
  kFinishedMoving,  ///< the finished flag came on a moving command
  kNearStop,        ///< below the rated speed, but too fast for where the joint is
  kLostCommands,    ///< the client was quiet for too long
  kMeasured,        ///< the arm itself, whatever was commanded
  kPushed,          ///< something outside pushes the arm, or its load is not the declared one
  kCount,
};
const char* name(Cause cause) noexcept;
/// The cause and what helps, as half a sentence; numbers are in the record.
const char* text(Cause cause) noexcept;

/// Which rule was broken, where and by how much. `row` indexes `checks()`.
struct Violation {
  wire::Error error{};
  std::uint8_t row = 0;
  std::int8_t joint = -1;     ///< 0-based; -1: no joint
  double value = 0;           ///< unit of the row
  double limit = 0;           ///< nominal threshold, without slack
  Cycle cycle{};              ///< the published cycle that this command (or guess) answers
  bool extrapolated = false;  ///< the sample judged is the server's own extrapolation
  bool enforced = false;      ///< it aborts the motion
  Generator generator = Generator::kNone;
  Axis axis = Axis::kNone;
  double over = 0;                     ///< how far beyond the limit, unit of the row
  std::uint8_t lost_in_last_20 = 0;    ///< lost cycles among the last 20
  bool previous_extrapolated = false;  ///< the sample before this one was a guess
  std::uint16_t gap = 0;               ///< cycles since the last command that arrived, less one
  Cause cause = Cause::kOwnSignal;
  std::int8_t other = -1;  ///< self-collision: `joint` and `other` are the two links
};

/// One row of the precedence table; within a generator the first row that fails names the error.
struct CheckRow {
  const char* signal;     ///< "q_c", "dq_c", "tau_J_d", ...
  const char* condition;  ///< "position limits", "implied acceleration", ...
  const char* unit;
  Generator generator;  ///< kNone: external torque, the stream itself, the measured side
  wire::Error error;
  bool always;  ///< refused whatever the switches say
  const char* source;
};
std::span<const CheckRow> checks() noexcept;

}  // namespace fsim::judge
