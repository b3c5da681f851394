// Homogeneous transforms as 16 column-major numbers. Must not know which frame is which.
#pragma once

#include "base/types.hpp"

namespace fsim {

/// A_T_C = A_T_B * B_T_C.
constexpr Mat4 compose(const Mat4& a, const Mat4& b) noexcept {
  Mat4 c{};
  for (std::size_t col = 0; col < 4; ++col)
    for (std::size_t row = 0; row < 4; ++row) {
      double sum = 0;
      for (std::size_t k = 0; k < 4; ++k) sum += a[k * 4 + row] * b[col * 4 + k];
      c[col * 4 + row] = sum;
    }
  return c;
}

/// libfranka's test of a homogeneous transform: last row exactly 0 0 0 1, every row and column of
/// the rotation of unit norm to `tolerance` (wire.md 3.2; reference 000, row 31).
bool is_homogeneous(const Mat4& T, double tolerance = 1e-5) noexcept;

}  // namespace fsim
