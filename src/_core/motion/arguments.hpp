// Whether a request's arguments are ones the robot accepts. Must not know the state: whether the
// request is possible now is the machine's.
#pragma once

#include "wire/commands.hpp"

namespace fsim::motion {

/// False: kInvalidArgumentRejected. Ranges: wire.md 7, libfranka robot.h (K_theta 0..14250 Nm/rad,
/// K_x 10..3000 N/m and 1..300 Nm/rad); transforms by libfranka's tolerance; loads by
/// robot-model.md 6; thresholds finite, not negative, lower <= upper; wire.md 5.9 for asynchronous
/// motions.
bool acceptable(const wire::Request& request) noexcept;

}  // namespace fsim::motion
