// Rotations of transforms as the judge compares them. Must not know limits.
#include "base/rotation.hpp"
#include "base/transforms.hpp"
#include "judge/cartesian.hpp"

namespace fsim::judge {

Vec3 rotate(const Mat4& T, const Vec3& v) noexcept {
  return {T[0] * v[0] + T[4] * v[1] + T[8] * v[2], T[1] * v[0] + T[5] * v[1] + T[9] * v[2],
          T[2] * v[0] + T[6] * v[1] + T[10] * v[2]};
}

Vec3 rotate_back(const Mat4& T, const Vec3& v) noexcept {
  return {T[0] * v[0] + T[1] * v[1] + T[2] * v[2], T[4] * v[0] + T[5] * v[1] + T[6] * v[2],
          T[8] * v[0] + T[9] * v[1] + T[10] * v[2]};
}

Vec3 turn_from(const Mat4& from, const Mat4& to) noexcept {
  return rotate_back(from, rotation_between(from, to));
}

bool valid_frame(const Mat4& T) noexcept {
  if (!is_homogeneous(T)) return false;
  const double determinant = T[0] * (T[5] * T[10] - T[6] * T[9]) -
                             T[4] * (T[1] * T[10] - T[2] * T[9]) +
                             T[8] * (T[1] * T[6] - T[2] * T[5]);
  return determinant > 0;
}

}  // namespace fsim::judge
