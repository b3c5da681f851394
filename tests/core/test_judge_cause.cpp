// Causes are computed from the command and its history. Each case makes the mistake it is named
// for. Source: reference 000, "The real-robot trap you can now reproduce".
#include <set>
#include <string>

#include "test_judge_cartesian_support.hpp"

namespace fsim::judge::test {
namespace {

constexpr double kFrom = -1.0;
/// Joint 1 at a steady pace after a soft start; the last position.
double cruise(Client& client, int ticks = 200) {
  double q = kFrom, v = 0;
  for (int k = 0; k < ticks; ++k) {
    v = std::min(0.4, v + 4e-3);
    q += v * kDt;
    REQUIRE(clean(client.answer(with(kReady, 0, q))));
  }
  return q;
}
Client cruising() { return Client(kPosition, permissive(), with(kReady, 0, kFrom)); }
Cause cause(const CycleResult& r) {
  REQUIRE_FALSE(r.violations.empty());
  return r.violations[0].cause;
}

TEST_CASE("resuming from one's own last waypoint is told with the number of lost cycles") {
  for (int gap : {3, 7, 19}) {
    Client client = cruising();
    const double q = cruise(client);
    for (int k = 0; k < gap; ++k) client.lose();
    const CycleResult r = client.answer(with(kReady, 0, q));
    CHECK(cause(r) == Cause::kResumedFromOwnWaypoint);
    const Violation& v = r.violations[0];
    CHECK(v.gap == gap);
    CHECK(v.lost_in_last_20 == static_cast<unsigned>(gap));
    CHECK(v.previous_extrapolated);
    CHECK(v.generator == Generator::kJointPosition);
    CHECK(v.joint == 0);
    CHECK(v.over == doctest::Approx(std::abs(v.value) - 10.0));
    CHECK(std::string(text(v.cause)).find("last waypoint") != std::string::npos);
  }
}

TEST_CASE("advancing by one millisecond over a gap is told apart from it") {
  for (int gap : {3, 7, 19}) {
    Client client = cruising();
    const double q = cruise(client);
    for (int k = 0; k < gap; ++k) client.lose();
    CHECK(cause(client.answer(with(kReady, 0, q + 0.4e-3))) == Cause::kAssumedOneMillisecond);
  }
}

TEST_CASE("repeating q_d while it moves is a stop in one cycle, with or without a gap") {
  Client client = cruising();
  const double q = cruise(client);
  CHECK(cause(client.answer(with(kReady, 0, q))) == Cause::kStoppedInOneCycle);
  Client gap = cruising();
  cruise(gap);
  for (int k = 0; k < 7; ++k) gap.lose();
  CHECK(cause(gap.answer(gap.judge.reference().q_d)) == Cause::kStoppedInOneCycle);
}

TEST_CASE("a path that went on in the gap straddles it, also one and two commands later") {
  // 20 rad/s^3 of jerk: the guess misses by a little, the differences by a lot.
  const auto path = [](int k) {
    const double t = k * kDt;
    return kFrom + 20 * t * t * t / 6 + 0.1 * t * t * t * t;
  };
  Client client = cruising();
  int k = 1;
  for (; k <= 300; ++k) REQUIRE(clean(client.answer(with(kReady, 0, path(k)))));
  for (; k <= 318; ++k) client.lose();
  bool told = false;
  for (int n = 0; n < 3; ++n, ++k) {
    const CycleResult r = client.answer(with(kReady, 0, path(k)));
    for (const Violation& v : r.violations) {
      CHECK(v.cause == Cause::kStraddlesGap);
      told = true;
    }
  }
  CHECK(told);
  CHECK(clean(client.answer(with(kReady, 0, path(k)))));
}

TEST_CASE("a signal that is rough of itself is told so") {
  Client client = cruising();
  const double q = cruise(client);
  const CycleResult r = client.answer(with(kReady, 0, q + 0.4e-3 + 2e-5));
  CHECK(cause(r) == Cause::kOwnSignal);
  CHECK(r.violations[0].gap == 0);
  CHECK_FALSE(r.violations[0].previous_extrapolated);
}

TEST_CASE("a command seeded from the measured position is recognised, a q_d is not") {
  const Vec7 measured = plus(kReady, 3, -2e-3);  // sags under its load
  Client client(kPosition, permissive());
  client.judge.observe({measured, {}, kIdentity4, {}});
  CHECK(cause(client.answer(measured)) == Cause::kSeededFromMeasured);
  Client away(kPosition, permissive());
  away.judge.observe({measured, {}, kIdentity4, {}});
  CHECK(cause(away.answer(plus(kReady, 3, -1e-3))) == Cause::kOpeningStep);
  // Also in the middle of a motion, and through the 32-bit state.
  Client running(kPosition, permissive());
  running.answer(kReady);
  running.judge.observe({measured, {}, kIdentity4, {}});
  Vec7 read{};
  for (std::size_t i = 0; i < kJoints; ++i)
    read[i] = static_cast<double>(static_cast<float>(measured[i]));
  CHECK(cause(running.answer(read)) == Cause::kSeededFromMeasured);
  CartesianClient pose(kPose, permissive());
  pose.answer(kHome);
  pose.judge.observe({kReady, {}, moved(kHome, 2, -1e-3), kHomeElbow});
  CHECK(cause(pose.answer(moved(kHome, 2, -1e-3))) == Cause::kSeededFromMeasured);
}

TEST_CASE("an opening step, a finish on the move, a late one out of order, near a stop") {
  CHECK(cause(Client(kPosition, permissive()).answer(plus(kReady, 0, 0.05))) ==
        Cause::kOpeningStep);
  CHECK(cause(Client(kTorque, permissive()).answer(all_joints(5))) == Cause::kOpeningStep);
  Client moving = cruising();
  cruise(moving);
  CHECK(moving.judge.judge_hold(moving.now)[0].cause == Cause::kFinishedMoving);

  Client early(kPosition, permissive());
  for (int k = 0; k < 5; ++k) early.answer(kReady);
  const std::uint64_t last = early.now.n;
  early.lose();
  early.lose();
  CHECK(cause(early.deliver({{Cycle{last + 2}, plus(kReady, 0, 1e-3)}})) == Cause::kOutOfOrder);

  Client stop(kVelocity, strict(), with(kReady, 0, 2.0));
  double v = 0;
  CycleResult r;
  do r = stop.answer(with({}, 0, v = std::min(1.0, v + 4e-3)));
  while (!r.abort.any());
  CHECK(cause(r) == Cause::kNearStop);
  Client fast(kVelocity, strict(), with(kReady, 0, -1.5));
  v = 0;
  do r = fast.answer(with({}, 0, v += 4e-3));
  while (!r.abort.any());
  CHECK(cause(r) == Cause::kOwnSignal);
}

TEST_CASE("Cartesian gaps have the same causes") {
  for (const bool one_on : {false, true}) {
    CartesianClient client(kPose, permissive());
    client.answer(kHome);
    double x = 0, v = 0;
    for (int k = 0; k < 100; ++k)
      REQUIRE(clean(client.answer(moved(kHome, 0, x += (v = std::min(0.2, v + 4e-3)) * kDt))));
    for (int k = 0; k < 7; ++k) client.lose();
    const CycleResult r = client.answer(moved(kHome, 0, x + (one_on ? v * kDt : 0)));
    CHECK(error_index(r) == 19);
    CHECK(cause(r) == (one_on ? Cause::kAssumedOneMillisecond : Cause::kResumedFromOwnWaypoint));
    CHECK(r.violations[0].gap == 7);
    CHECK(r.violations[0].axis == Axis::kTranslation);
  }
}

TEST_CASE("every cause has a name of its own and a text") {
  std::set<std::string> names, texts;
  for (int c = 0; c < static_cast<int>(Cause::kCount); ++c) {
    names.insert(name(static_cast<Cause>(c)));
    CHECK(std::string(text(static_cast<Cause>(c))).size() > 20);
    texts.insert(text(static_cast<Cause>(c)));
  }
  CHECK(names.size() == static_cast<std::size_t>(Cause::kCount));
  CHECK(texts.size() == static_cast<std::size_t>(Cause::kCount));
}

}  // namespace
}  // namespace fsim::judge::test
