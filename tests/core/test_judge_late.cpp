// Late commands that are applied: the rewind, a backlog, a client that is always late.
// Source: reference 000, "A datagram that turns up late replaces the guess it stood in for".
#include <cmath>

#include "test_judge_support.hpp"

namespace fsim::judge::test {
namespace {

Rules applying() {
  Rules rules = strict();
  rules.enforce_comm_constraints = false;
  return rules;
}
double quintic(double t) {  // half a radian in one second
  const double s = std::min(1.0, t);
  return 0.5 * s * s * s * (10 + s * (-15 + 6 * s));
}
/// The waypoint that answers `echo` of a motion whose first state was 1001.
Vec7 on_path(Cycle echo) {
  return with(kReady, 0, quintic(static_cast<double>(echo.n - 1000) * kDt));
}
Client moving(int ticks) {
  Client client(kPosition, applying());
  for (int k = 0; k < ticks; ++k) REQUIRE(clean(client.answer(on_path(client.now.next()))));
  return client;
}

TEST_CASE("a late command replaces the guess it stood in for") {
  Client client = moving(200);
  client.lose();
  const Cycle missed = client.now;
  const CycleResult r = client.deliver({{missed, on_path(missed)}});
  CHECK(clean(r));
  CHECK(r.late_applied);
  CHECK_FALSE(r.answered);
  // This cycle's reference is one guess behind the measured waypoint.
  Client honest = moving(201);
  const Reference guess = honest.lose().reference;
  CHECK(r.reference.q_d == guess.q_d);
  CHECK(r.reference.ddq_d == guess.ddq_d);
  CHECK(client.judge.counters().lost == 2);
  CHECK(clean(client.answer(on_path(client.now.next()))));
}

TEST_CASE("a backlog drains in order in one batch, and a fresh command may follow") {
  for (int gap = 1; gap <= 19; ++gap)
    for (const bool fresh : {false, true}) {
      if (gap == 19 && !fresh) continue;  // the 20th lost cycle
      CAPTURE(gap);
      Client client = moving(200);
      const std::uint64_t last = client.now.n;
      for (int k = 0; k < gap; ++k) REQUIRE(clean(client.lose()));
      std::vector<wire::RobotCommand> batch;
      for (int k = 1; k <= gap + (fresh ? 1 : 0); ++k) {
        const Cycle e{last + static_cast<std::uint64_t>(k)};
        batch.push_back(client.command(e, on_path(e)));
      }
      const CycleResult r = client.close(batch);
      CHECK(clean(r));
      CHECK(r.answered == fresh);
      CHECK(r.late_applied);
      // Exactly the history of a client that lost nothing but this cycle.
      Client honest = moving(200 + gap);
      const Reference expected =
          fresh ? honest.answer(on_path(honest.now.next())).reference : honest.lose().reference;
      CHECK(r.reference.q_d == expected.q_d);
      CHECK(r.reference.dq_d == expected.dq_d);
      CHECK(r.reference.ddq_d == expected.ddq_d);
      for (int k = 0; k < 50; ++k) CHECK(clean(client.answer(on_path(client.now.next()))));
    }
}

TEST_CASE("a permanently one-cycle-late client moves smoothly and never reads as in time") {
  Client client(kPosition, applying());
  client.now = client.now.next();  // state 1001 is out
  int reports = 0;
  for (int k = 0; k < 1000; ++k) {
    const CycleResult r = client.deliver({{client.now, on_path(client.now)}});
    CHECK_FALSE(r.abort.any());
    CHECK(r.late_applied);
    CHECK_FALSE(r.hold_reached);
    for (const Violation& v : r.violations) {
      CHECK(v.row == static_cast<int>(Row::kLostInARow));
      ++reports;
    }
    CHECK(std::abs(r.reference.q_d[0] - on_path(client.now)[0]) < 1e-5);
  }
  CHECK(reports == 1);
  CHECK(client.judge.success_rate() == 0.0);
  CHECK(client.judge.lost_in_a_row() == 1000);
}

TEST_CASE("a permanently one-cycle-late client is stopped where the constraint is enforced") {
  Client client(kPosition, strict());
  client.now = client.now.next();
  int cycles = 0;
  CycleResult r;
  do r = client.deliver({{client.now, on_path(client.now)}}), ++cycles;
  while (!r.abort.any());
  CHECK(cycles == 20);
  CHECK(r.abort.has(wire::Error::kCommunicationConstraintsViolation));
}

TEST_CASE("an opening command that is late stands at its own cycle") {
  for (const bool fresh : {false, true}) {
    Client client(kPosition, applying());
    client.lose();
    client.lose();
    const Cycle first{1001};
    std::vector<wire::RobotCommand> batch;
    for (std::uint64_t n = first.n; n <= (fresh ? 1003U : 1002U); ++n)
      batch.push_back(client.command({n}, on_path({n})));
    const CycleResult r = client.close(batch);
    CHECK(clean(r));
    CHECK(r.started);
    CHECK(r.answered == fresh);
    CHECK(client.judge.counters().lost == (fresh ? 0 : 1));
    // As if it had been in time.
    Client honest = moving(fresh ? 3 : 2);
    const Vec7 expected = fresh ? honest.judge.reference().q_d : honest.lose().reference.q_d;
    CHECK(r.reference.q_d == expected);
    CHECK(clean(client.answer(on_path(client.now.next()))));
  }
}

TEST_CASE("out of order a late command moves this cycle only and is not recorded") {
  Rules rules = applying();
  rules.enforce_motion_limits = false;
  Client client(kPosition, rules);
  for (int k = 0; k < 5; ++k) client.answer(kReady);
  const std::uint64_t last = client.now.n;
  client.lose();
  client.lose();
  // The second of the run comes first: judged against q_d as it stands.
  const CycleResult early = client.deliver({{Cycle{last + 2}, plus(kReady, 0, 3e-6)}});
  CHECK(early.late_applied);
  CHECK(clean(early));
  CHECK(early.reference.q_d[0] == 3e-6);
  CHECK(client.judge.reference().q_d == kReady);
  // Its id is answered: the first then the third are the oldest left, the third two cycles on.
  const CycleResult first = client.deliver({{Cycle{last + 1}, plus(kReady, 0, 1e-6)}});
  CHECK(clean(first));
  const CycleResult third = client.deliver({{Cycle{last + 3}, plus(kReady, 0, 5e-6)}});
  CHECK(clean(third));
  // 4 microradian over two cycles is 2e-3 rad/s; 1e-3 rad/s before, 2 cycles apart: 0.5 rad/s^2.
  CHECK(client.judge.reference().ddq_d[0] == doctest::Approx(0.5));
}

TEST_CASE("a late command cannot claim more cycles than the server has published") {
  Rules rules = applying();
  rules.enforce_motion_limits = false;
  Client client(kPosition, rules);
  client.answer(kReady);
  const Cycle used = client.now;
  client.lose();
  const Cycle missed = client.now;
  // Half a radian in one cycle, however it is echoed.
  CHECK(breaks(client.deliver({{missed, plus(kReady, 0, 0.5)}}), Row::kPositionAcceleration));
  CHECK(clean(client.deliver({{used, plus(kReady, 0, 0.5)}, {Cycle{1}, plus(kReady, 0, 0.5)}})) ==
        false);  // only the guess is judged, and it runs away
  CHECK(client.judge.counters().duplicate == 2);
}

TEST_CASE("a late command that breaks an enforced limit aborts at the last good reference") {
  Client client = moving(100);
  const Vec7 q_d = client.lose().reference.q_d;
  const CycleResult r = client.deliver({{client.now, plus(kReady, 0, 0.5)}});
  CHECK(r.abort.has(wire::Error::kJointMotionGeneratorVelocityDiscontinuity));
  CHECK(r.reference.q_d == q_d);
  CHECK(r.violations[0].cycle == Cycle{client.now.n - 1});
}

TEST_CASE("a late finish is a finish") {
  Client client = moving(10);
  client.lose();
  wire::RobotCommand c = client.command(client.now, on_path(client.now), true);
  CHECK(client.close({c}).finished);
}

TEST_CASE("after a hold late commands seed the history anew and the arm is not left inert") {
  Rules rules = applying();
  rules.enforce_motion_limits = false;
  Client client(kPosition, rules);
  client.answer(kReady);
  // Every 30 cycles a command that answers the state before the open one.
  double q = 0;
  for (int round = 0; round < 20; ++round) {
    for (int k = 0; k < 30; ++k) client.lose();
    q += 0.05;
    const CycleResult r = client.deliver({{client.now, plus(kReady, 0, q)}});
    CHECK(r.late_applied);
    CHECK(clean(r));
    CHECK(r.reference.q_d[0] == q);
    CHECK(client.lose().reference.q_d[0] == q);
  }
}

TEST_CASE("a client that reads a long backlog of states stays as far behind and moves smoothly") {
  Client client(kPosition, applying());
  const Cycle first{1001};
  client.now = {1050};
  int reports = 0;
  for (std::uint64_t k = 0; k < 1000; ++k) {
    const CycleResult r = client.deliver({{Cycle{first.n + k}, on_path({first.n + k})}});
    CHECK_FALSE(r.abort.any());
    CHECK(r.late_applied);
    reports += static_cast<int>(r.violations.size());
    CHECK(r.reference.q_d == on_path({first.n + k}));
  }
  CHECK(reports == 1);  // 20 lost in a row
}

TEST_CASE("a late torque is judged over the time it travelled") {
  Rules rules = applying();
  Client client(kTorque, rules);
  client.answer({});
  client.lose();
  client.lose();
  const Cycle second = client.now;
  const Cycle first{second.n - 1};
  const CycleResult r = client.deliver({{first, with({}, 0, 0.9)}, {second, with({}, 0, 1.8)}});
  CHECK(clean(r));
  CHECK(r.reference.tau_J_d[0] == 1.8);
  CHECK(clean(client.answer(with({}, 0, 2.7))));
}

}  // namespace
}  // namespace fsim::judge::test
