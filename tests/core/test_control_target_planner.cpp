// The way to a target: arrives exactly, keeps limits and envelope from rest and from motion.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "control/target_planner.hpp"
#include "robot/model.hpp"

using namespace fsim;
using robot::kFr3;

namespace {

constexpr const robot::JointLimits& kLimits = kFr3.limits;
/// kCreep and what a bound that is sampled lets pass; the safety controller's tolerance is 0.1
/// (reference 000, error 3).
constexpr double kPlanned = 0.055;

struct Follower {
  control::TargetPlanner planner;
  judge::Reference now;
  Vec7 velocity;
  double over_envelope = -1e9;  ///< highest speed above the envelope so far [rad/s]

  explicit Follower(const Vec7& q, const Vec7& v = kLimits.velocity) : velocity(v) {
    planner.begin(q, v, kLimits);
    now.q_d = q;
  }

  /// One cycle; checks velocity, acceleration, jerk, continuity, range.
  void step() {
    const judge::Reference last = now;
    now = planner.step();
    for (std::size_t i = 0; i < kJoints; ++i) {
      CAPTURE(i);
      const double a = kLimits.acceleration[i], j = kLimits.jerk[i];
      REQUIRE(std::abs(now.dq_d[i]) <= velocity[i] + 1e-6);
      REQUIRE(std::abs(now.ddq_d[i]) <= a + 1e-6);
      REQUIRE(std::abs(now.ddq_d[i] - last.ddq_d[i]) <= j * kDt + 1e-6);
      // Backward Euler, as a client differences positions.
      REQUIRE(std::abs((now.q_d[i] - last.q_d[i]) / kDt - (now.dq_d[i] + last.dq_d[i]) / 2) <
              j * kDt * kDt);
      REQUIRE(now.q_d[i] <= kLimits.upper[i] + 1e-9);
      REQUIRE(now.q_d[i] >= kLimits.lower[i] - 1e-9);
      over_envelope = std::max(over_envelope,
                               now.dq_d[i] - robot::upper_velocity_limit(kLimits, i, now.q_d[i]));
      over_envelope = std::max(over_envelope,
                               robot::lower_velocity_limit(kLimits, i, now.q_d[i]) - now.dq_d[i]);
    }
  }
  /// Cycles until it rests at the target; at most `limit`.
  int arrive(int limit = 60000) {
    int cycles = 0;
    for (; !planner.at_rest() && cycles < limit; ++cycles) step();
    return cycles;
  }
};

Vec7 random_pose(std::mt19937_64& random) {
  Vec7 q{};
  for (std::size_t i = 0; i < kJoints; ++i) {
    // One in four lies on a stop or near it.
    const double u = std::uniform_real_distribution<double>(-0.25, 1.25)(random);
    const double near = 0.02 * std::uniform_real_distribution<double>(0, 1)(random);
    q[i] = u < 0   ? kLimits.lower[i] + near
           : u > 1 ? kLimits.upper[i] - near
                   : kLimits.lower[i] + u * (kLimits.upper[i] - kLimits.lower[i]);
  }
  return q;
}

}  // namespace

TEST_CASE("from rest it arrives at any target exactly, all joints at once, and stays") {
  constexpr unsigned kSeed = 5;
  CAPTURE(kSeed);
  std::mt19937_64 random(kSeed);
  for (int trial = 0; trial < 100; ++trial) {
    Follower follower(random_pose(random));
    const Vec7 target = random_pose(random);
    follower.planner.set_target(target);
    Vec7 last_moving{};
    int n = 0;
    while (!follower.planner.at_rest() && n < 60000) {
      follower.step();
      ++n;
      for (std::size_t i = 0; i < kJoints; ++i)
        if (follower.now.dq_d[i] != 0) last_moving[i] = n;
    }
    CHECK(follower.now.q_d == target);
    CHECK(follower.now.dq_d == Vec7{});
    CHECK(follower.now.ddq_d == Vec7{});
    CHECK(*std::min_element(last_moving.begin(), last_moving.end()) > n - 3);
    follower.step();
    CHECK(follower.now.q_d == target);
    CHECK(follower.over_envelope < kPlanned);
  }
}

TEST_CASE("targets that change on the way are replanned from the moving state") {
  constexpr unsigned kSeed = 6;
  CAPTURE(kSeed);
  std::mt19937_64 random(kSeed);
  std::uniform_int_distribution<int> pause(1, 600);
  for (int trial = 0; trial < 60; ++trial) {
    Follower follower(random_pose(random));
    Vec7 target{};
    for (int change = 0; change < 12; ++change) {
      target = random_pose(random);
      follower.planner.set_target(target);
      for (int n = pause(random); n > 0; --n) follower.step();
    }
    follower.arrive();
    CHECK(follower.now.q_d == target);
    CHECK(follower.now.dq_d == Vec7{});
    CHECK(follower.over_envelope < kPlanned);
  }
}

TEST_CASE("a target every cycle, wandering, is followed within the limits") {
  std::mt19937_64 random(7);
  std::normal_distribution<double> step(0, 0.01);
  Follower follower(kFr3.q_ready);
  Vec7 target = kFr3.q_ready;
  for (int n = 0; n < 5000; ++n) {
    for (std::size_t i = 0; i < kJoints; ++i)
      target[i] = std::clamp(target[i] + step(random), kLimits.lower[i], kLimits.upper[i]);
    follower.planner.set_target(target);
    follower.step();
  }
  follower.arrive();
  CHECK(follower.now.q_d == target);
  CHECK(follower.over_envelope < kPlanned);
}

