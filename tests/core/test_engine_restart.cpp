// Restart: whatever was done to a robot, afterwards it is one that was just started, to the bit;
// what counts up goes on, and nobody's request stays open.
#include <doctest/doctest.h>

#include <functional>

#include "support/world.hpp"

using namespace fsim;
using namespace fsim::test;
using engine::ClockKind;
using engine::Restart;
using engine::SideInput;

namespace {

engine::Settings noisy() {
  engine::Settings s = settings(ClockKind::kLockstep);
  s.sensors = {.encoder_resolution = 1e-6,
               .velocity_noise = 1e-4,
               .torque_bias = 0.5,
               .torque_noise = 0.05,
               .seed = 7};
  s.tool.kind = engine::ToolSettings::Kind::kHand;
  return s;
}

using Hash = std::array<std::uint64_t, 3>;  // robot's states, how many, hand's

gripper::HandCommand fingers_to(double width) {
  return {.kind = gripper::HandCommand::Kind::kMove, .width = width, .speed = 0.05};
}

/// A motion of one second, and the hashes of all states so far.
Hash play(World& world) {
  world.events.clear();
  world.submit(1, move(kJointVelocity));
  for (int n = 0; world.statuses(1).empty() && n < 6000; ++n) world.cycle();
  for (int n = 1; n <= 1000; ++n)
    world.cycle(velocity(all_joints(0.1 * (1 - std::cos(2 * M_PI * n / 1000)))));
  world.cycle(velocity({}, true));
  for (int n = 0; world.statuses(1).size() < 2 && n < 1000; ++n) world.cycle();
  CHECK(world.statuses(1) == std::vector{kMoveStarted, kMoveSuccess});
  const auto [hash, cycles] = world.engine.state_hash();
  return {hash, cycles, world.engine.tool_link().hash()};
}

void press(World& world, SideInput::Kind kind, bool on = true) {
  world.engine.submit(SideInput{kind, on});
  world.idle(5);
}

/// What may have happened before, each leaving a trace of another kind.
const std::pair<const char*, std::function<void(World&)>> kTraces[] = {
    {"nothing", [](World&) {}},
    {"another place", [](World& world) { play(world); }},
    {"settings",
     [](World& world) {
       world.submit(2, wire::SetJointImpedanceRequest{all_joints(500)});
       world.submit(3, wire::SetLoadRequest{1.0, {0, 0, 0.1}, {}});
       world.submit(4, wire::SetEEToKRequest{kIdentity4});
       world.idle(100);
     }},
    {"pushes",
     [](World& world) {
       engine::Push push;
       push.link = 7;
       push.force = {0, 0, -15};
       world.engine.submit(push);
       push.start = engine::PushStart::kAtMotionCycle;
       push.cycle = 500;
       world.engine.submit(push);
       world.idle(100);
     }},
    {"losses asked for", [](World& world) { world.engine.lose(5); }},
    {"user stop", [](World& world) { press(world, SideInput::Kind::kUserStop); }},
    {"guiding", [](World& world) { press(world, SideInput::Kind::kGuiding); }},
    {"brakes", [](World& world) { press(world, SideInput::Kind::kBrakes); }},
    {"fingers elsewhere, a thing between them, a command to come",
     [](World& world) {
       world.engine.submit(engine::ToolRequest{1, fingers_to(0.02)});
       engine::ToolInput input;
       input.kind = engine::ToolInput::Kind::kObject;
       input.object.width = 0.03;
       world.engine.submit(input);
       input.kind = engine::ToolInput::Kind::kCommand;
       input.when = {engine::When::Kind::kMotion, 300};
       input.request = {2, fingers_to(0.08)};
       world.engine.submit(input);
       world.idle(100);
     }},
    {"a latched error",
     [](World& world) {
       world.submit(2, move(kJointPosition));
       for (int n = 0; world.statuses(2).empty() && n < 6000; ++n) world.cycle();
       world.cycle(position(world.state.q_d));
       world.cycle(position(all_joints(std::nan(""))));
       world.idle(3);
       REQUIRE(world.state.robot_mode == wire::RobotMode::kReflex);
     }},
    {"a motion that runs",
     [](World& world) {
       world.submit(2, move(kJointVelocity));
       for (int n = 0; world.statuses(2).empty() && n < 6000; ++n) world.cycle();
       for (int n = 1; n <= 200; ++n) world.cycle(velocity(all_joints(5e-4 * n)));
     }},
};

}  // namespace

