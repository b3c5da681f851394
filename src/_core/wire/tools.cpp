// Tables of the two tool protocols and the decoder they share.
#include "wire/tools.hpp"

#include <cstring>

#include "wire/codec.hpp"

namespace fsim::wire {
namespace {

// Request sizes: header 10 + payload (8 per double and per i64, 1 per u8). Replies: header 10 +
// status u16, Connect's with the server's version u16.
constexpr ToolCommandRow kHandCommands[] = {
    {"Connect", 0, 14, 14}, {"Homing", 1, 10, 12}, {"Grasp", 2, 50, 12},
    {"Move", 3, 26, 12},    {"Stop", 4, 10, 12},
};
constexpr ToolCommandRow kVacuumCommands[] = {
    {"Connect", 0, 14, 14},
    {"Vacuum", 1, 20, 12},
    {"DropOff", 2, 18, 12},
    {"Stop", 3, 10, 12},
};

#define FSIM_TOOL(message, type, field) \
  { #field, WireType::type, 1, static_cast < std::uint16_t>(offsetof(message, field)) }

constexpr FieldRow kGripperState[] = {
    FSIM_TOOL(GripperState, kU32, message_id),  FSIM_TOOL(GripperState, kF64, width),
    FSIM_TOOL(GripperState, kF64, max_width),   FSIM_TOOL(GripperState, kBool, is_grasped),
    FSIM_TOOL(GripperState, kU16, temperature),
};
constexpr FieldRow kVacuumState[] = {
    FSIM_TOOL(VacuumGripperState, kU32, message_id),
    FSIM_TOOL(VacuumGripperState, kBool, in_control_range),
    FSIM_TOOL(VacuumGripperState, kBool, part_detached),
    FSIM_TOOL(VacuumGripperState, kBool, part_present),
    FSIM_TOOL(VacuumGripperState, kU8, device_status),
    FSIM_TOOL(VacuumGripperState, kI32, actual_power),
    FSIM_TOOL(VacuumGripperState, kI32, vacuum),
};
#undef FSIM_TOOL

constexpr Runs kGripperRuns{kGripperState};
constexpr Runs kVacuumRuns{kVacuumState};
constexpr Layout kGripperLayout{kGripperState, kGripperRuns, total_size(kGripperState)};
constexpr Layout kVacuumLayout{kVacuumState, kVacuumRuns, total_size(kVacuumState)};
static_assert(kGripperLayout.size == 4 + 8 + 8 + 1 + 2 && kGripperLayout.size == kMaxToolStateSize);
static_assert(kVacuumLayout.size == 4 + 1 + 1 + 1 + 1 + 4 + 4);

constexpr ToolProtocol kProtocols[] = {
    {ToolKind::kHand, "hand", 3, 1338, kHandCommands, kGripperLayout},
    {ToolKind::kVacuum, "vacuum", 1, 1339, kVacuumCommands, kVacuumLayout},
};

template <class T>
T taken(std::span<const std::byte>& from) noexcept {
  T value;
  std::memcpy(&value, from.data(), sizeof value);
  from = from.subspan(sizeof value);
  return value;
}

}  // namespace

const ToolProtocol& tool_protocol(ToolKind kind) noexcept {
  return kProtocols[static_cast<std::size_t>(kind)];
}

std::optional<ToolRequest> decode_tool_request(ToolKind kind, std::uint16_t id,
                                               std::span<const std::byte> payload) noexcept {
  const ToolProtocol& protocol = tool_protocol(kind);
  const ToolCommandRow* row = nullptr;
  for (const ToolCommandRow& r : protocol.commands)
    if (r.id == id) row = &r;
  if (row == nullptr || payload.size() + kToolHeaderSize != row->request_size) return std::nullopt;
  if (kind == ToolKind::kHand) {
    switch (id) {
      case 1:
        return HomingRequest{};
      case 2: {
        GraspRequest m{};
        for (double* v : {&m.width, &m.epsilon_inner, &m.epsilon_outer, &m.speed, &m.force})
          *v = taken<double>(payload);
        return m;
      }
      case 3: {
        GripperMoveRequest m{};
        m.width = taken<double>(payload);
        m.speed = taken<double>(payload);
        return m;
      }
      case 4:
        return ToolStopRequest{};
      default:
        return std::nullopt;
    }
  }
  switch (id) {
    case 1: {
      VacuumRequest m{};
      m.vacuum = taken<std::uint8_t>(payload);
      m.profile = taken<std::uint8_t>(payload);
      m.timeout = taken<std::int64_t>(payload);
      return m;
    }
    case 2:
      return DropOffRequest{taken<std::int64_t>(payload)};
    case 3:
      return ToolStopRequest{};
    default:
      return std::nullopt;
  }
}

std::size_t encode_tool_state(const GripperState& state, std::byte* out) noexcept {
  encode(kGripperLayout, reinterpret_cast<const std::byte*>(&state), out);
  return kGripperLayout.size;
}

std::size_t encode_tool_state(const VacuumGripperState& state, std::byte* out) noexcept {
  encode(kVacuumLayout, reinterpret_cast<const std::byte*>(&state), out);
  return kVacuumLayout.size;
}

}  // namespace fsim::wire
