// One step of each rate limiter: numbers that libfranka 0.21.3 returns for the same arguments, and
// what its public unit tests (test/rate_limiting_tests.cpp) ask of it.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "client/limiter.hpp"

using namespace fsim;
using namespace fsim::client;

namespace {

constexpr ScalarLimits kJoint{2.0, -2.0, 10.0, 5000.0};
constexpr CartesianLimits kFr3{{3.0, 9.0, 4500.0}, {2.5, 17.0, 8500.0}};
constexpr double kNoLimit = std::numeric_limits<double>::max();

double length(const Vec6& v, std::size_t from) {
  return std::hypot(v[from], v[from + 1], v[from + 2]);
}

template <std::size_t N>
void check_near(const std::array<double, N>& value, const std::array<double, N>& expected) {
  for (std::size_t k = 0; k < N; ++k) {
    CAPTURE(k);
    CHECK(std::abs(value[k] - expected[k]) < 1e-14);
  }
}

}  // namespace

TEST_CASE("a rate inside its limit passes unchanged and one outside stops at it") {
  // 1 Nm a cycle is 1000 Nm/s.
  CHECK(limit_rate(1000.0, 0.5, 0.0) == 0.5);
  CHECK(limit_rate(1000.0, 5.0, 0.0) == 1.0);
  CHECK(limit_rate(1000.0, -5.0, 0.0) == -1.0);
}

TEST_CASE("the margin of a torque rate is half an ULP of the f32 echo over a cycle") {
  CHECK(torque_rate_margin(0.0) == 0.0);
  // 2^-18 Nm at 64 Nm (reference 001).
  CHECK(torque_rate_margin(64.0) == doctest::Approx(std::ldexp(1.0, -18) / 1e-3).epsilon(1e-15));
  CHECK(torque_rate_margin(-64.0) == torque_rate_margin(64.0));
}

TEST_CASE("a velocity is bounded by jerk, by acceleration and by the way left to its limit") {
  CHECK(limit_velocity(kJoint, 1.0, 0.5, -2.0) == 0.503);
  CHECK(limit_velocity(kJoint, 3.0, 1.99, 4.0) == 1.995);
  CHECK(limit_position(kJoint, 0.1, 0.0, 0.0, 0.0) == doctest::Approx(5e-6).epsilon(1e-15));
}

TEST_CASE("a velocity above its limit comes back at the acceleration limit") {
  CHECK(limit_velocity({1.0, -1.0, 10.0, 5000.0}, 0.0, 2.0, 0.0) == 1.99);
}

TEST_CASE("a limiter without limits changes nothing") {
  const ScalarLimits jerk_only{kNoLimit, -kNoLimit, kNoLimit, 100.0};
  const double inside = (100.0 - 1e-2) * 1e-6;
  CHECK(limit_velocity(jerk_only, inside, 0.0, 0.0) == inside);
  CHECK(limit_velocity(jerk_only, (100.0 + 1e-2) * 1e-6, 0.0, 0.0) <= 100.0 * 1e-6 * (1 + 1e-15));
  const ScalarLimits acceleration_only{kNoLimit, -kNoLimit, 10.0, kNoLimit};
  CHECK(limit_velocity(acceleration_only, 9.99e-3, 0.0, 0.0) == 9.99e-3);
  CHECK(limit_velocity(acceleration_only, 10.01e-3, 0.0, 0.0) == 10e-3);
}

TEST_CASE("a twist is limited by the norms of its two halves") {
  check_near(limit_twist(kFr3, {1, 1, 0, 0, 1, -1}, {0.1, 0.2, 0.3, -0.1, 0.2, 0.3},
                         {1, 2, 3, -1, -2, -3}),
             {0.10426333419242807, 0.20489670821530323, 0.30190012206862543, -0.10043825428979934,
              0.20246059464931612, 0.2897862951868292});
  check_near(
      limit_twist(kFr3, {9, 1, 0, 0, 9, -1}, {2.99, 0.1, 0, 0, 2.49, 0.1}, {4, 0, 0, 0, 5, 0}),
      {2.994155461742816, 0.10032793982157248, 0.0, 0.0, 2.494016557116752, 0.09957459075187357});
}

TEST_CASE("a twist that misses the sphere of its limit is left to jerk alone") {
  // libfranka lets 24.5 m/s^2 pass, though 9 is the limit.
  check_near(limit_twist(kFr3, {1, 4, 0, 0, 0, 0}, {0, 4, 0, 0, 0, 0}, {20, 0, 0, 0, 0, 0}),
             {0.0245, 4.0, 0.0, 0.0, 0.0, 0.0});
}

TEST_CASE("no twist ever leaves its limits, whatever is asked") {
  Vec6 v{}, a{};
  for (int k = 0; k < 3000; ++k) {
    const double t = 1e-3 * k;
    // Two seconds one way, then the directions turn faster than the limits allow.
    const double fast = k < 2000 ? 0.0 : 40 * t;
    const Vec6 asked{5 * std::cos(fast), 5 * std::sin(fast), 1, 0, 9 * std::cos(fast), 9};
    const Vec6 next = limit_twist(kFr3, asked, v, a);
    Vec6 rate{};
    for (std::size_t i = 0; i < 6; ++i) rate[i] = (next[i] - v[i]) / kDt;
    CHECK(length(next, 0) <= 3.0 + 1e-9);
    CHECK(length(next, 3) <= 2.5 + 1e-9);
    CHECK(length(rate, 0) <= 9.0 + 1e-9);
    CHECK(length(rate, 3) <= 17.0 + 1e-9);
    v = next;
    a = rate;
  }
}

TEST_CASE("a pose goes along the twist that leads to it, its rotation at 0.99 of the limits") {
  const Mat4 quarter{0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0.5, -0.5, 0.25, 1};
  // 8415 rad/s^3 and 4500 m/s^3 over 1e-9 s^3.
  check_near(limit_pose(kFr3, quarter, kIdentity4, {}, {}),
             {0.9999999999645939, 8.414999999900687e-06, 0, 0, -8.414999999900687e-06,
              0.9999999999645939, 0, 0, 0, 0, 1, 0, 3e-06, -3e-06, 1.5e-06, 1});
}

TEST_CASE("a pose that is held stays where it is, orthonormal") {
  Mat4 rounded = kIdentity4;
  rounded[0] = 1 + 9e-6;
  check_near(limit_pose(kFr3, rounded, rounded, {}, {}), kIdentity4);
}
