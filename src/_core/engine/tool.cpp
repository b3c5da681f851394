// Inputs in time, and one cycle of the tool.
#include "engine/tool.hpp"

#include "gripper/hand_facts.hpp"

namespace fsim::engine {

double start_width(const ToolSettings& settings) noexcept {
  // A hand that was homed stands open; one that was not stands anywhere.
  return settings.homed ? gripper::kHandFacts.stroke : gripper::kHandFacts.power_up_width;
}

Tool::Tool(const ToolSettings& settings) noexcept
    : kind_(settings.kind), physics_(settings.kind == Kind::kHand && settings.physics) {
  fingers_.reset(start_width(settings));
  drive_.reset(start_width(settings));
  gripper::Obstacle object;
  object.width = settings.object_width;
  fingers_.place(object);
  drive_.place(object);
  hand_.reset(settings.homed, fingers_.fingers());
  pump_.part(settings.part);
}

void Tool::request(const ToolRequest& request) noexcept {
  if (const auto* hand = std::get_if<gripper::HandCommand>(&request.command))
    hand_.request(request.token, *hand);
  else
    pump_.request(request.token, std::get<gripper::PumpCommand>(request.command));
}

void Tool::input(const ToolInput& input) noexcept {
  if (input.when.kind == When::Kind::kNow) {
    apply(input);
    return;
  }
  const std::uint64_t from = input.when.kind == When::Kind::kAfter ? cycle_ : 0;
  if (waiting_.push({input, from + input.when.cycles})) return;
  if (input.kind != ToolInput::Kind::kCommand) return;
  kind_ == Kind::kVacuum ? pump_.refuse(input.request.token) : hand_.refuse(input.request.token);
}

void Tool::let_go() noexcept {
  for (const Waiting& w : waiting_) {
    if (w.input.kind != ToolInput::Kind::kCommand) continue;
    kind_ == Kind::kVacuum ? pump_.refuse(w.input.request.token)
                           : hand_.refuse(w.input.request.token);
  }
  waiting_.clear();
  // Without power it ends what runs.
  hand_.power(false);
  pump_.power(false);
}

void Tool::apply(const ToolInput& in) noexcept {
  const bool hand = kind_ == Kind::kHand;
  switch (in.kind) {
    case ToolInput::Kind::kCommand:
      request(in.request);
      break;
    case ToolInput::Kind::kObject:
      fingers_.place(in.object);
      drive_.place(in.object);
      hand_.stir();
      pump_.part(in.object.width > 0);
      break;
    case ToolInput::Kind::kStall:
      stall(static_cast<std::uint64_t>(in.value));
      break;
    case ToolInput::Kind::kTemperature:
      hand_.heat_to(in.value);
      break;
    case ToolInput::Kind::kPower:
      hand ? hand_.power(in.value != 0) : pump_.power(in.value != 0);
      break;
    case ToolInput::Kind::kDeviceStatus:
      pump_.device_status(static_cast<std::uint8_t>(in.value));
      break;
  }
}

void Tool::stall(std::uint64_t cycles) noexcept {
  stalled_cycles_ = cycles;
  const bool stalled = cycles > 0;
  fingers_.block(stalled);
  drive_.block(stalled);
  hand_.stall(stalled);
  pump_.stall(stalled);
}

void Tool::begin(std::optional<std::uint64_t> motion_cycle) noexcept {
  if (kind_ == Kind::kNone) return;
  ++cycle_;
  // What is due acts in the order it was asked for.
  FixedVector<Waiting, kMaxWaiting> later;
  for (const Waiting& w : waiting_) {
    const bool in_motion = w.input.when.kind == When::Kind::kMotion;
    const bool due = in_motion ? motion_cycle && *motion_cycle >= w.due : cycle_ > w.due;
    if (due)
      apply(w.input);
    else
      later.push(w);
  }
  waiting_ = later;
}

void Tool::drive(plant::Input& input) noexcept {
  if (!physics_) return;
  drive_.hold_away(hand_.homing());
  input.finger_force = drive_.force(hand_.drive());
}

void Tool::end(const plant::Output& world) noexcept {
  if (kind_ == Kind::kNone) return;
  if (physics_) {
    hand_.observe(drive_.observe(world.width, world.width_rate));
  } else if (kind_ == Kind::kHand) {
    fingers_.hold_away(hand_.homing());
    hand_.observe(fingers_.step(hand_.drive()));
  } else {
    pump_.advance();
  }
  if (stalled_cycles_ > 0 && --stalled_cycles_ == 0) stall(0);
}

bool Tool::at_rest() const noexcept {
  if (kind_ == Kind::kNone) return true;
  for (const Waiting& w : waiting_)
    if (w.input.when.kind == When::Kind::kAfter) return false;
  if (stalled_cycles_ > 0) return false;
  return kind_ == Kind::kHand ? hand_.at_rest() : pump_.at_rest();
}

ToolSnapshot Tool::snapshot() const noexcept {
  ToolSnapshot s;
  if (kind_ == Kind::kHand) s.hand = hand_.report();
  if (kind_ == Kind::kVacuum) s.pump = pump_.report();
  s.waiting = waiting_.size();
  return s;
}

std::span<const gripper::Answer> Tool::answers() const noexcept {
  if (kind_ == Kind::kVacuum) return {pump_.answers().begin(), pump_.answers().size()};
  return {hand_.answers().begin(), hand_.answers().size()};
}

void Tool::clear_answers() noexcept {
  hand_.clear_answers();
  pump_.clear_answers();
}

}  // namespace fsim::engine
