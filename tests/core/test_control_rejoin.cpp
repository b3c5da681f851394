// The way onto a trajectory that jumped: within its share of the limits, without a step, and gone
// in the end. The bounds are the FR3's of robot-model.md 2.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "control/rejoin.hpp"
#include "robot/model.hpp"

using namespace fsim;
using judge::JointPath;
using judge::Reference;
using robot::kFr3;

namespace {

constexpr double kAcceleration = 10, kJerk = 5000;
constexpr Vec7 kVelocity{2.62, 2.62, 2.62, 2.62, 5.26, 4.18, 5.26};

Reference at_rest(const Vec7& q) {
  Reference r;
  r.q_d = q;
  return r;
}

/// Largest speed, acceleration and jerk of the differences of joint `i`, as a share of the limits.
struct Haste {
  std::size_t i;
  double q[4];
  int seen = 0;
  double velocity = 0, acceleration = 0, jerk = 0;

  explicit Haste(std::size_t joint, double start) : i(joint), q{start, start, start, start} {}
  void add(double now) {
    for (int k = 0; k < 3; ++k) q[k] = q[k + 1];
    q[3] = now;
    const double v = (q[3] - q[2]) / kDt, v1 = (q[2] - q[1]) / kDt, v2 = (q[1] - q[0]) / kDt;
    const double a = (v - v1) / kDt, a1 = (v1 - v2) / kDt;
    velocity = std::max(velocity, std::abs(v) / kVelocity[i]);
    acceleration = std::max(acceleration, std::abs(a) / kAcceleration);
    jerk = std::max(jerk, std::abs(a - a1) / kDt / kJerk);
  }
};

}  // namespace

TEST_CASE("a trajectory that does not jump is followed bit by bit") {
  control::Rejoin rejoin;
  rejoin.begin(kFr3.q_ready);
  Reference judged = at_rest(kFr3.q_ready);
  for (int n = 0; n < 200; ++n) {
    // The opening sample is a rebase of nothing.
    const JointPath path = n == 0 ? JointPath::kRebased : JointPath::kFollows;
    for (std::size_t i = 0; i < kJoints; ++i) {
      judged.dq_d[i] = 1e-3 * n;
      judged.q_d[i] += judged.dq_d[i] * kDt;
    }
    const Reference out = rejoin.follow(judged, path, kFr3.limits);
    CHECK(out.q_d == judged.q_d);
    CHECK(out.dq_d == judged.dq_d);
    CHECK(out.ddq_d == judged.ddq_d);
  }
}

TEST_CASE("a jump is taken back within half the limits, and then nothing of it is left") {
  for (const double jump : {-1.0, -0.1, 1e-3, 1e-5, 1e-7, 0.5})
    for (std::size_t i = 0; i < kJoints; ++i) {
      CAPTURE(jump);
      control::Rejoin rejoin;
      rejoin.begin(kFr3.q_ready);
      Reference judged = at_rest(kFr3.q_ready);
      judged.q_d[i] += jump;
      judged.tau_J_d[3] = 7;
      Haste haste(i, kFr3.q_ready[i]);
      int n = 0;
      for (; n < 3000; ++n) {
        const Reference out =
            rejoin.follow(judged, n == 0 ? JointPath::kRebased : JointPath::kFollows, kFr3.limits);
        CHECK(out.tau_J_d == judged.tau_J_d);
        haste.add(out.q_d[i]);
        if (out.q_d == judged.q_d && out.dq_d == Vec7{} && out.ddq_d == Vec7{}) break;
      }
      // 1 rad at 5 rad/s^2 and 1.3 rad/s takes 1.1 s.
      CHECK(n < 1200);
      CHECK(haste.velocity < 0.501);
      CHECK(haste.acceleration < 0.501);
      CHECK(haste.jerk < 0.501);
    }
}

