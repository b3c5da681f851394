// The engine's doors without a thread: a state before its events, slots that come back, hostile
// datagrams counted and told once, losses on demand, the hash's span.
#include <doctest/doctest.h>

#include "support/world.hpp"

using namespace fsim;
using namespace fsim::test;
using engine::ClockKind;
using engine::EventKind;
using engine::Notice;
using Ints = std::vector<int>;

TEST_CASE("ids start at 1 and rise by one, attached or not") {
  // wire.md 3.3.
  World world;
  for (std::uint64_t n = 1; n <= 50; ++n) {
    world.cycle();
    CHECK(world.state.message_id == n);
  }
  world.engine.submit(engine::Detach{});
  world.idle(10);
  CHECK(world.state.message_id == 50);
  world.attach(world.client);
  world.cycle();
  CHECK(world.state.message_id == 61);
  CHECK(world.engine.history().count() == 61);
}

TEST_CASE("an event comes after the datagram of the state it is about") {
  // architecture.md, doors: replies can never overtake the state.
  World world;
  world.idle(60);
  world.submit(1, move(kJointVelocity));
  const auto first = [&world](EventKind kind) {
    for (int n = 0; n < 3000; ++n) {
      world.engine.run_one_cycle();
      while (world.client.receive(world.state)) {
      }
      // The client's socket holds the state before the event is taken.
      for (engine::Event e; world.engine.poll_event(e);)
        if (e.kind == kind) return e;
    }
    return engine::Event{};
  };
  const engine::Event started = first(EventKind::kMotionStarted);
  CHECK(started.token == 1);
  CHECK(started.cycle == world.state.message_id);
  CHECK(static_cast<int>(world.state.robot_mode) == 2);
  CHECK(static_cast<int>(world.state.motion_generator_mode) == 2);
  world.cycle(velocity({}));
  world.submit(2, wire::StopMoveRequest{});
  const engine::Event ended = first(EventKind::kMotionEnded);
  CHECK(ended.cycle == world.state.message_id);
  CHECK(static_cast<int>(world.state.robot_mode) == 1);
  CHECK(static_cast<int>(world.state.motion_generator_mode) == 0);
}

TEST_CASE("the event descriptor is readable exactly when events wait") {
  World world;
  const auto readable = [&world] {
    pollfd fd{.fd = world.engine.event_fd(), .events = POLLIN, .revents = 0};
    return poll(&fd, 1, 0) == 1;
  };
  world.idle(3);
  CHECK_FALSE(readable());
  world.submit(1, wire::StopMoveRequest{});
  world.engine.run_one_cycle();
  CHECK(readable());
  world.poll_events();
  CHECK_FALSE(readable());
  CHECK(world.statuses(1) == Ints{kStopSuccess});
}

TEST_CASE("128 requests may be outstanding, the next is refused, and each slot comes back") {
  World world;
  world.idle(60);
  for (int round = 0; round < 3; ++round) {
    for (engine::Token token = 1; token <= 128; ++token)
      CHECK(world.submit(token, wire::SetLoadRequest{}));
    CHECK_FALSE(world.submit(999, wire::SetLoadRequest{}));
    world.events.clear();
    world.cycle();
    for (engine::Token token = 1; token <= 128; ++token) CHECK(world.statuses(token).size() == 1);
  }
}

TEST_CASE("clients that leave with requests open do not use the slots up") {
  World world;
  world.idle(60);
  for (int visit = 0; visit < 200; ++visit) {
    CAPTURE(visit);
    REQUIRE(world.submit(1, move(kJointPosition)));
    REQUIRE(world.submit(2, wire::StopMoveRequest{}));
    REQUIRE(world.submit(3, move(kJointPosition)));
    world.cycle();
    world.engine.submit(engine::Detach{});
    world.idle(30);
    world.attach(world.client);
    world.cycle();
  }
}

TEST_CASE("hostile datagrams are counted, told once a kind, and move nothing") {
  World world;
  UdpClient stranger;
  world.idle(60);
  world.submit(1, move(kJointVelocity));
  world.cycle();
  const Vec7 q_d = world.state.q_d;
  const std::uint16_t port = world.engine.udp_port();
  for (int n = 0; n < 10; ++n) {
    wire::RobotCommand command = velocity(all_joints(0.5));
    command.message_id = world.state.message_id;
    stranger.send(port, command);
    world.client.send_bytes(port, std::array<std::byte, 370>{});
    command.message_id = world.state.message_id + 100;  // never published
    world.client.send(port, command);
    command.message_id = 0;
    world.client.send(port, command);
    world.cycle();
  }
  CHECK(world.state.q_d == q_d);
  CHECK(world.engine.unit().state() == motion::State::kStarting);
  const engine::EngineCounters counts = world.engine.counters();
  CHECK(counts.udp.foreign == 10);
  CHECK(counts.udp.malformed == 10);
  CHECK(counts.judge.unpublished == 20);
  CHECK(world.notices(Notice::kForeignDatagram) == 1);
  CHECK(world.notices(Notice::kMalformedCommand) == 1);
  CHECK(world.notices(Notice::kUnpublishedId) == 1);
}

TEST_CASE("an identical duplicate is counted and never a fault of the client") {
  World world;
  world.idle(60);
  world.submit(1, move(kJointPosition));
  world.cycle();
  wire::RobotCommand command = position(world.state.q_d);
  for (int n = 0; n < 50; ++n) {
    command.message_id = world.state.message_id;
    for (int copies = 0; copies < 3; ++copies) world.client.send(world.engine.udp_port(), command);
    world.cycle();
  }
  CHECK(world.engine.counters().judge.lost == 0);
  CHECK(world.state.control_command_success_rate == 1);
  CHECK(world.statuses(1) == Ints{kMoveStarted});
}

