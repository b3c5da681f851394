// Asynchronous joint position motions, in closed loop with a simulated arm: targets at any time,
// rest in Move, and every way they end.
#include <doctest/doctest.h>

#include <limits>
#include <random>

#include "support/bench.hpp"
#include "support/world.hpp"

using namespace fsim;
using namespace fsim::test;
using engine::EventKind;
using Ints = std::vector<int>;

namespace {

wire::MoveRequest async(double speed = 1.0, std::uint32_t controller = kJointImpedance) {
  wire::MoveRequest m = move(kJointPosition, controller);
  m.use_async_motion_generator = true;
  m.maximum_velocity = all_joints(speed);
  return m;
}

bool shows_motion(const wire::RobotState& s) {
  return s.robot_mode == wire::RobotMode::kMove &&
         s.motion_generator_mode == wire::MotionGeneratorMode::kJointPosition;
}

Vec7 away(std::size_t joint, double by) {
  Vec7 q = robot::kFr3.q_ready;
  q[joint] += by;
  return q;
}

/// A finishing command as libfranka sends it from 0.20.5 on (wire.md 5.9).
wire::RobotCommand finishing() { return position({}, true); }

/// Bench that runs an asynchronous Move, 10 cycles in.
struct Running : Bench {
  std::uint64_t opened = 0;
  explicit Running(const judge::Rules& rules = strict(), double speed = 1.0) : Bench(rules) {
    idle(60);
    begin(1, async(speed));
    opened = published.n;
    idle(10);
  }
};

}  // namespace

TEST_CASE("a target is reached, reported by q_d and dq_d, and the arm rests in Move") {
  for (const std::uint32_t controller : {kJointImpedance, kCartesianImpedance}) {
    Bench bench(strict());
    bench.idle(60);
    bench.begin(1, async(1.0, controller));
    CHECK(bench.statuses(1) == Ints{kMoveStarted});
    CHECK(static_cast<std::uint32_t>(bench.state.controller_mode) == controller);
    const Vec7 target = away(3, 0.4);
    bench.cycle(position(target));
    double fastest = 0;
    for (int n = 0; n < 1000; ++n) {
      bench.cycle();
      fastest = std::max(fastest, largest(bench.state.dq_d));
    }
    CHECK(fastest == doctest::Approx(1.0));
    CHECK(bench.state.q_d == target);
    CHECK(bench.state.dq_d == Vec7{});
    if (controller == kJointImpedance) CHECK(distance(bench.state.q, target) < 1e-3);
    // 2 s without a word: two thousand cycles, of which 20 would stop any other motion.
    for (int n = 0; n < 2000; ++n) {
      bench.cycle();
      REQUIRE(shows_motion(bench.state));
    }
    CHECK(set_errors(bench.state.errors).empty());
    CHECK(bench.statuses(1) == Ints{kMoveStarted});
    CHECK(bench.of_kind(EventKind::kViolation).empty());
    CHECK(bench.unit.counters().lost == 0);
    CHECK(bench.state.control_command_success_rate == 1.0);
  }
}

TEST_CASE("before its first target the motion holds, for any time") {
  Running bench;
  const Vec7 held = bench.state.q_d;
  bench.idle(1500);
  CHECK(shows_motion(bench.state));
  CHECK(bench.state.q_d == held);
  CHECK(bench.state.control_command_success_rate == 0.0);
}

TEST_CASE("a new target replaces the one on the way, without a step in q_d, dq_d or ddq_d") {
  Running bench;
  bench.cycle(position(away(0, 0.8)));
  bench.idle(400);
  CHECK(bench.state.dq_d[0] > 0.9);
  const Vec7 target = away(0, -0.3);
  bench.cycle(position(target));
  bench.idle(2000);
  CHECK(bench.state.q_d == target);
  const auto& past = bench.past;
  for (std::size_t k = 1; k < past.size(); ++k) {
    CHECK(std::abs(past[k].dq_d[0] - past[k - 1].dq_d[0]) < 10.0 * kDt + 1e-9);
    CHECK(std::abs(past[k].ddq_d[0] - past[k - 1].ddq_d[0]) < 5000.0 * kDt + 1e-9);
  }
}

TEST_CASE("any state of the motion may be echoed, again and again; the last to arrive counts") {
  // wire.md 5.9: the id of the last state that the client read, which may be old.
  Running bench;
  bench.idle(300);
  wire::RobotCommand first = position(away(0, 0.5)), second = position(away(1, 0.1));
  first.message_id = second.message_id = bench.opened;
  bench.cycle_raw({first});
  bench.idle(50);
  bench.cycle_raw({first, second});
  bench.idle(1500);
  CHECK(bench.state.q_d == second.q_c);
  const judge::Counters counted = bench.unit.counters();
  CHECK(counted.late == 3);
  CHECK(counted.superseded == 1);
}

