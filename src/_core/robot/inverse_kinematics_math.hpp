// Symmetric 6x6 systems of inverse kinematics: J Jᵀ and its Cholesky factor.
// Must not know the arm.
#pragma once

#include <array>
#include <cmath>

#include "base/types.hpp"

namespace fsim::robot::ik {

/// Row-major; symmetric matrices are held whole, triangular ones in the lower half.
using Mat66 = std::array<std::array<double, 6>, 6>;

/// J Jᵀ + damping 1.
constexpr Mat66 gram(const Mat67& J, double damping) noexcept {
  Mat66 A{};
  for (std::size_t r = 0; r < 6; ++r) {
    for (std::size_t c = 0; c <= r; ++c) {
      double sum = 0;
      for (std::size_t i = 0; i < kJoints; ++i) sum += J[6 * i + r] * J[6 * i + c];
      A[r][c] = A[c][r] = sum;
    }
    A[r][r] += damping;
  }
  return A;
}

/// Cholesky factor; the diagonal holds reciprocals. `A` must be positive definite.
inline Mat66 factor(const Mat66& A) noexcept {
  Mat66 L{};
  for (std::size_t c = 0; c < 6; ++c) {
    double pivot = A[c][c];
    for (std::size_t k = 0; k < c; ++k) pivot -= L[c][k] * L[c][k];
    L[c][c] = 1 / std::sqrt(pivot);
    for (std::size_t r = c + 1; r < 6; ++r) {
      double sum = A[r][c];
      for (std::size_t k = 0; k < c; ++k) sum -= L[r][k] * L[c][k];
      L[r][c] = sum * L[c][c];
    }
  }
  return L;
}

/// x with A x = b, from factor(A).
constexpr Vec6 solve(const Mat66& L, Vec6 b) noexcept {
  for (std::size_t r = 0; r < 6; ++r) {
    for (std::size_t k = 0; k < r; ++k) b[r] -= L[r][k] * b[k];
    b[r] *= L[r][r];
  }
  for (std::size_t r = 6; r-- > 0;) {
    for (std::size_t k = r + 1; k < 6; ++k) b[r] -= L[k][r] * b[k];
    b[r] *= L[r][r];
  }
  return b;
}

/// Jᵀ x.
constexpr Vec7 transpose_times(const Mat67& J, const Vec6& x) noexcept {
  Vec7 y{};
  for (std::size_t i = 0; i < kJoints; ++i)
    for (std::size_t k = 0; k < 6; ++k) y[i] += J[6 * i + k] * x[k];
  return y;
}

}  // namespace fsim::robot::ik
