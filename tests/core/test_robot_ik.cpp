// Inverse kinematics against forward kinematics, against frankik (fr3_ik.inc) and against joint
// motions measured on a robot. Expectations of kinematics itself: test_robot_model.cpp.
#include <doctest/doctest.h>

#include <iterator>

#include "base/rotation.hpp"
#include "base/transforms.hpp"
#include "test_robot_ik_support.hpp"

using namespace fsim;
using namespace fsim::robot;

namespace {

constexpr double kGolden[][30] = {
#include "fr3_ik.inc"
};
constexpr unsigned kSeed = 20260104;

// The robot of the measured refusals (reference 000, "Calibration"): its start and tool.
constexpr Vec7 kCalibrationStart{-0.046, -0.873, -0.104, -2.437, -0.051, 1.617, 0.748};
Mat4 calibration_tool() {
  const double c = std::sqrt(0.5);
  return {c, c, 0, 0, -c, c, 0, 0, 0, 0, 1, 0, 0, 0, 0.1034, 1};
}

}  // namespace

TEST_CASE("from a seed up to 0.05 rad off, 100000 random poses are met to 1e-9 m and rad") {
  MESSAGE("seed ", kSeed);
  std::mt19937_64 rng(kSeed);
  std::uniform_real_distribution<double> off(-0.05, 0.05);
  int refused = 0;
  for (int n = 0; n < 100000; ++n) {
    const Vec7 q = random_q(rng, 0.1);
    const Mat4 O_T_F = flange_pose(kFr3, q);
    Vec7 start = q;
    for (double& x : start) x += off(rng);
    const IkSolution found = solve_ik(kFr3, O_T_F, start);
    if (found.status == IkStatus::kConverged) {
      REQUIRE(meets(found.q, O_T_F));
      REQUIRE(largest(found.q, start) <= kIkMaxStep);
      continue;
    }
    ++refused;
    REQUIRE(found.q == start);
    // Refused only where it may be: at the stretched arm, where the branch flips, or at a
    // singularity between the seed and the pose.
    const bool stretched = std::abs(q[3] - kFr3.elbow_flip_q4) < 0.25;
    REQUIRE((stretched || smallest_singular_value(jacobian(q)) < 0.05));
  }
  MESSAGE(refused, " refused");
  CHECK(refused < 1500);
}

TEST_CASE("with the elbow prescribed, 100000 random poses are met with q3 equal to the bit") {
  MESSAGE("seed ", kSeed + 1);
  std::mt19937_64 rng(kSeed + 1);
  std::uniform_real_distribution<double> off(-0.05, 0.05);
  int refused = 0;
  for (int n = 0; n < 100000; ++n) {
    const Vec7 q = random_q(rng, 0.1);
    const Mat4 O_T_F = flange_pose(kFr3, q);
    const ElbowTarget target{q[2], elbow(kFr3, q)[1]};
    Vec7 start = q;
    for (double& x : start) x += off(rng);
    const IkSolution found = solve_ik(kFr3, O_T_F, start, target);
    if (found.status == IkStatus::kConverged) {
      REQUIRE(meets(found.q, O_T_F));
      REQUIRE(found.q[2] == q[2]);
      REQUIRE(elbow(kFr3, found.q)[1] == target.branch);
      // Six joints for six equations: away from a singularity it is the configuration itself.
      if (sigma_held(q) > 0.1) REQUIRE(largest(found.q, q) < 1e-7);
      continue;
    }
    ++refused;
    REQUIRE(found.q == start);
    const bool stretched = std::abs(q[3] - kFr3.elbow_flip_q4) < 0.25;
    REQUIRE((stretched || sigma_held(q) < 0.08));
  }
  MESSAGE(refused, " refused");
  CHECK(refused < 3000);
}