TEST_CASE("what echoes no state of this motion is no target") {
  Running bench;
  const Vec7 held = bench.state.q_d;
  wire::RobotCommand never = position(away(0, 0.5)), before = never, none = never;
  never.message_id = bench.published.n + 5;
  before.message_id = bench.opened - 1;
  none.message_id = 0;
  bench.cycle_raw({never, before, none});
  bench.idle(500);
  CHECK(bench.state.q_d == held);
  CHECK(bench.unit.counters().unpublished == 2);
  CHECK(shows_motion(bench.state));
}

TEST_CASE("a finishing command of zeros brakes the arm and ends kSuccess; no way to zero") {
  Running bench;
  bench.cycle(position(away(0, 1.0)));
  bench.idle(500);
  const Vec7 q = bench.state.q_d;
  REQUIRE(bench.state.dq_d[0] == doctest::Approx(1.0));
  bench.cycle(finishing());
  REQUIRE(bench.run_until_answered(1, 2));
  CHECK(bench.statuses(1) == Ints{kMoveStarted, kMoveSuccess});
  // 1 rad/s at 10 rad/s^2 takes 0.05 rad.
  CHECK(bench.state.q_d[0] - q[0] == doctest::Approx(0.05).epsilon(0.05));
  for (std::size_t i = 1; i < kJoints; ++i)
    CHECK(bench.state.q_d[i] == doctest::Approx(robot::kFr3.q_ready[i]));
  CHECK(set_errors(bench.state.errors).empty());
  CHECK(bench.state.robot_mode == wire::RobotMode::kIdle);
}

TEST_CASE("a finish at rest, before any target or with NaN in it, ends kSuccess where the arm is") {
  for (const bool moved : {false, true}) {
    Running bench;
    const Vec7 target = moved ? away(4, 0.2) : bench.state.q_d;
    if (moved) bench.cycle(position(target));
    bench.idle(1000);
    wire::RobotCommand last = finishing();
    if (moved) last.q_c[0] = std::numeric_limits<double>::quiet_NaN();
    bench.cycle(last);
    REQUIRE(bench.run_until_answered(1, 2));
    CHECK(bench.statuses(1) == Ints{kMoveStarted, kMoveSuccess});
    CHECK(bench.state.q_d == target);
  }
}

TEST_CASE("StopMove and another Move preempt it; a joint motion follows") {
  for (const bool stop : {false, true}) {
    Running bench;
    bench.cycle(position(away(0, 1.0)));
    bench.idle(300);
    if (stop)
      bench.submit(2, wire::StopMoveRequest{});
    else
      bench.submit(2, move(kJointPosition));
    REQUIRE(bench.run_until_answered(2, 1));
    CHECK(bench.statuses(1) == Ints{kMoveStarted, kMovePreempted});
    if (stop) {
      CHECK(bench.statuses(2) == Ints{kStopSuccess});
      bench.begin(2, move(kJointPosition));
    }
    // The next motion is owed its commands again: 20 lost ones end it.
    bench.cycle(position(bench.state.q_d));
    bench.idle(25);
    CHECK(set_errors(bench.state.errors) == Ints{25});
  }
}

TEST_CASE("a user stop and a client that leaves end it like every motion") {
  Running stopped;
  stopped.cycle(position(away(0, 1.0)));
  stopped.idle(300);
  stopped.side(engine::SideInput::Kind::kUserStop, true);
  stopped.idle(500);
  CHECK(stopped.statuses(1) == Ints{kMoveStarted, kMoveEmergencyAborted});
  CHECK(largest(stopped.state.dq) < 0.005);

  Running left;
  left.cycle(position(away(0, 1.0)));
  left.idle(300);
  left.client_gone();
  left.idle(500);
  CHECK(left.statuses(1) == Ints{kMoveStarted, kMoveAborted});
  CHECK(largest(left.state.dq) < 0.005);
  left.begin(2, async());
  CHECK(left.statuses(2) == Ints{kMoveStarted});
}

TEST_CASE("a target that is no number is refused with 12, whatever the switches") {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (const judge::Rules& rules : {judge::Rules{}, strict()}) {
      Running bench(rules);
      Vec7 target = away(0, 0.5);
      target[5] = bad;
      bench.cycle(position(target));
      CHECK(set_errors(bench.state.errors) == Ints{12});
      CHECK(bench.state.robot_mode == wire::RobotMode::kReflex);
      CHECK(bench.statuses(1) == Ints{kMoveStarted, kMoveReflexAborted});
      const auto told = bench.of_kind(EventKind::kViolation);
      REQUIRE(told.size() == 1);
      CHECK(told[0].violation.joint == 5);
      CHECK(told[0].violation.cause == judge::Cause::kNotFinite);
      bench.submit(2, wire::AutomaticErrorRecoveryRequest{});
      REQUIRE(bench.run_until_answered(2, 1));
      bench.begin(3, async());
      bench.cycle(position(away(0, 0.1)));
      bench.idle(1000);
      CHECK(bench.state.q_d == away(0, 0.1));
    }
}

