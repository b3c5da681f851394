// What the tests of inverse kinematics share: pose errors, random joints, Jacobians.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "robot/inverse_kinematics.hpp"
#include "robot/kinematics.hpp"

namespace fsim::robot {

inline constexpr double kPi = 3.141592653589793;

inline double largest(const Vec7& a, const Vec7& b) {
  double worst = 0;
  for (std::size_t i = 0; i < kJoints; ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

/// Distance and angle between two poses, the angle by the chord of the rotation matrices.
inline std::array<double, 2> pose_error(const Mat4& a, const Mat4& b) {
  double chord = 0;
  for (std::size_t col = 0; col < 3; ++col)
    for (std::size_t row = 0; row < 3; ++row)
      chord += std::pow(a[4 * col + row] - b[4 * col + row], 2);
  return {std::hypot(a[12] - b[12], a[13] - b[13], a[14] - b[14]), std::sqrt(chord / 2)};
}

inline bool meets(const Vec7& q, const Mat4& O_T_F) {
  const auto [distance, angle] = pose_error(flange_pose(kFr3, q), O_T_F);
  return distance <= kIkTolerance && angle <= kIkTolerance;
}

inline Vec7 random_q(std::mt19937_64& rng, double inside) {
  Vec7 q;
  for (std::size_t i = 0; i < kJoints; ++i)
    q[i] = std::uniform_real_distribution<double>(kFr3.limits.lower[i] + inside,
                                                  kFr3.limits.upper[i] - inside)(rng);
  return q;
}

inline Mat67 jacobian(const Vec7& q) {
  std::array<Mat4, kJoints> frames;
  joint_frames(kFr3, q, frames);
  return flange_jacobian(frames, flange_pose(kFr3, q));
}

/// Smallest singular value with joint 3 held.
inline double sigma_held(const Vec7& q) {
  Mat67 J = jacobian(q);
  std::fill_n(J.begin() + 12, 6, 0.0);
  return smallest_singular_value(J);
}

}  // namespace fsim::robot
