// Reflexes, recovery, user stop, brakes, guiding: what is latched, shown, refused, answered.
#include <doctest/doctest.h>

#include "support/bench.hpp"

using namespace fsim;
using namespace fsim::test;
using engine::EventKind;
using Ints = std::vector<int>;
using Kind = engine::SideInput::Kind;

namespace {

int mode(const Bench& bench) { return static_cast<int>(bench.state.robot_mode); }
// wire.md 3.1.
constexpr int kOther = 0, kIdle = 1, kMove = 2, kGuiding = 3, kReflex = 4, kUserStopped = 5,
              kRecovery = 6;

/// A joint position motion `token` whose opening command is 0.2 rad off.
void start_jump(Bench& bench, engine::Token token) {
  bench.begin(token, move(kJointPosition));
  Vec7 q_c = bench.state.q_d;
  q_c[2] += 0.2;
  bench.cycle(position(q_c));
}

}  // namespace

TEST_CASE("a violation shows in the state of its own cycle, with one terminal answer after it") {
  // wire.md 5.4 and style.md 3, A reflex: bits, mode and idle modes in the very state.
  Bench bench(strict());
  bench.idle(60);
  bench.begin(1, move(kJointPosition));
  const std::uint64_t shown = bench.state.message_id;
  Vec7 q_c = bench.state.q_d;
  q_c[2] += 0.2;
  bench.cycle(position(q_c));
  CHECK(bench.state.message_id == shown + 1);
  CHECK(mode(bench) == kReflex);
  CHECK(static_cast<int>(bench.state.motion_generator_mode) == 0);
  CHECK(static_cast<int>(bench.state.controller_mode) == 3);
  // issue 2, Shows 1: a 0.2 rad start jump is joint_position_motion_generator_start_pose_invalid.
  CHECK(set_errors(bench.state.errors) == Ints{11});
  CHECK(set_errors(bench.state.reflex_reason) == Ints{11});
  bench.idle(200);
  REQUIRE(bench.statuses(1) == Ints{kMoveStarted, kMoveReflexAborted});
  const engine::Event end = bench.answers(1)[1];
  CHECK(end.kind == EventKind::kMotionEnded);
  CHECK(end.cycle == shown + 1);
  CHECK(end.errors.bits() == std::uint64_t{1} << 11);
  const auto violations = bench.of_kind(EventKind::kViolation);
  REQUIRE(violations.size() == 1);
  CHECK(violations[0].violation.enforced);
  CHECK(violations[0].violation.joint == 2);
  // The arm was not moved by the refused command.
  CHECK(distance(bench.state.q, robot::kFr3.q_ready) < 1e-3);
}

TEST_CASE("without enforcement the same jump is a warning and the motion goes on") {
  Bench bench;
  bench.idle(60);
  start_jump(bench, 1);
  CHECK(mode(bench) == kMove);
  CHECK(set_errors(bench.state.errors).empty());
  const auto violations = bench.of_kind(EventKind::kViolation);
  REQUIRE(violations.size() == 1);
  CHECK_FALSE(violations[0].violation.enforced);
}

TEST_CASE("a warning is told once per error class and motion") {
  Bench bench;
  bench.idle(60);
  bench.begin(1, move(kJointPosition));
  Vec7 q_c = bench.state.q_d;
  for (int n = 0; n < 40; ++n) {
    q_c[2] += n % 2 == 0 ? 1e-3 : -1e-3;  // 2000 rad/s^2
    bench.cycle(position(q_c));
  }
  CHECK(bench.of_kind(EventKind::kViolation).size() == 1);
}

TEST_CASE("a command that is not finite aborts whatever the switches say") {
  // Reference 000: non-finite commands are refused whether or not enforcement is on.
  Bench bench;
  bench.idle(60);
  bench.cruise(1, 0, 0.4);
  bench.cycle(velocity({std::nan(""), 0, 0, 0, 0, 0, 0}));
  CHECK(mode(bench) == kReflex);
  CHECK(bench.statuses(1) == Ints{kMoveStarted, kMoveReflexAborted});
  bench.idle(1000);
  for (const wire::RobotState& s : bench.past)
    for (std::size_t i = 0; i < kJoints; ++i) CHECK(std::isfinite(s.q[i] + s.dq_d[i] + s.tau_J[i]));
}

