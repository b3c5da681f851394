// Six-dimensional rigid-body algebra about the base origin O, in O's axes: one frame for all links,
// so composite bodies and forces simply add. Must not know joints or robots.
#pragma once

#include <array>

#include "base/types.hpp"

namespace fsim::robot::spatial {

constexpr Vec3 operator+(const Vec3& a, const Vec3& b) noexcept {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
constexpr Vec3 operator-(const Vec3& a, const Vec3& b) noexcept {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
constexpr Vec3 operator*(double s, const Vec3& a) noexcept {
  return {s * a[0], s * a[1], s * a[2]};
}
constexpr double dot(const Vec3& a, const Vec3& b) noexcept {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
constexpr Vec3 cross(const Vec3& a, const Vec3& b) noexcept {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Velocity or acceleration: `linear` is that of the body point passing through O.
struct Motion {
  Vec3 angular{};
  Vec3 linear{};
};
/// Force with its moment about O.
struct Force {
  Vec3 moment{};
  Vec3 force{};
};

constexpr Motion operator+(const Motion& a, const Motion& b) noexcept {
  return {a.angular + b.angular, a.linear + b.linear};
}
constexpr Motion operator*(double s, const Motion& a) noexcept {
  return {s * a.angular, s * a.linear};
}
constexpr Force operator+(const Force& a, const Force& b) noexcept {
  return {a.moment + b.moment, a.force + b.force};
}
constexpr double dot(const Motion& a, const Force& b) noexcept {
  return dot(a.angular, b.moment) + dot(a.linear, b.force);
}
/// Rate of change of motion `m` carried along by velocity `v`.
constexpr Motion cross(const Motion& v, const Motion& m) noexcept {
  return {cross(v.angular, m.angular), cross(v.angular, m.linear) + cross(v.linear, m.angular)};
}
/// Rate of change of force `f` carried along by velocity `v`.
constexpr Force cross(const Motion& v, const Force& f) noexcept {
  return {cross(v.angular, f.moment) + cross(v.linear, f.force), cross(v.angular, f.force)};
}

/// Rigid body or sum of bodies: mass, first moment m c and second moment about O
/// (xx xy xz yy yz zz).
struct Inertia {
  double mass = 0;
  Vec3 moment{};
  std::array<double, 6> second{};
};

constexpr Inertia operator+(const Inertia& a, const Inertia& b) noexcept {
  Inertia sum{a.mass + b.mass, a.moment + b.moment, {}};
  for (std::size_t k = 0; k < 6; ++k) sum.second[k] = a.second[k] + b.second[k];
  return sum;
}
/// Momentum for a velocity; force for an acceleration.
constexpr Force operator*(const Inertia& I, const Motion& m) noexcept {
  const std::array<double, 6>& s = I.second;
  const Vec3& w = m.angular;
  const Vec3 rotated{s[0] * w[0] + s[1] * w[1] + s[2] * w[2],
                     s[1] * w[0] + s[3] * w[1] + s[4] * w[2],
                     s[2] * w[0] + s[4] * w[1] + s[5] * w[2]};
  return {rotated + cross(I.moment, m.linear), I.mass * m.linear - cross(I.moment, w)};
}

/// Body of `mass`, centre `c` and inertia `I` about it (xx xy xz yy yz zz), both in a frame whose
/// pose in O is `T`.
constexpr Inertia place(const Mat4& T, double mass, const Vec3& c,
                        const std::array<double, 6>& I) noexcept {
  // Centre in O.
  const Vec3 x{T[0] * c[0] + T[4] * c[1] + T[8] * c[2] + T[12],
               T[1] * c[0] + T[5] * c[1] + T[9] * c[2] + T[13],
               T[2] * c[0] + T[6] * c[1] + T[10] * c[2] + T[14]};
  // A = R I, then R I Rᵀ row by row.
  const double full[3][3] = {{I[0], I[1], I[2]}, {I[1], I[3], I[4]}, {I[2], I[4], I[5]}};
  double A[3][3] = {};
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t k = 0; k < 3; ++k)
      A[r][k] = T[r] * full[0][k] + T[4 + r] * full[1][k] + T[8 + r] * full[2][k];
  const auto rotated = [&](std::size_t r, std::size_t k) {
    return A[r][0] * T[k] + A[r][1] * T[4 + k] + A[r][2] * T[8 + k];
  };
  // Parallel axes: + m (|x|² 1 - x xᵀ).
  const double xx = x[0] * x[0], yy = x[1] * x[1], zz = x[2] * x[2];
  return {mass,
          mass * x,
          {rotated(0, 0) + mass * (yy + zz), rotated(0, 1) - mass * x[0] * x[1],
           rotated(0, 2) - mass * x[0] * x[2], rotated(1, 1) + mass * (xx + zz),
           rotated(1, 2) - mass * x[1] * x[2], rotated(2, 2) + mass * (xx + yy)}};
}

}  // namespace fsim::robot::spatial
