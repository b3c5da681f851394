// Losses and setters around a motion: what is counted, held, refused and shown.
#include <doctest/doctest.h>

#include "support/bench.hpp"

using namespace fsim;
using namespace fsim::test;
using engine::EventKind;
using Ints = std::vector<int>;

TEST_CASE("nothing is counted before the first command, however long it takes") {
  // wire.md 5.2: a server must not count missing commands before it has received the first one.
  Bench bench(strict());
  bench.idle(60);
  bench.begin(1, move(kJointPosition));
  const Vec7 q_c = bench.state.q_d;
  bench.idle(500);
  CHECK(bench.state.robot_mode == wire::RobotMode::kMove);
  CHECK(bench.state.control_command_success_rate == 0);
  CHECK(bench.unit.judgement().counters().lost == 0);
  bench.cycle(position(q_c));
  CHECK(bench.state.control_command_success_rate == 1);
  CHECK(bench.unit.judgement().counters().fresh == 1);
  CHECK(bench.unit.judgement().counters().lost == 0);
  CHECK(bench.of_kind(EventKind::kViolation).empty());
}

TEST_CASE("19 lost cycles are survived, the 20th aborts with communication_constraints_violation") {
  // Reference 000, What the sim does with a lost cycle; error 25.
  Bench bench(strict());
  bench.idle(60);
  bench.begin(1, move(kJointPosition));
  const Vec7 q_c = bench.state.q_d;
  for (int n = 0; n < 120; ++n) bench.cycle(position(q_c));
  bench.idle(19);
  CHECK(bench.state.robot_mode == wire::RobotMode::kMove);
  CHECK(bench.state.control_command_success_rate == doctest::Approx(0.81));
  bench.cycle(position(q_c));
  bench.idle(19);
  CHECK(bench.statuses(1) == Ints{kMoveStarted});
  bench.cycle();
  CHECK(set_errors(bench.state.errors) == Ints{25});
  CHECK(set_errors(bench.state.reflex_reason) == Ints{25});
  CHECK(bench.state.robot_mode == wire::RobotMode::kReflex);
  CHECK(bench.statuses(1) == Ints{kMoveStarted, kMoveReflexAborted});
}

TEST_CASE("an injected loss counts like a lost one even when the client answered") {
  Bench bench(strict());
  bench.idle(60);
  bench.begin(1, move(kJointPosition));
  wire::RobotCommand command = position(bench.state.q_d);
  for (int n = 0; n < 100; ++n) bench.cycle(command);
  for (int n = 0; n < 20; ++n) {
    command.message_id = bench.published.n;
    bench.cycle_raw({command}, true);
  }
  CHECK(set_errors(bench.state.errors) == Ints{25});
}

TEST_CASE(
    "without the switch the 20th loss is one warning, the arm holds, and the motion goes on") {
  Bench bench;
  bench.idle(60);
  bench.cruise(1, 0, 0.3);
  bench.idle(200);
  CHECK(bench.state.robot_mode == wire::RobotMode::kMove);
  CHECK(bench.state.dq_d == Vec7{});
  CHECK(largest(bench.state.dq) < 0.005);
  const auto told = bench.of_kind(EventKind::kViolation);
  CHECK(std::count_if(told.begin(), told.end(), [](const engine::Event& e) {
          return static_cast<int>(e.violation.error) == 25;
        }) == 1);
  bench.cycle(velocity({}, true));
  REQUIRE(bench.run_until_answered(1, 2));
  CHECK(bench.statuses(1) == Ints{kMoveStarted, kMoveSuccess});
}

TEST_CASE("a gap in a velocity motion goes on at the last acceleration") {
  // Reference 000: constant acceleration, velocity first.
  Bench bench(strict());
  bench.idle(60);
  bench.begin(1, move(kJointVelocity));
  Vec7 dq_c{};
  for (int n = 1; n <= 100; ++n) {
    dq_c[1] = 2e-3 * n;
    bench.cycle(velocity(dq_c));
  }
  double v = bench.state.dq_d[1], q = bench.state.q_d[1];
  for (int n = 0; n < 19; ++n) {
    bench.cycle();
    v += 2.0 * 1e-3;
    q += v * 1e-3;
    CHECK(std::abs(bench.state.dq_d[1] - v) < 1e-12);
    CHECK(std::abs(bench.state.q_d[1] - q) < 1e-12);
  }
}

TEST_CASE("a torque is held bit for bit through a gap, and acts") {
  Bench bench(strict());
  bench.idle(60);
  bench.begin(1, move(kNoGenerator, kExternal));
  Vec7 tau{};
  for (int n = 0; n < 30; ++n) {
    for (std::size_t i = 0; i < kJoints; ++i)
      tau[i] = n * 0.0137 * (1 + 0.1 * static_cast<double>(i));
    bench.cycle(torque(tau));
  }
  for (int n = 0; n < 19; ++n) {
    bench.cycle();
    CHECK(bench.state.tau_J_d == tau);
  }
  CHECK(bench.statuses(1) == Ints{kMoveStarted});
}

