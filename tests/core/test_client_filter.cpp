// Low-pass filters: numbers that libfranka 0.21.3 returns for the same arguments, and what its
// public unit tests (test/lowpass_filter_tests.cpp) ask of them.
#include <doctest/doctest.h>

#include <cmath>

#include "base/transforms.hpp"
#include "client/filter.hpp"

using namespace fsim;
using namespace fsim::client;

TEST_CASE("the gain of a first-order low-pass") {
  // Published: 0.3859, 0.7585, 0.8497 to 1e-4.
  CHECK(std::abs(lowpass_gain(1e-3, 100.0) - 0.3858695450950375) < 1e-15);
  CHECK(std::abs(lowpass_gain(1e-3, 500.0) - 0.7585) < 1e-4);
  CHECK(std::abs(lowpass_gain(1e-3, 900.0) - 0.8497) < 1e-4);
  CHECK(std::abs(lowpass_gain(1e-3, 1000.0) - 0.8626974383015871) < 1e-15);
  CHECK(lowpass_gain(0.0, 100.0) == 0.0);
}

TEST_CASE("a value that does not change is kept") {
  for (const double hz : {100.0, 500.0, 1000.0})
    CHECK(lowpass(lowpass_gain(1e-3, hz), 1.0, 1.0) == doctest::Approx(1.0).epsilon(1e-15));
}

TEST_CASE("a pose turns by the gain's share of the angle and moves by its share of the way") {
  const Mat4 quarter{0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0.5, -0.5, 0.25, 1};
  const Mat4 expected{0.8218631646330282,
                      0.5696849468077807,
                      0,
                      0,
                      -0.5696849468077807,
                      0.8218631646330282,
                      0,
                      0,
                      0,
                      0,
                      1,
                      0,
                      0.19293477254751876,
                      -0.19293477254751876,
                      0.09646738627375938,
                      1};
  const Mat4 filtered = lowpass_pose(lowpass_gain(1e-3, 100.0), quarter, kIdentity4);
  for (std::size_t k = 0; k < 16; ++k) CHECK(std::abs(filtered[k] - expected[k]) < 1e-15);
}

TEST_CASE("barely orthonormal poses are filtered without a jolt") {
  // Three poses of libfranka's unit test; it asks for a rotational jerk below 1000 rad/s^3, which
  // differences of its matrices show as entries.
  const Mat4 poses[]{{0.00462567, 0.0145489, 0.999874, 0, 0.999974, -0.00341934, -0.00457638, 0,
                      0.00335239, 0.999888, -0.0145646, 0, 1, 1, 1, 1},
                     {0.00463526, 0.014549, 0.999883, 0, 0.999984, -0.00341951, -0.00458597, 0,
                      0.00335239, 0.999888, -0.0145646, 0, 1, 1, 1, 1},
                     {0.00465436, 0.0145489, 0.999883, 0, 0.999984, -0.00341979, -0.00460507, 0,
                      0.00335239, 0.999888, -0.0145646, 0, 1, 1, 1, 1}};
  const double gain = lowpass_gain(1e-3, 100.0);
  const Mat4 first = lowpass_pose(gain, poses[1], poses[0]);
  const Mat4 second = lowpass_pose(gain, poses[2], poses[1]);
  CHECK(is_homogeneous(first, 1e-14));
  CHECK(is_homogeneous(second, 1e-14));
  for (std::size_t k = 0; k < 12; ++k) CHECK(std::abs(second[k] - first[k]) < 2e-5);
}

TEST_CASE("the nearest rotation undoes a stretch and keeps a rotation") {
  const Mat4 quarter{0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0.5, -0.5, 0.25, 1};
  CHECK(with_nearest_rotation(quarter) == quarter);
  for (const double scale : {1e-4, 0.5, 3.0, 1e4}) {
    Mat4 stretched = quarter;
    for (std::size_t k = 0; k < 11; ++k)
      if (k % 4 != 3) stretched[k] *= scale;
    const Mat4 nearest = with_nearest_rotation(stretched);
    for (std::size_t k = 0; k < 16; ++k) CHECK(std::abs(nearest[k] - quarter[k]) < 1e-15);
  }
}

TEST_CASE("a mirrored or flat frame is not right-handed") {
  CHECK(is_right_handed(kIdentity4));
  Mat4 mirrored = kIdentity4;
  mirrored[0] = -1;
  CHECK_FALSE(is_right_handed(mirrored));
  Mat4 flat = kIdentity4;
  flat[0] = 0;
  CHECK_FALSE(is_right_handed(flat));
}
