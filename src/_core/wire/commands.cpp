// Command tables of the versions built in, and the request decoder they share.
#include "wire/commands.hpp"

#include <array>
#include <cstring>

namespace fsim::wire {
namespace {

using enum Status;

// Order is the number on the wire (v6 - v10).
constexpr Status kConnectStatuses[] = {kSuccess, kIncompatibleLibraryVersion};
constexpr Status kMoveStatuses[] = {kSuccess,
                                    kMotionStarted,
                                    kPreempted,
                                    kPreemptedDueToActivatedSafetyFunctions,
                                    kCommandRejectedDueToActivatedSafetyFunctions,
                                    kCommandNotPossibleRejected,
                                    kStartAtSingularPoseRejected,
                                    kInvalidArgumentRejected,
                                    kReflexAborted,
                                    kEmergencyAborted,
                                    kInputErrorAborted,
                                    kAborted};
constexpr Status kStopStatuses[] = {kSuccess,
                                    kCommandNotPossibleRejected,
                                    kCommandRejectedDueToActivatedSafetyFunctions,
                                    kEmergencyAborted,
                                    kReflexAborted,
                                    kAborted};
constexpr Status kRecoveryStatuses[] = {kSuccess,
                                        kCommandNotPossibleRejected,
                                        kCommandRejectedDueToActivatedSafetyFunctions,
                                        kManualErrorRecoveryRequiredRejected,
                                        kReflexAborted,
                                        kEmergencyAborted,
                                        kAborted};
constexpr Status kSetterStatuses[] = {kSuccess, kCommandNotPossibleRejected,
                                      kInvalidArgumentRejected,
                                      kCommandRejectedDueToActivatedSafetyFunctions};
constexpr Status kModelStatuses[] = {kSuccess, kCommandNotPossibleRejected,
                                     kCommandRejectedDueToActivatedSafetyFunctions};

// Request sizes: header 12 + payload (8 per double, 4 per mode, 1 per bool).
constexpr CommandRow kCommandsV10[] = {
    {Command::kConnect, "Connect", 0, 16, 15, kConnectStatuses},
    {Command::kMove, "Move", 1, 125, 13, kMoveStatuses},
    {Command::kStopMove, "StopMove", 2, 12, 13, kStopStatuses},
    {Command::kSetCollisionBehavior, "SetCollisionBehavior", 3, 428, 13, kSetterStatuses},
    {Command::kSetJointImpedance, "SetJointImpedance", 4, 68, 13, kSetterStatuses},
    {Command::kSetCartesianImpedance, "SetCartesianImpedance", 5, 60, 13, kSetterStatuses},
    {Command::kSetGuidingMode, "SetGuidingMode", 6, 19, 13, kSetterStatuses},
    {Command::kSetEEToK, "SetEEToK", 7, 140, 13, kSetterStatuses},
    {Command::kSetNEToEE, "SetNEToEE", 8, 140, 13, kSetterStatuses},
    {Command::kSetLoad, "SetLoad", 9, 116, 13, kSetterStatuses},
    {Command::kAutomaticErrorRecovery, "AutomaticErrorRecovery", 10, 12, 13, kRecoveryStatuses},
    {Command::kGetRobotModel, "GetRobotModel", 11, 12, 13, kModelStatuses},
};
constexpr std::span<const CommandRow> kV10{kCommandsV10};

/// Takes packed values off a payload whose size was checked before.
class Reader {
 public:
  explicit Reader(const std::byte* at) noexcept : at_(at) {}
  template <class T>
  void take(T& value) noexcept {
    std::memcpy(&value, at_, sizeof(T));
    at_ += sizeof(T);
  }
  void take(bool& value) noexcept { value = *at_++ != std::byte{0}; }

