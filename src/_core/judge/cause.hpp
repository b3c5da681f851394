// Why a sample is over a limit, from the sample and the history it met. Must not look at the
// error's name.
#pragma once

#include <cstdint>

#include "judge/checks.hpp"
#include "judge/reference.hpp"
#include "judge/violation.hpp"

namespace fsim::judge {

/// Where a judged sample comes from.
enum class Origin : std::uint8_t {
  kOpening,     ///< the motion's first command
  kCommand,     ///< a command, in time or late in order
  kOutOfOrder,  ///< a late command that stands for one cycle
  kGuess,       ///< the server's extrapolation
  kHold,        ///< the hold that follows a finish
};

struct Circumstances {
  const Sample& sample;
  const Breach& breach;
  Generator generator;
  Origin origin;
  const Reference& arrived;     ///< the last command that arrived
  bool previous_extrapolated;   ///< `sample.prev` is a guess
  unsigned gap;                 ///< cycles lost since `arrived`
  unsigned since_guess;         ///< commands recorded since the history held a guess
  const Observation* measured;  ///< null: not known
  const Limits& limits;
};

Cause cause_of(const Circumstances& c) noexcept;

}  // namespace fsim::judge
