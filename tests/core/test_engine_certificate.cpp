// The certificate of a scripted motion: each loss is blamed on who caused it, each time is
// measured.
#include <doctest/doctest.h>

#include <map>
#include <random>
#include <vector>

#include "engine/certificate.hpp"

using namespace fsim;
using engine::Culprit;
using engine::Echo;
using engine::Timekeeper;

namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kEpoch = 1'700'000'000'000'000'000;  // CLOCK_REALTIME runs elsewhere

/// A link on which somebody makes mistakes; the cycle closes 1 ms after a state was due, and at
/// least 0.9 ms after it left.
class Link {
 public:
  Timekeeper keeper{kMs};

  Link() {
    keeper.connection_began();
    keeper.motion_began();
    state(0);
  }
  /// The state that is out is answered after `reaction`; it is in time below a period.
  void answer(std::int64_t reaction) { pending_.emplace(sent_ + reaction, cycle_); }
  void wrong_echo() { wrong_ = true; }
  /// The open cycle closes, the next state leaves `late` after it is due.
  void next(std::int64_t late = 0, bool planned = false) {
    const std::int64_t close = std::max(due_ + kMs, sent_ + 9 * kMs / 10);
    bool answered = false;
    if (wrong_) keeper.arrived(Cycle{cycle_.n + 1000}, Echo::kUnpublished, kEpoch + close, close);
    wrong_ = false;
    while (!pending_.empty() && pending_.begin()->first <= close) {
      const auto [at, cycle] = *pending_.begin();
      pending_.erase(pending_.begin());
      const bool fresh = cycle == cycle_;
      answered |= fresh;
      keeper.arrived(cycle, fresh ? Echo::kFresh : Echo::kLate, kEpoch + at, close);
    }
    keeper.closed(cycle_, answered && !planned, planned);
    due_ = close;
    state(late);
  }

 private:
  void state(std::int64_t late) {
    cycle_ = cycle_.next();
    sent_ = due_ + late;
    keeper.sent(cycle_, due_, sent_, true);
    keeper.left(cycle_, kEpoch + sent_);
  }
  Cycle cycle_{41};
  std::int64_t due_ = 5 * kMs, sent_ = 0;
  bool wrong_ = false;
  std::multimap<std::int64_t, Cycle> pending_;
};

std::uint64_t blamed(const engine::Certificate& c, Culprit culprit) {
  return c.culprits[static_cast<std::size_t>(culprit)];
}

}  // namespace

TEST_CASE("a thousand losses are each blamed on who caused them") {
  constexpr unsigned kSeed = 11;
  CAPTURE(kSeed);
  std::mt19937_64 random(kSeed);
  Link link;
  std::array<std::uint64_t, engine::kCulprits> expected{};
  std::uint64_t losses = 0;
  while (losses < 1000) {
    // Between two mistakes all is well.
    for (std::uint64_t n = random() % 5 + 1; n > 0; --n) {
      link.answer(200'000);
      link.next();
    }
    switch (random() % 4) {
      case 0: {  // the client sleeps over one to six states and answers the one it had
        const auto slept = static_cast<std::int64_t>(random() % 6 + 1);
        link.answer(slept * kMs + kMs / 2);
        for (std::int64_t k = 0; k <= slept; ++k) {
          // It wakes up during the last of them and answers that one too.
          if (k == slept) link.answer(kMs * 7 / 10);
          link.next();
        }
        expected[1] += static_cast<std::uint64_t>(slept);
        losses += static_cast<std::uint64_t>(slept);
        break;
      }
      case 1:  // a datagram is dropped
        link.next();
        ++expected[2];
        ++losses;
        break;
      case 2:
        link.wrong_echo();
        link.next();
        ++expected[3];
        ++losses;
        break;
      default:
        link.answer(200'000);
        link.next(0, true);
        ++expected[4];
        ++losses;
        break;
    }
  }
  link.keeper.motion_ended();
  const engine::Certificate& c = link.keeper.last_motion();
  CHECK(c.lost == losses);
  for (std::size_t i = 0; i < engine::kCulprits; ++i) {
    CAPTURE(engine::name(static_cast<Culprit>(i)));
    CHECK(c.culprits[i] == expected[i]);
  }
}

TEST_CASE("a server that was late is named and never blames the client") {
  Link link;
  for (int n = 0; n < 100; ++n) {
    link.answer(200'000);
    // Stalls of 3 ms: the grid moves with them, the client keeps its time.
    link.next(n % 10 == 9 ? 3 * kMs : 0);
  }
  link.keeper.motion_ended();
  const engine::Certificate& c = link.keeper.last_motion();
  CHECK(c.late_states == 10);
  CHECK(c.lost == 0);
  CHECK(c.server_late.highest_ns() == 3 * kMs);

  // Were a cycle ever closed on a state that left too late, the server would be blamed.
  Timekeeper keeper(kMs);
  keeper.motion_began();
  keeper.sent(Cycle{7}, 0, kMs / 2, true);
  keeper.left(Cycle{7}, kEpoch + kMs / 2);
  keeper.closed(Cycle{7}, false, false);
  keeper.arrived(Cycle{7}, Echo::kLate, kEpoch + kMs / 2 + 600'000, 2 * kMs);
  CHECK(blamed(keeper.motion(), Culprit::kServer) == 1);
}

TEST_CASE("a reaction is measured between the kernel's stamps, a round trip from due to taken") {
  Link link;
  for (int n = 0; n < 1000; ++n) {
    link.answer(n % 100 == 99 ? 850'000 : 120'000);
    link.next(20'000);
  }
  const engine::Certificate& c = link.keeper.motion();
  CHECK(c.fresh == 1000);
  CHECK(double(c.reaction.quantile_ns(0.5)) == doctest::Approx(120e3).epsilon(1.0 / 32));
  CHECK(double(c.reaction.quantile_ns(0.995)) == doctest::Approx(850e3).epsilon(1.0 / 32));
  CHECK(double(c.server_late.quantile_ns(0.5)) == doctest::Approx(20e3).epsilon(1.0 / 32));
  CHECK(double(c.round_trip.quantile_ns(0.5)) == doctest::Approx(1e6).epsilon(1.0 / 32));
}

TEST_CASE("a client that sleeps 5 ms once a second shows reactions of 5 ms once a second") {
  Link link;
  constexpr int kSeconds = 10;
  for (int n = 0; n < kSeconds * 1000; ++n) {
    const int at = n % 1000;
    if (at == 500) link.answer(5 * kMs);
    // Busy for the next four; the fifth finds it awake.
    else if (at < 501 || at > 504)
      link.answer(150'000);
    link.next();
  }
  const engine::Certificate& c = link.keeper.motion();
  std::uint64_t outliers = 0;
  for (std::size_t bin = Histogram::bin_of(4'500'000); bin <= Histogram::bin_of(5'500'000); ++bin)
    outliers += c.reaction.at(bin);
  CHECK(outliers == kSeconds);
  link.keeper.motion_ended();
  CHECK(blamed(link.keeper.last_motion(), Culprit::kClient) == c.lost);
}

TEST_CASE("the certificate of a motion begins anew, that of the connection goes on") {
  Link link;
  link.answer(100'000);
  link.next();
  link.next();
  link.keeper.motion_ended();
  link.keeper.motion_began();
  CHECK(link.keeper.motion().cycles == 0);
  CHECK(link.keeper.last_motion().cycles == 2);
  CHECK(link.keeper.connection().cycles == 2);
  link.keeper.connection_began();
  CHECK(link.keeper.connection().cycles == 0);
}