TEST_CASE("after a restart a robot moves as one that was just started, to the bit") {
  World fresh(noisy());
  const Hash expected = play(fresh);
  REQUIRE(expected[1] > 1000);
  for (const auto& [trace, leave_a_trace] : kTraces) {
    const std::string name = trace;
    CAPTURE(name);
    World world(noisy());
    world.idle(100);
    leave_a_trace(world);
    world.engine.submit(Restart{});
    world.engine.run_one_cycle();
    world.attach(world.client);
    CHECK(play(world) == expected);
  }
}

TEST_CASE("the state after a restart is ready, without error and at the start pose") {
  World world;
  world.submit(1, wire::SetLoadRequest{1.0, {0, 0, 0.1}, {}});
  world.idle(60);
  press(world, SideInput::Kind::kUserStop);
  world.engine.submit(Restart{});
  world.engine.run_one_cycle();
  engine::CycleRecord record;
  REQUIRE(world.engine.history().copy(world.engine.history().count() - 1, record));
  CHECK(record.state.robot_mode == wire::RobotMode::kIdle);
  CHECK(record.state.m_load == 0);
  CHECK(distance(record.state.q, robot::kFr3.q_ready) < 1e-5);
  CHECK((record.flags & engine::kClientAttached) == 0);
  // Ids and motions go on: who counts cycles is not led astray.
  CHECK(record.state.message_id == 66);
  CHECK(world.engine.counters().began == 66);
  world.attach(world.client);
  world.cycle();
  CHECK(world.state.message_id == 67);
}

TEST_CASE("a robot that starts locked is locked after a restart") {
  engine::Settings s = settings();
  s.locked = true;
  World world(s);
  press(world, SideInput::Kind::kBrakes, false);
  world.engine.submit(Restart{});
  world.engine.run_one_cycle();
  CHECK(world.engine.unit().state() == motion::State::kOther);
}

TEST_CASE("a restart answers what is open and gives every slot back") {
  World world;
  world.idle(60);
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    world.events.clear();
    REQUIRE(world.submit(1, move(kJointVelocity)));
    world.cycle();
    world.cycle(velocity({}));
    REQUIRE(world.submit(2, wire::StopMoveRequest{}));
    REQUIRE(world.submit(3, move(kJointPosition)));
    world.cycle();
    world.engine.submit(Restart{});
    world.attach(world.client);
    world.cycle();
    CHECK(world.statuses(1) == std::vector{kMoveStarted, kMoveAborted});
    CHECK(world.statuses(2) == std::vector{kStopSuccess});
    CHECK(world.statuses(3).size() == 1);
  }
  CHECK(world.engine.unit().motion_number() == 200);
}

TEST_CASE("a restart answers what the hand was asked and gives every slot back") {
  World world(noisy());
  const auto answers = [&world] {
    std::vector<std::pair<engine::Token, gripper::Outcome>> found;
    for (engine::ToolEvent e; world.engine.poll_tool_event(e);)
      found.emplace_back(e.token, e.outcome);
    return found;
  };
  using gripper::Outcome;
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    REQUIRE(world.engine.submit(engine::ToolRequest{1, fingers_to(0.02)}));
    engine::ToolInput later;
    later.kind = engine::ToolInput::Kind::kCommand;
    later.when = {engine::When::Kind::kMotion, 1};
    later.request = {2, fingers_to(0.05)};
    REQUIRE(world.engine.submit(later));
    world.idle(2);
    REQUIRE(answers().empty());
    world.engine.submit(Restart{});
    world.idle(1);
    CHECK(answers() ==
          std::vector<std::pair<engine::Token, Outcome>>{{2, Outcome::kFail}, {1, Outcome::kFail}});
  }
}

TEST_CASE("counters go on and the certificates begin anew") {
  World world(noisy());
  play(world);
  const engine::EngineCounters before = world.engine.counters();
  REQUIRE(before.judge.fresh > 1000);
  world.engine.submit(Restart{});
  world.engine.run_one_cycle();
  CHECK(world.engine.counters().judge.fresh == before.judge.fresh);
  CHECK(world.engine.counters().cycles == before.cycles + 1);
  world.engine.ask_timing();
  engine::TimingReport report;
  REQUIRE(world.engine.take_timing(report));
  CHECK(report.motion.cycles == 0);
  CHECK(report.connection.fresh == 0);
  CHECK(report.number == 0);
  CHECK(world.engine.state_hash().second == 0);
}
