// Hand guiding in closed loop with a simulated arm at 1 kHz: what is free moves, what is locked
// stays, and the arm stays where it is left.
#include <doctest/doctest.h>

#include "base/transforms.hpp"
#include "control/guiding.hpp"
#include "simulated_arm.hpp"

using namespace fsim;
using namespace fsim::test;
using control::Guiding;
using control::GuidingAxes;
using robot::kFr3;

namespace {

struct Guided {
  SimulatedArm arm{kFr3};
  Guiding guiding;
  GuidingAxes axes;

  Guided() {
    arm.friction_factor = 0;  // friction only helps
    guiding.begin(pose(), arm.q);
  }
  Mat4 pose() const { return robot::flange_pose(kFr3, arm.q); }
  /// Push the flange with `wrench` (in O's axes) and joint 3 with `elbow` for `cycles`.
  void push(const Vec6& wrench, int cycles, double elbow = 0) {
    for (int n = 0; n < cycles; ++n) {
      const robot::ArmState now = arm.nominal();
      Vec7 tau = guiding.torque(kFr3, now, arm.q, arm.dq, kIdentity4, axes);
      for (std::size_t i = 0; i < kJoints; ++i) {
        tau[i] += now.gravity[i];
        for (std::size_t k = 0; k < 6; ++k) tau[i] += now.J_F[i * 6 + k] * wrench[k];
      }
      tau[2] += elbow;
      arm.step(tau);
    }
  }
};

}  // namespace

TEST_CASE("a guided arm gives way to a hand and stays where it is left") {
  Guided g;
  const Mat4 before = g.pose();
  g.push({10, 0, 0, 0, 0, 0}, 500);
  CHECK(g.pose()[12] - before[12] > 0.05);
  g.push({}, 4000);
  CHECK(largest(g.arm.dq) < 1e-3);
  const Vec7 left = g.arm.q;
  g.push({}, 2000);
  CHECK(distance(g.arm.q, left) < 1e-3);
}

TEST_CASE("a locked direction gives way by push over stiffness, a free one moves") {
  for (std::size_t k = 0; k < 3; ++k) {
    CAPTURE(k);
    Guided g;
    g.axes.free = {true, true, true, false, false, false};
    g.axes.free[k] = false;
    const Mat4 before = g.pose();
    Vec6 wrench{};
    wrench[k] = 15;
    const std::size_t other = (k + 1) % 3;
    wrench[other] = 5;
    g.push(wrench, 1500);
    // 15 N on 3000 N/m.
    CHECK(g.pose()[12 + k] - before[12 + k] == doctest::Approx(0.005).epsilon(0.1));
    CHECK(std::abs(g.pose()[12 + other] - before[12 + other]) > 0.05);
    CHECK(pose_distance(g.pose(), before)[1] < 0.03);
    g.push({}, 1000);
    CHECK(std::abs(g.pose()[12 + k] - before[12 + k]) < 5e-4);
  }
}

TEST_CASE("free rotations turn while the position is locked") {
  Guided g;
  g.axes.free = {false, false, false, true, true, true};
  const Mat4 before = g.pose();
  g.push({0, 0, 0, 0, 0, 1.5}, 1000);
  CHECK(pose_distance(g.pose(), before)[1] > 0.2);
  CHECK(pose_distance(g.pose(), before)[0] < 3e-3);
}

TEST_CASE("a direction that is locked later stays where it was then") {
  Guided g;
  g.push({10, 0, 0, 0, 0, 0}, 500);
  g.push({}, 3000);
  const Mat4 then = g.pose();
  g.axes.free.fill(false);
  g.push({}, 200);
  CHECK(pose_distance(g.pose(), then)[0] < 1e-3);
  g.push({15, 0, 0, 0, 0, 0}, 1000);
  CHECK(g.pose()[12] - then[12] == doctest::Approx(0.005).epsilon(0.1));
}

TEST_CASE("the elbow moves on its own when it is free and holds when it is locked") {
  for (const bool free : {true, false}) {
    CAPTURE(free);
    Guided g;
    g.axes.free.fill(false);
    g.axes.elbow = free;
    const Mat4 before = g.pose();
    const double q3 = g.arm.q[2];
    g.push({}, 1000, 3.0);
    const double moved = g.arm.q[2] - q3;
    CHECK(pose_distance(g.pose(), before)[0] < 5e-3);
    if (free)
      CHECK(moved > 0.1);
    else
      CHECK(std::abs(moved) < 3e-3);
  }
}

TEST_CASE("the arm is held off its stops while it is guided") {
  Guided g;
  g.arm.q[5] = 3.0;
  // 0.1 rad of spring takes 30 Nm; 3 Nm end 0.01 rad inside of it.
  for (int n = 0; n < 6000; ++n) {
    const robot::ArmState now = g.arm.nominal();
    Vec7 tau =
        plus(g.guiding.torque(kFr3, now, g.arm.q, g.arm.dq, kIdentity4, g.axes), now.gravity);
    tau[5] += 3;
    g.arm.step(tau);
  }
  CHECK(g.arm.q[5] == doctest::Approx(kFr3.limits.upper[5] - 0.1 + 0.01).epsilon(0.002));
}