TEST_CASE("whatever jumps, and however often, the sum of both keeps to one and a half limits") {
  // Judged: sines at up to 0.9 of the acceleration limit. It jumps at random in position and in its
  // derivatives, as where another solution of the same pose is taken.
  constexpr unsigned kSeed = 20261201;
  MESSAGE("seed ", kSeed);
  std::mt19937_64 rng(kSeed);
  std::uniform_real_distribution<double> unit(-1, 1);
  double last_apart = 0;
  for (int run = 0; run < 50; ++run) {
    const std::size_t i = static_cast<std::size_t>(run) % kJoints;
    control::Rejoin rejoin;
    double at = kFr3.q_ready[i], amplitude = 0, w = 1, phase = 0;
    rejoin.begin(kFr3.q_ready);
    Haste haste(i, at);
    for (int n = 0; n < 4000; ++n) {
      // Three samples begin a history anew, as the judge's do.
      const bool jumps = n < 2400 && n % 200 < 3 && n > 0;
      if (jumps && n % 200 == 0) {
        at += 0.2 * unit(rng);
        w = 8 + 2 * unit(rng);
        amplitude = 0.9 * kAcceleration / (w * w) * std::abs(unit(rng));
        phase = 3 * unit(rng);
      }
      const auto q = [&](int k) { return at + amplitude * std::sin(w * k * kDt + phase); };
      const double dq = (q(n) - q(n - 1)) / kDt, before = (q(n - 1) - q(n - 2)) / kDt;
      Reference judged = at_rest(kFr3.q_ready);
      judged.q_d[i] = q(n);
      judged.dq_d[i] = jumps && n % 200 == 0 ? 0 : dq;
      judged.ddq_d[i] = jumps && n % 200 < 2 ? 0 : (dq - before) / kDt;
      const Reference out =
          rejoin.follow(judged, jumps ? JointPath::kRebased : JointPath::kFollows, kFr3.limits);
      haste.add(out.q_d[i]);
      last_apart = std::abs(out.q_d[i] - judged.q_d[i]);
    }
    CHECK(last_apart == 0);
    CHECK(haste.velocity < 1.5);
    CHECK(haste.acceleration < 1.5);
    CHECK(haste.jerk < 1.5);
  }
}

TEST_CASE("a trajectory that stops at once is braked at the whole limits and returned to") {
  control::Rejoin rejoin;
  rejoin.begin(kFr3.q_ready);
  Reference judged = at_rest(kFr3.q_ready);
  Haste haste(0, judged.q_d[0]);
  for (int n = 0; n < 300; ++n) {
    judged.ddq_d[0] = 5;
    judged.dq_d[0] += 5 * kDt;
    judged.q_d[0] += judged.dq_d[0] * kDt;
    if (n < 3) judged.ddq_d[0] = 5.0 * n / 3;
    haste.add(rejoin.follow(judged, JointPath::kFollows, kFr3.limits).q_d[0]);
  }
  haste.jerk = haste.acceleration = 0;  // of the test's own start
  const double stop = judged.q_d[0], speed = judged.dq_d[0];
  judged.dq_d = judged.ddq_d = {};
  double furthest = 0;
  for (int n = 0; n < 1000; ++n) {
    const Reference out =
        rejoin.follow(judged, n == 0 ? JointPath::kStopped : JointPath::kFollows, kFr3.limits);
    haste.add(out.q_d[0]);
    furthest = std::max(furthest, out.q_d[0] - stop);
  }
  CHECK(furthest > speed * speed / 2 / kAcceleration);
  CHECK(furthest < 1.1 * speed * speed / 2 / kAcceleration);
  CHECK(haste.acceleration < 1.01);
  CHECK(haste.jerk < 1.01);
  CHECK(haste.q[3] == stop);
}

TEST_CASE("a jump to where nothing finite is passes as it is") {
  control::Rejoin rejoin;
  rejoin.begin(kFr3.q_ready);
  Reference judged = at_rest(kFr3.q_ready);
  judged.dq_d[0] = std::nan("");
  judged.q_d[1] = 1e308;
  const Reference out = rejoin.follow(judged, JointPath::kRebased, kFr3.limits);
  CHECK(out.q_d[1] == 1e308);
  CHECK(out.q_d[2] == judged.q_d[2]);
}
