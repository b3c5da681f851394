// Rotations as vectors (axis times angle), and the exact motion of a frame under a constant twist.
// Must not know which frame is which.
#pragma once

#include "base/types.hpp"

namespace fsim {

/// The rotation by |v| about v, column-major (Rodrigues).
Mat3 rotation_from_vector(const Vec3& v) noexcept;

/// The vector v, |v| <= pi, in base axes, whose rotation turns the axes of `from` into those of
/// `to`. Exact when both are orthonormal; where `to` is not quite (1e-5 is legal on the wire), v
/// vanishes exactly when `from` is the rotation nearest to it.
Vec3 rotation_between(const Mat4& from, const Mat4& to) noexcept;

/// Where O_T_EE is after `dt` under a constant O_dP_EE: its origin moves along the linear part, its
/// axes turn about the angular part. Both are in O's axes, so the rotation enters on the left.
Mat4 integrate_twist(const Mat4& O_T_EE, const Vec6& O_dP_EE, double dt) noexcept;

}  // namespace fsim
