// Checks on homogeneous transforms.
#include "base/transforms.hpp"

#include <cmath>

namespace fsim {

bool is_homogeneous(const Mat4& T, double tolerance) noexcept {
  for (const double x : T)
    if (!std::isfinite(x)) return false;
  if (T[3] != 0 || T[7] != 0 || T[11] != 0 || T[15] != 1) return false;
  for (std::size_t i = 0; i < 3; ++i) {
    const double column = std::hypot(T[4 * i], T[4 * i + 1], T[4 * i + 2]);
    const double row = std::hypot(T[i], T[4 + i], T[8 + i]);
    if (std::abs(column - 1) > tolerance || std::abs(row - 1) > tolerance) return false;
  }
  return true;
}

}  // namespace fsim