TEST_CASE("a target outside the range is 12 under enforcement, else the end of the range") {
  Vec7 outside = robot::kFr3.q_ready, end = outside;
  outside[0] = robot::kFr3.limits.upper[0] + 0.5;
  end[0] = robot::kFr3.limits.upper[0];
  Running enforced;
  enforced.cycle(position(outside));
  CHECK(set_errors(enforced.state.errors) == Ints{12});

  Running warned{judge::Rules{}};
  warned.cycle(position(outside));
  warned.idle(20000);
  CHECK(warned.state.q_d == end);
  CHECK(shows_motion(warned.state));
  const auto told = warned.of_kind(EventKind::kViolation);
  REQUIRE(told.size() == 1);
  CHECK_FALSE(told[0].violation.enforced);
  CHECK(told[0].violation.over == doctest::Approx(0.5));
}

TEST_CASE("the arm that follows the plan to and from the stops never trips the safety controller") {
  // reference 000, error 3: measured velocity over the envelope by 0.1 rad/s. One joint at a time,
  // at the robot's own speed; links keep clear of each other from this pose.
  const robot::JointLimits& l = robot::kFr3.limits;
  const Vec7 open{0, 0, 0, -1.6, 0, 2.2, 0};
  for (std::size_t i = 0; i < kJoints; ++i)
    for (const double gap : {0.0, 0.01, 0.1}) {
      CAPTURE(i);
      CAPTURE(gap);
      Running bench(strict(), 100.0);
      bench.cycle(position(open));
      bench.idle(2000);
      // Joint 4 and joint 6 meet the forearm at one end.
      for (const double end : {l.upper[i] - gap, l.lower[i] + gap, open[i]}) {
        if (i == 3 && end < -2.5) continue;
        Vec7 target = open;
        target[i] = end;
        bench.cycle(position(target));
        for (int n = 0; n < 30000 && bench.state.q_d != target; ++n) bench.cycle();
        CHECK(bench.state.q_d == target);
        bench.idle(300);
        CHECK(set_errors(bench.state.errors).empty());
      }
    }
}

TEST_CASE("all joints at once, with targets that change on the way: the same") {
  // Without enforcement, so that links that meet do not end it; judged here, as the end effector's
  // speed would outrank the joints'.
  constexpr unsigned kSeed = 11;
  CAPTURE(kSeed);
  std::mt19937_64 random(kSeed);
  const robot::JointLimits& l = robot::kFr3.limits;
  Running bench(judge::Rules{}, 100.0);
  double over = -1e9;
  for (int change = 0; change < 100; ++change) {
    Vec7 target{};
    for (std::size_t i = 0; i < kJoints; ++i) {
      const double q =
          std::uniform_real_distribution<double>(l.lower[i] - 1, l.upper[i] + 1)(random);
      target[i] = std::clamp(q, l.lower[i], l.upper[i]);
    }
    bench.cycle(position(target));
    for (int n = std::uniform_int_distribution<int>(1, 1500)(random); n > 0; --n) {
      bench.cycle();
      for (std::size_t i = 0; i < kJoints; ++i) {
        const double q = bench.state.q[i], dq = bench.state.dq[i];
        over = std::max({over, dq - robot::upper_velocity_limit(l, i, q),
                         robot::lower_velocity_limit(l, i, q) - dq});
      }
    }
  }
  CHECK(over < 0.1);
  CHECK(over > 0.0);
}

TEST_CASE("in lockstep it runs on its own: no waiting, no loss, no hash, every datagram a target") {
  World world(settings(engine::ClockKind::kLockstep));
  world.idle(200);
  world.submit(1, async());
  world.idle(400);
  REQUIRE(world.statuses(1) == Ints{kMoveStarted});
  wire::RobotCommand first = position(away(0, 0.5)), second = position(away(0, 0.3));
  first.message_id = second.message_id = world.state.message_id - 100;
  world.client.send(world.engine.udp_port(), first);
  world.client.send(world.engine.udp_port(), second);
  world.cycle();
  CHECK_FALSE(world.engine.unit().following());
  world.engine.lose(5);
  world.idle(1500);
  CHECK(world.state.q_d[0] == doctest::Approx(robot::kFr3.q_ready[0] + 0.3));
  CHECK(world.engine.counters().judge.lost == 0);
  CHECK(world.engine.state_hash().second == 0);
  engine::CycleRecord record;
  REQUIRE(world.engine.history().copy(world.engine.history().count() - 1, record));
  CHECK((record.flags & (engine::kLost | engine::kAnswered | engine::kStarted)) ==
        engine::kStarted);
  CHECK(record.command.q_c == second.q_c);
  world.cycle(finishing());
  world.idle(500);
  CHECK(world.statuses(1) == Ints{kMoveStarted, kMoveSuccess});
  CHECK(world.engine.state_hash().second == 0);
}
