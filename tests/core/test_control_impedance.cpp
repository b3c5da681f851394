// Joint and Cartesian impedance in closed loop with a simulated arm at 1 kHz.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "base/transforms.hpp"
#include "control/controllers.hpp"
#include "simulated_arm.hpp"

using namespace fsim;
using namespace fsim::test;
using robot::kFr3;

namespace {

// The Franka Hand's TCP (robot-model.md section 6).
constexpr double kC = 0.7071067811865476;
constexpr Mat4 kHand{kC, -kC, 0, 0, kC, kC, 0, 0, 0, 0, 1, 0, 0, 0, 0.1034, 1};

judge::Reference at_rest(const Vec7& q) { return {q, {}, {}, {}}; }

/// Minimum-jerk motion of `amount` rad in every joint, over `cycles`, then a rest.
judge::Reference minimum_jerk(const Vec7& q0, double amount, int cycle, int cycles) {
  const double T = cycles * kDt, s = std::min(1.0, double(cycle) / cycles);
  const double p = s * s * s * (10 + s * (-15 + 6 * s));
  const double v = s * s * (30 + s * (-60 + 30 * s)) / T;
  const double a = s * (60 + s * (-180 + 120 * s)) / (T * T);
  judge::Reference ref;
  for (std::size_t i = 0; i < kJoints; ++i) {
    ref.q_d[i] = q0[i] + amount * p;
    ref.dq_d[i] = amount * v;
    ref.ddq_d[i] = amount * a;
  }
  return ref;
}

Vec7 random_pose(std::mt19937_64& random, double share) {
  Vec7 q;
  for (std::size_t i = 0; i < kJoints; ++i) {
    const double middle = (kFr3.limits.lower[i] + kFr3.limits.upper[i]) / 2;
    const double half = (kFr3.limits.upper[i] - kFr3.limits.lower[i]) / 2;
    q[i] = middle + share * half * std::uniform_real_distribution<double>(-1, 1)(random);
  }
  return q;
}

}  // namespace

TEST_CASE("joint impedance settles from 0.02 rad away for every stiffness it accepts") {
  constexpr unsigned kSeed = 7;
  CAPTURE(kSeed);
  std::mt19937_64 random(kSeed);
  for (const double K : {0.0, 1.0, 30.0, 300.0, 1000.0, 3000.0, 9000.0, 14250.0})
    for (int pose = 0; pose < 10; ++pose) {
      CAPTURE(K);
      SimulatedArm arm(kFr3);
      arm.friction_factor = 0;  // friction only helps
      arm.q = random_pose(random, 0.9);
      const judge::Reference ref = at_rest(arm.q);
      for (std::size_t i = 0; i < kJoints; ++i) arm.q[i] += i % 2 == 0 ? 0.02 : -0.02;
      for (int n = 0; n < 2000; ++n) {
        const robot::ArmState model = arm.nominal();
        const Vec7 tau = control::joint_impedance(kFr3, model, arm.q, arm.dq, ref, all_joints(K));
        arm.step(plus(tau, model.gravity));
      }
      if (K >= 300) {
        CHECK(distance(arm.q, ref.q_d) < 1e-4);
        CHECK(arm.energy() < 1e-7);
      } else {
        CHECK(distance(arm.q, ref.q_d) < 0.05);
      }
    }
}

TEST_CASE("joint impedance follows a 0.3 rad motion and ends on it with the robot's friction") {
  SimulatedArm arm(kFr3);
  const Vec7 q0 = arm.q;
  double worst = 0;
  for (int n = 0; n < 3000; ++n) {
    const judge::Reference ref = minimum_jerk(q0, 0.3, n, 2000);
    const robot::ArmState model = arm.nominal();
    arm.step(plus(control::joint_impedance(kFr3, model, arm.q, arm.dq, ref, kFr3.K_theta),
                  model.gravity));
    worst = std::max(worst, distance(arm.q, minimum_jerk(q0, 0.3, n + 1, 2000).q_d));
  }
  CHECK(worst < 2e-3);
  const Mat4 wanted = robot::flange_pose(kFr3, minimum_jerk(q0, 0.3, 3000, 2000).q_d);
  const auto error = pose_distance(robot::flange_pose(kFr3, arm.q), wanted);
  MESSAGE("worst joint error on the way " << worst << " rad; at the end " << error[0] << " m "
                                          << error[1] << " rad");
  CHECK(error[0] < 3e-3);
  CHECK(error[1] < 6e-3);
}

