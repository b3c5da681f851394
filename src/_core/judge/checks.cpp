// The precedence table: what Control says when a limit is exceeded. First failing row of a
// generator wins; the rows of external torque are judged beside those of the generator.
#include "judge/rows.hpp"
#include "judge/violation.hpp"

#include <iterator>

namespace fsim::judge {
namespace {

using enum Generator;
using enum wire::Error;

constexpr const char* kTable = "reference 000, What is checked, and what it latches";
constexpr const char* kNonFinite =
    "reference 000, Non-finite commands are refused whether or not enforcement is on";

constexpr CheckRow kChecks[] = {
    // signal, condition, unit, generator, error, always, source
    {"q_c", "finite", "rad", kJointPosition, kJointMotionGeneratorPositionLimitsViolation, true,
     kNonFinite},
    {"q_c", "inside the joint range", "rad", kJointPosition,
     kJointMotionGeneratorPositionLimitsViolation, false, kTable},
    {"q_c", "first one at q_d", "rad", kJointPosition,
     kJointPositionMotionGeneratorStartPoseInvalid, false, kTable},
    {"q_c", "implied acceleration", "rad/s^2", kJointPosition,
     kJointMotionGeneratorVelocityDiscontinuity, false, kTable},
    {"q_c", "implied velocity in the envelope", "rad/s", kJointPosition,
     kJointMotionGeneratorVelocityLimitsViolation, false, kTable},
    {"q_c", "implied jerk", "rad/s^3", kJointPosition,
     kJointMotionGeneratorAccelerationDiscontinuity, false, kTable},

    {"dq_c", "finite", "rad/s", kJointVelocity, kJointMotionGeneratorVelocityLimitsViolation, true,
     kNonFinite},
    {"dq_c", "first one continues dq_d", "rad/s", kJointVelocity,
     kJointMotionGeneratorAccelerationDiscontinuity, false, kTable},
    {"dq_c", "implied acceleration", "rad/s^2", kJointVelocity,
     kJointMotionGeneratorAccelerationDiscontinuity, false, kTable},
    {"dq_c", "implied jerk", "rad/s^3", kJointVelocity,
     kJointMotionGeneratorAccelerationDiscontinuity, false, kTable},
    {"dq_c", "in the envelope", "rad/s", kJointVelocity,
     kJointMotionGeneratorVelocityLimitsViolation, false, kTable},

    {"tau_J_d", "finite", "Nm", kNone, kTauJRangeViolation, true, kNonFinite},
    {"tau_J_d", "inside the torque range", "Nm", kNone, kTauJRangeViolation, false, kTable},
    {"tau_J_d", "torque rate", "Nm/s", kNone, kControllerTorqueDiscontinuity, false, kTable},

    {"message_id", "lost cycles in a row", "cycles", kNone, kCommunicationConstraintsViolation,
     false, "reference 000, Enabling the violation"},

    {"O_T_EE_c", "finite", "m", kCartesianPosition,
     kCartesianMotionGeneratorVelocityLimitsViolation, true, kNonFinite},
    {"elbow_c", "finite", "rad", kCartesianPosition,
     kCartesianMotionGeneratorVelocityLimitsViolation, true, kNonFinite},
    {"O_T_EE_c", "a homogeneous transform", "-", kCartesianPosition,
     kCartesianPositionMotionGeneratorInvalidFrameFlag, true, kTable},
    {"O_T_EE_c", "first one at O_T_EE, translation", "m", kCartesianPosition,
     kCartesianPositionMotionGeneratorStartPoseInvalid, false, kTable},
    {"O_T_EE_c", "first one at O_T_EE, rotation", "rad", kCartesianPosition,
     kCartesianPositionMotionGeneratorStartPoseInvalid, false, kTable},
    {"elbow_c", "first one at elbow", "rad", kCartesianPosition,
     kCartesianMotionGeneratorStartElbowInvalid, false, kTable},
    {"elbow_c", "first one on the branch of elbow", "-", kCartesianPosition,
     kCartesianMotionGeneratorStartElbowInvalid, false, kTable},
    {"elbow_c", "stays on its branch", "-", kCartesianPosition,
     kCartesianMotionGeneratorElbowSignInconsistent, false, kTable},
    {"O_T_EE_c", "implied translational acceleration", "m/s^2", kCartesianPosition,
     kCartesianMotionGeneratorVelocityDiscontinuity, false, kTable},
    {"O_T_EE_c", "implied rotational acceleration", "rad/s^2", kCartesianPosition,
     kCartesianMotionGeneratorVelocityDiscontinuity, false, kTable},
    {"O_T_EE_c", "implied translational velocity", "m/s", kCartesianPosition,
     kCartesianMotionGeneratorVelocityLimitsViolation, false, kTable},
    {"O_T_EE_c", "implied rotational velocity", "rad/s", kCartesianPosition,
     kCartesianMotionGeneratorVelocityLimitsViolation, false, kTable},
    {"O_T_EE_c", "implied translational jerk", "m/s^3", kCartesianPosition,
     kCartesianMotionGeneratorAccelerationDiscontinuity, false, kTable},
    {"O_T_EE_c", "implied rotational jerk", "rad/s^3", kCartesianPosition,
     kCartesianMotionGeneratorAccelerationDiscontinuity, false, kTable},
    {"q_d", "joint acceleration of O_T_EE_c", "rad/s^2", kCartesianPosition,
     kCartesianMotionGeneratorJointVelocityDiscontinuity, false, kTable},
    {"q_d", "joint jerk of O_T_EE_c", "rad/s^3", kCartesianPosition,
     kCartesianMotionGeneratorJointAccelerationDiscontinuity, false, kTable},
    {"elbow_c", "inside the range of joint 3", "rad", kCartesianPosition,
     kCartesianMotionGeneratorElbowLimitViolation, false, kTable},
    {"elbow_c", "implied velocity", "rad/s", kCartesianPosition,
     kCartesianMotionGeneratorElbowLimitViolation, false, kTable},
    {"elbow_c", "implied acceleration", "rad/s^2", kCartesianPosition,
     kCartesianMotionGeneratorElbowLimitViolation, false, kTable},
    {"elbow_c", "implied jerk", "rad/s^3", kCartesianPosition,
     kCartesianMotionGeneratorElbowLimitViolation, false, kTable},
    {"q_d", "joints of O_T_EE_c inside their range", "rad", kCartesianPosition,
     kCartesianMotionGeneratorJointPositionLimitsViolation, false, "assumed.hpp C5"},
    {"q_d", "joint velocity of O_T_EE_c in the envelope", "rad/s", kCartesianPosition,
     kCartesianMotionGeneratorJointVelocityLimitsViolation, false, "assumed.hpp C5"},

    {"O_dP_EE_c", "finite", "m/s, rad/s", kCartesianVelocity,
     kCartesianMotionGeneratorVelocityLimitsViolation, true, kNonFinite},
    {"elbow_c", "finite", "rad", kCartesianVelocity,
     kCartesianMotionGeneratorVelocityLimitsViolation, true, kNonFinite},
    {"O_dP_EE_c", "translational acceleration", "m/s^2", kCartesianVelocity,
     kCartesianMotionGeneratorAccelerationDiscontinuity, false, kTable},
    {"O_dP_EE_c", "rotational acceleration", "rad/s^2", kCartesianVelocity,
     kCartesianMotionGeneratorAccelerationDiscontinuity, false, kTable},
    {"O_dP_EE_c", "translational jerk", "m/s^3", kCartesianVelocity,
     kCartesianMotionGeneratorAccelerationDiscontinuity, false, kTable},
    {"O_dP_EE_c", "rotational jerk", "rad/s^3", kCartesianVelocity,
     kCartesianMotionGeneratorAccelerationDiscontinuity, false, kTable},
    {"O_dP_EE_c", "translational velocity", "m/s", kCartesianVelocity,
     kCartesianMotionGeneratorVelocityLimitsViolation, false, kTable},
    {"O_dP_EE_c", "rotational velocity", "rad/s", kCartesianVelocity,
     kCartesianMotionGeneratorVelocityLimitsViolation, false, kTable},
    {"q_d", "joint acceleration of O_dP_EE_c", "rad/s^2", kCartesianVelocity,
     kCartesianMotionGeneratorJointAccelerationDiscontinuity, false, kTable},
    {"q_d", "joint jerk of O_dP_EE_c", "rad/s^3", kCartesianVelocity,
     kCartesianMotionGeneratorJointAccelerationDiscontinuity, false, kTable},
    {"elbow_c", "first one at elbow", "rad", kCartesianVelocity,
     kCartesianMotionGeneratorStartElbowInvalid, false, kTable},
    {"elbow_c", "first one on the branch of elbow", "-", kCartesianVelocity,
     kCartesianMotionGeneratorStartElbowInvalid, false, kTable},
    {"elbow_c", "stays on its branch", "-", kCartesianVelocity,
     kCartesianMotionGeneratorElbowSignInconsistent, false, kTable},
    {"elbow_c", "inside the range of joint 3", "rad", kCartesianVelocity,
     kCartesianMotionGeneratorElbowLimitViolation, false, kTable},
    {"elbow_c", "implied velocity", "rad/s", kCartesianVelocity,
     kCartesianMotionGeneratorElbowLimitViolation, false, kTable},
    {"elbow_c", "implied acceleration", "rad/s^2", kCartesianVelocity,
     kCartesianMotionGeneratorElbowLimitViolation, false, kTable},
    {"elbow_c", "implied jerk", "rad/s^3", kCartesianVelocity,
     kCartesianMotionGeneratorElbowLimitViolation, false, kTable},
    {"q_d", "joints of O_dP_EE_c inside their range", "rad", kCartesianVelocity,
     kCartesianMotionGeneratorJointPositionLimitsViolation, false, "assumed.hpp C5"},
    {"q_d", "joint velocity of O_dP_EE_c in the envelope", "rad/s", kCartesianVelocity,
     kCartesianMotionGeneratorJointVelocityLimitsViolation, false, "assumed.hpp C5"},

    {"O_T_EE", "measured speed of EE", "m/s", kNone, kCartesianVelocityViolation, false,
     "reference 000, cartesian_velocity_violation (4)"},
    {"dq", "measured velocity in the envelope", "rad/s", kNone, kJointVelocityViolation, false,
     "reference 000, joint_velocity_violation (3)"},
    {"q", "distance of links", "m", kNone, kSelfCollisionAvoidanceViolation, false,
     "reference 000, self_collision_avoidance_violation (2)"},
    {"q", "measured position inside the joint range", "rad", kNone, kJointPositionLimitsViolation,
     false, "assumed.hpp M1"},
    {"O_T_EE", "inside the configured box", "m", kNone, kCartesianPositionLimitsViolation, false,
     "assumed.hpp M2"},
    {"O_T_EE", "path deviation, translation", "m", kNone, kMaxPathPoseDeviationViolation, false,
     "assumed.hpp M3"},
    {"O_T_EE", "path deviation, rotation", "rad", kNone, kMaxPathPoseDeviationViolation, false,
     "assumed.hpp M3"},
    {"elbow", "path deviation", "rad", kNone, kMaxPathPoseDeviationViolation, false,
     "assumed.hpp M3"},
    {"O_T_EE", "goal deviation, translation", "m", kNone, kMaxGoalPoseDeviationViolation, false,
     "assumed.hpp M3"},
    {"O_T_EE", "goal deviation, rotation", "rad", kNone, kMaxGoalPoseDeviationViolation, false,
     "assumed.hpp M3"},
    {"elbow", "goal deviation", "rad", kNone, kMaxGoalPoseDeviationViolation, false,
     "assumed.hpp M3"},
};
static_assert(std::size(kChecks) == static_cast<std::size_t>(Row::kCount));

}  // namespace

std::span<const CheckRow> checks() noexcept { return kChecks; }

}  // namespace fsim::judge
