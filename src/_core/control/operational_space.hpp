// What an arm weighs at a frame fixed to its flange, and damping that fits it. Must not know what
// the frame is for. Eigen inside a control law only: fixed sizes, nothing allocates.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include "base/types.hpp"
#include "robot/model.hpp"

namespace fsim::control {

using Matrix3 = Eigen::Matrix3d;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Matrix7 = Eigen::Matrix<double, 7, 7>;
using Matrix67 = Eigen::Matrix<double, 6, 7>;
using Vector6 = Eigen::Matrix<double, 6, 1>;
using Vector7 = Eigen::Matrix<double, 7, 1>;

inline Eigen::Map<const Vector6> vector(const Vec6& v) {
  return Eigen::Map<const Vector6>(v.data());
}
inline Eigen::Map<const Vector7> vector(const Vec7& v) {
  return Eigen::Map<const Vector7>(v.data());
}
inline Eigen::Map<const Eigen::Matrix4d> matrix(const Mat4& T) {
  return Eigen::Map<const Eigen::Matrix4d>(T.data());
}

/// Angle times axis of a rotation.
Eigen::Vector3d rotation_vector(const Matrix3& R) noexcept;

class OperationalSpace {
 public:
  /// `J`: Jacobian of the frame, 3 linear rows and 3 angular, in any axes that all that follows
  /// shares.
  OperationalSpace(const robot::RobotType& robot, const robot::ArmState& arm,
                   const Matrix67& J) noexcept;

  /// Wrench that damps `velocity` so that each mode of the arm's inertia on springs `K` decays with
  /// `ratio`; directions without a spring are not damped.
  Vector6 damping(const Vec6& K, const Vector6& velocity, double ratio) const noexcept;
  /// The part of joint torques `tau` that leaves the frame alone (dynamically consistent).
  Vector7 null_space(const Vector7& tau) const noexcept;
  /// Joint torques of a wrench at the frame.
  Vector7 torques(const Vector6& wrench) const noexcept { return J_.transpose() * wrench; }

 private:
  Matrix67 J_;
  Eigen::LLT<Matrix7> inertia_;
  Eigen::LLT<Matrix6> mobility_;
};

}  // namespace fsim::control