TEST_CASE("given frankik's joint 3 the other six are frankik's") {
  int compared = 0;
  for (const auto& row : kGolden) {
    Vec7 start, expected;
    Mat4 O_T_F;
    std::copy_n(row, 7, start.begin());
    std::copy_n(row + 7, 16, O_T_F.begin());
    std::copy_n(row + 23, 7, expected.begin());
    if (sigma_held(expected) < 0.05 || elbow(kFr3, start)[1] != elbow(kFr3, expected)[1]) continue;
    ++compared;
    const ElbowTarget target{expected[2], elbow(kFr3, expected)[1]};
    const IkSolution found = solve_ik(kFr3, O_T_F, start, target);
    CHECK(found.status == IkStatus::kConverged);
    CHECK(largest(found.q, expected) < 1e-7);
  }
  MESSAGE(compared, " of ", std::size(kGolden), " compared");
  CHECK(compared > 150);
}

TEST_CASE("a step along x moves the joints as the calibration row says") {
  // Reference 000: J+ x at that q and tool, printed to 0.01 rad/m (their 1.617 stands as 1.61).
  constexpr Vec7 expected{0.33, 3.21, 0.02, 1.61, 0.22, 1.59, 0.17};
  const Mat4 F_T_EE = calibration_tool();
  const Mat4 O_T_EE = compose(flange_pose(kFr3, kCalibrationStart), F_T_EE);
  // Its position as the robot reported it, to 0.2 mm.
  CHECK(pose_error(O_T_EE, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.2895, -0.0550, 0.4769, 1})[0] <
        3e-4);
  const double step = 1e-5;
  const Mat4 next = integrate_twist(O_T_EE, {1, 0, 0, 0, 0, 0}, step);
  const IkSolution found = solve_ik(kFr3, remove_end_effector(next, F_T_EE), kCalibrationStart);
  REQUIRE(found.status == IkStatus::kConverged);
  for (std::size_t i = 0; i < kJoints; ++i)
    CHECK(std::abs((found.q[i] - kCalibrationStart[i]) / step - expected[i]) < 0.01);
}

TEST_CASE("the measured ramp is refused by joint 2 at its first 2.5 mm/s and not at 2.0 mm/s") {
  // Reference 000: steps of 0.5 to 10 um, whose fifth is the first increment of 2.5 mm/s; joint 2's
  // velocity changes by 8.01e-3 rad/s there and by 4.81e-3 at 1.5 mm/s, against the FER's 7.5
  // rad/s².
  constexpr double steps[] = {0.5e-6, 1.5e-6, 3e-6, 5e-6, 7.5e-6, 10e-6};
  const Mat4 F_T_EE = calibration_tool();
  Mat4 O_T_EE = compose(flange_pose(kFr3, kCalibrationStart), F_T_EE);
  Vec7 q = kCalibrationStart, dq{};
  double acceleration[6];
  for (std::size_t k = 0; k < 6; ++k) {
    O_T_EE[12] += steps[k];
    const IkSolution found = solve_ik(kFr3, remove_end_effector(O_T_EE, F_T_EE), q);
    REQUIRE(found.status == IkStatus::kConverged);
    const double velocity = (found.q[1] - q[1]) / kDt;
    acceleration[k] = (velocity - dq[1]) / kDt;
    dq[1] = velocity;
    q = found.q;
  }
  CHECK(acceleration[2] == doctest::Approx(4.81).epsilon(0.005));
  CHECK(acceleration[3] == doctest::Approx(6.42).epsilon(0.005));
  CHECK(acceleration[4] == doctest::Approx(8.02).epsilon(0.005));
  CHECK(acceleration[3] < 7.5);
  CHECK(acceleration[4] > 7.5);
}