TEST_CASE("while a reflex is latched only stop and recovery are possible, and it works again") {
  Bench bench(strict());
  bench.idle(60);
  start_jump(bench, 1);
  bench.submit(2, move(kJointPosition));
  bench.submit(3, wire::SetLoadRequest{});
  bench.submit(4, wire::SetGuidingModeRequest{});
  bench.submit(5, wire::StopMoveRequest{});
  bench.cycle();
  CHECK(bench.statuses(2) == Ints{kMoveNotPossible});
  CHECK(bench.statuses(3) == Ints{kSetterNotPossible});
  CHECK(bench.statuses(4) == Ints{kSetterNotPossible});
  CHECK(bench.statuses(5) == Ints{kStopSuccess});
  CHECK(mode(bench) == kReflex);

  bench.submit(6, wire::AutomaticErrorRecoveryRequest{});
  bench.cycle();
  CHECK(mode(bench) == kRecovery);
  CHECK(set_errors(bench.state.errors) == Ints{11});
  bench.submit(7, wire::AutomaticErrorRecoveryRequest{});
  bench.submit(8, move(kJointPosition));
  REQUIRE(bench.run_until_answered(6, 1));
  CHECK(bench.statuses(6) == Ints{kRecoverySuccess});
  CHECK(bench.statuses(7) == Ints{kRecoveryNotPossible});
  CHECK(bench.statuses(8) == Ints{kMoveNotPossible});
  // wire.md 7: Idle and no errors in the states before or together with the reply; the reason
  // stays.
  CHECK(bench.answers(6)[0].cycle == bench.state.message_id);
  CHECK(mode(bench) == kIdle);
  CHECK(set_errors(bench.state.errors).empty());
  CHECK(set_errors(bench.state.reflex_reason) == Ints{11});

  bench.begin(9, move(kJointPosition));
  CHECK(bench.statuses(9) == Ints{kMoveStarted});
  CHECK(set_errors(bench.state.reflex_reason).empty());
  const Vec7 q_c = bench.state.q_d;
  for (int n = 0; n < 20; ++n) bench.cycle(position(q_c));
  bench.cycle(position(q_c, true));
  REQUIRE(bench.run_until_answered(9, 2));
  CHECK(bench.statuses(9) == Ints{kMoveStarted, kMoveSuccess});
}

TEST_CASE("recovery answers only when |dq| stayed below 0.005 rad/s for 50 cycles") {
  // Reference 000, Enabling the violation; the reference's 0.7 s cap does not apply (wire.md wins).
  Bench bench;
  bench.idle(60);
  bench.cruise(1, 0, 1.0);
  bench.cycle(velocity({std::nan(""), 0, 0, 0, 0, 0, 0}));
  REQUIRE(largest(bench.state.dq) > 0.5);
  bench.submit(2, wire::AutomaticErrorRecoveryRequest{});
  REQUIRE(bench.run_until_answered(2, 1));
  const std::size_t end = bench.past.size();
  std::size_t still = 0;
  while (still < end && largest(bench.past[end - 1 - still].dq) < 0.005) ++still;
  // The decision is made before the cycle's step: 50 measured ones precede the state that shows it.
  CHECK(still >= 50);
  CHECK(still <= 52);
  CHECK(bench.statuses(2) == Ints{kRecoverySuccess});
}

TEST_CASE("an arm that is pushed does not recover until it is let go") {
  Bench bench;
  bench.idle(60);
  bench.cruise(1, 0, 0.3);
  bench.cycle(velocity({std::nan(""), 0, 0, 0, 0, 0, 0}));
  bench.submit(2, wire::AutomaticErrorRecoveryRequest{});
  for (int n = 0; n < 2000; ++n) {
    bench.plant.push[6] = n / 20 % 2 == 0 ? 8.0 : -8.0;
    bench.cycle();
  }
  CHECK(bench.statuses(2).empty());
  CHECK(mode(bench) == kRecovery);
  bench.plant.push = {};
  CHECK(bench.run_until_answered(2, 1));
}

TEST_CASE("a latched reflex survives the client that caused it") {
  // issue 2: a latched reflex survives a reconnect.
  Bench bench(strict());
  bench.idle(60);
  start_jump(bench, 1);
  bench.client_gone();
  bench.idle(100);
  CHECK(mode(bench) == kReflex);
  CHECK(set_errors(bench.state.errors) == Ints{11});
  bench.submit(2, move(kJointPosition));
  bench.cycle();
  CHECK(bench.statuses(2) == Ints{kMoveNotPossible});
  bench.submit(3, wire::AutomaticErrorRecoveryRequest{});
  CHECK(bench.run_until_answered(3, 1));
  CHECK(mode(bench) == kIdle);
}

