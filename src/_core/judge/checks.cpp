// The precedence table: what Control says when a limit is exceeded. First failing row of a
// generator wins; the rows of external torque are judged beside those of the generator.
#include "judge/checks.hpp"

#include <array>

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
};
static_assert(std::size(kChecks) == static_cast<std::size_t>(Row::kCount));

}  // namespace

std::span<const CheckRow> checks() noexcept { return kChecks; }

}  // namespace fsim::judge