TEST_CASE("the velocity asked for is kept and used; above the robot's it is the robot's") {
  Vec7 slow = all_joints(0.2);
  slow[0] = 100.0;
  for (const std::size_t j : {std::size_t{0}, std::size_t{3}}) {
    Follower follower(kFr3.q_ready, slow);
    follower.velocity[0] = kLimits.velocity[0];
    Vec7 target = kFr3.q_ready;
    target[j] += j == 0 ? 1.5 : 0.5;
    follower.planner.set_target(target);
    double fastest = 0;
    while (!follower.planner.at_rest()) {
      follower.step();
      fastest = std::max(fastest, follower.now.dq_d[j]);
    }
    CHECK(fastest == doctest::Approx(j == 0 ? 2.62 : 0.2));
    CHECK(follower.now.q_d == target);
  }
}

TEST_CASE("a far target in the middle of the range is reached at the full 10 rad/s^2") {
  Follower follower(kFr3.q_ready);
  Vec7 target = kFr3.q_ready;
  target[0] = 1.0;
  follower.planner.set_target(target);
  // v = 2.62: 0.262 s up, 0.262 s down, 0.6864 rad of them; the rest at speed. Jerk adds 2 ms.
  const double seconds = 2 * 0.262 + (1.0 - 0.262 * 2.62) / 2.62;
  CHECK(follower.arrive() == doctest::Approx(1000 * seconds + 2).epsilon(0.01));
}

TEST_CASE("the deceleration towards a stop is the greatest that keeps the envelope") {
  for (std::size_t i = 0; i < kJoints; ++i)
    for (const double distance : {0.0, 0.002, 0.01, 0.03, 0.1, 0.3, 0.8, 1.3})
      for (const double velocity : {0.1, 0.5, 2.0, kLimits.velocity[i]}) {
        CAPTURE(i);
        CAPTURE(distance);
        CAPTURE(velocity);
        const double a = control::envelope_deceleration(kLimits, i, distance, velocity);
        // Slow and plain: the speed of a stop at `a` against the bound, all along.
        double least_room = 1e9;
        for (double v = 1e-3; v <= velocity; v += 1e-3) {
          const double q = kLimits.upper[i] - distance - v * v / (2 * a);
          const double bound = robot::upper_velocity_limit(kLimits, i, q) + control::kCreep;
          least_room = std::min(least_room, bound - v);
        }
        CHECK(least_room > -1e-3);
        if (a < kLimits.acceleration[i]) CHECK(least_room < 2e-3);
      }
}

TEST_CASE("arms without a position-based envelope decelerate at their limit") {
  robot::JointLimits flat = kLimits;
  flat.position_based = false;
  CHECK(control::envelope_deceleration(flat, 0, 0.0, 2.0) == 10.0);
}

TEST_CASE("a nearer target behind the point of no return is reached after a turn") {
  Follower follower(kFr3.q_ready);
  Vec7 far = kFr3.q_ready, near = kFr3.q_ready;
  far[0] = 1.5;
  follower.planner.set_target(far);
  for (int n = 0; n < 300; ++n) follower.step();
  near[0] = follower.now.q_d[0] - 0.2;
  follower.planner.set_target(near);
  double farthest = -10;
  while (!follower.planner.at_rest()) {
    follower.step();
    farthest = std::max(farthest, follower.now.q_d[0]);
  }
  CHECK(farthest > near[0] + 0.3);
  CHECK(follower.now.q_d == near);
}

TEST_CASE("ways of any smallness are found, also next to a stop") {
  std::mt19937_64 random(8);
  for (int trial = 0; trial < 3000; ++trial) {
    Follower follower(random_pose(random));
    Vec7 target{};
    for (std::size_t i = 0; i < kJoints; ++i) {
      const double size = std::pow(10.0, std::uniform_real_distribution<double>(-17, -5)(random));
      const double q = follower.now.q_d[i] + (random() % 2 == 0 ? size : -size);
      target[i] = std::clamp(q, kLimits.lower[i], kLimits.upper[i]);
    }
    follower.planner.set_target(target);
    follower.arrive(2000);
    CHECK(follower.now.q_d == target);
  }
}

TEST_CASE("a velocity too small to get anywhere moves nothing and harms nothing") {
  // A way of more than 7,600 s is none to Ruckig.
  for (const double speed : {1e-6, 1e-300, 5e-324}) {
    Follower follower(kFr3.q_ready, all_joints(speed));
    follower.planner.set_target(kFr3.limits.upper);
    for (int n = 0; n < 100; ++n) follower.step();
    CHECK(follower.now.q_d == kFr3.q_ready);
    CHECK_FALSE(follower.planner.at_rest());
  }
}

TEST_CASE("a planner at rest stays where it begins, and a target there takes no time") {
  Follower follower(kFr3.q_ready);
  CHECK(follower.planner.at_rest());
  follower.step();
  CHECK(follower.now.q_d == kFr3.q_ready);
  follower.planner.set_target(kFr3.q_ready);
  CHECK_FALSE(follower.planner.at_rest());
  CHECK(follower.arrive() == 1);
  CHECK(follower.now.q_d == kFr3.q_ready);
}
