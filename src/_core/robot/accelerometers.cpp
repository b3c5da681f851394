// Point accelerations out along the chain, all about O.
#include "robot/accelerometers.hpp"

#include "base/transforms.hpp"
#include "robot/kinematics.hpp"
#include "robot/spatial.hpp"

namespace fsim::robot {
namespace {

using spatial::Motion;

/// Acceleration of the body point at `T`'s origin, in T's axes. `a` contains gravity already.
Vec3 felt_at(const Mat4& T, const Motion& v, const Motion& a) noexcept {
  using namespace spatial;
  const Vec3 p = position(T);
  const Vec3 at = a.linear + cross(a.angular, p) + cross(v.angular, v.linear + cross(v.angular, p));
  return {T[0] * at[0] + T[1] * at[1] + T[2] * at[2], T[4] * at[0] + T[5] * at[1] + T[6] * at[2],
          T[8] * at[0] + T[9] * at[1] + T[10] * at[2]};
}

}  // namespace

void accelerometers(const RobotType& robot, const ArmState& arm, const Vec7& dq, const Vec7& ddq,
                    const Vec3& g, AccelerometerReadings& out) noexcept {
  using namespace spatial;
  Motion v{};
  // Gravity as an acceleration of the base the other way.
  Motion a{{}, -1.0 * g};
  Mat4 O_T_L = kIdentity4;
  for (std::size_t link = 0; link < kSensedLinks; ++link) {
    if (link > 0) {
      const std::size_t joint = link - 1;
      O_T_L = arm.O_T_J[joint];
      const Vec3 z = axis_z(O_T_L);
      const Motion S{z, cross(position(O_T_L), z)};
      v = v + dq[joint] * S;
      a = a + ddq[joint] * S + dq[joint] * cross(v, S);
    }
    const auto read = [&](const Mat4& L_T_S, std::array<double, 3 * kSensedLinks>& into) {
      const Vec3 felt = felt_at(compose(O_T_L, L_T_S), v, a);
      for (std::size_t k = 0; k < 3; ++k) into[3 * link + k] = felt[k];
    };
    read(robot.accelerometer_top[link], out.top);
    read(robot.accelerometer_bottom[link], out.bottom);
  }
}

}  // namespace fsim::robot
