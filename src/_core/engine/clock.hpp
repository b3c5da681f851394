// The only place that reads a clock or sleeps. Must not know robots or sockets.
#pragma once

#include <cstdint>

#include "base/types.hpp"

namespace fsim::engine {

/// CLOCK_MONOTONIC [ns].
std::int64_t monotonic_ns() noexcept;

/// An absolute grid of states. A cycle's boundary lies a little before its state is due, so that
/// the state leaves on the grid however long the cycle computed. A stall moves the grid instead of
/// making up for it: no burst, and never less than 0.9 period between a send and the next boundary.
class Clock {
 public:
  /// `spin_ns`: poll the clock for this long before a state is due instead of sleeping to it.
  Clock(std::int64_t period_ns, std::int64_t spin_ns) noexcept
      : period_ns_(period_ns), lead_ns_(period_ns / kLeadDivisor), spin_ns_(spin_ns) {}

  void start(std::int64_t now) noexcept { deadline_ns_ = now + period_ns_; }
  /// When the state of this cycle is due.
  std::int64_t deadline_ns() const noexcept { return deadline_ns_; }
  /// When its commands are collected.
  std::int64_t boundary_ns() const noexcept { return deadline_ns_ - lead_ns_; }
  std::int64_t period_ns() const noexcept { return period_ns_; }

  /// Sleep until the boundary; returns the time it was noticed.
  std::int64_t wait_boundary() const noexcept { return sleep_to(boundary_ns()); }
  /// The same when no client waits for its command to be taken: the cycle computes after its state
  /// is due, and one sleep is saved.
  std::int64_t wait_idle_boundary() const noexcept { return sleep_to(deadline_ns_ - spin_ns_); }
  /// Until the state is due. What is left of the lead is polled away: a second sleep would wake up
  /// later than it saves.
  void wait_due() const noexcept;
  /// The state of this cycle left at `sent`: place the next one.
  void advance(std::int64_t sent) noexcept { advance(sent, lead_ns_); }
  /// The same when the next boundary is an idle one, which has no lead.
  void advance_idle(std::int64_t sent) noexcept { advance(sent, 0); }
  /// The boundary came early or elsewhere (lockstep): the grid starts anew at `now`.
  void restart(std::int64_t now) noexcept { deadline_ns_ = now + period_ns_; }

  std::uint64_t slips() const noexcept { return slips_; }
  std::int64_t slipped_ns() const noexcept { return slipped_ns_; }

 private:
  // chosen: 50 us of a millisecond hold a cycle (about 25 us) and a late wake-up; the client keeps
  // 0.95 of the period.
  static constexpr std::int64_t kLeadDivisor = 20;

  static std::int64_t sleep_to(std::int64_t time) noexcept;
  void advance(std::int64_t sent, std::int64_t lead) noexcept;

  std::int64_t period_ns_;
  std::int64_t lead_ns_;
  std::int64_t spin_ns_;
  std::int64_t deadline_ns_ = 0;
  std::uint64_t slips_ = 0;
  std::int64_t slipped_ns_ = 0;
};

}  // namespace fsim::engine
