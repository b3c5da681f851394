// Mode bytes of RobotState and the numbers of the Move request.
// Source: wire.md sections 1.3 and 3.1. Must not know transitions.
#pragma once

#include <cstdint>

namespace fsim::wire {

enum class RobotMode : std::uint8_t {
  kOther = 0,
  kIdle,
  kMove,
  kGuiding,
  kReflex,
  kUserStopped,
  kAutomaticErrorRecovery,
};
inline constexpr std::size_t kRobotModeCount = 7;

/// As shown in RobotState. The Move request uses the same order, shifted down by one (kNone = 4).
enum class MotionGeneratorMode : std::uint8_t {
  kIdle = 0,
  kJointPosition,
  kJointVelocity,
  kCartesianPosition,
  kCartesianVelocity,
  kNone,
};

/// As shown in RobotState; the Move request has the first three.
enum class ControllerMode : std::uint8_t {
  kJointImpedance = 0,
  kCartesianImpedance,
  kExternalController,
  kOther,
};

}  // namespace fsim::wire
