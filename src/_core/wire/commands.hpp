// The TCP commands: ids, sizes and status numbers per FCI version as tables, request payloads as
// structs. Must not know when a command is allowed (motion/machine).
// Source: wire.md 1.1 - 1.4; sizes and numbers compiler-checked from the published headers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <variant>

#include "base/types.hpp"

namespace fsim::wire {

inline constexpr std::size_t kHeaderSize = 12;

enum class Command : std::uint8_t {
  kConnect,
  kMove,
  kStopMove,
  kSetCollisionBehavior,
  kSetJointImpedance,
  kSetCartesianImpedance,
  kSetGuidingMode,
  kSetEEToK,
  kSetNEToEE,
  kSetLoad,
  kAutomaticErrorRecovery,
  kGetRobotModel,
};

/// Every status of every command; the number on the wire is its place in the command's list.
enum class Status : std::uint8_t {
  kSuccess,
  kMotionStarted,
  kPreempted,
  kPreemptedDueToActivatedSafetyFunctions,
  kCommandRejectedDueToActivatedSafetyFunctions,
  kCommandNotPossibleRejected,
  kStartAtSingularPoseRejected,
  kInvalidArgumentRejected,
  kManualErrorRecoveryRequiredRejected,
  kReflexAborted,
  kEmergencyAborted,
  kInputErrorAborted,
  kAborted,
  kIncompatibleLibraryVersion,
};
const char* name(Status status) noexcept;

struct CommandRow {
  Command command;
  const char* name;
  std::uint32_t id;
  std::uint16_t request_size;  ///< whole message
  std::uint16_t reply_size;    ///< whole message; GetRobotModel: without its text
  std::span<const Status> statuses;
};

/// Null when that version is not built in.
const std::span<const CommandRow>* commands(unsigned version) noexcept;
const CommandRow* find_command(unsigned version, std::uint32_t id) noexcept;
/// Number of `status` in this command's list; a status that the list lacks becomes
/// kCommandNotPossibleRejected.
std::uint8_t number(const CommandRow& row, Status status) noexcept;

struct MoveRequest {
  std::uint32_t controller_mode;        ///< 0 joint, 1 Cartesian impedance, 2 external
  std::uint32_t motion_generator_mode;  ///< state value - 1; 4 none
  Vec3 maximum_path_deviation;          ///< translation [m], rotation [rad], elbow [rad]
  Vec3 maximum_goal_pose_deviation;
  bool use_async_motion_generator;
  Vec7 maximum_velocity;  ///< [rad/s], asynchronous generator only
};
struct StopMoveRequest {};
struct SetCollisionBehaviorRequest {
  Vec7 lower_torque_thresholds_acceleration, upper_torque_thresholds_acceleration;
  Vec7 lower_torque_thresholds_nominal, upper_torque_thresholds_nominal;
  Vec6 lower_force_thresholds_acceleration, upper_force_thresholds_acceleration;
  Vec6 lower_force_thresholds_nominal, upper_force_thresholds_nominal;
};
struct SetJointImpedanceRequest {
  Vec7 K_theta;
};
struct SetCartesianImpedanceRequest {
  Vec6 K_x;
};
struct SetGuidingModeRequest {
  std::array<bool, 6> guiding_mode;
  bool nullspace;
};
struct SetEEToKRequest {
  Mat4 EE_T_K;
};
struct SetNEToEERequest {
  Mat4 NE_T_EE;
};
struct SetLoadRequest {
  double m_load;
  Vec3 F_x_Cload;
  Mat3 I_load;
};
struct AutomaticErrorRecoveryRequest {};

using Request =
    std::variant<MoveRequest, StopMoveRequest, SetCollisionBehaviorRequest,
                 SetJointImpedanceRequest, SetCartesianImpedanceRequest, SetGuidingModeRequest,
                 SetEEToKRequest, SetNEToEERequest, SetLoadRequest, AutomaticErrorRecoveryRequest>;

/// Payload (without header) of any request but Connect and GetRobotModel, which never reach the
/// core. Empty when the size is not exactly the command's.
std::optional<Request> decode_request(const CommandRow& row,
                                      std::span<const std::byte> payload) noexcept;

}  // namespace fsim::wire