TEST_CASE("cycles that are lost on demand count as lost, and no more than asked for") {
  World world;
  world.idle(60);
  world.submit(1, move(kJointPosition));
  world.cycle();
  const Vec7 q_c = world.state.q_d;
  for (int n = 0; n < 10; ++n) world.cycle(position(q_c));
  world.engine.lose(7);
  CHECK(world.engine.losing() == 7);
  for (int n = 0; n < 20; ++n) world.cycle(position(q_c));
  CHECK(world.engine.losing() == 0);
  CHECK(world.engine.counters().judge.lost == 7);
  engine::CycleRecord record;
  int flagged = 0;
  for (std::uint64_t i = 0; i < world.engine.history().count(); ++i)
    if (world.engine.history().copy(i, record)) {
      const bool injected = (record.flags & engine::kInjectedLoss) != 0;
      flagged += injected ? 1 : 0;
      CHECK(((record.flags & engine::kLost) != 0) == injected);
    }
  CHECK(flagged == 7);
}

TEST_CASE("losses asked for while nothing runs wait for the next motion") {
  World world;
  world.idle(60);
  world.engine.lose(30);
  world.cycle();
  CHECK(world.engine.losing() == 30);
}

TEST_CASE(
    "a record of history is the state that was sent, with the command that closed its cycle") {
  World world;
  world.idle(60);
  world.submit(1, move(kJointVelocity));
  world.cycle();
  wire::RobotCommand command = velocity({0.001, 0, 0, 0, 0, 0, 0});
  world.cycle(command);
  engine::CycleRecord record;
  REQUIRE(world.engine.history().copy(world.engine.history().count() - 1, record));
  CHECK(record.state.message_id == world.state.message_id);
  CHECK(record.command.dq_c == command.dq_c);
  CHECK(record.command.message_id + 1 == record.state.message_id);
  CHECK((record.flags & engine::kAnswered) != 0);
  CHECK((record.flags & engine::kClientAttached) != 0);
  CHECK(record.motion == 1);
  CHECK(record.boundary_ns <= record.sent_ns);
  CHECK(record.arrival_ns > 0);
  // What is published is f32; the history keeps the f64.
  CHECK(record.state.q_d[3] == doctest::Approx(world.state.q_d[3]).epsilon(1e-7));
}

TEST_CASE("two worlds that are told the same hash the same; one changed command changes it") {
  const auto run = [](double amplitude) {
    World world(settings(ClockKind::kLockstep));
    world.idle(200);
    for (engine::Token token = 1; token <= 3; ++token) {
      world.submit(token, move(kJointVelocity));
      world.cycle();
      // Before the first command as many states as it takes: they are not hashed.
      world.idle(static_cast<int>(token));
      for (int n = 1; n <= 100; ++n)
        world.cycle(velocity({amplitude * std::sin(2 * M_PI * n / 100), 0, 0, 0, 0, 0, 0}));
      world.cycle(velocity({}, true));
      world.idle(500);
    }
    return world.engine.state_hash();
  };
  const auto [hash, cycles] = run(0.2);
  CHECK(run(0.2) == std::pair(hash, cycles));
  CHECK(run(0.2000001).first != hash);
  CHECK(cycles > 300);
}

TEST_CASE("in lockstep an arm at rest stands still while ids advance") {
  World world(settings(ClockKind::kLockstep));
  world.idle(300);
  const wire::RobotState before = world.state;
  world.idle(50);
  CHECK(world.state.message_id == before.message_id + 50);
  CHECK(world.state.q == before.q);
  CHECK(world.state.tau_J == before.tau_J);
  engine::CycleRecord record;
  REQUIRE(world.engine.history().copy(world.engine.history().count() - 1, record));
  CHECK((record.flags & engine::kFrozen) != 0);
}

TEST_CASE("a setter between two lockstep motions leaves the hash alone, whenever it comes") {
  // issue 2, Shows 4: one hash whatever the client's speed. Without dry friction the arm creeps.
  const auto run = [](int delay, const wire::Request& setter) {
    World world(settings(ClockKind::kLockstep));
    world.plant.arm().friction_factor = 0;
    world.idle(1000);
    for (engine::Token token = 1; token <= 3; ++token) {
      world.submit(token, move(kJointVelocity));
      while (world.statuses(token).empty()) world.cycle();
      for (int n = 1; n <= 100; ++n)
        world.cycle(velocity({0.1 * (1 - std::cos(2 * M_PI * n / 100)), 0, 0, 0, 0, 0, 0}));
      world.cycle(velocity({}, true));
      while (world.statuses(token).size() < 2) world.cycle();
      world.idle(delay);
      world.submit(100 + token, setter);
      world.cycle();
    }
    return world.engine.state_hash();
  };
  for (const wire::Request& setter :
       {wire::Request{wire::SetLoadRequest{}}, wire::Request{engine::Configuration{}.collision},
        wire::Request{wire::SetJointImpedanceRequest{robot::kFr3.K_theta}},
        wire::Request{wire::SetEEToKRequest{kIdentity4}}}) {
    const auto early = run(1, setter);
    CHECK(run(80, setter) == early);
    CHECK(run(200, setter) == early);
  }
}