 private:
  const std::byte* at_;
};

}  // namespace

const char* name(Status status) noexcept {
  constexpr std::array<const char*, 14> kNames{"kSuccess",
                                               "kMotionStarted",
                                               "kPreempted",
                                               "kPreemptedDueToActivatedSafetyFunctions",
                                               "kCommandRejectedDueToActivatedSafetyFunctions",
                                               "kCommandNotPossibleRejected",
                                               "kStartAtSingularPoseRejected",
                                               "kInvalidArgumentRejected",
                                               "kManualErrorRecoveryRequiredRejected",
                                               "kReflexAborted",
                                               "kEmergencyAborted",
                                               "kInputErrorAborted",
                                               "kAborted",
                                               "kIncompatibleLibraryVersion"};
  return kNames[static_cast<std::size_t>(status)];
}

const std::span<const CommandRow>* commands(unsigned version) noexcept {
  return version == 10 ? &kV10 : nullptr;
}

const CommandRow* find_command(unsigned version, std::uint32_t id) noexcept {
  const std::span<const CommandRow>* table = commands(version);
  if (table == nullptr) return nullptr;
  for (const CommandRow& row : *table)
    if (row.id == id) return &row;
  return nullptr;
}

std::uint8_t number(const CommandRow& row, Status status) noexcept {
  for (std::size_t i = 0; i < row.statuses.size(); ++i)
    if (row.statuses[i] == status) return static_cast<std::uint8_t>(i);
  // A command without this status refuses with the one it has for a refusal: Connect's second.
  for (std::size_t i = 0; i < row.statuses.size(); ++i)
    if (row.statuses[i] == kCommandNotPossibleRejected) return static_cast<std::uint8_t>(i);
  return static_cast<std::uint8_t>(row.statuses.size() - 1);
}

std::optional<Request> decode_request(const CommandRow& row,
                                      std::span<const std::byte> payload) noexcept {
  if (payload.size() + kHeaderSize != row.request_size) return std::nullopt;
  Reader reader(payload.data());
  switch (row.command) {
    case Command::kMove: {
      MoveRequest m{};
      reader.take(m.controller_mode);
      reader.take(m.motion_generator_mode);
      reader.take(m.maximum_path_deviation);
      reader.take(m.maximum_goal_pose_deviation);
      reader.take(m.use_async_motion_generator);
      reader.take(m.maximum_velocity);
      return m;
    }
    case Command::kStopMove:
      return StopMoveRequest{};
    case Command::kSetCollisionBehavior: {
      SetCollisionBehaviorRequest m{};
      reader.take(m.lower_torque_thresholds_acceleration);
      reader.take(m.upper_torque_thresholds_acceleration);
      reader.take(m.lower_torque_thresholds_nominal);
      reader.take(m.upper_torque_thresholds_nominal);
      reader.take(m.lower_force_thresholds_acceleration);
      reader.take(m.upper_force_thresholds_acceleration);
      reader.take(m.lower_force_thresholds_nominal);
      reader.take(m.upper_force_thresholds_nominal);
      return m;
    }
    case Command::kSetJointImpedance: {
      SetJointImpedanceRequest m{};
      reader.take(m.K_theta);
      return m;
    }
    case Command::kSetCartesianImpedance: {
      SetCartesianImpedanceRequest m{};
      reader.take(m.K_x);
      return m;
    }
    case Command::kSetGuidingMode: {
      SetGuidingModeRequest m{};
      for (bool& axis : m.guiding_mode) reader.take(axis);
      reader.take(m.nullspace);
      return m;
    }
    case Command::kSetEEToK: {
      SetEEToKRequest m{};
      reader.take(m.EE_T_K);
      return m;
    }
    case Command::kSetNEToEE: {
      SetNEToEERequest m{};
      reader.take(m.NE_T_EE);
      return m;
    }
    case Command::kSetLoad: {
      SetLoadRequest m{};
      reader.take(m.m_load);
      reader.take(m.F_x_Cload);
      reader.take(m.I_load);
      return m;
    }
    case Command::kAutomaticErrorRecovery:
      return AutomaticErrorRecoveryRequest{};
    case Command::kConnect:
    case Command::kGetRobotModel:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace fsim::wire
