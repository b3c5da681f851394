// Motions from Move to their terminal answer, in closed loop with a simulated arm.
#include <doctest/doctest.h>

#include "support/bench.hpp"

using namespace fsim;
using namespace fsim::test;
using engine::EventKind;
using Ints = std::vector<int>;

namespace {

/// wire.md 5.1: nothing runs.
bool shows_idle(const wire::RobotState& s) {
  return s.robot_mode == wire::RobotMode::kIdle &&
         s.motion_generator_mode == wire::MotionGeneratorMode::kIdle &&
         s.controller_mode == wire::ControllerMode::kOther;
}

/// The last `cycles` published states are slower than reference 000's standstill.
bool stood_still(const Bench& bench, std::size_t cycles) {
  if (bench.past.size() < cycles) return false;
  for (auto s = bench.past.end() - static_cast<std::ptrdiff_t>(cycles); s != bench.past.end(); ++s)
    if (largest(s->dq) >= 0.005) return false;
  return true;
}

}  // namespace

TEST_CASE("the state that shows a motion's modes and kMotionStarted belong to the same cycle") {
  // wire.md 5.2: the mode pair by client call, robot_mode Move in the same state.
  struct Pair {
    std::uint32_t generator, controller;
    int shown_generator, shown_controller;
  };
  for (const Pair p : {Pair{0, 0, 1, 0}, Pair{0, 1, 1, 1}, Pair{0, 2, 1, 2}, Pair{1, 0, 2, 0},
                       Pair{1, 1, 2, 1}, Pair{1, 2, 2, 2}, Pair{4, 2, 5, 2}}) {
    Bench bench;
    bench.idle(3);
    CHECK(shows_idle(bench.state));
    bench.begin(7, move(p.generator, p.controller));
    REQUIRE(bench.statuses(7) == Ints{kMoveStarted});
    CHECK(bench.answers(7)[0].kind == EventKind::kMotionStarted);
    CHECK(bench.answers(7)[0].cycle == bench.state.message_id);
    CHECK(static_cast<int>(bench.state.robot_mode) == 2);
    CHECK(static_cast<int>(bench.state.motion_generator_mode) == p.shown_generator);
    CHECK(static_cast<int>(bench.state.controller_mode) == p.shown_controller);
  }
}

TEST_CASE("a joint position motion follows its commands and ends kSuccess at standstill") {
  for (const std::uint32_t controller : {kJointImpedance, kCartesianImpedance}) {
    Bench bench(strict());
    bench.idle(60);
    const Vec7 q0 = bench.state.q_d;
    bench.begin(1, move(kJointPosition, controller));
    Vec7 q_c = q0;
    for (int n = 1; n <= 600; ++n) {
      q_c[3] = q0[3] + 0.3 * quintic(n * 1e-3, 0.6);
      bench.cycle(position(q_c));
      // wire.md 6: q_d of the next state is the command accepted for the cycle.
      CHECK(bench.state.q_d == q_c);
    }
    bench.cycle(position(q_c, true));
    REQUIRE(bench.run_until_answered(1, 2));
    CHECK(bench.statuses(1) == Ints{kMoveStarted, kMoveSuccess});
    CHECK(shows_idle(bench.state));
    CHECK(stood_still(bench, 20));
    CHECK(bench.of_kind(EventKind::kViolation).empty());
    // issue 2, Shows 1: 1 mrad under joint impedance; under Cartesian impedance 3 mm, 6 mrad at EE.
    if (controller == kJointImpedance) {
      CHECK(distance(bench.state.q, q_c) < 1e-3);
    } else {
      const auto [metres, radians] =
          pose_distance(bench.state.O_T_EE, robot::flange_pose(robot::kFr3, q_c));
      CHECK(metres < 3e-3);
      CHECK(radians < 6e-3);
    }
  }
}

