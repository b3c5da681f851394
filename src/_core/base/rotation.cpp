// Exponential and logarithm of rotations.
#include "base/rotation.hpp"

#include <cmath>

namespace fsim {

Mat3 rotation_from_vector(const Vec3& v) noexcept {
  const double angle = std::hypot(v[0], v[1], v[2]);
  // sin(a)/a and (1 - cos(a))/a², the latter through the half angle: no cancellation.
  const double half = std::sin(0.5 * angle);
  const double s = angle > 0 ? std::sin(angle) / angle : 1.0;
  const double c = angle > 0 ? 2 * (half / angle) * (half / angle) : 0.5;
  const double diagonal = 1 - 2 * half * half;
  return {diagonal + c * v[0] * v[0], c * v[0] * v[1] + s * v[2], c * v[0] * v[2] - s * v[1],
          c * v[0] * v[1] - s * v[2], diagonal + c * v[1] * v[1], c * v[1] * v[2] + s * v[0],
          c * v[0] * v[2] + s * v[1], c * v[1] * v[2] - s * v[0], diagonal + c * v[2] * v[2]};
}

Vec3 rotation_between(const Mat4& from, const Mat4& to) noexcept {
  // D = to fromᵀ, as D[row][col].
  double D[3][3];
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t c = 0; c < 3; ++c)
      D[r][c] = to[r] * from[c] + to[4 + r] * from[4 + c] + to[8 + r] * from[8 + c];
  // Its skew part is sin(angle) times the axis, its trace 1 + 2 cos(angle).
  const Vec3 skew{0.5 * (D[2][1] - D[1][2]), 0.5 * (D[0][2] - D[2][0]), 0.5 * (D[1][0] - D[0][1])};
  const double sine = std::sqrt(skew[0] * skew[0] + skew[1] * skew[1] + skew[2] * skew[2]);
  const double cosine = 0.5 * (D[0][0] + D[1][1] + D[2][2] - 1);
  // Below 1e-3 rad two terms of arcsin hold to 1e-15, and in a cycle nothing else is seen.
  if (cosine > 0 && sine < 1e-3) {
    const double k = 1 + sine * sine / 6;
    return {k * skew[0], k * skew[1], k * skew[2]};
  }
  const double angle = std::atan2(sine, cosine);
  if (cosine > -0.99) {
    const double k = angle / sine;
    return {k * skew[0], k * skew[1], k * skew[2]};
  }
  // Near half a turn the axis stands in the symmetric part: (1 - cos) axis axisᵀ + cos 1.
  std::size_t largest = 0;
  for (std::size_t k = 1; k < 3; ++k)
    if (D[k][k] > D[largest][largest]) largest = k;
  Vec3 axis{};
  for (std::size_t k = 0; k < 3; ++k)
    axis[k] = 0.5 * (D[k][largest] + D[largest][k]) - (k == largest ? cosine : 0.0);
  const double along = axis[0] * skew[0] + axis[1] * skew[1] + axis[2] * skew[2];
  const double k = (along < 0 ? -angle : angle) / std::hypot(axis[0], axis[1], axis[2]);
  return {k * axis[0], k * axis[1], k * axis[2]};
}

Mat4 integrate_twist(const Mat4& O_T_EE, const Vec6& O_dP_EE, double dt) noexcept {
  const Mat3 R = rotation_from_vector({dt * O_dP_EE[3], dt * O_dP_EE[4], dt * O_dP_EE[5]});
  Mat4 T = O_T_EE;
  for (std::size_t col = 0; col < 3; ++col)
    for (std::size_t row = 0; row < 3; ++row)
      T[4 * col + row] = R[row] * O_T_EE[4 * col] + R[3 + row] * O_T_EE[4 * col + 1] +
                         R[6 + row] * O_T_EE[4 * col + 2];
  for (std::size_t k = 0; k < 3; ++k) T[12 + k] += dt * O_dP_EE[k];
  return T;
}

}  // namespace fsim
