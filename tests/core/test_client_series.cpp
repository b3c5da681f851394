// Series: what is fed forward, in f64 and as 32-bit floats, and that nothing outside the limits
// leaves a limiter. Limits are the nominal ones of an FR3 less libfranka's kLimitEps.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

#include "client/series.hpp"
#include "robot/model.hpp"

using namespace fsim;
using namespace fsim::client;
using robot::kFr3;
using robot::kLimitEps;

namespace {

constexpr std::size_t kSamples = 4000;

unsigned seed() {
  const char* given = std::getenv("FSIM_TEST_SEED");
  return given != nullptr ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : 20240U;
}

/// Steps, random walks and noise, held for some cycles each.
std::vector<double> restless(std::mt19937& rng, const Vec7& centre, double size) {
  std::vector<double> rows(kSamples * kJoints);
  std::normal_distribution<double> normal;
  Vec7 at = centre;
  for (std::size_t k = 0; k < kSamples; ++k)
    for (std::size_t i = 0; i < kJoints; ++i) {
      if (rng() % 200 == 0) at[i] = centre[i] + size * normal(rng);
      if (k % 1000 > 700) at[i] += 0.001 * size * normal(rng);
      rows[k * kJoints + i] = at[i];
    }
  return rows;
}

Vec7 less_eps(Vec7 limits) {
  for (double& x : limits) x -= kLimitEps;
  return limits;
}

const Vec7 kAcceleration = less_eps(kFr3.limits.acceleration);
const Vec7 kJerk = less_eps(kFr3.limits.jerk);
const Vec7 kUpper = less_eps(kFr3.limits.velocity);

struct Worst {
  double velocity = 0;  // over its limit
  double acceleration = 0;
  double jerk = 0;
};

/// How far three backward differences of velocities exceed the limits above.
Worst worst_of(const std::vector<double>& dq) {
  Worst worst;
  Vec7 v{}, a{};
  for (std::size_t n = 0; n < dq.size(); ++n) {
    const std::size_t i = n % kJoints;
    const double acceleration = (dq[n] - v[i]) / kDt;
    worst.velocity = std::max(worst.velocity, std::abs(dq[n]) - kUpper[i]);
    worst.acceleration = std::max(worst.acceleration, std::abs(acceleration) - kAcceleration[i]);
    worst.jerk = std::max(worst.jerk, std::abs(acceleration - a[i]) / kDt - kJerk[i]);
    v[i] = dq[n];
    a[i] = acceleration;
  }
  return worst;
}

VelocityBounds flat(const Vec7& upper, const Vec7& lower) {
  return {upper.data(), lower.data(), 0, nullptr, 0};
}
VelocityBounds fr3_envelope() { return {nullptr, nullptr, 0, &kFr3.limits, kLimitEps}; }

Vec7 negative(Vec7 v) {
  for (double& x : v) x = -x;
  return v;
}

}  // namespace

TEST_CASE("velocities keep velocity, acceleration and jerk whatever is asked") {
  std::mt19937 rng(seed());
  CAPTURE(seed());
  const Vec7 rest{}, lower = negative(kUpper);
  for (int run = 0; run < 10; ++run) {
    const std::vector<double> asked = restless(rng, rest, 4.0);
    std::vector<double> sent(asked.size());
    const LastScalars last{nullptr, rest.data(), rest.data()};
    CHECK(limit_velocity_series(flat(kUpper, lower), kAcceleration.data(), kJerk.data(), last,
                                kJoints, {}, asked.data(), kSamples, sent.data()) == -1);
    const Worst worst = worst_of(sent);
    CHECK(worst.velocity < 1e-9);
    CHECK(worst.acceleration < 1e-9);
    CHECK(worst.jerk < 1e-6);
  }
}

