// Where inverse kinematics must say no: out of reach, singular, other branch, jump, not a number.
#include <doctest/doctest.h>

#include <limits>

#include "base/transforms.hpp"
#include "test_robot_ik_support.hpp"

using namespace fsim;
using namespace fsim::robot;

namespace {

constexpr unsigned kSeed = 20260106;

/// Singular values by one-sided Jacobi rotations of the rows: slow, plain, independent.
double smallest_singular_value_by_jacobi(const Mat67& J) {
  std::array<Vec7, 6> rows;
  for (std::size_t r = 0; r < 6; ++r)
    for (std::size_t i = 0; i < kJoints; ++i) rows[r][i] = J[6 * i + r];
  const auto dot7 = [](const Vec7& a, const Vec7& b) {
    double sum = 0;
    for (std::size_t i = 0; i < kJoints; ++i) sum += a[i] * b[i];
    return sum;
  };
  for (int sweep = 0; sweep < 30; ++sweep)
    for (std::size_t a = 0; a < 6; ++a)
      for (std::size_t b = a + 1; b < 6; ++b) {
        const double angle = 0.5 * std::atan2(2 * dot7(rows[a], rows[b]),
                                              dot7(rows[a], rows[a]) - dot7(rows[b], rows[b]));
        const double c = std::cos(angle), s = std::sin(angle);
        for (std::size_t i = 0; i < kJoints; ++i) {
          const double x = rows[a][i], y = rows[b][i];
          rows[a][i] = c * x + s * y;
          rows[b][i] = c * y - s * x;
        }
      }
  double least = 1e9;
  for (const Vec7& row : rows) least = std::min(least, std::sqrt(dot7(row, row)));
  return least;
}

}  // namespace

TEST_CASE("a pose beyond the arm is out of reach and leaves the joints where they are") {
  Mat4 far = flange_pose(kFr3, kFr3.q_ready);
  far[12] = 1.2;
  IkSolution found = solve_ik(kFr3, far, kFr3.q_ready);
  CHECK(found.status == IkStatus::kOutOfReach);
  CHECK(found.iterations == 0);
  CHECK(found.q == kFr3.q_ready);
  // The wrist's circle is what counts: 1 mm inside and outside of the stretched arm, pointing up.
  Mat4 up = kIdentity4;
  const double stretched = std::hypot(0.316, 0.0825) + std::hypot(0.384, 0.0825);
  up[14] = 0.333 + std::sqrt(stretched * stretched - 0.088 * 0.088) + 0.107;
  up[12] = up[13] = 0;
  Mat4 above = up;
  above[12] = 0.2;
  CHECK(solve_ik(kFr3, above, kFr3.q_ready).status == IkStatus::kOutOfReach);
  up[14] += 1e-3;
  CHECK(solve_ik(kFr3, up, kFr3.q_ready).status == IkStatus::kOutOfReach);
  up[14] -= 2e-3;
  CHECK(solve_ik(kFr3, up, kFr3.q_ready).status != IkStatus::kOutOfReach);
}

TEST_CASE("moving outwards ends at the stretched arm in a refusal, never in a jump") {
  for (const bool prescribed : {false, true}) {
    CAPTURE(prescribed);
    Mat4 O_T_F = flange_pose(kFr3, kFr3.q_ready);
    Vec7 q = kFr3.q_ready;
    IkSolution found{};
    for (int k = 0; k < 10000; ++k) {
      O_T_F[12] += 1e-4;
      found = prescribed ? solve_ik(kFr3, O_T_F, q, {q[2], -1}) : solve_ik(kFr3, O_T_F, q);
      if (found.status != IkStatus::kConverged) break;
      REQUIRE(largest(found.q, q) < 0.1);
      q = found.q;
    }
    MESSAGE("x ", O_T_F[12], ", q4 ", q[3], ", status ", static_cast<int>(found.status));
    CHECK(found.status != IkStatus::kConverged);
    CHECK(found.q == q);
    // The flip is where the arm is straight.
    CHECK(q[3] < kFr3.elbow_flip_q4);
    CHECK(q[3] > kFr3.elbow_flip_q4 - 0.15);
  }
}

