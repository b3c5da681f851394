// Integration of a twist and the rotation vectors that inverse kinematics measures its error with.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "base/rotation.hpp"
#include "base/transforms.hpp"

using namespace fsim;

namespace {

constexpr unsigned kSeed = 20260105;
constexpr double kPi = 3.141592653589793;

Mat4 rotated(const Mat4& T, const Vec3& v) {
  return integrate_twist(T, {0, 0, 0, v[0], v[1], v[2]}, 1.0);
}

}  // namespace

TEST_CASE("a twist's linear part moves the origin whatever the angular part turns") {
  const Mat4 T{0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0.3, 0.1, 0.5, 1};
  const Mat4 moved = integrate_twist(T, {0.1, -0.2, 0.3, 0.5, 1.0, -2.0}, 0.5);
  CHECK(moved[12] == doctest::Approx(0.35));
  CHECK(moved[13] == doctest::Approx(0.0));
  CHECK(moved[14] == doctest::Approx(0.65));
}

TEST_CASE("a twist turns about the base's axes, not the body's") {
  // The body's x points along the base's y; a quarter turn about the base's x lifts it to z.
  const Mat4 T{0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  const Mat4 moved = integrate_twist(T, {0, 0, 0, kPi / 2, 0, 0}, 1.0);
  CHECK(std::abs(moved[0]) < 1e-15);
  CHECK(std::abs(moved[1]) < 1e-15);
  CHECK(moved[2] == doctest::Approx(1.0));
}

TEST_CASE("a million cycles of a constant twist end where one long step ends") {
  const Vec6 twist{1e-4, 2e-4, -1e-4, 0.3, -0.2, 0.1};
  Mat4 T = kIdentity4;
  for (int k = 0; k < 1000000; ++k) T = integrate_twist(T, twist, kDt);
  const Mat4 once = integrate_twist(kIdentity4, twist, 1000.0);
  for (std::size_t k = 0; k < 16; ++k) CHECK(std::abs(T[k] - once[k]) < 1e-9);
  CHECK(is_homogeneous(T, 1e-10));
}

TEST_CASE("the rotation between two frames undoes the turn that was made, from 0 to pi") {
  MESSAGE("seed ", kSeed);
  std::mt19937_64 rng(kSeed);
  std::normal_distribution<double> normal;
  const Mat4 base = rotated(kIdentity4, {0.4, -1.1, 0.7});
  for (const double angle : {0.0, 1e-12, 1e-8, 9.99e-4, 1.001e-3, 0.1, 1.5, 1.6, 3.0, 3.1415, kPi})
    for (int n = 0; n < 100; ++n) {
      Vec3 v{normal(rng), normal(rng), normal(rng)};
      const double scale = angle / std::hypot(v[0], v[1], v[2]);
      for (double& x : v) x *= scale;
      const Vec3 found = rotation_between(base, rotated(base, v));
      // Half a turn has two vectors.
      const double sign =
          angle == kPi && found[0] * v[0] + found[1] * v[1] + found[2] * v[2] < 0 ? -1 : 1;
      // Near half a turn the matrix itself says less of the angle.
      const double tolerance = angle > 3 ? 1e-7 : 1e-14 + 1e-13 * angle;
      for (std::size_t k = 0; k < 3; ++k) CHECK(std::abs(sign * found[k] - v[k]) < tolerance);
    }
}