TEST_CASE("a joint velocity motion travels what was commanded, and q_d integrates it") {
  // Reference 000: in a velocity session q_d is the integral of dq_c.
  Bench bench(strict());
  bench.idle(60);
  Vec7 sum = bench.state.q_d;
  bench.begin(1, move(kJointVelocity));
  Vec7 dq_c{};
  for (int n = 1; n <= 1000; ++n) {
    dq_c[5] = 0.4 * std::sin(M_PI * n * 1e-3) * std::sin(M_PI * n * 1e-3);
    bench.cycle(velocity(dq_c));
    for (std::size_t i = 0; i < kJoints; ++i) sum[i] += dq_c[i] * 1e-3;
    CHECK(distance(bench.state.q_d, sum) < 1e-12);
    CHECK(bench.state.dq_d == dq_c);
  }
  bench.cycle(velocity({}, true));
  REQUIRE(bench.run_until_answered(1, 2));
  CHECK(bench.statuses(1) == Ints{kMoveStarted, kMoveSuccess});
  CHECK(distance(bench.state.q, sum) < 1e-3);
  CHECK(sum[5] - robot::kFr3.q_ready[5] == doctest::Approx(0.2).epsilon(1e-3));
}

TEST_CASE("in a torque session q_d stays frozen, tau_J_d echoes, and the finish is kSuccess") {
  // Reference 000: startTorqueControl runs no generator; q_d is the set-point captured at the Move.
  Bench bench(strict());
  bench.idle(60);
  const Vec7 held = bench.state.q_d;
  bench.begin(1, move(kNoGenerator, kExternal));
  Vec7 tau{};
  for (int n = 1; n <= 400; ++n) {
    tau[6] = 0.6 * std::sin(2 * M_PI * n / 400);
    tau[0] = 2.0 * (1 - std::cos(2 * M_PI * n / 400));
    bench.cycle(torque(tau));
    CHECK(bench.state.q_d == held);
    CHECK(bench.state.dq_d == Vec7{});
    CHECK(bench.state.ddq_d == Vec7{});
    CHECK(bench.state.tau_J_d == tau);
  }
  // The arm did move; a torque motion may finish while it does (architecture.md, last section).
  CHECK(distance(bench.state.q, held) > 1e-2);
  CHECK(largest(bench.state.dq) > 0.005);
  bench.cycle(torque({}, true));
  REQUIRE(bench.run_until_answered(1, 2));
  CHECK(bench.statuses(1) == Ints{kMoveStarted, kMoveSuccess});
  CHECK(shows_idle(bench.state));
  CHECK(stood_still(bench, 20));
  CHECK(bench.of_kind(EventKind::kViolation).empty());
}

TEST_CASE("a motion generator with external torques: both are taken from the command") {
  Bench bench(strict());
  bench.idle(60);
  Vec7 q_c = bench.state.q_d;
  const double q0 = q_c[6];
  bench.begin(1, move(kJointPosition, kExternal));
  for (int n = 1; n <= 300; ++n) {
    q_c[6] = q0 + 0.05 * quintic(n * 1e-3, 0.3);
    wire::RobotCommand command = position(q_c);
    command.tau_J_d[6] = 0.3 * quintic(n * 1e-3, 0.3);
    bench.cycle(command);
    CHECK(bench.state.q_d == q_c);
    CHECK(bench.state.tau_J_d == command.tau_J_d);
  }
  wire::RobotCommand last = position(q_c, true);
  last.tau_J_d[6] = 0.3;
  bench.cycle(last);
  REQUIRE(bench.run_until_answered(1, 2));
  CHECK(bench.statuses(1) == Ints{kMoveStarted, kMoveSuccess});
}

TEST_CASE("StopMove brakes the arm; then the Move is kPreempted and the stop kSuccess") {
  Bench bench(strict());
  bench.idle(60);
  bench.cruise(1, 0, 0.5);
  bench.submit(2, wire::StopMoveRequest{});
  bench.cycle();
  CHECK(bench.statuses(2).empty());
  CHECK(largest(bench.state.dq) > 0.3);  // not stopped at once
  REQUIRE(bench.run_until_answered(2, 1));
  CHECK(bench.statuses(1) == Ints{kMoveStarted, kMovePreempted});
  CHECK(bench.statuses(2) == Ints{kStopSuccess});
  CHECK(bench.answers(1)[1].cycle == bench.answers(2)[0].cycle);
  CHECK(shows_idle(bench.state));
  CHECK(stood_still(bench, 20));
  CHECK(set_errors(bench.state.errors).empty());
  // The way down keeps the arm's own limits: 10 rad/s^2 (robot-model.md, joint limits).
  for (const wire::RobotState& s : bench.past) CHECK(largest(s.ddq_d) < 10.0 + 1e-9);
}

