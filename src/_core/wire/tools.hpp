// What stands at the flange speaks a protocol of its own: commands and the state datagram of the
// Franka Hand and of the vacuum gripper, as tables. Must not know when a command is possible.
// Source: wire.md 4.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <variant>

#include "wire/layout.hpp"

namespace fsim::wire {

/// Command id u16, command_id u32, size u32 (wire.md 1.1).
inline constexpr std::size_t kToolHeaderSize = 10;

enum class ToolKind : std::uint8_t { kHand, kVacuum };

struct HomingRequest {};
struct GraspRequest {
  double width, epsilon_inner, epsilon_outer;  ///< [m]
  double speed;                                ///< [m/s]
  double force;                                ///< [N]
};
struct GripperMoveRequest {
  double width;  ///< [m]
  double speed;  ///< [m/s]
};
struct ToolStopRequest {};
struct VacuumRequest {
  std::uint8_t vacuum;   ///< [10 mbar]
  std::uint8_t profile;  ///< P0 to P3
  std::int64_t timeout;  ///< [ms]
};
struct DropOffRequest {
  std::int64_t timeout;  ///< [ms]
};
using ToolRequest = std::variant<HomingRequest, GraspRequest, GripperMoveRequest, ToolStopRequest,
                                 VacuumRequest, DropOffRequest>;

/// Status of every command but Connect, in the order of its number.
inline constexpr const char* kToolStatuses[] = {"kSuccess", "kFail", "kUnsuccessful", "kAborted"};
inline constexpr const char* kToolConnectStatuses[] = {"kSuccess", "kIncompatibleLibraryVersion"};

struct ToolCommandRow {
  const char* name;
  std::uint16_t id;
  std::uint16_t request_size;  ///< whole message
  std::uint16_t reply_size;    ///< whole message
};

/// The protocol of one tool.
struct ToolProtocol {
  ToolKind kind;
  const char* name;
  std::uint16_t version;  ///< the newest, and the only one spoken
  std::uint16_t port;     ///< TCP (wire.md 0.2)
  std::span<const ToolCommandRow> commands;
  const Layout& state;
};
const ToolProtocol& tool_protocol(ToolKind kind) noexcept;

/// Payload (without header) of any command but Connect. Empty for an unknown command or a size that
/// is not exactly the command's.
std::optional<ToolRequest> decode_tool_request(ToolKind kind, std::uint16_t id,
                                               std::span<const std::byte> payload) noexcept;

struct GripperState {
  std::uint32_t message_id = 0;
  double width = 0;
  double max_width = 0;
  bool is_grasped = false;
  std::uint16_t temperature = 0;
};
struct VacuumGripperState {
  std::uint32_t message_id = 0;
  bool in_control_range = false;
  bool part_detached = false;
  bool part_present = false;
  std::uint8_t device_status = 0;  ///< green, yellow, orange, red
  std::int32_t actual_power = 0;   ///< [%]
  std::int32_t vacuum = 0;         ///< [mbar]
};
inline constexpr std::size_t kMaxToolStateSize = 23;

/// Write the state into `out`, which holds at least kMaxToolStateSize bytes; returns its size.
std::size_t encode_tool_state(const GripperState& state, std::byte* out) noexcept;
std::size_t encode_tool_state(const VacuumGripperState& state, std::byte* out) noexcept;

}  // namespace fsim::wire
