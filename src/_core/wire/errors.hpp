// The robot's 41 errors: index, enumerator, wire name. Must not know what raises them.
// Source: wire.md section 8 (common header revision d96c221a32, libfranka 0.18 - 0.20.4); the names
// are the ones libfranka prints.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fsim::wire {

inline constexpr std::size_t kErrorCount = 41;

/// Index in `errors` and `reflex_reason`.
enum class Error : std::uint8_t {
  kJointPositionLimitsViolation = 0,
  kCartesianPositionLimitsViolation,
  kSelfCollisionAvoidanceViolation,
  kJointVelocityViolation,
  kCartesianVelocityViolation,
  kForceControlSafetyViolation,
  kJointReflex,
  kCartesianReflex,
  kMaxGoalPoseDeviationViolation,
  kMaxPathPoseDeviationViolation,
  kCartesianVelocityProfileSafetyViolation,
  kJointPositionMotionGeneratorStartPoseInvalid,
  kJointMotionGeneratorPositionLimitsViolation,
  kJointMotionGeneratorVelocityLimitsViolation,
  kJointMotionGeneratorVelocityDiscontinuity,
  kJointMotionGeneratorAccelerationDiscontinuity,
  kCartesianPositionMotionGeneratorStartPoseInvalid,
  kCartesianMotionGeneratorElbowLimitViolation,
  kCartesianMotionGeneratorVelocityLimitsViolation,
  kCartesianMotionGeneratorVelocityDiscontinuity,
  kCartesianMotionGeneratorAccelerationDiscontinuity,
  kCartesianMotionGeneratorElbowSignInconsistent,
  kCartesianMotionGeneratorStartElbowInvalid,
  kForceControllerDesiredForceToleranceViolation,
  kStartElbowSignInconsistent,
  kCommunicationConstraintsViolation,
  kPowerLimitViolation,
  kCartesianMotionGeneratorJointPositionLimitsViolation,
  kCartesianMotionGeneratorJointVelocityLimitsViolation,
  kCartesianMotionGeneratorJointVelocityDiscontinuity,
  kCartesianMotionGeneratorJointAccelerationDiscontinuity,
  kCartesianPositionMotionGeneratorInvalidFrameFlag,
  kControllerTorqueDiscontinuity,
  kJointP2PInsufficientTorqueForPlanning,
  kTauJRangeViolation,
  kInstabilityDetected,
  kJointMoveInWrongDirection,
  kCartesianSplineMotionGeneratorViolation,
  kJointViaMotionGeneratorPlanningJointLimitViolation,
  kBaseAccelerationInitializationTimeout,
  kBaseAccelerationInvalidReading,
};

inline constexpr std::array<std::string_view, kErrorCount> kErrorNames{
    "joint_position_limits_violation",
    "cartesian_position_limits_violation",
    "self_collision_avoidance_violation",
    "joint_velocity_violation",
    "cartesian_velocity_violation",
    "force_control_safety_violation",
    "joint_reflex",
    "cartesian_reflex",
    "max_goal_pose_deviation_violation",
    "max_path_pose_deviation_violation",
    "cartesian_velocity_profile_safety_violation",
    "joint_position_motion_generator_start_pose_invalid",
    "joint_motion_generator_position_limits_violation",
    "joint_motion_generator_velocity_limits_violation",
    "joint_motion_generator_velocity_discontinuity",
    "joint_motion_generator_acceleration_discontinuity",
    "cartesian_position_motion_generator_start_pose_invalid",
    "cartesian_motion_generator_elbow_limit_violation",
    "cartesian_motion_generator_velocity_limits_violation",
    "cartesian_motion_generator_velocity_discontinuity",
    "cartesian_motion_generator_acceleration_discontinuity",
    "cartesian_motion_generator_elbow_sign_inconsistent",
    "cartesian_motion_generator_start_elbow_invalid",
    "force_controller_desired_force_tolerance_violation",
    "start_elbow_sign_inconsistent",
    "communication_constraints_violation",
    "power_limit_violation",
    "cartesian_motion_generator_joint_position_limits_violation",
    "cartesian_motion_generator_joint_velocity_limits_violation",
    "cartesian_motion_generator_joint_velocity_discontinuity",
    "cartesian_motion_generator_joint_acceleration_discontinuity",
    "cartesian_position_motion_generator_invalid_frame_flag",
    "controller_torque_discontinuity",
    "joint_p2p_insufficient_torque_for_planning",
    "tau_J_range_violation",
    "instability_detected",
    "joint_move_in_wrong_direction",
    "cartesian_spline_motion_generator_violation",
    "joint_via_motion_generator_planning_joint_limit_violation",
    "base_acceleration_initialization_timeout",
    "base_acceleration_invalid_reading",
};

constexpr std::string_view name(Error error) noexcept {
  return kErrorNames[static_cast<std::size_t>(error)];
}

/// A set of errors, one bit each.
class ErrorSet {
 public:
  constexpr void set(Error e) noexcept { bits_ |= bit(e); }
  constexpr bool has(Error e) const noexcept { return (bits_ & bit(e)) != 0; }
  constexpr bool any() const noexcept { return bits_ != 0; }
  constexpr void clear() noexcept { bits_ = 0; }
  /// Keep only what is in `other` too.
  constexpr ErrorSet& operator&=(ErrorSet other) noexcept {
    bits_ &= other.bits_;
    return *this;
  }
  constexpr std::uint64_t bits() const noexcept { return bits_; }
  constexpr ErrorSet& operator|=(ErrorSet other) noexcept {
    bits_ |= other.bits_;
    return *this;
  }
  friend constexpr bool operator==(ErrorSet, ErrorSet) = default;

 private:
  static constexpr std::uint64_t bit(Error e) noexcept {
    return std::uint64_t{1} << static_cast<unsigned>(e);
  }
  std::uint64_t bits_ = 0;
};

}  // namespace fsim::wire
