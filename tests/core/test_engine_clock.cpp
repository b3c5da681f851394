// The grid of cycle boundaries: exact when kept, moved by a stall, never made up for.
#include <doctest/doctest.h>

#include <random>

#include "engine/clock.hpp"

using fsim::engine::Clock;
using fsim::engine::monotonic_ns;

namespace {
constexpr std::int64_t kMs = 1'000'000;
}

TEST_CASE("sends in time keep the grid exact") {
  Clock clock(kMs, 0);
  clock.start(5 * kMs);
  CHECK(clock.deadline_ns() == 6 * kMs);
  for (std::int64_t n = 6; n < 1000; ++n) {
    CHECK(clock.deadline_ns() == n * kMs);
    clock.advance(clock.deadline_ns() + kMs / 20);  // the latest send that leaves 0.9 ms
  }
  CHECK(clock.slips() == 0);
  CHECK(clock.slipped_ns() == 0);
}

TEST_CASE("a stall moves the grid and is counted, and no burst follows") {
  // architecture.md, Clocks: the world never jumps and never bursts.
  Clock clock(kMs, 0);
  clock.start(0);
  clock.advance(clock.deadline_ns() + 50 * kMs);
  CHECK(clock.deadline_ns() == 51 * kMs + 19 * kMs / 20);
  CHECK(clock.slips() == 1);
  CHECK(clock.slipped_ns() == 51 * kMs + 19 * kMs / 20 - 2 * kMs);
  const std::int64_t moved = clock.deadline_ns();
  clock.advance(moved + 1000);
  CHECK(clock.deadline_ns() == moved + kMs);
  CHECK(clock.slips() == 1);
}

TEST_CASE("whatever the sends, a boundary is at least 0.9 period after the last one") {
  const unsigned seed = 20260101;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  for (const std::int64_t period : {kMs, 10 * kMs, kMs / 4}) {
    Clock clock(period, 0);
    clock.start(0);
    std::int64_t slipped = 0;
    for (int n = 0; n < 20'000; ++n) {
      const std::int64_t due = clock.deadline_ns();
      const auto late = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(period));
      const std::int64_t sent = due + (n % 100 == 0 ? 30 * late : late / 5);
      clock.advance(sent);
      CHECK(clock.boundary_ns() - sent >= period * 9 / 10);
      CHECK(clock.deadline_ns() - due >= period);
      slipped += clock.deadline_ns() - due - period;
    }
    CHECK(clock.slipped_ns() == slipped);
    CHECK(clock.slips() > 0);
  }
}

TEST_CASE("waiting never returns before its time, asleep or spinning") {
  for (const std::int64_t spin : {std::int64_t{0}, kMs / 2, 2 * kMs}) {
    Clock clock(kMs, spin);
    clock.start(monotonic_ns());
    for (int n = 0; n < 5; ++n) {
      const std::int64_t noticed = clock.wait_boundary();
      CHECK(noticed >= clock.boundary_ns());
      clock.wait_due();
      const std::int64_t sent = monotonic_ns();
      CHECK(sent >= clock.deadline_ns());
      CHECK(sent >= noticed);
      clock.advance(sent);
    }
  }
}

TEST_CASE("a boundary that is past is noticed at once, and a restart begins a new grid") {
  Clock clock(kMs, 0);
  clock.start(monotonic_ns() - 100 * kMs);
  CHECK(clock.wait_boundary() >= clock.deadline_ns());
  const std::int64_t now = monotonic_ns();
  clock.restart(now);
  CHECK(clock.deadline_ns() == now + kMs);
  CHECK(clock.slips() == 0);
}
