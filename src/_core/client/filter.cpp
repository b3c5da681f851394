// Low-pass filters of scalars and poses.
#include "client/filter.hpp"

#include <cmath>
#include <numbers>

#include "base/rotation.hpp"

namespace fsim::client {
namespace {

/// Cofactors of the axes: column k is the cross product of the other two.
Mat3 cofactors(const Mat4& T) noexcept {
  Mat3 c{};
  for (std::size_t k = 0; k < 3; ++k) {
    const double* a = &T[4 * ((k + 1) % 3)];
    const double* b = &T[4 * ((k + 2) % 3)];
    c[3 * k] = a[1] * b[2] - a[2] * b[1];
    c[3 * k + 1] = a[2] * b[0] - a[0] * b[2];
    c[3 * k + 2] = a[0] * b[1] - a[1] * b[0];
  }
  return c;
}

double determinant(const Mat4& T, const Mat3& c) noexcept {
  return T[0] * c[0] + T[1] * c[1] + T[2] * c[2];
}

}  // namespace

double lowpass_gain(double dt, double hz) noexcept {
  return dt / (dt + 1 / (2 * std::numbers::pi * hz));
}

bool is_right_handed(const Mat4& T) noexcept { return determinant(T, cofactors(T)) > 0; }

Mat4 with_nearest_rotation(const Mat4& T) noexcept {
  // Newton's iteration for the polar factor: the mean of X and its inverse transpose. It squares
  // the distance each time: 1e-5, legal on the wire, is 1e-20 after two. chosen: 30 turns, enough
  // from any scale of 1e±4.
  Mat4 X = T;
  for (int turn = 0; turn < 30; ++turn) {
    const Mat3 c = cofactors(X);
    const double scale = 1 / determinant(X, c);
    double moved = 0;
    for (std::size_t col = 0; col < 3; ++col)
      for (std::size_t row = 0; row < 3; ++row) {
        double& x = X[4 * col + row];
        const double half = 0.5 * (c[3 * col + row] * scale - x);
        x += half;
        moved = std::fmax(moved, std::abs(half));
      }
    // The square of 1e-9 is below rounding.
    if (moved < 1e-9) break;
  }
  return X;
}

Mat4 lowpass_pose(double gain, const Mat4& O_T_EE, const Mat4& last) noexcept {
  const Mat4 from = with_nearest_rotation(last);
  const Vec3 turn = rotation_between(from, with_nearest_rotation(O_T_EE));
  Mat4 T = integrate_twist(from, {0, 0, 0, turn[0], turn[1], turn[2]}, gain);
  for (std::size_t k = 12; k < 15; ++k) T[k] = lowpass(gain, O_T_EE[k], last[k]);
  return T;
}

}  // namespace fsim::client