TEST_CASE("StopMove before the first command preempts the Move as well") {
  Bench bench;
  bench.idle(60);
  bench.begin(1, move(kJointPosition));
  bench.submit(2, wire::StopMoveRequest{});
  REQUIRE(bench.run_until_answered(2, 1));
  CHECK(bench.statuses(1) == Ints{kMoveStarted, kMovePreempted});
}

TEST_CASE("a second Move preempts the first and starts from standstill") {
  // Reference 000: the running motion is answered kPreempted, the new one is seeded from
  // standstill.
  Bench bench(strict());
  bench.idle(60);
  bench.cruise(1, 0, 0.5);
  bench.submit(2, move(kJointPosition));
  bench.cycle();
  CHECK(bench.statuses(2).empty());
  REQUIRE(bench.run_until_answered(2, 1));
  CHECK(bench.statuses(1) == Ints{kMoveStarted, kMovePreempted});
  CHECK(bench.statuses(2) == Ints{kMoveStarted});
  CHECK(bench.answers(1)[1].cycle < bench.answers(2)[0].cycle);
  CHECK(stood_still(bench, 20));
  CHECK(bench.state.dq_d == Vec7{});
  CHECK(distance(bench.state.q_d, bench.state.q) < 5e-3);
  // The end of the first was shown before the second began.
  CHECK(shows_idle(bench.past[bench.past.size() - 2]));
  // And the second one moves.
  Vec7 q_c = bench.state.q_d;
  const double q0 = q_c[0];
  for (int n = 1; n <= 300; ++n) {
    q_c[0] = q0 - 0.05 * quintic(n * 1e-3, 0.3);
    bench.cycle(position(q_c));
  }
  bench.cycle(position(q_c, true));
  REQUIRE(bench.run_until_answered(2, 2));
  CHECK(bench.statuses(2) == Ints{kMoveStarted, kMoveSuccess});
}

TEST_CASE("of three Moves at once the middle one is preempted unseen, each answered once") {
  Bench bench;
  bench.idle(60);
  bench.cruise(1, 0, 0.3);
  bench.submit(2, move(kJointPosition));
  bench.submit(3, move(kJointVelocity));
  REQUIRE(bench.run_until_answered(3, 1));
  CHECK(bench.statuses(1) == Ints{kMoveStarted, kMovePreempted});
  CHECK(bench.statuses(2) == Ints{kMovePreempted});
  CHECK(bench.statuses(3) == Ints{kMoveStarted});
}

TEST_CASE("a stop that follows a waiting Move ends that Move too") {
  // wire.md 5.6: after StopMove nothing runs; a Move sent before it must not start afterwards.
  Bench bench;
  bench.idle(60);
  bench.cruise(1, 0, 0.3);
  bench.submit(2, move(kJointPosition));
  bench.cycle();
  bench.submit(3, wire::StopMoveRequest{});
  REQUIRE(bench.run_until_answered(3, 1));
  bench.idle(100);
  CHECK(bench.statuses(1) == Ints{kMoveStarted, kMovePreempted});
  CHECK(bench.statuses(2) == Ints{kMovePreempted});
  CHECK(shows_idle(bench.state));
}

TEST_CASE("in lockstep a stop also ends a Move that waits for the arm to come to rest") {
  Bench bench({}, true);
  bench.cycle();
  bench.submit(1, move(kJointPosition));
  bench.cycle();
  CHECK(bench.statuses(1).empty());
  bench.submit(2, wire::StopMoveRequest{});
  bench.idle(300);
  CHECK(bench.statuses(1) == Ints{kMovePreempted});
  CHECK(bench.statuses(2) == Ints{kStopSuccess});
}

TEST_CASE("guiding that begins while a Move waits for rest refuses the Move") {
  // wire.md 5.11: Move in Guiding is not possible; it must not wait until somebody lets go.
  Bench bench({}, true);
  bench.cycle();
  bench.submit(1, move(kJointPosition));
  bench.cycle();
  bench.side(engine::SideInput::Kind::kGuiding, true);
  bench.idle(10);
  CHECK(bench.statuses(1) == Ints{kMoveNotPossible});
}

