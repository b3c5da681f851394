// One Unit and one simulated arm in the cycle's order, without thread, socket or clock. Must not
// hold an expectation.
#pragma once

#include <algorithm>
#include <vector>

#include "arm_plant.hpp"
#include "engine/unit.hpp"
#include "requests.hpp"

namespace fsim::test {

/// `--strict`: all switches (issue 2; architecture.md).
inline judge::Rules strict() {
  judge::Rules rules;
  rules.enforce_motion_limits = true;
  rules.enforce_comm_constraints = true;
  rules.apply_late = false;
  return rules;
}

class Bench {
 public:
  ArmPlant plant;
  engine::Unit unit;
  wire::RobotState state;              ///< as published last
  std::vector<engine::Event> events;   ///< all so far
  std::vector<wire::RobotState> past;  ///< every state published
  Cycle published{0};

  explicit Bench(const judge::Rules& rules = {}, bool rest_before_move = false)
      : unit(robot::kFr3, {rules, rest_before_move}) {
    plant.reset(robot::kFr3.q_ready, world_);
    unit.reset(world_);
  }

  void submit(engine::Token token, const wire::Request& request) {
    requests_.push_back(client_request(token, request));
  }
  void side(engine::SideInput::Kind kind, bool on) { sides_.push_back({kind, on}); }
  void client_gone() { gone_ = true; }

  /// One cycle; `commands` arrived since the last state, with their echoes filled in.
  const wire::RobotState& cycle_raw(std::vector<wire::RobotCommand> commands, bool loss = false) {
    unit.judge(published, commands, published, loss);
    for (const engine::ClientRequest& r : requests_) unit.request(r);
    requests_.clear();
    for (const engine::SideInput& s : sides_) unit.side_input(s);
    sides_.clear();
    if (gone_) unit.client_gone();
    gone_ = false;
    unit.decide();
    plant::Input tau;
    if (unit.control(false, tau)) {
      plant.step(tau, world_);
      unit.observe(world_);
    }
    published = published.next();
    unit.fill(state);
    state.message_id = published.n;
    past.push_back(state);
    for (engine::Event event : unit.events()) {
      event.cycle = published.n;
      events.push_back(event);
    }
    unit.clear_events();
    return state;
  }
  const wire::RobotState& cycle() { return cycle_raw({}); }
  /// The client answers the state published last.
  const wire::RobotState& cycle(wire::RobotCommand command) {
    command.message_id = published.n;
    return cycle_raw({command});
  }
  void idle(int cycles) {
    for (int n = 0; n < cycles; ++n) cycle();
  }

  /// Events that answer `token`, in order.
  std::vector<engine::Event> answers(engine::Token token) const {
    std::vector<engine::Event> found;
    std::copy_if(events.begin(), events.end(), std::back_inserter(found), [token](const auto& e) {
      return e.token == token && e.kind != engine::EventKind::kViolation &&
             e.kind != engine::EventKind::kNotice;
    });
    return found;
  }
  /// Status numbers that answer `token`, in order.
  std::vector<int> statuses(engine::Token token) const {
    std::vector<int> found;
    for (const engine::Event& e : answers(token)) found.push_back(e.status);
    return found;
  }
  std::vector<engine::Event> of_kind(engine::EventKind kind) const {
    std::vector<engine::Event> found;
    std::copy_if(events.begin(), events.end(), std::back_inserter(found),
                 [kind](const auto& e) { return e.kind == kind; });
    return found;
  }
  /// Cycles until `token` has `count` answers; at most `limit`. True when it has.
  bool run_until_answered(engine::Token token, std::size_t count, int limit = 3000) {
    for (int n = 0; n < limit && answers(token).size() < count; ++n) cycle();
    return answers(token).size() == count;
  }

  /// Accept `request` as Move `token` and show it once.
  void begin(engine::Token token, const wire::MoveRequest& request) {
    submit(token, request);
    cycle();
  }
  /// Joint velocity motion `token` at `speed` rad/s on joint `j`, brought up at 5 rad/s^2.
  void cruise(engine::Token token, std::size_t j, double speed) {
    begin(token, move(kJointVelocity));
    dq_c = {};
    while (dq_c[j] < speed) {
      dq_c[j] = std::min(speed, dq_c[j] + 5e-3);
      cycle(velocity(dq_c));
    }
    for (int n = 0; n < 50; ++n) cycle(velocity(dq_c));
  }
  Vec7 dq_c{};  ///< what cruise commanded last

 private:
  plant::Output world_;
  std::vector<engine::ClientRequest> requests_;
  std::vector<engine::SideInput> sides_;
  bool gone_ = false;
};

/// Indices of the errors set in `flags`.
inline std::vector<int> set_errors(const std::array<std::uint8_t, wire::kErrorCount>& flags) {
  std::vector<int> found;
  for (std::size_t i = 0; i < flags.size(); ++i)
    if (flags[i] != 0) found.push_back(static_cast<int>(i));
  return found;
}

}  // namespace fsim::test