TEST_CASE("positions do so too, and reach what they are asked for") {
  std::mt19937 rng(seed());
  CAPTURE(seed());
  const Vec7 rest{}, lower = negative(kUpper);
  const std::vector<double> asked = restless(rng, kFr3.q_ready, 1.0);
  std::vector<double> sent(asked.size());
  const LastScalars last{kFr3.q_ready.data(), rest.data(), rest.data()};
  CHECK(limit_position_series(flat(kUpper, lower), kAcceleration.data(), kJerk.data(), last,
                              kJoints, {}, asked.data(), kSamples, sent.data()) == -1);
  std::vector<double> dq(sent.size());
  for (std::size_t n = 0; n < sent.size(); ++n)
    dq[n] = (sent[n] - (n < kJoints ? kFr3.q_ready[n] : sent[n - kJoints])) / kDt;
  const Worst worst = worst_of(dq);
  CHECK(worst.velocity < 1e-9);
  CHECK(worst.acceleration < 1e-6);
  CHECK(worst.jerk < 5e-6 * 1e3);  // rounding of positions over dt^3: below kLimitEps times 10
}

TEST_CASE("one call over a series equals its samples one by one") {
  std::mt19937 rng(seed());
  CAPTURE(seed());
  const std::vector<double> asked = restless(rng, {}, 6.0);  // fast enough to meet the envelope
  std::vector<double> sent(asked.size());
  Vec7 q = kFr3.q_ready, dq{}, ddq{};
  const LastScalars last{q.data(), dq.data(), ddq.data()};
  REQUIRE(limit_velocity_series(fr3_envelope(), kAcceleration.data(), kJerk.data(), last, kJoints,
                                {}, asked.data(), kSamples, sent.data()) == -1);
  for (std::size_t n = 0; n < kSamples * kJoints; ++n) {
    const std::size_t i = n % kJoints;
    const ScalarLimits limits{robot::upper_velocity_limit(kFr3.limits, i, q[i]) - kLimitEps,
                              robot::lower_velocity_limit(kFr3.limits, i, q[i]) + kLimitEps,
                              kAcceleration[i], kJerk[i]};
    const double next = limit_velocity(limits, asked[n], dq[i], ddq[i]);
    CHECK(sent[n] == next);
    ddq[i] = (next - dq[i]) / kDt;
    dq[i] = next;
    q[i] += next * kDt;
  }
}

TEST_CASE("torques against an f32 echo never exceed the nominal rate with the margin") {
  std::mt19937 rng(seed());
  CAPTURE(seed());
  const Vec7 rate = less_eps(kFr3.limits.torque_rate);
  const std::vector<double> asked = restless(rng, {}, 60.0);
  std::vector<double> sent(asked.size());
  double without_margin = 0, with_margin = 0;
  const auto worst_rate = [&] {
    double worst = 0;
    for (std::size_t n = kJoints; n < sent.size(); ++n)
      worst = std::max(worst, std::abs(sent[n] - sent[n - kJoints]) / kDt);
    return worst;
  };
  const Loop f32{true, 1};
  const Vec7 zero{};
  REQUIRE(limit_torque_series(rate, zero, f32, asked.data(), kSamples, sent.data()) == -1);
  with_margin = worst_rate();
  REQUIRE(limit_rate_series(rate.data(), zero.data(), kJoints, f32, asked.data(), kSamples,
                            sent.data()) == -1);
  without_margin = worst_rate();
  CHECK(with_margin <= rate[0] + 1e-9);
  // Why there is a margin: reference 001 has about 1000.0028 Nm/s.
  CHECK(without_margin > 1000.0);
}

TEST_CASE("a sample that is not finite is named and nothing after it is written") {
  std::vector<double> asked(3 * kJoints, 0.0), sent(3 * kJoints, 7.0);
  asked[kJoints + 2] = std::numeric_limits<double>::quiet_NaN();
  const Vec7 zero{};
  CHECK(limit_torque_series(all_joints(1000), zero, {}, asked.data(), 3, sent.data()) == 1);
  CHECK(sent[0] == 0.0);
  CHECK(sent[kJoints] == 7.0);
  const LastScalars last{zero.data(), zero.data(), zero.data()};
  CHECK(limit_position_series(fr3_envelope(), kAcceleration.data(), kJerk.data(), last, kJoints, {},
                              asked.data(), 3, sent.data()) == 1);
  CHECK(lowpass_series(0.5, zero.data(), kJoints, asked.data(), 3, sent.data()) == 1);
}

