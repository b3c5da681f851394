// Whatever requests, side inputs and commands come, every request is answered exactly once, a Move
// that was started exactly once more, nothing waits for ever, and the arm can be brought to idle.
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "engine/unit.hpp"
#include "input.hpp"
#include "robot/model.hpp"
#include "wire/codec.hpp"

using namespace fsim;
using fuzz::require;

namespace {

/// How often a request was answered.
struct Answers {
  bool move = false;
  int started = 0, last = 0;
};

class Session {
 public:
  explicit Session(const judge::Rules& rules, bool rest_before_move)
      : unit_(robot::kFr3, {rules, rest_before_move}) {
    world_.q = robot::kFr3.q_ready;
    unit_.reset(world_);
  }

  void request(const wire::CommandRow& row, const wire::Request& request) {
    const engine::Token token = ++token_;
    open_[token].move = row.command == wire::Command::kMove;
    unit_.request({token, &row, request});
  }
  void side(engine::SideInput input) { unit_.side_input(input); }
  void gone() { unit_.client_gone(); }
  void shake(double speed) { world_.dq = all_joints(speed); }

  /// The rest of a cycle whose requests were given; then the next one's commands are judged.
  void cycle(std::span<const wire::RobotCommand> commands, bool loss) {
    unit_.decide();
    plant::Input tau;
    if (unit_.control(false, tau)) {
      for (const double x : tau.tau) require(std::isfinite(x), "torques are finite");
      // An arm in concrete: what it does is the fuzzer's choice alone.
      world_.tau_J = tau.tau;
    }
    unit_.observe(world_);
    wire::RobotState state;
    unit_.fill(state);
    published_ = published_.next();
    check(state);
    for (const engine::Event& e : unit_.events()) take(e);
    unit_.clear_events();
    unit_.judge(published_, commands, published_, loss);
  }
  Cycle published() const { return published_; }

  /// Let go of everything, stop, recover: then all must be answered and the arm idle.
  void settle() {
    using Kind = engine::SideInput::Kind;
    world_.dq = {};
    for (const Kind kind : {Kind::kBrakes, Kind::kUserStop, Kind::kGuiding}) side({kind, false});
    request(*wire::find_command(10, 2), wire::StopMoveRequest{});
    // chosen: longer than the longest stop (5.26 rad/s at 10 rad/s^2) and the waits after it.
    for (int n = 0; n < 3000 && !quiet(); ++n) cycle({}, false);
    request(*wire::find_command(10, 10), wire::AutomaticErrorRecoveryRequest{});
    for (int n = 0; n < 3000 && !quiet(); ++n) cycle({}, false);
    require(unit_.state() == motion::State::kIdle, "the arm comes back to idle");
    for (const auto& [token, a] : open_) {
      require(a.last == 1, "every request has exactly one terminal answer");
      require(a.started == 0 || (a.move && a.started == 1), "a Move starts at most once");
    }
  }

 private:
  bool quiet() const {
    if (unit_.state() != motion::State::kIdle && unit_.state() != motion::State::kReflex)
      return false;
    for (const auto& [token, a] : open_)
      if (a.last == 0) return false;
    return true;
  }
  void take(const engine::Event& e) {
    if (e.kind == engine::EventKind::kViolation || e.kind == engine::EventKind::kNotice) return;
    const auto found = open_.find(e.token);
    require(found != open_.end(), "an answer belongs to a request");
    Answers& a = found->second;
    if (e.kind == engine::EventKind::kMotionStarted) {
      require(a.last == 0, "a Move does not start after its end");
      ++a.started;
    } else {
      require(e.kind != engine::EventKind::kMotionEnded || a.started == 1, "only a motion ends");
      require(++a.last == 1, "one terminal answer");
    }
  }
  void check(const wire::RobotState& s) const {
    const bool moving = s.robot_mode == wire::RobotMode::kMove;
    // wire.md 5.2 and 5.4: modes and robot_mode change together.
    require(moving == (s.motion_generator_mode != wire::MotionGeneratorMode::kIdle),
            "a generator is shown exactly in a motion");
    require(moving || s.controller_mode == wire::ControllerMode::kOther,
            "a controller is shown only in a motion");
    bool error = false;
    for (const std::uint8_t flag : s.errors) error = error || flag != 0;
    if (s.robot_mode == wire::RobotMode::kReflex) require(error, "a reflex has an error");
    if (moving || s.robot_mode == wire::RobotMode::kIdle)
      require(!error, "no error is active in Idle or Move");
    for (std::size_t i = 0; i < kJoints; ++i)
      require(std::isfinite(s.q_d[i] + s.dq_d[i] + s.tau_J_d[i] + s.ddq_d[i]), "finite states");
  }

  engine::Unit unit_;
  plant::Output world_;
  Cycle published_{0};
  engine::Token token_ = 0;
  std::map<engine::Token, Answers> open_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input in(data, size);
  const std::uint8_t options = in.byte();
  judge::Rules rules;
  rules.enforce_motion_limits = (options & 1) != 0;
  rules.enforce_comm_constraints = (options & 2) != 0;
  rules.apply_late = (options & 4) == 0;
  Session session(rules, (options & 8) != 0);
  for (int step = 0; step < 300 && !in.empty(); ++step) {
    const std::uint8_t op = in.byte();
    if (op < 0x60) {
      // A request: the command by number, its payload as it comes; a wrong size is none.
      const wire::CommandRow* row = wire::find_command(10, op % 13);
      if (row == nullptr) continue;
      const auto request =
          wire::decode_request(*row, in.bytes(row->request_size - wire::kHeaderSize));
      if (request) session.request(*row, *request);
    } else if (op < 0x70) {
      session.side({static_cast<engine::SideInput::Kind>(op % 3), (op & 8) != 0});
    } else if (op < 0x72) {
      session.gone();
    } else if (op < 0x80) {
      session.shake(op % 2 == 0 ? 0.0 : 0.02);
    } else if (op < 0xA0) {
      for (int n = 0; n < (op & 0x1F) * 4; ++n) session.cycle({}, false);
    } else {
      // A command that answers the cycle, its bytes as they come.
      std::array<std::byte, 371> whole{};
      if ((op & 0x10) != 0) {
        const auto bytes = in.bytes(371);
        std::copy(bytes.begin(), bytes.end(), whole.begin());
      }
      wire::RobotCommand command;
      require(wire::decode_command(*wire::command_layout(10), whole, command), "371 bytes decode");
      if ((op & 0x10) == 0) command.q_c = robot::kFr3.q_ready;
      if ((op & 0x08) != 0) command.motion_generation_finished = true;
      command.message_id = session.published().n + ((op & 0x04) != 0 ? 1 : 0);
      session.cycle({&command, 1}, (op & 0x03) == 3);
    }
  }
  session.settle();
  return 0;
}