TEST_CASE("a client that leaves in motion is braked for, and the next one finds an idle arm") {
  // wire.md 2.1: EOF stops the motion.
  Bench bench;
  bench.idle(60);
  bench.cruise(1, 0, 0.5);
  bench.client_gone();
  bench.cycle();
  CHECK(mode(bench) == kIdle);
  CHECK(bench.statuses(1) == Ints{kMoveStarted, kMoveAborted});
  bench.submit(2, move(kJointPosition));
  REQUIRE(bench.run_until_answered(2, 1));
  CHECK(bench.statuses(2) == Ints{kMoveStarted});
  CHECK(largest(bench.state.dq) < 0.005);
}

TEST_CASE("every request that waits when the client leaves is answered all the same") {
  // doors.hpp: each outstanding request holds a slot until its terminal answer.
  Bench bench;
  bench.idle(60);
  bench.cruise(1, 0, 0.5);
  bench.submit(2, wire::StopMoveRequest{});
  bench.submit(3, move(kJointPosition));
  bench.cycle();
  bench.client_gone();
  bench.idle(500);
  CHECK(bench.statuses(1).size() == 2);
  CHECK(bench.statuses(2).size() == 1);
  CHECK(bench.statuses(3).size() == 1);

  bench.begin(4, move(kJointVelocity));
  bench.cycle(velocity({std::nan(""), 0, 0, 0, 0, 0, 0}));
  bench.submit(5, wire::AutomaticErrorRecoveryRequest{});
  bench.cycle();
  bench.client_gone();
  bench.idle(500);
  CHECK(bench.statuses(5).size() == 1);
  // A recovery ends with the client that asked for it; the next one may ask again.
  CHECK(mode(bench) == kReflex);
  bench.submit(6, wire::AutomaticErrorRecoveryRequest{});
  bench.idle(500);
  CHECK(bench.statuses(6) == Ints{kRecoverySuccess});
  CHECK(mode(bench) == kIdle);
}

TEST_CASE(
    "user stop ends a motion kEmergencyAborted, latches no error, and recovery cannot clear it") {
  Bench bench;
  bench.idle(60);
  bench.cruise(1, 0, 0.5);
  bench.side(Kind::kUserStop, true);
  bench.cycle();
  CHECK(mode(bench) == kUserStopped);
  CHECK(static_cast<int>(bench.state.motion_generator_mode) == 0);
  CHECK(static_cast<int>(bench.state.controller_mode) == 3);
  CHECK(bench.statuses(1) == Ints{kMoveStarted, kMoveEmergencyAborted});
  CHECK(set_errors(bench.state.errors).empty());
  CHECK(set_errors(bench.state.reflex_reason).empty());
  bench.submit(2, wire::AutomaticErrorRecoveryRequest{});
  bench.submit(3, wire::StopMoveRequest{});
  bench.submit(4, move(kJointPosition));
  bench.idle(500);
  CHECK(bench.statuses(2) == Ints{kRecoveryNotPossible});
  CHECK(bench.statuses(3) == Ints{kStopSuccess});
  CHECK(bench.statuses(4) == Ints{kMoveNotPossible});
  CHECK(mode(bench) == kUserStopped);
  CHECK(largest(bench.state.dq) < 0.005);
  bench.side(Kind::kUserStop, false);
  bench.cycle();
  CHECK(mode(bench) == kIdle);
  bench.begin(5, move(kJointPosition));
  CHECK(bench.statuses(5) == Ints{kMoveStarted});
}

TEST_CASE("a user stop over a reflex gives the reflex back when it is released") {
  Bench bench(strict());
  bench.idle(60);
  start_jump(bench, 1);
  bench.side(Kind::kUserStop, true);
  bench.cycle();
  CHECK(mode(bench) == kUserStopped);
  bench.side(Kind::kUserStop, false);
  bench.cycle();
  CHECK(mode(bench) == kReflex);
  CHECK(set_errors(bench.state.errors) == Ints{11});
}

TEST_CASE("a user stop during recovery ends the recovery kEmergencyAborted") {
  // wire.md 5.11, row UserStopped.
  Bench bench(strict());
  bench.idle(60);
  start_jump(bench, 1);
  bench.submit(2, wire::AutomaticErrorRecoveryRequest{});
  bench.cycle();
  bench.side(Kind::kUserStop, true);
  bench.cycle();
  CHECK(bench.statuses(2) == Ints{kRecoveryEmergencyAborted});
  CHECK(mode(bench) == kUserStopped);
  bench.side(Kind::kUserStop, false);
  bench.cycle();
  CHECK(mode(bench) == kReflex);
}

TEST_CASE("a user stop answers what waited for standstill") {
  Bench bench;
  bench.idle(60);
  bench.cruise(1, 0, 0.5);
  bench.submit(2, wire::StopMoveRequest{});
  bench.submit(3, move(kJointPosition));
  bench.cycle();
  bench.side(Kind::kUserStop, true);
  bench.cycle();
  CHECK(bench.statuses(1) == Ints{kMoveStarted, kMoveEmergencyAborted});
  CHECK(bench.statuses(2) == Ints{kStopSuccess});
  CHECK(bench.statuses(3) == Ints{kMoveNotPossible});
}

