// The tool inside the engine: moments of inputs, time beside an arm at rest, doors that are full,
// and layout of its datagrams against wire.md 4.
#include <doctest/doctest.h>

#include <cstring>
#include <set>

#include "engine/tool_request.hpp"
#include "support/world.hpp"

using namespace fsim;
using namespace fsim::test;
using gripper::HandCommand;

namespace {

engine::Settings with_hand(engine::ClockKind clock = engine::ClockKind::kLockstep) {
  engine::Settings s = settings(clock);
  s.tool.kind = engine::ToolSettings::Kind::kHand;
  return s;
}

engine::ToolRequest hand_move(engine::Token token, double width, double speed = 0.1) {
  return engine::tool_request(token, wire::ToolKind::kHand, wire::GripperMoveRequest{width, speed});
}

gripper::HandReport hand(const World& world) { return world.engine.tool_link().snapshot().hand; }

engine::ToolInput removal(engine::When when) {
  engine::ToolInput input;
  input.kind = engine::ToolInput::Kind::kObject;
  input.when = when;
  return input;
}

}  // namespace

TEST_CASE("the hand moves beside an arm that stands still, and the arm stays where it is") {
  World world(with_hand());
  world.idle(200);
  const Vec7 q = world.state.q;
  world.engine.submit(hand_move(1, 0.02));
  int cycles = 0;
  for (engine::ToolEvent e; !world.engine.poll_tool_event(e) && cycles < 2000; ++cycles)
    world.cycle();
  // 60 mm at 0.1 m/s.
  CHECK(cycles == doctest::Approx(650).epsilon(0.05));
  CHECK(hand(world).width == doctest::Approx(0.02).epsilon(0.01));
  CHECK(world.state.q == q);
}

TEST_CASE("a hand at rest stands with the lockstep world; its temperature does not change") {
  World world(with_hand());
  world.engine.submit(hand_move(1, 0.02));
  world.idle(1500);
  const double before = hand(world).temperature;
  world.idle(1000);
  CHECK(hand(world).temperature == before);
  CHECK(before > 30.0);
}

TEST_CASE("an input of a motion's cycle waits for the motion and keeps nothing awake") {
  World world(with_hand());
  engine::ToolInput input;
  input.kind = engine::ToolInput::Kind::kCommand;
  input.when = {engine::When::Kind::kMotion, 100};
  input.request = hand_move(7, 0.02);
  world.engine.submit(input);
  world.idle(300);
  CHECK(world.engine.tool_link().snapshot().waiting == 1);
  CHECK(hand(world).width == doctest::Approx(0.08));
  world.submit(1, move(kJointVelocity));
  world.idle(3);
  for (int n = 0; n < 100; ++n) world.cycle(velocity({}));
  CHECK(hand(world).state == gripper::HandState::kIdle);
  world.cycle(velocity({}));
  CHECK(hand(world).state == gripper::HandState::kMoving);
}

TEST_CASE("an input after some cycles keeps the hand's time running until it acts") {
  engine::Settings s = with_hand();
  s.tool.object_width = 0.03;
  World world(s);
  world.engine.submit(engine::tool_request(1, wire::ToolKind::kHand,
                                           wire::GraspRequest{0.03, 0.005, 0.005, 0.1, 20.0}));
  world.idle(1000);
  REQUIRE(hand(world).is_grasped);
  world.engine.submit(removal({engine::When::Kind::kAfter, 500}));
  world.idle(499);
  CHECK(hand(world).is_grasped);
  world.idle(60);
  CHECK(!hand(world).is_grasped);
}

TEST_CASE("with too many inputs waiting a command is answered kFail and the rest acts") {
  World world(with_hand());
  for (int n = 0; n < 64; ++n) world.engine.submit(removal({engine::When::Kind::kMotion, 1000}));
  world.cycle();
  engine::ToolInput input;
  input.kind = engine::ToolInput::Kind::kCommand;
  input.when = {engine::When::Kind::kAfter, 10};
  input.request = hand_move(9, 0.02);
  world.engine.submit(input);
  world.cycle();
  engine::ToolEvent event;
  REQUIRE(world.engine.poll_tool_event(event));
  CHECK(event.token == 9);
  CHECK(event.outcome == gripper::Outcome::kFail);
}

TEST_CASE("every request that was taken is answered, however many come at once") {
  World world(with_hand());
  world.cycle();
  unsigned taken = 0;
  for (engine::Token token = 1; token <= 1000; ++token)
    taken += world.engine.submit(hand_move(token, 0.02)) ? 1 : 0;
  CHECK(taken == engine::kMaxToolOutstanding);  // the doors are bounded
  std::set<engine::Token> answered;
  for (int n = 0; n < 2000; ++n) {
    world.cycle();
    for (engine::ToolEvent e; world.engine.poll_tool_event(e);) {
      CHECK(answered.insert(e.token).second);
      CHECK(e.outcome ==
            (e.token == taken ? gripper::Outcome::kSuccess : gripper::Outcome::kAborted));
    }
  }
  CHECK(answered.size() == taken);
}

TEST_CASE("states leave at 60 Hz for every attached client, 23 bytes as in wire.md 4.1") {
  World world(with_hand());
  UdpClient one, other;
  world.engine.submit(engine::ToolAttach{1, one.address()});
  world.engine.submit(engine::ToolAttach{2, other.address()});
  world.idle(1000);
  std::array<std::byte, 64> data{};
  const auto count = [&data](UdpClient& client) {
    int n = 0;
    for (ssize_t size; (size = client.receive_bytes(data)) > 0; ++n) CHECK(size == 23);
    return n;
  };
  CHECK(count(one) == 60);
  CHECK(count(other) == 60);
  double width = 0;
  std::memcpy(&width, data.data() + 4, 8);
  CHECK(width == doctest::Approx(0.08));
  std::uint16_t temperature = 0;
  std::memcpy(&temperature, data.data() + 21, 2);
  CHECK(temperature == 30);
  world.engine.submit(engine::ToolDetach{1});
  world.idle(1000);
  CHECK(count(one) == 0);
  CHECK(count(other) == 60);
}
