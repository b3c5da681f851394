// Errors that this server never raises, each with its reason. What a row of checks() raises must
// not be here (tests/meta/test_tables.py). Definitions: libfranka errors.h.
#pragma once

#include <array>

#include "wire/errors.hpp"

namespace fsim::judge {

struct Unraised {
  wire::Error error;
  const char* reason;
};

inline constexpr std::array kUnraised{
    Unraised{wire::Error::kForceControlSafetyViolation,
             "a threshold \"during force control\": the FCI has no force controller, and the "
             "threshold is not published"},
    Unraised{wire::Error::kCartesianVelocityProfileSafetyViolation,
             "the velocity profile of internal motions, which are Desk's"},
    Unraised{wire::Error::kForceControllerDesiredForceToleranceViolation,
             "the desired force of a force controller, which the FCI has not"},
    Unraised{wire::Error::kStartElbowSignInconsistent, "applies only to motions started from Desk"},
    Unraised{wire::Error::kPowerLimitViolation,
             "the joints together draw more power than the robot is built for (libfranka issue "
             "143); neither the limit in watts nor what a motor draws for its torque is published"},
    Unraised{wire::Error::kJointP2PInsufficientTorqueForPlanning,
             "applies only to motions started from Desk"},
    Unraised{wire::Error::kInstabilityDetected,
             "that an instability is detected is all that is published: no signal, no criterion"},
    Unraised{wire::Error::kJointMoveInWrongDirection,
             "guiding further out of the joint range while that error is latched; this server "
             "does not guide while an error is latched"},
    Unraised{wire::Error::kCartesianSplineMotionGeneratorViolation,
             "an internal motion generator of Desk's motions"},
    Unraised{wire::Error::kJointViaMotionGeneratorPlanningJointLimitViolation,
             "an internal motion generator of Desk's motions"},
    Unraised{wire::Error::kBaseAccelerationInitializationTimeout,
             "the base's acceleration is known from the start: no sensor to wait for"},
    Unraised{wire::Error::kBaseAccelerationInvalidReading,
             "the base's acceleration is a setting: no reading that could be invalid"},
};

}  // namespace fsim::judge