TEST_CASE("setters are refused while moving and change nothing") {
  // wire.md 5.11, row Move.
  Bench bench;
  bench.idle(60);
  bench.cruise(1, 0, 0.2);
  const wire::RobotState before = bench.state;
  wire::SetLoadRequest load{};
  load.m_load = 1.5;
  wire::SetEEToKRequest k{kIdentity4};
  k.EE_T_K[14] = 0.1;
  bench.submit(2, load);
  bench.submit(3, k);
  bench.submit(4, wire::SetNEToEERequest{k.EE_T_K});
  bench.submit(5, wire::SetJointImpedanceRequest{all_joints(100)});
  bench.submit(6, wire::SetCartesianImpedanceRequest{{100, 100, 100, 10, 10, 10}});
  bench.submit(7, wire::SetCollisionBehaviorRequest{});
  bench.submit(8, wire::SetGuidingModeRequest{});
  bench.submit(9, wire::AutomaticErrorRecoveryRequest{});
  bench.cycle(velocity(bench.dq_c));
  for (engine::Token token = 2; token <= 9; ++token)
    CHECK(bench.statuses(token) == Ints{kSetterNotPossible});
  CHECK(bench.state.m_load == before.m_load);
  CHECK(bench.state.EE_T_K == before.EE_T_K);
  CHECK(bench.state.F_T_EE == before.F_T_EE);
  CHECK(bench.state.robot_mode == wire::RobotMode::kMove);
}

TEST_CASE("a setter shows in the state of its own cycle, before its reply") {
  // wire.md 5.10: apply, make it visible in the next state, then reply.
  Bench bench;
  bench.idle(3);
  wire::SetLoadRequest load{0.5, {0.01, 0.02, 0.03}, {1e-3, 0, 0, 0, 1e-3, 0, 0, 0, 1e-3}};
  // A quarter turn about z and 0.1 m along it, column-major.
  const Mat4 turn{0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0.1, 1};
  bench.submit(1, load);
  bench.submit(2, wire::SetEEToKRequest{turn});
  bench.submit(3, wire::SetNEToEERequest{turn});
  bench.cycle();
  CHECK(bench.statuses(1) == Ints{kSetterSuccess});
  CHECK(bench.statuses(2) == Ints{kSetterSuccess});
  CHECK(bench.statuses(3) == Ints{kSetterSuccess});
  CHECK(bench.answers(1)[0].cycle == bench.state.message_id);
  CHECK(bench.state.m_load == 0.5);
  CHECK(bench.state.F_x_Cload == load.F_x_Cload);
  CHECK(bench.state.I_load == load.I_load);
  CHECK(bench.state.EE_T_K == turn);
  CHECK(bench.state.NE_T_EE == turn);
  // wire.md 3.1: F_T_EE = F_T_NE * NE_T_EE; the nominal end effector is the flange.
  CHECK(bench.state.F_T_EE == turn);
  // The load does not fold into the end effector's fields.
  CHECK(bench.state.m_ee == 0);
}

TEST_CASE("an argument out of range is kInvalidArgumentRejected and changes nothing") {
  Bench bench;
  bench.idle(3);
  const wire::RobotState before = bench.state;
  wire::SetLoadRequest load{};
  load.m_load = -1;
  bench.submit(1, load);
  bench.submit(2, wire::SetEEToKRequest{});
  bench.cycle();
  CHECK(bench.statuses(1) == Ints{kSetterInvalidArgument});
  CHECK(bench.statuses(2) == Ints{kSetterInvalidArgument});
  CHECK(bench.state.m_load == before.m_load);
  CHECK(bench.state.EE_T_K == before.EE_T_K);
  wire::MoveRequest bad = move(kJointPosition);
  bad.maximum_path_deviation[0] = std::nan("");
  bench.submit(3, bad);
  bench.cycle();
  CHECK(bench.statuses(3) == Ints{kMoveInvalidArgument});
  CHECK(bench.state.robot_mode == wire::RobotMode::kIdle);
}

TEST_CASE("every one of 128 requests of one cycle is answered") {
  // doors.hpp: kMaxOutstanding requests may be outstanding and a reply is never dropped.
  for (const bool moving : {false, true}) {
    Bench bench;
    bench.idle(60);
    if (moving) bench.cruise(1000, 0, 0.3);
    for (engine::Token token = 1; token <= 128; ++token)
      bench.submit(token, wire::StopMoveRequest{});
    bench.idle(1000);
    for (engine::Token token = 1; token <= 128; ++token)
      CHECK(bench.statuses(token) == Ints{kStopSuccess});
  }
}
