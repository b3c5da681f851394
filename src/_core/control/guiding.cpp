// The law is unpublished; that locked directions are those of O is ASSUMED A6.
#include "control/guiding.hpp"

#include <Eigen/Geometry>

#include "base/rotation.hpp"
#include "base/transforms.hpp"
#include "control/joint_terms.hpp"
#include "control/operational_space.hpp"

namespace fsim::control {
namespace {

/// Drag [Nm s/rad]. Chosen: an arm let go at 0.2 rad/s stands after 0.1 rad without any friction
/// (M about 1 to 2.5 kg m^2 at joints 1 to 4), and 10 N at 0.5 m move it at 1 rad/s.
constexpr Vec7 kDrag{5, 5, 5, 5, 1.5, 1.5, 1.5};
/// Locked directions: the stiffest that SetCartesianImpedance allows (robot-model.md section 8).
constexpr Vec6 kStiffness{3000, 3000, 3000, 300, 300, 300};
/// Locked elbow, at joint 3 [Nm/rad]: its joint impedance at power-on.
constexpr double kElbowStiffness = 3000;
/// Damping ratios as those of the impedance controllers.
constexpr double kZeta = 0.8, kElbowZeta = 0.7;
/// Springs before the stops [rad, Nm/rad]. Chosen: 30 Nm at the stop, more than a hand gives to one
/// joint without meaning to.
constexpr double kStopMargin = 0.1, kStopStiffness = 300;

double stop_torque(const robot::JointLimits& limits, std::size_t i, double q) noexcept {
  const double over = q - (limits.upper[i] - kStopMargin);
  if (over > 0) return -kStopStiffness * over;
  const double under = q - (limits.lower[i] + kStopMargin);
  return under < 0 ? -kStopStiffness * under : 0.0;
}

}  // namespace

void Guiding::begin(const Mat4& O_T_EE, const Vec7& q) noexcept {
  O_T_anchor_ = O_T_EE;
  q3_anchor_ = q[2];
}

Vec7 Guiding::torque(const robot::RobotType& robot, const robot::ArmState& arm, const Vec7& q,
                     const Vec7& dq, const Mat4& F_T_EE, const GuidingAxes& axes) noexcept {
  Vec7 tau;
  for (std::size_t i = 0; i < kJoints; ++i)
    tau[i] = stop_torque(robot.limits, i, q[i]) - kDrag[i] * dq[i];

  const Mat4 O_T_EE = compose(arm.O_T_F, F_T_EE);
  const Mat67 shifted = robot::shift_jacobian(arm.J_F, arm.O_T_F, F_T_EE);
  const Matrix67 J = Eigen::Map<const Matrix67>(shifted.data());
  const Vector6 twist = J * vector(dq);

  // The anchor goes along where EE is free.
  Vec3 turn{};
  Vec6 K{};
  bool locked = false;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto angular = static_cast<Eigen::Index>(k + 3);
    if (axes.free[k]) O_T_anchor_[12 + k] = O_T_EE[12 + k];
    if (axes.free[k + 3]) turn[k] = twist[angular] * kDt;
  }
  for (std::size_t k = 0; k < 6; ++k) {
    if (!axes.free[k]) K[k] = kStiffness[k];
    locked |= !axes.free[k];
  }
  const Matrix3 R = matrix(O_T_EE).topLeftCorner<3, 3>();
  Matrix3 R_anchor = R;
  if (!(axes.free[3] && axes.free[4] && axes.free[5])) {
    const Mat3 turned = rotation_from_vector(turn);
    R_anchor = Eigen::Map<const Matrix3>(turned.data()) * matrix(O_T_anchor_).topLeftCorner<3, 3>();
  }
  Eigen::Map<Eigen::Matrix4d>(O_T_anchor_.data()).topLeftCorner<3, 3>() = R_anchor;
  if (locked) {
    Vector6 error;
    error.head<3>() =
        matrix(O_T_anchor_).topRightCorner<3, 1>() - matrix(O_T_EE).topRightCorner<3, 1>();
    error.tail<3>() = rotation_vector(R_anchor * R.transpose());
    const OperationalSpace space(robot, arm, J);
    const Vector6 wrench = vector(K).cwiseProduct(error) + space.damping(K, -twist, kZeta);
    Eigen::Map<Vector7>(tau.data()) += space.torques(wrench);
  }
  if (axes.elbow) {
    q3_anchor_ = q[2];
  } else {
    tau[2] += kElbowStiffness * (q3_anchor_ - q[2]) -
              joint_damping(robot, arm, 2, kElbowStiffness, kElbowZeta) * dq[2];
  }
  return tau;
}

}  // namespace fsim::control
