// Forward kinematics, Jacobians and the elbow. Must not know masses.
#include "robot/kinematics.hpp"

#include <cmath>

#include "base/transforms.hpp"
#include "robot/model.hpp"
#include "robot/spatial.hpp"

namespace fsim::robot {

void joint_frames(const RobotType& robot, const Vec7& q,
                  std::array<Mat4, kJoints>& O_T_J) noexcept {
  Mat4 parent = kIdentity4;
  for (std::size_t i = 0; i < kJoints; ++i) {
    Mat4 T = compose(parent, robot.joint_origin[i]);
    // Turn about the joint's own z: only the first two columns change.
    const double c = std::cos(q[i]), s = std::sin(q[i]);
    for (std::size_t row = 0; row < 3; ++row) {
      const double x = T[row], y = T[4 + row];
      T[row] = c * x + s * y;
      T[4 + row] = c * y - s * x;
    }
    O_T_J[i] = parent = T;
  }
}

Mat4 flange_pose(const RobotType& robot, const Vec7& q) noexcept {
  std::array<Mat4, kJoints> O_T_J;
  joint_frames(robot, q, O_T_J);
  return compose(O_T_J[kJoints - 1], robot.flange_origin);
}

Mat67 flange_jacobian(const std::array<Mat4, kJoints>& O_T_J, const Mat4& O_T_F) noexcept {
  using namespace spatial;
  Mat67 J;
  const Vec3 tip = position(O_T_F);
  for (std::size_t i = 0; i < kJoints; ++i) {
    const Vec3 z = axis_z(O_T_J[i]);
    const Vec3 v = cross(z, tip - position(O_T_J[i]));
    for (std::size_t k = 0; k < 3; ++k) {
      J[i * 6 + k] = v[k];
      J[i * 6 + 3 + k] = z[k];
    }
  }
  return J;
}

Mat67 shift_jacobian(const Mat67& J_F, const Mat4& O_T_F, const Mat4& F_T_X) noexcept {
  using namespace spatial;
  Mat67 J = J_F;
  const Vec3 lever = position(compose(O_T_F, F_T_X)) - position(O_T_F);
  for (std::size_t i = 0; i < kJoints; ++i) {
    const Vec3 w{J_F[i * 6 + 3], J_F[i * 6 + 4], J_F[i * 6 + 5]};
    const Vec3 v = cross(w, lever);
    for (std::size_t k = 0; k < 3; ++k) J[i * 6 + k] += v[k];
  }
  return J;
}

std::array<double, 2> elbow(const RobotType& robot, const Vec7& q) noexcept {
  return {q[2], q[3] < robot.elbow_flip_q4 ? -1.0 : 1.0};
}

}  // namespace fsim::robot