TEST_CASE("a finish on a moving command is a hold, and judged as one under enforcement") {
  // architecture.md: 14 for positions, 15 for velocities, aborted.
  for (const std::uint32_t generator : {kJointPosition, kJointVelocity}) {
    Bench bench(strict());
    bench.idle(60);
    const double q0 = bench.state.q_d[3];
    Vec7 q_c = bench.state.q_d, dq_c{};
    bench.begin(1, move(generator));
    for (int n = 1; n <= 300; ++n) {
      q_c[3] = q0 + 0.3 * quintic(n * 1e-3, 0.6);
      dq_c[3] = std::min(0.5, n * 5e-3);
      bench.cycle(generator == kJointPosition ? position(q_c) : velocity(dq_c));
    }
    q_c[3] = q0 + 0.3 * quintic(0.301, 0.6);
    bench.cycle(generator == kJointPosition ? position(q_c, true) : velocity(dq_c, true));
    const int error = generator == kJointPosition ? 14 : 15;
    CHECK(set_errors(bench.state.errors) == Ints{error});
    CHECK(bench.state.robot_mode == wire::RobotMode::kReflex);
    CHECK(bench.statuses(1) == Ints{kMoveStarted, kMoveReflexAborted});
  }
}

TEST_CASE("a finish on a moving command brakes and ends kSuccess where limits are not enforced") {
  for (const std::uint32_t generator : {kJointPosition, kJointVelocity}) {
    Bench bench;
    bench.idle(60);
    const double q0 = bench.state.q_d[3];
    Vec7 q_c = bench.state.q_d, dq_c{};
    bench.begin(1, move(generator));
    for (int n = 1; n <= 300; ++n) {
      q_c[3] = q0 + 0.3 * quintic(n * 1e-3, 0.6);
      dq_c[3] = std::min(0.5, n * 5e-3);
      bench.cycle(generator == kJointPosition ? position(q_c) : velocity(dq_c));
    }
    q_c[3] = q0 + 0.3 * quintic(0.301, 0.6);
    bench.cycle(generator == kJointPosition ? position(q_c, true) : velocity(dq_c, true));
    const auto warned = bench.of_kind(EventKind::kViolation);
    REQUIRE_FALSE(warned.empty());
    CHECK(static_cast<int>(warned[0].violation.error) == (generator == kJointPosition ? 14 : 15));
    CHECK_FALSE(warned[0].violation.enforced);
    CHECK(bench.statuses(1).size() == 1);
    CHECK(largest(bench.state.dq) > 0.3);
    REQUIRE(bench.run_until_answered(1, 2));
    CHECK(bench.statuses(1) == Ints{kMoveStarted, kMoveSuccess});
    CHECK(set_errors(bench.state.errors).empty());
    CHECK(stood_still(bench, 20));
  }
}

TEST_CASE("a command that answers a state before the motion does not open it") {
  // judge.hpp: what echoes a state older than the one that shows the motion belongs to something
  // else. libfranka repeats its finishing command; a straggler must not end the next motion.
  Bench bench;
  bench.idle(60);
  bench.begin(1, move(kJointPosition));
  wire::RobotCommand straggler = position(robot::kFr3.q_ready, true);
  straggler.message_id = bench.published.n - 10;
  bench.cycle_raw({straggler});
  bench.idle(500);
  CHECK(bench.statuses(1) == Ints{kMoveStarted});
  CHECK(bench.unit.state() == motion::State::kStarting);
}

TEST_CASE("a stop after a jump that no arm can follow stops the arm where it is") {
  // Without enforcement: braking from the commanded speed would run away from the arm for seconds.
  for (const double step : {1e-3, 0.01, 0.3, 20.0, 1e6, 1e250}) {
    for (const bool finish : {false, true}) {
      CAPTURE(step);
      CAPTURE(finish);
      Bench bench;
      bench.idle(60);
      bench.begin(1, move(kJointPosition));
      Vec7 q_c = bench.state.q_d;
      bench.cycle(position(q_c));
      q_c[0] += step;
      bench.cycle(position(q_c, finish));
      if (!finish) bench.submit(2, wire::StopMoveRequest{});
      REQUIRE(bench.run_until_answered(1, 2, 1000));
      CHECK(bench.statuses(1) == Ints{kMoveStarted, finish ? kMoveSuccess : kMovePreempted});
      bench.idle(500);
      CHECK(distance(bench.state.q_d, robot::kFr3.q_ready) < 0.05);
      CHECK(distance(bench.state.q, robot::kFr3.q_ready) < 0.05);
    }
  }
}
