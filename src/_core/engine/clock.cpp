// Absolute sleeping on CLOCK_MONOTONIC.
#include "engine/clock.hpp"

#include <ctime>

namespace fsim::engine {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

void sleep_until(std::int64_t t) noexcept {
  const timespec at{.tv_sec = t / kSecond, .tv_nsec = t % kSecond};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, nullptr) != 0) {
  }
}

}  // namespace

std::int64_t monotonic_ns() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * kSecond + now.tv_nsec;
}

std::int64_t Clock::sleep_to(std::int64_t time) noexcept {
  const std::int64_t now = monotonic_ns();
  if (time <= now) return now;
  sleep_until(time);
  return monotonic_ns();
}

void Clock::wait_due() const noexcept {
  const std::int64_t polled = spin_ns_ > lead_ns_ ? spin_ns_ : lead_ns_;
  std::int64_t now = sleep_to(deadline_ns_ - polled);
  while (now < deadline_ns_) now = monotonic_ns();
}

void Clock::advance(std::int64_t sent, std::int64_t lead) noexcept {
  const std::int64_t on_grid = deadline_ns_ + period_ns_;
  // architecture.md, Clocks: the client keeps at least 0.9 of a period to answer.
  const std::int64_t earliest = sent + period_ns_ * 9 / 10 + lead;
  if (earliest > on_grid) {
    ++slips_;
    slipped_ns_ += earliest - on_grid;
    deadline_ns_ = earliest;
  } else {
    deadline_ns_ = on_grid;
  }
}

}  // namespace fsim::engine
