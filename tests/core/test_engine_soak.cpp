// The engine's thread beside a client's, a history reader's and a requester's: for the sanitizers,
// and for what only threads can show. Every wait has a bound.
#include <doctest/doctest.h>

#include <atomic>
#include <limits>
#include <thread>

#include "support/world.hpp"

using namespace fsim;
using namespace fsim::test;
using engine::ClockKind;
using engine::EventKind;

namespace {

constexpr int kPatience = 20'000;  // [ms], only a hang takes this long

/// Waits for events and keeps them; checks that each is about a state already in the history.
class Requester {
 public:
  explicit Requester(engine::Engine& engine) : engine_(engine) {}

  /// Submit and wait until `count` answers to `token` have come; the last one's status, or -1.
  int ask(engine::Token token, const wire::Request& request, std::size_t count = 1) {
    if (!engine_.submit(client_request(token, request))) return -1;
    return wait(token, count);
  }
  int wait(engine::Token token, std::size_t count) {
    for (;;) {
      std::size_t found = 0;
      int last = -1;
      for (const engine::Event& e : events_)
        if (e.token == token) {
          ++found;
          last = e.status;
        }
      if (found >= count) return last;
      pollfd fd{.fd = engine_.event_fd(), .events = POLLIN, .revents = 0};
      if (poll(&fd, 1, kPatience) <= 0) return -1;
      for (engine::Event e; engine_.poll_event(e);) {
        early += engine_.history().count() < e.cycle ? 1 : 0;
        events_.push_back(e);
      }
    }
  }
  /// The state that showed the start of Move `token` first; 0 before.
  std::uint64_t started_at(engine::Token token) const {
    for (const engine::Event& e : events_)
      if (e.token == token && e.kind == EventKind::kMotionStarted) return e.cycle;
    return 0;
  }
  int early = 0;  ///< events that came before their state

 private:
  engine::Engine& engine_;
  std::vector<engine::Event> events_;
};

/// Answers a motion's states as libfranka does, the newest of those that wait: `samples` commands
/// of a smooth swing, then the finish.
class Follower {
 public:
  Follower(const UdpClient& client, std::uint16_t port, int samples)
      : thread_([this, &client, port, samples] { run(client, port, samples); }) {}
  ~Follower() {
    stop_.store(true);
    thread_.join();
  }
  /// Follow the motion that state `first` opened, from its first sample; 0: none.
  void follow(std::uint64_t first) { first_.store(first); }
  std::atomic<std::uint64_t> answered{0};
  std::atomic<std::uint64_t> backwards{0};  ///< states whose id did not rise
  std::atomic<bool> silent{false};

 private:
  void run(const UdpClient& client, std::uint16_t port, int samples) {
    wire::RobotState state;
    std::uint64_t newest = 0, motion = 0;
    int n = 0;
    while (!stop_.load()) {
      if (!client.receive(state, 10)) continue;
      // wire.md 3.4: what is queued is drained, the newest state counts.
      do {
        if (state.message_id <= newest) ++backwards;
        newest = state.message_id;
      } while (client.receive(state));
      if (const std::uint64_t first = first_.load(); first != motion) {
        motion = first;
        n = 0;
      }
      const bool mine = motion != 0 && state.message_id >= motion;
      if (!mine || state.robot_mode != wire::RobotMode::kMove) continue;
      if (silent.load()) continue;
      ++n;
      wire::RobotCommand c =
          velocity({0.15 * (1 - std::cos(2 * M_PI * n / samples))}, n >= samples);
      if (n >= samples) c.dq_c = {};
      c.message_id = state.message_id;
      client.send(port, c);
      ++answered;
    }
  }
  std::atomic<std::uint64_t> first_{0};
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

/// Copies the history as fast as it can and looks for records that are not what they say.
class Reader {
 public:
  explicit Reader(const engine::Engine& engine) : thread_([this, &engine] { run(engine); }) {}
  ~Reader() {
    stop_.store(true);
    thread_.join();
  }
  std::atomic<std::uint64_t> copied{0}, wrong{0};

