// Known trajectories and what Control makes of them: steps, quintics, cosines.
#include <cmath>
#include <optional>

#include "test_judge_support.hpp"

namespace fsim::judge::test {
namespace {

double quintic(double distance, double duration, double t) {
  const double s = std::min(1.0, t / duration);
  return distance * s * s * s * (10 + s * (-15 + 6 * s));
}

struct Stop {
  int tick;
  Violation violation;
};
/// Drive joint 1 along q(k), k = 1, 2, ...; the first violation, if any.
template <class Path>
std::optional<Stop> run(Path path, int ticks, Rules rules = strict()) {
  Client client(kPosition, rules);
  for (int k = 1; k <= ticks; ++k) {
    const CycleResult r = client.answer(with(kReady, 0, path(k)));
    if (!r.violations.empty()) return Stop{k, r.violations[0]};
  }
  return {};
}
int index_of(const Violation& v) { return static_cast<int>(v.error); }

TEST_CASE("a step of 2 microradian passes, 4 fails on the second tick, 8 on the first") {
  const auto step = [](double size) { return [size](int) { return size; }; };
  CHECK_FALSE(run(step(2e-6), 10));
  const auto four = run(step(4e-6), 10);
  REQUIRE(four);
  CHECK(four->tick == 2);
  CHECK(index_of(four->violation) == 15);
  CHECK(four->violation.value == doctest::Approx(-8000));
  const auto eight = run(step(8e-6), 10);
  REQUIRE(eight);
  CHECK(eight->tick == 1);
  CHECK(index_of(eight->violation) == 15);
  CHECK(eight->violation.value == doctest::Approx(8000));
}

TEST_CASE("hardware refuses an opening step of 1e-5 rad") {
  const auto r = run([](int) { return 1.1e-5; }, 1);
  REQUIRE(r);
  CHECK(index_of(r->violation) == 14);
}

TEST_CASE("a quintic over half a radian fits in 0.54 s and not in 0.50 s") {
  const auto path = [](double T) { return [T](int k) { return quintic(0.5, T, k * kDt); }; };
  CHECK_FALSE(run(path(0.54), 700));
  // Peak acceleration is 10/sqrt(3) * d / T^2 = 11.5 rad/s^2.
  const auto fast = run(path(0.50), 700);
  REQUIRE(fast);
  CHECK(index_of(fast->violation) == 14);
}

TEST_CASE("a cosine that opens with a jump in acceleration passes at 1.5 Hz and not at 1.7 Hz") {
  const auto path = [](double f) {
    return [f](int k) { return 0.1 * (1 - std::cos(2 * M_PI * f * k * kDt)); };
  };
  CHECK_FALSE(run(path(1.5), 2000));
  // One tick implies 0.1 (2 pi f)^2 / 2 = 5.7 rad/s^2: 5700 rad/s^3.
  const auto fast = run(path(1.7), 2000);
  REQUIRE(fast);
  CHECK(fast->tick == 1);
  CHECK(index_of(fast->violation) == 15);
  CHECK(fast->violation.value == doctest::Approx(5704.6).epsilon(1e-4));
}

TEST_CASE("stopping at the end of a slow quintic holds cleanly, half way it does not") {
  Client client(kPosition, strict());
  for (int k = 1; k <= 500; ++k) client.answer(with(kReady, 0, quintic(0.5, 1.0, k * kDt)));
  // Moving at 0.94 rad/s: the hold is 940 rad/s^2, then a jerk.
  const auto broken = client.judge.judge_hold(client.now);
  REQUIRE(broken.size() == 2);
  CHECK(index_of(broken[0]) == 14);
  CHECK(index_of(broken[1]) == 15);
  CHECK(broken[0].value == doctest::Approx(-937.5).epsilon(1e-3));
  for (int k = 501; k <= 1010; ++k) client.answer(with(kReady, 0, quintic(0.5, 1.0, k * kDt)));
  CHECK(client.judge.judge_hold(client.now).empty());
}

TEST_CASE(
    "a velocity motion that finishes while moving breaks its hold, a torque motion does not") {
  Client velocity(kVelocity, strict());
  for (int k = 1; k <= 100; ++k) velocity.answer(with({}, 3, 4e-3 * k));
  const auto broken = velocity.judge.judge_hold(velocity.now);
  REQUIRE_FALSE(broken.empty());
  CHECK(index_of(broken[0]) == 15);
  CHECK(broken[0].value == doctest::Approx(-400));
  CHECK(broken[0].enforced);
  Client torque(kTorque, strict());
  torque.answer(all_joints(0.5));
  CHECK(torque.judge.judge_hold(torque.now).empty());
}

TEST_CASE("judging a hold changes nothing") {
  Client client(kPosition, strict());
  for (int k = 1; k <= 50; ++k) client.answer(with(kReady, 0, quintic(0.5, 1.0, k * kDt)));
  const Reference before = client.judge.reference();
  client.judge.judge_hold(client.now);
  CHECK(client.judge.reference().q_d == before.q_d);
  CHECK(clean(client.answer(with(kReady, 0, quintic(0.5, 1.0, 51 * kDt)))));
}

TEST_CASE("the finished flag counts on the generator, or on the torque where there is none") {
  CHECK(Client(kPosition, strict()).answer(kReady, true).finished);
  CHECK(Client(kVelocity, strict()).answer({}, true).finished);
  CHECK(Client(kTorque, strict()).answer({}, true).finished);
  Client both({Generator::kJointPosition, true}, strict());
  wire::RobotCommand c = both.command(both.now.next(), kReady);
  c.torque_command_finished = true;
  CHECK_FALSE(both.close({c}).finished);
  Client refused(kPosition, strict());
  CHECK_FALSE(refused.answer(plus(kReady, 0, 0.5), true).finished);
}

}  // namespace
}  // namespace fsim::judge::test
