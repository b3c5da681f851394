// The stop of a moving arm: within limits, in range where possible.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "control/brake.hpp"
#include "robot/model.hpp"
#include "simulated_arm.hpp"

using namespace fsim;
using namespace fsim::test;
using robot::kFr3;

TEST_CASE("from any allowed motion the stop keeps acceleration and jerk limits and is continuous") {
  constexpr unsigned kSeed = 3;
  CAPTURE(kSeed);
  std::mt19937_64 random(kSeed);
  const auto uniform = [&](double bound) {
    return std::uniform_real_distribution<double>(-bound, bound)(random);
  };
  for (int trial = 0; trial < 500; ++trial) {
    judge::Reference ref;
    for (std::size_t i = 0; i < kJoints; ++i) {
      // In the middle of the range, so that nothing has to brake harder.
      ref.q_d[i] = (kFr3.limits.lower[i] + kFr3.limits.upper[i]) / 2;
      ref.dq_d[i] = uniform(std::min(2.0, kFr3.limits.velocity[i]));
      ref.ddq_d[i] = uniform(kFr3.limits.acceleration[i]);
    }
    control::Brake brake;
    brake.begin(ref, kFr3.limits);
    judge::Reference last = ref;
    int cycles = 0;
    while (!brake.at_rest() && cycles < 2000) {
      const judge::Reference now = brake.step();
      ++cycles;
      for (std::size_t i = 0; i < kJoints; ++i) {
        const double a = kFr3.limits.acceleration[i], j = kFr3.limits.jerk[i];
        CHECK(std::abs(now.ddq_d[i]) <= a * (1 + 1e-9));
        CHECK(std::abs(now.ddq_d[i] - last.ddq_d[i]) <= j * kDt * (1 + 1e-9));
        // Backward Euler of the positions, as a client differences them.
        const double dq = (now.q_d[i] - last.q_d[i]) / kDt;
        CHECK(std::abs(dq - (now.dq_d[i] + last.dq_d[i]) / 2) < j * kDt * kDt);
      }
      last = now;
    }
    // |dq| / a plus what two jerk phases and a turned acceleration cost.
    CHECK(cycles < 1000 * (2.0 + 0.1) / 10 + 20);
    CHECK(last.dq_d == Vec7{});
    CHECK(last.ddq_d == Vec7{});
    CHECK(brake.step().q_d == last.q_d);
  }
}

TEST_CASE("a joint near its limit brakes harder and stays in range if 30 rad/s^2 can do that") {
  judge::Reference ref;
  ref.q_d = kFr3.q_ready;
  ref.q_d[0] = kFr3.limits.upper[0] - 0.15;
  ref.dq_d[0] = 2.0;
  // 2² / (2 * 10) = 0.2 rad would be too far.
  control::Brake brake;
  brake.begin(ref, kFr3.limits);
  judge::Reference last = ref;
  double hardest = 0;
  while (!brake.at_rest()) {
    last = brake.step();
    hardest = std::min(hardest, last.ddq_d[0]);
    CHECK(last.q_d[0] <= kFr3.limits.upper[0]);
  }
  CHECK(hardest == doctest::Approx(-15.0));
  CHECK(last.dq_d == Vec7{});
}

TEST_CASE("a joint already beyond its limit stops as short as it can, or gently on its way back") {
  judge::Reference ref;
  ref.q_d = kFr3.q_ready;
  ref.q_d[0] = kFr3.limits.upper[0] + 0.01;
  ref.dq_d[0] = 1.0;
  ref.q_d[1] = kFr3.limits.lower[1] - 0.01;
  ref.dq_d[1] = 1.0;
  control::Brake brake;
  brake.begin(ref, kFr3.limits);
  judge::Reference last = ref;
  double hardest = 0;
  while (!brake.at_rest()) {
    last = brake.step();
    hardest = std::min(hardest, last.ddq_d[1]);
  }
  CHECK(last.q_d[0] - ref.q_d[0] < 1.0 / (2 * 30) + 0.01);
  CHECK(hardest == doctest::Approx(-10.0));
}

TEST_CASE("a stop from a measured acceleration beyond the limit comes back below it first") {
  judge::Reference ref;
  ref.q_d = kFr3.q_ready;
  ref.dq_d[3] = -0.5;
  ref.ddq_d[3] = 60;
  control::Brake brake;
  brake.begin(ref, kFr3.limits);
  judge::Reference last = ref;
  int cycles = 0;
  for (; !brake.at_rest() && cycles < 2000; ++cycles) last = brake.step();
  CHECK(cycles < 300);
  CHECK(last.dq_d == Vec7{});
}

TEST_CASE("a brake at rest, or one begun with numbers that are none, stays where it is") {
  control::Brake never;
  CHECK(never.at_rest());
  judge::Reference ref;
  ref.q_d = kFr3.q_ready;
  control::Brake still;
  still.begin(ref, kFr3.limits);
  CHECK(still.at_rest());
  CHECK(still.step().q_d == ref.q_d);

  ref.dq_d[2] = std::numeric_limits<double>::quiet_NaN();
  ref.ddq_d[4] = std::numeric_limits<double>::infinity();
  control::Brake odd;
  odd.begin(ref, kFr3.limits);
  CHECK(odd.at_rest());
  CHECK(odd.step().q_d == ref.q_d);
}