TEST_CASE("closed brakes show Other, refuse all but a stop, and hold the arm") {
  Bench bench;
  bench.idle(60);
  bench.side(Kind::kBrakes, true);
  bench.cycle();
  CHECK(mode(bench) == kOther);
  const Vec7 q = bench.state.q;
  bench.submit(1, move(kJointPosition));
  bench.submit(2, wire::StopMoveRequest{});
  bench.submit(3, wire::SetLoadRequest{});
  bench.submit(4, wire::AutomaticErrorRecoveryRequest{});
  bench.plant.push = {5, 5, 5, 5, 5, 5, 5};
  bench.idle(100);
  CHECK(bench.statuses(1) == Ints{kMoveNotPossible});
  CHECK(bench.statuses(2) == Ints{kStopSuccess});
  CHECK(bench.statuses(3) == Ints{kSetterNotPossible});
  CHECK(bench.statuses(4) == Ints{kRecoveryNotPossible});
  CHECK(bench.state.q == q);
  bench.plant.push = {};
  bench.side(Kind::kBrakes, false);
  bench.cycle();
  CHECK(mode(bench) == kIdle);
  bench.idle(200);
  CHECK(distance(bench.state.q, q) < 1e-3);
}

TEST_CASE("brakes that close in motion end it kAborted") {
  // wire.md 5.4, other cause.
  Bench bench;
  bench.idle(60);
  bench.cruise(1, 0, 0.5);
  bench.side(Kind::kBrakes, true);
  bench.cycle();
  CHECK(mode(bench) == kOther);
  CHECK(bench.statuses(1) == Ints{kMoveStarted, kMoveAborted});
  CHECK(set_errors(bench.state.errors).empty());
}

TEST_CASE("an arm with closed brakes stands, and stays where it is when they open") {
  // rm 10: brakes hold the joints; nothing that holds may be published as moving.
  Bench bench;
  bench.idle(60);
  bench.cruise(1, 0, 0.5);
  bench.side(Kind::kBrakes, true);
  bench.idle(100);
  CHECK(largest(bench.state.dq) == 0);
  CHECK(largest(bench.state.dq_d) == 0);
  const Vec7 q = bench.state.q;
  bench.side(Kind::kBrakes, false);
  bench.idle(200);
  CHECK(distance(bench.state.q, q) < 5e-3);
}

TEST_CASE("guiding lets a hand move the arm, q_d follows, and the arm holds where it was left") {
  Bench bench;
  bench.idle(60);
  bench.side(Kind::kGuiding, true);
  bench.cycle();
  CHECK(mode(bench) == kGuiding);
  bench.submit(1, move(kJointPosition));
  bench.submit(2, wire::SetLoadRequest{});
  bench.submit(3, wire::SetGuidingModeRequest{{true, true, true, true, true, true}, true});
  bench.submit(4, wire::StopMoveRequest{});
  bench.plant.push[5] = 2.0;
  const double q0 = bench.state.q[5];
  for (int n = 0; n < 300; ++n) {
    bench.cycle();
    CHECK(distance(bench.state.q_d, bench.state.q) < 1e-12);
  }
  CHECK(bench.statuses(1) == Ints{kMoveNotPossible});
  CHECK(bench.statuses(2) == Ints{kSetterNotPossible});
  CHECK(bench.statuses(3) == Ints{kSetterSuccess});
  CHECK(bench.statuses(4) == Ints{kStopSuccess});
  CHECK(bench.state.q[5] - q0 > 0.02);
  bench.plant.push = {};
  bench.side(Kind::kGuiding, false);
  bench.idle(500);
  CHECK(mode(bench) == kIdle);
  CHECK(largest(bench.state.dq) < 0.005);
  const Vec7 left = bench.state.q;
  bench.idle(500);
  CHECK(distance(bench.state.q, left) < 1e-3);
}

TEST_CASE("a Move with bad arguments is refused without stopping the motion that runs") {
  Bench bench;
  bench.idle(3);
  bench.begin(1, move(kJointPosition));
  bench.cycle(position(robot::kFr3.q_ready));
  wire::MoveRequest bad = move(kJointPosition);
  bad.maximum_path_deviation[0] = -1;
  bench.submit(2, bad);
  bench.cycle();
  CHECK(bench.statuses(2) == Ints{kMoveInvalidArgument});
  CHECK(bench.state.robot_mode == wire::RobotMode::kMove);
}
