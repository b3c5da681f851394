// A whole Engine with a simulated arm and one client on loopback. Must not hold an expectation.
#pragma once

#include <algorithm>
#include <vector>

#include "arm_plant.hpp"
#include "engine/engine.hpp"
#include "requests.hpp"
#include "udp_client.hpp"

namespace fsim::test {

inline engine::Settings settings(engine::ClockKind clock = engine::ClockKind::kRealtime) {
  engine::Settings s;
  s.clock = clock;
  s.realtime = engine::RealtimeWish::kOff;
  s.history = 4096;
  return s;
}

class World {
 public:
  ArmPlant plant;
  UdpClient client;
  engine::Engine engine;
  wire::RobotState state;             ///< received last
  std::vector<engine::Event> events;  ///< polled so far

  explicit World(const engine::Settings& s = settings()) : engine(s, robot::kFr3, plant) {
    attach(client);
  }

  void attach(const UdpClient& to) {
    engine::Attach attach;
    attach.address = to.address();
    engine.submit(attach);
  }
  bool submit(engine::Token token, const wire::Request& request) {
    return engine.submit(client_request(token, request));
  }
  /// One cycle without a thread; takes the state and the events.
  void cycle() {
    engine.run_one_cycle();
    while (client.receive(state)) {
    }
    poll_events();
  }
  /// The client answers the state received last.
  void cycle(wire::RobotCommand command) {
    command.message_id = state.message_id;
    client.send(engine.udp_port(), command);
    cycle();
  }
  void idle(int cycles) {
    for (int n = 0; n < cycles; ++n) cycle();
  }
  void poll_events() {
    for (engine::Event e; engine.poll_event(e);) events.push_back(e);
  }
  std::vector<int> statuses(engine::Token token) const {
    std::vector<int> found;
    for (const engine::Event& e : events)
      if (e.token == token && e.kind != engine::EventKind::kViolation &&
          e.kind != engine::EventKind::kNotice)
        found.push_back(e.status);
    return found;
  }
  std::size_t notices(engine::Notice notice) const {
    return static_cast<std::size_t>(
        std::count_if(events.begin(), events.end(), [notice](const engine::Event& e) {
          return e.kind == engine::EventKind::kNotice && e.notice == notice;
        }));
  }
};

}  // namespace fsim::test