 private:
  void run(const engine::Engine& engine) {
    engine::CycleRecord record;
    while (!stop_.load()) {
      const std::uint64_t count = engine.history().count();
      for (std::uint64_t back = 1; back <= 64 && back <= count; ++back)
        if (engine.history().copy(count - back, record)) {
          ++copied;
          if (record.state.message_id != count - back + 1 || record.sent_ns < record.boundary_ns)
            ++wrong;
        }
      if (engine.counters().cycles > engine.history().count() + 1) ++wrong;
      std::this_thread::yield();
    }
  }
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace

TEST_CASE("20 lockstep motions with requests and readers beside them end well and repeat") {
  const auto run = [] {
    engine::Settings s = settings(ClockKind::kLockstep);
    s.rules.enforce_motion_limits = true;
    s.lockstep_timeout = 20;
    World world(s);
    world.engine.start();
    Requester requester(world.engine);
    Reader reader(world.engine);
    Follower follower(world.client, world.engine.udp_port(), 200);
    for (engine::Token token = 1; token <= 60; token += 3) {
      REQUIRE(requester.ask(token, move(kJointVelocity)) == kMoveStarted);
      follower.follow(requester.started_at(token));
      REQUIRE(requester.ask(token + 1, wire::SetLoadRequest{}) == kSetterNotPossible);
      REQUIRE(requester.wait(token, 2) == kMoveSuccess);
      follower.follow(0);
      REQUIRE(requester.ask(token + 2, wire::SetLoadRequest{}) == kSetterSuccess);
    }
    CHECK(requester.early == 0);
    CHECK(reader.wrong == 0);
    CHECK(reader.copied > 0);
    CHECK(follower.backwards == 0);
    CHECK(follower.answered >= 20 * 200);
    const engine::EngineCounters counts = world.engine.counters();
    CHECK(counts.lockstep_timeouts == 0);
    CHECK(counts.judge.lost == 0);
    world.engine.stop();
    return world.engine.state_hash();
  };
  const auto once = run();
  CHECK(once.second >= 20 * 200);
  CHECK(run() == once);
}

TEST_CASE(
    "a client that is silent for ever is waited for; a stop and the end of the engine are not") {
  // architecture.md, Lockstep, exactly: requests, a closed connection and a stop wake the wait.
  engine::Settings s = settings(ClockKind::kLockstep);
  s.lockstep_timeout = std::numeric_limits<double>::infinity();
  World world(s);
  world.engine.start();
  Requester requester(world.engine);
  Follower follower(world.client, world.engine.udp_port(), 1'000'000);
  REQUIRE(requester.ask(1, move(kJointVelocity)) == kMoveStarted);
  follower.follow(requester.started_at(1));
  while (follower.answered < 50) std::this_thread::yield();
  follower.silent.store(true);
  REQUIRE(requester.ask(2, wire::SetLoadRequest{}) == kSetterNotPossible);
  CHECK(world.engine.counters().judge.lost == 0);
  REQUIRE(requester.ask(3, wire::StopMoveRequest{}) == kStopSuccess);
  CHECK(requester.wait(1, 2) == kMovePreempted);
  follower.silent.store(false);
  const std::uint64_t before = follower.answered;
  REQUIRE(requester.ask(4, move(kJointVelocity)) == kMoveStarted);
  follower.follow(requester.started_at(4));
  while (follower.answered < before + 50) std::this_thread::yield();
  follower.silent.store(true);
  // The user stop is told after the state that shows it (requester.early).
  world.engine.submit(engine::SideInput{engine::SideInput::Kind::kUserStop, true});
  CHECK(requester.wait(4, 2) == kMoveEmergencyAborted);
  CHECK(requester.early == 0);
  world.engine.submit(engine::SideInput{engine::SideInput::Kind::kUserStop, false});
  follower.silent.store(false);
  REQUIRE(requester.ask(5, move(kJointVelocity)) == kMoveStarted);
  follower.follow(requester.started_at(5));
  follower.silent.store(true);
  world.engine.stop();  // must return
}

TEST_CASE("losses on demand and a client that leaves wake the lockstep wait") {
  engine::Settings s = settings(ClockKind::kLockstep);
  s.rules.enforce_comm_constraints = true;
  s.lockstep_timeout = std::numeric_limits<double>::infinity();
  World world(s);
  world.engine.start();
  Requester requester(world.engine);
  Follower follower(world.client, world.engine.udp_port(), 1'000'000);
  REQUIRE(requester.ask(1, move(kJointVelocity)) == kMoveStarted);
  follower.follow(requester.started_at(1));
  while (follower.answered < 50) std::this_thread::yield();
  follower.silent.store(true);
  world.engine.lose(20);
  CHECK(requester.wait(1, 2) == kMoveReflexAborted);
  REQUIRE(requester.ask(2, wire::AutomaticErrorRecoveryRequest{}) == kRecoverySuccess);
  follower.silent.store(false);
  REQUIRE(requester.ask(3, move(kJointVelocity)) == kMoveStarted);
  follower.follow(requester.started_at(3));
  const std::uint64_t before = follower.answered;
  while (follower.answered < before + 50) std::this_thread::yield();
  follower.silent.store(true);
  world.engine.submit(engine::Detach{});
  CHECK(requester.wait(3, 2) == kMoveAborted);
}

TEST_CASE("in real time the grid runs by itself, and an engine starts and stops again") {
  World world;
  for (int round = 0; round < 3; ++round) {
    world.engine.start();
    world.engine.start();  // harmless
    Requester requester(world.engine);
    const std::uint64_t before = world.engine.history().count();
    while (world.engine.history().count() < before + 30) std::this_thread::yield();
    CHECK(requester.ask(1, wire::StopMoveRequest{}) == kStopSuccess);
    world.engine.stop();
    world.engine.stop();
  }
  engine::CycleRecord previous, record;
  for (std::uint64_t i = 1; i < world.engine.history().count(); ++i) {
    REQUIRE(world.engine.history().copy(i - 1, previous));
    REQUIRE(world.engine.history().copy(i, record));
    // architecture.md, Clocks: a boundary is at least 0.9 ms after the last send.
    if (record.deadline_ns > previous.deadline_ns)
      CHECK(record.boundary_ns - previous.sent_ns >= 900'000);
  }
}