TEST_CASE("a series of poses equals its samples one by one, and stops at what is no frame") {
  const CartesianLimits limits{{3.0, 9.0, 4500.0}, {2.5, 17.0, 8500.0}};
  std::vector<double> asked, sent(16 * 300);
  for (int k = 0; k < 300; ++k) {
    const double c = std::cos(0.002 * k), s = std::sin(0.002 * k);
    const Mat4 T{c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, 0.3 + 0.001 * k, 0, 0.4, 1};
    asked.insert(asked.end(), T.begin(), T.end());
  }
  Mat4 at = kIdentity4;
  REQUIRE(limit_pose_series(limits, at, {}, {}, {}, asked.data(), 300, sent.data()) == -1);
  Vec6 v{}, a{};
  for (std::size_t k = 0; k < 300; ++k) {
    Mat4 T{};
    std::copy_n(asked.begin() + static_cast<std::ptrdiff_t>(16 * k), 16, T.begin());
    const Mat4 next = limit_pose(limits, T, at, v, a);
    for (std::size_t i = 0; i < 16; ++i) CHECK(sent[16 * k + i] == next[i]);
    const Vec6 twist = twist_between(at, next);
    for (std::size_t i = 0; i < 6; ++i) a[i] = (twist[i] - v[i]) / kDt;
    v = twist;
    at = next;
  }
  asked[16 * 7 + 15] = 0;
  CHECK(limit_pose_series(limits, kIdentity4, {}, {}, {}, asked.data(), 300, sent.data()) == 7);
}

TEST_CASE("poses keep velocity and acceleration, orthonormal to the end, in f64 and from an echo") {
  const CartesianLimits limits{{3.0, 9.0, 4500.0}, {2.5, 17.0, 8500.0}};
  std::vector<double> asked, sent(16 * 2000);
  for (int k = 0; k < 2000; ++k) {
    const double c = std::cos(k / 300), s = std::sin(k / 300);  // steps of 1 rad
    const Mat4 T{c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, 0.3 * c, 0.3 * s, 0.4, 1};
    asked.insert(asked.end(), T.begin(), T.end());
  }
  for (const bool f32 : {false, true}) {
    Mat4 at = kIdentity4;
    at[12] = 0.3;
    at[14] = 0.4;
    REQUIRE(limit_pose_series(limits, at, {}, {}, {f32, 1}, asked.data(), 2000, sent.data()) == -1);
    Vec6 v{};
    // From an f32 echo the differences carry half an ULP (2^-26 m) over dt and dt^2.
    const double slack = f32 ? 0.2 : 1e-6;
    for (std::size_t k = 0; k < 2000; ++k) {
      Mat4 T{};
      std::copy_n(sent.begin() + static_cast<std::ptrdiff_t>(16 * k), 16, T.begin());
      const Vec6 twist = twist_between(at, T);
      const auto over = [&](std::size_t from, double speed, double acceleration) {
        CHECK(std::hypot(twist[from], twist[from + 1], twist[from + 2]) <= speed + slack * kDt);
        CHECK(std::hypot(twist[from] - v[from], twist[from + 1] - v[from + 1],
                         twist[from + 2] - v[from + 2]) /
                  kDt <=
              acceleration + slack);
      };
      over(0, 3.0, 9.0);
      over(3, 2.5, 17.0);
      at = T;
      v = twist;
    }
    CHECK(std::abs(std::hypot(at[0], at[1], at[2]) - 1) < 1e-12);
  }
}