TEST_CASE("a pose a micrometre beyond the stretched arm is singular, with and without the elbow") {
  // Stretched in one plane, so the wrist is the nearest point of its circle to the shoulder.
  Vec7 q{0, -0.5, 0, kFr3.elbow_flip_q4, 0, 2.5, 0.8};
  CHECK(smallest_singular_value(jacobian(q)) < 1e-6);
  std::array<Mat4, kJoints> frames;
  joint_frames(kFr3, q, frames);
  const Vec3 arm{frames[5][12], frames[5][13], frames[5][14] - 0.333};
  const double length = std::hypot(arm[0], arm[1], arm[2]);
  CHECK(length == doctest::Approx(std::hypot(0.316, 0.0825) + std::hypot(0.384, 0.0825)));
  Mat4 O_T_F = flange_pose(kFr3, q);
  for (std::size_t k = 0; k < 3; ++k) O_T_F[12 + k] += 1e-6 * arm[k] / length;
  q[3] -= 1e-3;
  for (const IkSolution& found : {solve_ik(kFr3, O_T_F, q), solve_ik(kFr3, O_T_F, q, {q[2], -1})}) {
    CHECK(found.status == IkStatus::kSingular);
    CHECK(found.iterations == kIkMaxIterations);
    CHECK(found.q == q);
  }
}

TEST_CASE("the other side of the elbow's flip is a branch flip, not a solution") {
  Vec7 q = kFr3.q_ready;
  q[3] = kFr3.elbow_flip_q4 + 0.15;
  const Mat4 O_T_F = flange_pose(kFr3, q);
  REQUIRE(elbow(kFr3, q)[1] == 1.0);
  CHECK(solve_ik(kFr3, O_T_F, q, {q[2], 1.0}).status == IkStatus::kConverged);
  const IkSolution found = solve_ik(kFr3, O_T_F, q, {q[2], -1.0});
  CHECK(found.status == IkStatus::kBranchFlip);
  CHECK(found.q == q);
}

TEST_CASE("a pose far away is too far, whatever Newton makes of it") {
  Vec7 q = kFr3.q_ready;
  q[0] = 2.6;
  const IkSolution found = solve_ik(kFr3, flange_pose(kFr3, q), kFr3.q_ready);
  CHECK(found.status == IkStatus::kTooFar);
  CHECK(found.q == kFr3.q_ready);
}

TEST_CASE("numbers that are not finite are refused and leave the joints where they are") {
  const Mat4 good = flange_pose(kFr3, kFr3.q_ready);
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    for (std::size_t k = 0; k < 15; ++k) {
      Mat4 O_T_F = good;
      O_T_F[k] = bad;
      const IkSolution found = solve_ik(kFr3, O_T_F, kFr3.q_ready);
      // The last row is not looked at.
      if (k % 4 == 3) continue;
      CHECK(found.status != IkStatus::kConverged);
      CHECK(found.q == kFr3.q_ready);
    }
    CHECK(solve_ik(kFr3, good, kFr3.q_ready, {bad, -1}).status != IkStatus::kConverged);
  }
}

TEST_CASE("the smallest singular value agrees with a plain Jacobi iteration") {
  MESSAGE("seed ", kSeed);
  std::mt19937_64 rng(kSeed);
  for (int n = 0; n < 1000; ++n) {
    const Mat67 J = jacobian(random_q(rng, 0));
    const double expected = smallest_singular_value_by_jacobi(J);
    CHECK(std::abs(smallest_singular_value(J) - expected) < 1e-6 + 1e-2 * expected);
  }
  // Straight up: singular to the last bit.
  CHECK(smallest_singular_value(jacobian({0, 0, 0, 0, 0, 0, 0})) < 1e-6);
  CHECK(smallest_singular_value(jacobian(kFr3.q_ready)) > 0.1);
}
