// Mobility of a frame, bounded where the Jacobian loses rank.
#include "control/operational_space.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>

namespace fsim::control {
namespace {

/// Added to the operational-space mobility J M⁻¹ Jᵀ [1/kg, 1/(kg m²)]. Chosen: 1 % of its smallest
/// eigenvalue in usual poses (0.1), and more than it where a direction is lost, which bounds the
/// damping there and hands that direction over to the null-space spring.
constexpr double kMobilityFloor = 1e-3;

}  // namespace

Eigen::Vector3d rotation_vector(const Matrix3& R) noexcept {
  // Through a quaternion: well behaved from zero to half a turn.
  Eigen::Quaterniond quaternion(R);
  if (quaternion.w() < 0) quaternion.coeffs() *= -1;
  const double sine = quaternion.vec().norm();
  const double scale = sine > 1e-9 ? 2.0 * std::atan2(sine, quaternion.w()) / sine : 2.0;
  return scale * quaternion.vec();
}

OperationalSpace::OperationalSpace(const robot::RobotType& robot, const robot::ArmState& arm,
                                   const Matrix67& J) noexcept
    : J_(J) {
  Matrix7 inertia = Eigen::Map<const Matrix7>(arm.M.data());
  inertia.diagonal() += vector(robot.armature);
  inertia_.compute(inertia);
  const Eigen::Matrix<double, 7, 6> half = inertia_.matrixL().solve(J.transpose().eval());
  Matrix6 W = half.transpose() * half;
  W.diagonal().array() += kMobilityFloor;
  mobility_.compute(W);
}

Vector6 OperationalSpace::damping(const Vec6& K, const Vector6& velocity,
                                  double ratio) const noexcept {
  // D = Q diag(2 ζ sqrt(k)) Qᵀ with K = Q diag(k) Qᵀ and mobility⁻¹ = Q Qᵀ. With mobility = G Gᵀ
  // and Gᵀ K G = V diag(k) Vᵀ, Q is G⁻ᵀ V.
  const Matrix6 G = mobility_.matrixL();
  const Matrix6 modal = G.transpose() * vector(K).asDiagonal() * G;
  const Eigen::SelfAdjointEigenSolver<Matrix6> modes(modal);
  const Vector6 rate = modes.eigenvalues().cwiseMax(0.0).cwiseSqrt() * (2.0 * ratio);
  const Vector6 inner = modes.eigenvectors().transpose() * mobility_.matrixL().solve(velocity);
  return mobility_.matrixU().solve(modes.eigenvectors() * rate.cwiseProduct(inner));
}

Vector7 OperationalSpace::null_space(const Vector7& tau) const noexcept {
  // The floor of the mobility leaves its share of 1 to 3 % at the frame, as stiff as the softest
  // spring of a client; what is left of that once more is below a thousandth.
  Vector7 rest = tau;
  for (int round = 0; round < 2; ++round) {
    const Vector6 disturbance = J_ * inertia_.solve(rest);
    rest -= J_.transpose() * mobility_.solve(disturbance);
  }
  return rest;
}

}  // namespace fsim::control
