// Cycles without an answer: extrapolation, the 20th in a row, resuming, holds and the re-seed.
// Source: reference 000, "What the sim does with a lost cycle" and "The real-robot trap".
#include <cmath>

#include "test_judge_support.hpp"

namespace fsim::judge::test {
namespace {

double quintic(double t) {  // half a radian in one second
  const double s = std::min(1.0, t);
  return 0.5 * s * s * s * (10 + s * (-15 + 6 * s));
}

// The law on one axis: velocity first, then position.
struct Law {
  double q, v, a;
  double step() {
    v += a * kDt;
    return q += v * kDt;
  }
};

// Joint 1 speeds up at `a`, reached in steps of 4 rad/s^2, from -1 rad.
constexpr double kFrom = -1.0;
Law speed_up(Client& client, double a, int ticks) {
  Law law{kFrom, 0, 0};
  for (int k = 0; k < ticks; ++k) {
    law.a = std::min(a, law.a + 4.0);
    const double q = law.step();
    const CycleResult r =
        client.answer(client.spec.generator == Generator::kJointPosition ? with(kReady, 0, q)
                                                                         : with({}, 0, law.v));
    REQUIRE(clean(r));
  }
  return law;
}

TEST_CASE("a gap at constant acceleration is extrapolated exactly and resumes clean") {
  for (const MotionSpec spec : {kPosition, kVelocity})
    for (int gap = 1; gap <= 19; ++gap) {
      CAPTURE(gap);
      Client client(spec, strict(), with(kReady, 0, kFrom));
      Law law = speed_up(client, 9.0, 50);
      for (int k = 0; k < gap; ++k) {
        const CycleResult r = client.lose();
        const double q = law.step();
        CHECK(clean(r));
        CHECK_FALSE(r.answered);
        CHECK_FALSE(r.hold_reached);
        CHECK(std::abs(r.reference.q_d[0] - q) < 1e-12);
        CHECK(std::abs(r.reference.dq_d[0] - law.v) < 1e-9);
        CHECK(std::abs(r.reference.ddq_d[0] - 9.0) < 1e-6);
      }
      CHECK(client.judge.lost_in_a_row() == static_cast<unsigned>(gap));
      const double q = law.step();
      const CycleResult r = client.answer(
          spec.generator == Generator::kJointPosition ? with(kReady, 0, q) : with({}, 0, law.v));
      CHECK(clean(r));
      CHECK(r.answered);
      CHECK(std::abs(r.reference.ddq_d[0] - 9.0) < 1e-6);
      CHECK(client.judge.lost_in_a_row() == 0);
    }
}

TEST_CASE("guesses do not change the acceleration of the gap, also behind a short answer") {
  Client client(kPosition, permissive(), with(kReady, 0, kFrom));
  speed_up(client, 9.0, 50);
  for (int k = 0; k < 5; ++k) client.lose();
  const Reference before = client.judge.reference();
  // One answer that slows down, then silence: constant at what that answer implied.
  const CycleResult answer =
      client.answer(with(kReady, 0, before.q_d[0] + (before.dq_d[0] + 5.0 * kDt) * kDt));
  CHECK(answer.reference.ddq_d[0] == doctest::Approx(5.0).epsilon(1e-6));
  for (int k = 0; k < 5; ++k) CHECK(client.lose().reference.ddq_d == answer.reference.ddq_d);
}

TEST_CASE("19 lost cycles are survived, the 20th stops the motion") {
  Client client(kPosition, strict(), with(kReady, 0, kFrom));
  speed_up(client, 4.0, 10);
  for (int k = 1; k <= 19; ++k) CHECK(clean(client.lose()));
  const Vec7 q_d = client.judge.reference().q_d;
  const CycleResult r = client.lose();
  REQUIRE(r.violations.size() == 1);
  CHECK(r.violations[0].row == static_cast<int>(Row::kLostInARow));
  CHECK(r.violations[0].joint == -1);
  CHECK(r.violations[0].value == 20);
  CHECK(r.violations[0].limit == 20);
  CHECK(r.violations[0].enforced);
  CHECK(r.abort.has(wire::Error::kCommunicationConstraintsViolation));
  CHECK(r.reference.q_d == q_d);
}

TEST_CASE("an answer after 19 lost cycles starts the count again") {
  Client client(kPosition, strict());
  client.answer(kReady);
  for (int round = 0; round < 5; ++round) {
    for (int k = 1; k <= 19; ++k) CHECK(clean(client.lose()));
    CHECK(clean(client.answer(kReady)));
  }
}

TEST_CASE("without enforcement the 20th lost cycle holds the reference and is reported once") {
  Client client(kPosition, permissive(), with(kReady, 0, kFrom));
  speed_up(client, 4.0, 100);
  for (int k = 1; k <= 19; ++k) CHECK_FALSE(client.lose().hold_reached);
  const Reference before = client.judge.reference();
  CHECK(before.dq_d[0] > 0.1);
  const CycleResult twentieth = client.lose();
  CHECK(twentieth.hold_reached);
  CHECK(breaks(twentieth, Row::kLostInARow));
  CHECK_FALSE(twentieth.abort.any());
  for (int k = 0; k < 100; ++k) {
    const CycleResult r = client.lose();
    CHECK(clean(r));
    CHECK_FALSE(r.hold_reached);
    CHECK(r.reference.q_d == before.q_d);
    CHECK(r.reference.dq_d == Vec7{});
    CHECK(r.reference.ddq_d == Vec7{});
  }
  CHECK(client.judge.counters().extrapolated == 19);
  CHECK(client.judge.counters().lost == 120);
}

TEST_CASE("after a hold two positions re-seed the history, the third is judged in full") {
  const auto held = [] {
    Client client(kPosition, permissive());
    client.answer(kReady);
    for (int k = 0; k < 25; ++k) client.lose();
    return client;
  };
  {  // A stream at 1 rad/s, 0.05 rad away: only these two rules apply.
    Client client = held();
    const CycleResult first = client.answer(plus(kReady, 0, 0.05));
    CHECK(clean(first));
    CHECK(first.reference.dq_d == Vec7{});
    const CycleResult second = client.answer(plus(kReady, 0, 0.051));
    CHECK(clean(second));
    CHECK(second.reference.dq_d[0] == doctest::Approx(1.0));
    CHECK(second.reference.ddq_d == Vec7{});
    CHECK(clean(client.answer(plus(kReady, 0, 0.052))));
    CHECK(breaks(client.answer(plus(kReady, 0, 0.052)), Row::kPositionAcceleration));
  }
  {
    Client client = held();
    CHECK(breaks(client.answer(plus(kReady, 0, 0.11)), Row::kPositionStart));
  }
  {
    Client client = held();
    CHECK(breaks(client.answer(with(kReady, 0, 3.0)), Row::kPositionRange));
  }
  {
    Client client = held();
    CHECK(clean(client.answer(kReady)));
    CHECK(breaks(client.answer(plus(kReady, 0, 0.003)), Row::kPositionVelocity));
  }
  {
    Client client = held();
    client.answer(kReady);
    client.answer(kReady);
    CHECK(breaks(client.answer(plus(kReady, 0, 8e-6)), Row::kPositionJerk));
  }
}

TEST_CASE("after a hold two velocities re-seed the history, the third is judged in full") {
  const auto held = [] {
    Client client(kVelocity, permissive());
    client.answer({});
    for (int k = 0; k < 25; ++k) client.lose();
    return client;
  };
  Client client = held();
  CHECK(clean(client.answer(with({}, 0, 0.09))));
  CHECK(clean(client.answer(with({}, 0, 0.15))));
  CHECK(breaks(client.answer(with({}, 0, 0.25)), Row::kVelocityAcceleration));
  Client far = held();
  CHECK(breaks(far.answer(with({}, 0, 0.11)), Row::kVelocityStart));
  Client fast = held();
  CHECK(clean(fast.answer({})));
  CHECK(breaks(fast.answer(with({}, 0, 2.63)), Row::kVelocityEnvelope));
}

TEST_CASE("the last torque is held bit-equal, also beyond the 20th lost cycle") {
  Client client(kTorque, permissive());
  const Vec7 tau{0.1, -0.2, 0.3, -0.4, 0.5, -0.6, 0.7};
  client.answer(tau);
  for (int k = 0; k < 30; ++k) CHECK(client.lose().reference.tau_J_d == tau);
  // The rate after the hold is over one cycle from the held torque.
  CHECK(clean(client.answer(plus(tau, 0, 0.999))));
  CHECK(breaks(client.answer(plus(tau, 0, 2.0001)), Row::kTorqueRate));
}

TEST_CASE("resuming from the last waypoint trips, going on from q_d and dq_d does not") {
  for (int gap : {1, 5, 12, 19}) {
    CAPTURE(gap);
    const auto paused = [gap] {
      Client client(kPosition, permissive(), with(kReady, 0, kFrom));
      speed_up(client, 4.0, 200);
      for (int k = 0; k < gap; ++k) client.lose();
      return client;
    };
    Client own(kPosition, permissive(), with(kReady, 0, kFrom));
    const Law law = speed_up(own, 4.0, 200);
    for (int k = 0; k < gap; ++k) own.lose();
    CHECK(breaks(own.answer(with(kReady, 0, law.q)), Row::kPositionAcceleration));

    Client state = paused();
    const Reference r = state.judge.reference();
    CHECK(clean(state.answer(with(kReady, 0, r.q_d[0] + r.dq_d[0] * kDt))));
    // Repeating q_d is a stop, not a resume.
    Client repeat = paused();
    CHECK(breaks(repeat.answer(r.q_d), Row::kPositionAcceleration));
  }
}

TEST_CASE("a quintic that lost 9 cycles goes on along its path, after 11 it has a discontinuity") {
  // The guess misses the path by jerk (n dt)^3 / 6; the second answer sees 2 of it over dt^3.
  for (int gap : {9, 10, 11}) {
    CAPTURE(gap);
    Client client(kPosition, strict());
    int k = 1;
    for (; k <= 125; ++k) REQUIRE(clean(client.answer(with(kReady, 0, quintic(k * kDt)))));
    for (; k <= 125 + gap; ++k) REQUIRE(clean(client.lose()));
    CycleResult r;
    for (; k <= 1000; ++k) {
      r = client.answer(with(kReady, 0, quintic(k * kDt)));
      if (!clean(r)) break;
    }
    if (gap < 11) {
      CHECK(k == 1001);
    } else {
      CHECK(k == 125 + gap + 2);
      CHECK(breaks(r, Row::kPositionJerk));
      CHECK(static_cast<int>(r.violations[0].error) == 15);
    }
  }
}

TEST_CASE("a guess that leaves the envelope is a violation of its own") {
  Client client(kPosition, strict(), with(kReady, 0, -1.5));
  Law law{-1.5, 0, 0};
  while (law.v < 2.59) {
    law.a = std::min(8.0, law.a + 4.0);
    REQUIRE(clean(client.answer(with(kReady, 0, law.step()))));
  }
  CycleResult r;
  int lost = 0;
  do r = client.lose(), ++lost;
  while (clean(r) && lost < 20);
  CHECK(lost < 6);
  REQUIRE(breaks(r, Row::kPositionVelocity));
  CHECK(r.violations[0].extrapolated);
  CHECK(r.violations[0].cycle == client.now);
  CHECK(r.abort.has(wire::Error::kJointMotionGeneratorVelocityLimitsViolation));
  CHECK(r.abort.has(wire::Error::kJointVelocityViolation));
  CHECK(r.reference.dq_d[0] <= 2.62);
}

TEST_CASE("q_d of a velocity motion integrates through losses") {
  Client client(kVelocity, strict(), with(kReady, 0, 0.0));
  double q = 0, dq = 0, a = 0;
  for (int k = 1; k <= 300; ++k) {
    a = std::min(3.0, a + 3.0);
    const CycleResult r =
        k % 7 == 0 || k % 11 == 0 ? client.lose() : client.answer(with({}, 0, dq + a * kDt));
    dq += a * kDt;
    q += dq * kDt;
    REQUIRE(clean(r));
    CHECK(std::abs(r.reference.q_d[0] - q) < 1e-12);
  }
}

TEST_CASE("the success rate is what the window of 100 cycles holds") {
  Client client(kPosition, permissive());
  CHECK(client.judge.success_rate() == 0.0);
  client.lose();
  CHECK(client.judge.success_rate() == 0.0);
  CHECK(client.judge.counters().lost == 0);
  for (int k = 0; k < 3; ++k) client.answer(kReady);
  CHECK(client.judge.success_rate() == 1.0);
  client.lose();
  CHECK(client.judge.success_rate() == 0.75);
  CHECK(client.judge.lost_in_last_20() == 1);
  std::vector<bool> all{true, true, true, false};
  for (int k = 0; k < 500; ++k) {
    const bool lost = k % 3 == 0 || k % 50 < 9;
    lost ? client.lose() : client.answer(kReady);
    all.push_back(!lost);
    const std::size_t n = std::min<std::size_t>(100, all.size());
    int answered = 0;
    for (std::size_t i = all.size() - n; i < all.size(); ++i) answered += all[i];
    CHECK(client.judge.success_rate() == static_cast<double>(answered) / static_cast<double>(n));
    unsigned missing = 0;
    for (std::size_t i = all.size() - std::min<std::size_t>(20, all.size()); i < all.size(); ++i)
      missing += !all[i];
    CHECK(client.judge.lost_in_last_20() == missing);
  }
}

TEST_CASE("before the first command nothing is counted and the reference holds") {
  Client client(kPosition, strict());
  for (int k = 0; k < 50; ++k) {
    const CycleResult r = client.lose();
    CHECK_FALSE(r.started);
    CHECK(clean(r));
    CHECK(r.reference.q_d == kReady);
    CHECK(r.reference.dq_d == Vec7{});
  }
  CHECK(client.judge.lost_in_a_row() == 0);
  CHECK(client.answer(kReady).started);
}

TEST_CASE("a new motion forgets the previous one") {
  Client client(kPosition, permissive());
  client.answer(plus(kReady, 0, 0.05));
  for (int k = 0; k < 30; ++k) client.lose();
  client.judge.begin(kPosition, client.limits, strict(), kReady);
  CHECK(client.judge.success_rate() == 0.0);
  CHECK(client.judge.counters().lost == 0);
  CHECK_FALSE(client.judge.started());
  CHECK(breaks(client.answer(plus(kReady, 0, 8e-6)), Row::kPositionJerk));
}

}  // namespace
}  // namespace fsim::judge::test
