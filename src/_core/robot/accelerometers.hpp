// What the accelerometers on the boards of joints 1 to 6 read, from rigid-body motion. Must not
// know noise or bytes.
#pragma once

#include "robot/model.hpp"

namespace fsim::robot {

/// Specific force in each sensor's axes, links 0 to 5, [link][axis] as on the wire [m/s^2].
struct AccelerometerReadings {
  std::array<double, 3 * kSensedLinks> top;
  std::array<double, 3 * kSensedLinks> bottom;
};

/// The sensors of the arm whose frames `arm` holds, moving with `dq` and `ddq`; `g` is the gravity
/// acceleration in O. A resting sensor reads 9.81 upward (robot-model.md section 5, ASSUMED A5).
void accelerometers(const RobotType& robot, const ArmState& arm, const Vec7& dq, const Vec7& ddq,
                    const Vec3& g, AccelerometerReadings& out) noexcept;

}  // namespace fsim::robot
