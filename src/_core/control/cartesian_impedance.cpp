// Cartesian impedance with a null space on q_d. The law is unpublished; robot-model.md section 8
// names this one. Must stay bounded where the Jacobian loses rank.
#include "base/transforms.hpp"
#include "control/controllers.hpp"
#include "control/joint_terms.hpp"
#include "control/operational_space.hpp"

namespace fsim::control {
namespace {

/// Damping ratio. Source: robot-model.md section 8.
constexpr double kZeta = 0.8;
/// Null-space spring [Nm/rad]. Chosen: joint friction of 1.1 Nm then leaves the elbow 0.02 rad from
/// q_d instead of 0.1 rad with the 10 Nm/rad of robot-model.md section 8.
constexpr double kNullStiffness = 50.0;

}  // namespace

Vec7 cartesian_impedance(const robot::RobotType& robot, const robot::ArmState& arm, const Vec7& q,
                         const Vec7& dq, const judge::Reference& ref, const Mat4& F_T_EE,
                         const Mat4& EE_T_K, const Vec6& K_x) noexcept {
  const Mat4 F_T_K = compose(F_T_EE, EE_T_K);
  const Mat4 O_T_K = compose(arm.O_T_F, F_T_K);
  const Mat4 O_T_Kd = compose(robot::flange_pose(robot, ref.q_d), F_T_K);
  const Matrix3 R = matrix(O_T_K).topLeftCorner<3, 3>();
  const Matrix3 R_d = matrix(O_T_Kd).topLeftCorner<3, 3>();

  // Jacobian, pose error and twist error in the axes of K.
  const Mat67 shifted = robot::shift_jacobian(arm.J_F, arm.O_T_F, F_T_K);
  Matrix67 J = Eigen::Map<const Matrix67>(shifted.data());
  J.topRows<3>() = (R.transpose() * J.topRows<3>()).eval();
  J.bottomRows<3>() = (R.transpose() * J.bottomRows<3>()).eval();
  Vector6 error;
  error.head<3>() = R.transpose() *
                    (matrix(O_T_Kd).topRightCorner<3, 1>() - matrix(O_T_K).topRightCorner<3, 1>());
  error.tail<3>() = R.transpose() * rotation_vector(R_d * R.transpose());
  const Vector7 velocity_error = vector(ref.dq_d) - vector(dq);

  const OperationalSpace space(robot, arm, J);
  const Vector6 wrench =
      vector(K_x).cwiseProduct(error) + space.damping(K_x, J * velocity_error, kZeta);

  // Null space: a spring on q_d, less the part that would accelerate K.
  Vector7 null_torque;
  for (std::size_t i = 0; i < kJoints; ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const double D = joint_damping(robot, arm, i, kNullStiffness, 1.0);
    null_torque[k] = kNullStiffness * (ref.q_d[i] - q[i]) + D * velocity_error[k];
  }
  Vec7 tau = feed_forward(robot, arm, ref);
  Eigen::Map<Vector7>(tau.data()) += space.torques(wrench) + space.null_space(null_torque);
  return tau;
}

}  // namespace fsim::control