TEST_CASE("along a smooth path the joints' differences are as smooth as the path") {
  // 0.2 m and 0.5 rad to and fro in 4 s; from the ready pose.
  const Mat4 start = flange_pose(kFr3, kFr3.q_ready);
  Vec7 q = kFr3.q_ready, dq{}, ddq{};
  double jerk = 0, acceleration = 0;
  for (int k = 1; k <= 4000; ++k) {
    const double s = 0.5 * (1 - std::cos(2 * kPi * k / 4000));
    const Mat4 O_T_F = integrate_twist(start, {0.1, 0.15, -0.1, 0.3, -0.3, 0.2}, s);
    const IkSolution found = solve_ik(kFr3, O_T_F, q);
    REQUIRE(found.status == IkStatus::kConverged);
    REQUIRE(found.iterations <= 3);
    for (std::size_t i = 0; i < kJoints; ++i) {
      const double v = (found.q[i] - q[i]) / kDt, a = (v - dq[i]) / kDt;
      // The path itself starts with an acceleration step.
      if (k > 3) {
        acceleration = std::max(acceleration, std::abs(a));
        jerk = std::max(jerk, std::abs(a - ddq[i]) / kDt);
      }
      dq[i] = v;
      ddq[i] = a;
    }
    q = found.q;
  }
  // Cosine: jerk is acceleration times 2 pi / 4 s, plus curvature and 1e-12 of the solver.
  MESSAGE("acceleration ", acceleration, " rad/s^2, jerk ", jerk, " rad/s^3");
  CHECK(acceleration < 3);
  CHECK(jerk < 10);
  // Back where it began, nearly: minimum norm motion need not close in joint space, but does when
  // it returns along the same path.
  CHECK(largest(q, kFr3.q_ready) < 1e-4);
}

TEST_CASE("a free step is never longer than the pose's step over the smallest singular value") {
  // The norm of a minimum norm motion, on 200 random paths of 0.2 m and 0.5 rad in 1 s.
  MESSAGE("seed ", kSeed + 3);
  std::mt19937_64 rng(kSeed + 3);
  std::uniform_real_distribution<double> unit(-1, 1);
  int ended = 0;
  for (int path = 0; path < 200; ++path) {
    Vec7 q = random_q(rng, 0.3);
    const Mat4 start = flange_pose(kFr3, q);
    const Vec6 twist{0.2 * unit(rng), 0.2 * unit(rng), 0.2 * unit(rng),
                     0.5 * unit(rng), 0.5 * unit(rng), 0.5 * unit(rng)};
    double previous = 0;
    for (int k = 1; k <= 1000; ++k) {
      const double s = 0.5 * (1 - std::cos(kPi * k / 1000));
      const IkSolution found = solve_ik(kFr3, integrate_twist(start, twist, s), q);
      const double sigma = smallest_singular_value(jacobian(q));
      if (found.status != IkStatus::kConverged) {
        // Only at the edge of what the arm can do.
        REQUIRE(sigma < 0.1);
        ++ended;
        break;
      }
      double length = 0, moved = 0;
      for (const double x : twist) length += std::pow(x * (s - previous), 2);
      for (std::size_t i = 0; i < kJoints; ++i) moved += std::pow(found.q[i] - q[i], 2);
      // Near a singularity the Jacobian changes within the step.
      if (sigma > 0.05) REQUIRE(std::sqrt(moved) < 1.05 * std::sqrt(length) / sigma + 1e-9);
      previous = s;
      q = found.q;
    }
  }
  MESSAGE(ended, " of 200 paths leave the arm's reach");
  CHECK(ended < 100);
}

