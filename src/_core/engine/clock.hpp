// The only place that reads a clock or sleeps. Must not know robots or sockets.
#pragma once

#include <cstdint>

#include "base/types.hpp"

namespace fsim::engine {

/// CLOCK_MONOTONIC [ns].
std::int64_t monotonic_ns() noexcept;

/// An absolute grid of cycle boundaries. A stall moves the grid instead of making up for it: no
/// burst, and never less than 0.9 period between a send and the next boundary.
class Clock {
 public:
  Clock(std::int64_t period_ns, std::int64_t spin_ns) noexcept
      : period_ns_(period_ns), spin_ns_(spin_ns) {}

  void start(std::int64_t now) noexcept { deadline_ns_ = now + period_ns_; }
  std::int64_t deadline_ns() const noexcept { return deadline_ns_; }
  std::int64_t period_ns() const noexcept { return period_ns_; }

  /// Sleep (then spin) until the boundary; returns the time it was noticed.
  std::int64_t wait() const noexcept;
  /// The state of this cycle left at `sent`: place the next boundary.
  void advance(std::int64_t sent) noexcept;
  /// The boundary came early or elsewhere (lockstep): the grid starts anew at `now`.
  void restart(std::int64_t now) noexcept { deadline_ns_ = now + period_ns_; }

  std::uint64_t slips() const noexcept { return slips_; }
  std::int64_t slipped_ns() const noexcept { return slipped_ns_; }

 private:
  std::int64_t period_ns_;
  std::int64_t spin_ns_;
  std::int64_t deadline_ns_ = 0;
  std::uint64_t slips_ = 0;
  std::int64_t slipped_ns_ = 0;
};

}  // namespace fsim::engine
