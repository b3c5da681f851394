// Cartesian impedance with a null space on q_d. The law is unpublished; robot-model.md section 8
// names this one. Must stay bounded where the Jacobian loses rank.
#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>

#include "base/transforms.hpp"
#include "control/controllers.hpp"
#include "control/joint_terms.hpp"

namespace fsim::control {
namespace {

using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Matrix7 = Eigen::Matrix<double, 7, 7>;
using Matrix67 = Eigen::Matrix<double, 6, 7>;
using Vector6 = Eigen::Matrix<double, 6, 1>;
using Vector7 = Eigen::Matrix<double, 7, 1>;

/// Damping ratio. Source: robot-model.md section 8.
constexpr double kZeta = 0.8;
/// Added to the operational-space mobility J M⁻¹ Jᵀ [1/kg, 1/(kg m²)]. Chosen: 1 % of its smallest
/// eigenvalue in usual poses (0.1), and more than it where a direction is lost, which bounds the
/// damping there and hands that direction over to the null-space spring.
constexpr double kMobilityFloor = 1e-3;
/// Null-space spring [Nm/rad]. Chosen: joint friction of 1.1 Nm then leaves the elbow 0.02 rad from
/// q_d instead of 0.1 rad with the 10 Nm/rad of robot-model.md section 8.
constexpr double kNullStiffness = 50.0;

Eigen::Map<const Vector7> vector(const Vec7& v) { return Eigen::Map<const Vector7>(v.data()); }
Eigen::Map<const Eigen::Matrix4d> matrix(const Mat4& T) {
  return Eigen::Map<const Eigen::Matrix4d>(T.data());
}

/// Angle times axis of a rotation.
Eigen::Vector3d rotation_vector(const Eigen::Matrix3d& R) {
  // Through a quaternion: well behaved from zero to half a turn.
  Eigen::Quaterniond quaternion(R);
  if (quaternion.w() < 0) quaternion.coeffs() *= -1;
  const double sine = quaternion.vec().norm();
  const double scale = sine > 1e-9 ? 2.0 * std::atan2(sine, quaternion.w()) / sine : 2.0;
  return scale * quaternion.vec();
}

/// Damping that makes each mode of (inertia, stiffness) decay with ratio kZeta, where the inertia
/// is given by its inverse, the mobility: D = Q diag(2 ζ sqrt(k)) Qᵀ with K = Q diag(k) Qᵀ and
/// mobility⁻¹ = Q Qᵀ.
Vector6 damped(const Eigen::LLT<Matrix6>& mobility, const Vec6& K_x, const Vector6& velocity) {
  // With mobility = G Gᵀ and Gᵀ K G = V diag(k) Vᵀ, Q is G⁻ᵀ V.
  const Matrix6 G = mobility.matrixL();
  const Matrix6 modal = G.transpose() * Eigen::Map<const Vector6>(K_x.data()).asDiagonal() * G;
  const Eigen::SelfAdjointEigenSolver<Matrix6> modes(modal);
  const Vector6 rate = modes.eigenvalues().cwiseMax(0.0).cwiseSqrt() * (2.0 * kZeta);
  const Vector6 inner = modes.eigenvectors().transpose() * mobility.matrixL().solve(velocity);
  return mobility.matrixU().solve(modes.eigenvectors() * rate.cwiseProduct(inner));
}

}  // namespace

Vec7 cartesian_impedance(const robot::RobotType& robot, const robot::ArmState& arm, const Vec7& q,
                         const Vec7& dq, const judge::Reference& ref, const Mat4& F_T_EE,
                         const Mat4& EE_T_K, const Vec6& K_x) noexcept {
  const Mat4 F_T_K = compose(F_T_EE, EE_T_K);
  const Mat4 O_T_K = compose(arm.O_T_F, F_T_K);
  const Mat4 O_T_Kd = compose(robot::flange_pose(robot, ref.q_d), F_T_K);
  const Eigen::Matrix3d R = matrix(O_T_K).topLeftCorner<3, 3>();
  const Eigen::Matrix3d R_d = matrix(O_T_Kd).topLeftCorner<3, 3>();

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

  // What the arm weighs at K: inverse of the mobility.
  Matrix7 inertia = Eigen::Map<const Matrix7>(arm.M.data());
  inertia.diagonal() += vector(robot.armature);
  const Eigen::LLT<Matrix7> cholesky(inertia);
  const Eigen::Matrix<double, 7, 6> half = cholesky.matrixL().solve(J.transpose().eval());
  Matrix6 W = half.transpose() * half;
  W.diagonal().array() += kMobilityFloor;
  const Eigen::LLT<Matrix6> mobility(W);

  const Vector6 wrench = Eigen::Map<const Vector6>(K_x.data()).cwiseProduct(error) +
                         damped(mobility, K_x, J * velocity_error);

  // Null space: a spring on q_d, less the part that would accelerate K.
  Vector7 null_torque;
  for (std::size_t i = 0; i < kJoints; ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const double D = joint_damping(robot, arm, i, kNullStiffness, 1.0);
    null_torque[k] = kNullStiffness * (ref.q_d[i] - q[i]) + D * velocity_error[k];
  }
  const Vector6 disturbance = J * cholesky.solve(null_torque);

  Vec7 tau = feed_forward(robot, arm, ref);
  Eigen::Map<Vector7>(tau.data()) +=
      J.transpose() * (wrench - mobility.solve(disturbance)) + null_torque;
  return tau;
}

}  // namespace fsim::control
