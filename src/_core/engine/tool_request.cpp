// One function a request.
#include "engine/tool_request.hpp"

namespace fsim::engine {
namespace {

using gripper::HandCommand;
using gripper::PumpCommand;
using AnyCommand = decltype(ToolRequest::command);

/// wire.md 4.2: Vacuum's setpoint is in 10 mbar.
constexpr double kVacuumUnit = 10.0;

struct Translate {
  wire::ToolKind kind;

  AnyCommand operator()(const wire::HomingRequest&) const noexcept {
    return HandCommand{HandCommand::Kind::kHoming};
  }
  AnyCommand operator()(const wire::GraspRequest& r) const noexcept {
    return HandCommand{HandCommand::Kind::kGrasp, r.width, r.epsilon_inner,
                       r.epsilon_outer,           r.speed, r.force};
  }
  AnyCommand operator()(const wire::GripperMoveRequest& r) const noexcept {
    return HandCommand{HandCommand::Kind::kMove, r.width, 0, 0, r.speed};
  }
  AnyCommand operator()(const wire::ToolStopRequest&) const noexcept {
    if (kind == wire::ToolKind::kVacuum) return PumpCommand{};
    return HandCommand{};
  }
  AnyCommand operator()(const wire::VacuumRequest& r) const noexcept {
    return PumpCommand{PumpCommand::Kind::kVacuum, kVacuumUnit * r.vacuum, r.profile, r.timeout};
  }
  AnyCommand operator()(const wire::DropOffRequest& r) const noexcept {
    return PumpCommand{PumpCommand::Kind::kDropOff, 0, 0, r.timeout};
  }
};

}  // namespace

ToolRequest tool_request(Token token, wire::ToolKind kind,
                         const wire::ToolRequest& request) noexcept {
  return {token, std::visit(Translate{kind}, request)};
}

}  // namespace fsim::engine