TEST_CASE("Cartesian impedance follows a 0.3 rad joint motion to 3 mm and 6 mrad at standstill") {
  SimulatedArm arm(kFr3);
  const Vec7 q0 = arm.q;
  for (int n = 0; n < 3000; ++n) {
    const judge::Reference ref = minimum_jerk(q0, 0.3, n, 2000);
    const robot::ArmState model = arm.nominal();
    arm.step(plus(
        control::cartesian_impedance(kFr3, model, arm.q, arm.dq, ref, kHand, kIdentity4, kFr3.K_x),
        model.gravity));
  }
  const Vec7 q_d = minimum_jerk(q0, 0.3, 3000, 2000).q_d;
  const auto error = pose_distance(compose(robot::flange_pose(kFr3, arm.q), kHand),
                                   compose(robot::flange_pose(kFr3, q_d), kHand));
  MESSAGE("at the end " << error[0] << " m " << error[1] << " rad, joints " << distance(arm.q, q_d)
                        << " rad");
  CHECK(error[0] < 3e-3);
  CHECK(error[1] < 6e-3);
  CHECK(distance(arm.q, q_d) < 0.03);
}

TEST_CASE("Cartesian impedance settles at every stiffness it accepts in random poses") {
  constexpr unsigned kSeed = 11;
  CAPTURE(kSeed);
  std::mt19937_64 random(kSeed);
  const Vec6 soft{10, 10, 10, 1, 1, 1}, stiff{3000, 3000, 3000, 300, 300, 300},
      mixed{3000, 10, 300, 1, 300, 30};
  for (const Vec6& K_x : {soft, stiff, mixed})
    for (int pose = 0; pose < 12; ++pose) {
      CAPTURE(K_x[1]);
      CAPTURE(pose);
      SimulatedArm arm(kFr3);
      arm.friction_factor = 0;
      arm.q = random_pose(random, 0.9);
      const judge::Reference ref = at_rest(arm.q);
      for (std::size_t i = 0; i < kJoints; ++i) arm.q[i] += i % 2 == 0 ? 0.02 : -0.02;
      double most = 0;
      // The softest spring on some 10 kg swings at 1 rad/s.
      for (int n = 0; n < 12000; ++n) {
        const robot::ArmState model = arm.nominal();
        const Vec7 tau =
            control::cartesian_impedance(kFr3, model, arm.q, arm.dq, ref, kHand, kIdentity4, K_x);
        arm.step(plus(tau, model.gravity));
        most = std::max(most, arm.energy());
      }
      CHECK(arm.energy() < 1e-3 * most + 1e-9);
      CHECK(distance(arm.q, ref.q_d) < 0.02);
    }
}

TEST_CASE(
    "Cartesian impedance stays calm where the arm is stretched out and the wrist is straight") {
  for (const Vec6& K_x : {Vec6{3000, 3000, 3000, 300, 300, 300}, Vec6{10, 10, 10, 1, 1, 1}})
    for (const Vec7& singular : {Vec7{0, 0, 0, -0.16, 0, 1.6, 0}, Vec7{0, 0, 0, -1.6, 0, 0.6, 0},
                                 Vec7{0, -0.8, 0, -2.4, 1.5708, 1.5708, 0}}) {
      SimulatedArm arm(kFr3);
      arm.friction_factor = 0;
      arm.q = singular;
      const judge::Reference ref = at_rest(singular);
      for (std::size_t i = 0; i < kJoints; ++i) arm.q[i] += i % 2 == 0 ? 0.02 : -0.02;
      double largest_torque = 0;
      for (int n = 0; n < 4000; ++n) {
        const robot::ArmState model = arm.nominal();
        const Vec7 tau = control::cartesian_impedance(kFr3, model, arm.q, arm.dq, ref, kIdentity4,
                                                      kIdentity4, K_x);
        largest_torque = std::max(largest_torque, largest(tau));
        arm.step(plus(tau, model.gravity));
      }
      CHECK(largest_torque < 150);
      CHECK(arm.energy() < 1e-5);
    }
}

TEST_CASE("Cartesian impedance pushes with K_x along each axis of the stiffness frame") {
  const Vec6 K_x{100, 200, 300, 10, 20, 30};
  SimulatedArm arm(kFr3);
  const robot::ArmState model = arm.nominal();
  // A reference half a millimetre of joint motion away; the wrench must be K_x times the error.
  judge::Reference ref = at_rest(arm.q);
  ref.q_d[0] += 1e-4;
  const Vec7 tau =
      control::cartesian_impedance(kFr3, model, arm.q, arm.dq, ref, kHand, kIdentity4, K_x);
  const Mat4 O_T_K = compose(model.O_T_F, kHand);
  const Mat67 J = robot::shift_jacobian(model.J_F, model.O_T_F, kHand);
  // Joint 1 turns about O's z: error = J e1 * 1e-4, rotated into K, scaled, back through Jᵀ.
  Vec6 error{};
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t r = 0; r < 3; ++r) {
      error[k] += O_T_K[k * 4 + r] * J[r] * 1e-4;
      error[3 + k] += O_T_K[k * 4 + r] * J[3 + r] * 1e-4;
    }
  double expected = 0;
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t r = 0; r < 3; ++r)
      expected += J[r] * O_T_K[k * 4 + r] * K_x[k] * error[k] +
                  J[3 + r] * O_T_K[k * 4 + r] * K_x[3 + k] * error[3 + k];
  // The null space adds at most its own spring.
  CHECK(tau[0] == doctest::Approx(expected).epsilon(0.02));
}
