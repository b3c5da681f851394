// From the wire's words for a command of the tool to the tool's own. Must not decide anything.
#pragma once

#include "engine/doors.hpp"
#include "wire/tools.hpp"

namespace fsim::engine {

ToolRequest tool_request(Token token, wire::ToolKind kind,
                         const wire::ToolRequest& request) noexcept;

}  // namespace fsim::engine
