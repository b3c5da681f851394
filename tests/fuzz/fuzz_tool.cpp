// Whatever payloads, inputs and pauses come, a tool answers each request exactly once, a stop with
// success, nothing waits for ever, and its numbers stay what a hand or a pump can do.
#include <array>
#include <cmath>
#include <map>

#include "engine/tool.hpp"
#include "engine/tool_request.hpp"
#include "input.hpp"
#include "wire/tools.hpp"

using namespace fsim;
using fuzz::require;

namespace {

class Session {
 public:
  explicit Session(const engine::ToolSettings& settings) : tool_(settings) {}

  void request(const engine::ToolRequest& request, bool stop) {
    if (open_.size() >= engine::kMaxToolOutstanding) return;
    open_[request.token] = stop;
    tool_.request(request);
    take();
  }
  void input(const engine::ToolInput& input) {
    tool_.input(input);
    take();
  }
  void cycle() {
    tool_.begin(std::nullopt);
    plant::Input unused;
    tool_.drive(unused);
    tool_.end({});
    take();
    const engine::ToolSnapshot s = tool_.snapshot();
    require(s.hand.width >= 0 && s.hand.width <= 0.08 + 1e-9, "width is in the stroke");
    require(s.hand.force >= 0 && s.hand.force <= 140 + 1e-6, "force is in the hand's range");
    require(s.pump.vacuum >= 0 && s.pump.vacuum <= 750, "vacuum is in the pump's reach");
  }
  /// A stop ends whatever runs.
  void settle() {
    const bool hand = tool_.kind() == engine::Tool::Kind::kHand;
    engine::ToolRequest stop;
    stop.token = next();
    if (!hand) stop.command = gripper::PumpCommand{};
    open_[stop.token] = true;
    tool_.request(stop);
    for (int n = 0; n < 1000 && !open_.empty(); ++n) cycle();
    require(open_.empty(), "every request was answered");
  }
  engine::Token next() { return ++token_; }

 private:
  void take() {
    for (const gripper::Answer& a : tool_.answers()) {
      const auto found = open_.find(a.ticket);
      require(found != open_.end(), "a request is answered once");
      require(!found->second || a.outcome == gripper::Outcome::kSuccess, "a stop succeeds");
      open_.erase(found);
    }
    tool_.clear_answers();
  }

  engine::Tool tool_;
  engine::Token token_ = 0;
  std::map<engine::Token, bool> open_;  ///< whether it is a stop
};

}  // namespace

/// First byte: the tool. Then steps: a command number with its payload, or an input, or a pause.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input in(data, size);
  const std::uint8_t options = in.byte();
  engine::ToolSettings settings;
  const bool hand = (options & 1) == 0;
  settings.kind = hand ? engine::ToolSettings::Kind::kHand : engine::ToolSettings::Kind::kVacuum;
  settings.homed = (options & 2) == 0;
  settings.object_width = (options & 4) != 0 ? 0.02 : 0.0;
  settings.part = (options & 8) != 0;
  const wire::ToolKind kind = hand ? wire::ToolKind::kHand : wire::ToolKind::kVacuum;
  Session session(settings);
  for (int step = 0; step < 200 && !in.empty(); ++step) {
    const std::uint8_t what = in.byte();
    if (what < 0x80) {
      const auto id = static_cast<std::uint16_t>(what % 6);
      std::array<std::byte, 40> payload{};
      std::size_t n = 0;
      for (const wire::ToolCommandRow& row : wire::tool_protocol(kind).commands)
        if (row.id == id) n = row.request_size - wire::kToolHeaderSize;
      for (std::size_t i = 0; i < n; ++i) payload[i] = std::byte{in.byte()};
      const auto decoded = wire::decode_tool_request(kind, id, {payload.data(), n});
      if (!decoded) continue;
      const engine::ToolRequest request = engine::tool_request(session.next(), kind, *decoded);
      session.request(request, std::holds_alternative<wire::ToolStopRequest>(*decoded));
    } else if (what < 0xc0) {
      engine::ToolInput input;
      input.kind = static_cast<engine::ToolInput::Kind>(1 + what % 5);
      input.value = in.byte();
      if (input.kind == engine::ToolInput::Kind::kStall) input.value *= 4;
      input.object.width = input.value * 1e-3;
      input.when.kind = static_cast<engine::When::Kind>(what / 8 % 2);
      input.when.cycles = what;
      session.input(input);
    } else {
      for (int n = 0; n < (what & 0x3f) * 16; ++n) session.cycle();
    }
  }
  session.settle();
  return 0;
}