TEST_CASE("the gains are what small steps of pose and elbow do to the joints") {
  const Mat4 O_T_F = flange_pose(kFr3, kCalibrationStart);
  const double q3 = kCalibrationStart[2];
  constexpr double h = 1e-6;
  for (const bool prescribed : {false, true}) {
    CAPTURE(prescribed);
    const auto moved = [&](const Vec6& twist, double turn) {
      const Mat4 target = integrate_twist(O_T_F, twist, h);
      const IkSolution found = prescribed
                                   ? solve_ik(kFr3, target, kCalibrationStart, {q3 + h * turn, -1})
                                   : solve_ik(kFr3, target, kCalibrationStart);
      Vec7 rate;
      for (std::size_t i = 0; i < kJoints; ++i) rate[i] = (found.q[i] - kCalibrationStart[i]) / h;
      return rate;
    };
    std::array<Vec7, 6> axis;
    for (std::size_t k = 0; k < 6; ++k) {
      Vec6 unit{};
      unit[k] = 1;
      axis[k] = moved(unit, 0);
    }
    const Vec7 turned = moved({}, 1);
    const IkGain gain = ik_gain(jacobian(kCalibrationStart), prescribed);
    for (std::size_t i = 0; i < kJoints; ++i) {
      CHECK(std::abs(gain.per_metre[i] - std::hypot(axis[0][i], axis[1][i], axis[2][i])) < 1e-4);
      CHECK(std::abs(gain.per_radian[i] - std::hypot(axis[3][i], axis[4][i], axis[5][i])) < 1e-4);
      CHECK(std::abs(gain.per_elbow[i] - std::abs(turned[i])) < 1e-4);
    }
  }
}

TEST_CASE("a closed loop turns the free elbow a little and the prescribed one not at all") {
  // A circle of 0.1 m radius in the y-z plane, 4 s.
  const Mat4 start = flange_pose(kFr3, kFr3.q_ready);
  const ElbowTarget target{kFr3.q_ready[2], -1};
  Vec7 q = kFr3.q_ready, held = kFr3.q_ready;
  for (int k = 1; k <= 4000; ++k) {
    const double angle = 2 * kPi * k / 4000;
    Mat4 O_T_F = start;
    O_T_F[13] += 0.1 * std::sin(angle);
    O_T_F[14] += 0.1 * (1 - std::cos(angle));
    const IkSolution a = solve_ik(kFr3, O_T_F, q), b = solve_ik(kFr3, O_T_F, held, target);
    REQUIRE(a.status == IkStatus::kConverged);
    REQUIRE(b.status == IkStatus::kConverged);
    q = a.q;
    held = b.q;
  }
  MESSAGE("free elbow drift ", q[2] - kFr3.q_ready[2], " rad a turn");
  CHECK(std::abs(q[2] - kFr3.q_ready[2]) < 0.05);
  CHECK(largest(held, kFr3.q_ready) < 1e-9);
}

TEST_CASE("an elbow ramp with the pose held turns joint 3 and keeps the flange") {
  // Reference 000: 0.3 rad/s² from q3 = -0.123.
  Vec7 q = kFr3.q_ready;
  q[2] = -0.123;
  const Mat4 O_T_F = flange_pose(kFr3, q);
  for (int k = 1; k <= 2000; ++k) {
    const double q3 = -0.123 + 0.15 * (k * kDt) * (k * kDt);
    const IkSolution found = solve_ik(kFr3, O_T_F, q, {q3, -1});
    REQUIRE(found.status == IkStatus::kConverged);
    REQUIRE(found.q[2] == q3);
    REQUIRE(meets(found.q, O_T_F));
    REQUIRE(largest(found.q, q) < 3e-3);
    q = found.q;
  }
}

TEST_CASE("a tool that is only nearly a rotation comes off without a trace") {
  // As Desk prints it, robot-model.md section 6: columns 1e-5 short.
  const Mat4 F_T_EE{0.7071, -0.7071, 0, 0, 0.7071, 0.7071, 0, 0, 0, 0, 1, 0, 0, 0, 0.1034, 1};
  const Mat4 O_T_F = flange_pose(kFr3, kFr3.q_ready);
  const auto [distance, chord] =
      pose_error(remove_end_effector(compose(O_T_F, F_T_EE), F_T_EE), O_T_F);
  CHECK(distance < 1e-15);
  CHECK(chord < 1e-15);
  // And the nearest rotation is what the joints take of a target that is off.
  Mat4 off = O_T_F;
  for (std::size_t k = 0; k < 3; ++k) off[k] *= 1 - 9.6e-6;
  const IkSolution found = solve_ik(kFr3, off, kFr3.q_ready);
  CHECK(found.status == IkStatus::kConverged);
  CHECK(largest(found.q, kFr3.q_ready) < 1e-9);
}
