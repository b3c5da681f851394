// The FR3's kinematics and dynamics against numbers of Pinocchio (fr3_model.inc) and by hand.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>

#include "base/transforms.hpp"
#include "robot/accelerometers.hpp"
#include "robot/model.hpp"

using namespace fsim;
using namespace fsim::robot;

namespace {

constexpr std::size_t kColumns = 37 + 16 + 42 + 49 + 7 + 7 + 7 + 18 + 18;
constexpr double kCases[][kColumns] = {
#include "fr3_model.inc"
};

/// Takes the next N numbers of a case.
class Reader {
 public:
  explicit Reader(std::span<const double> row) : row_(row) {}
  template <std::size_t N>
  std::array<double, N> next() {
    std::array<double, N> values;
    std::copy_n(row_.begin(), N, values.begin());
    row_ = row_.subspan(N);
    return values;
  }

 private:
  std::span<const double> row_;
};

struct Case {
  Vec7 q, dq, ddq;
  Load load;
  Vec3 g;
  Mat4 O_T_F;
  Mat67 J;
  Mat77 M;
  Vec7 coriolis, gravity, tau;
  AccelerometerReadings felt;

  explicit Case(const double (&row)[kColumns]) {
    Reader r{std::span<const double>(row)};
    q = r.next<7>();
    dq = r.next<7>();
    ddq = r.next<7>();
    load = {r.next<1>()[0], r.next<3>(), r.next<9>()};
    g = r.next<3>();
    O_T_F = r.next<16>();
    J = r.next<42>();
    M = r.next<49>();
    coriolis = r.next<7>();
    gravity = r.next<7>();
    tau = r.next<7>();
    felt = {r.next<18>(), r.next<18>()};
  }
};

template <std::size_t N>
double largest_difference(const std::array<double, N>& a, const std::array<double, N>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < N; ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

}  // namespace

TEST_CASE("evaluate agrees with Pinocchio in 100 configurations, with and without a load") {
  static_assert(std::size(kCases) == 100);
  for (const auto& row : kCases) {
    const Case c(row);
    ArmState arm;
    evaluate(kFr3, c.q, c.dq, c.load, c.g, arm);
    CHECK(largest_difference(arm.O_T_F, c.O_T_F) < 1e-12);
    CHECK(largest_difference(arm.J_F, c.J) < 1e-12);
    CHECK(largest_difference(arm.M, c.M) < 1e-11);
    CHECK(largest_difference(arm.coriolis, c.coriolis) < 1e-11);
    CHECK(largest_difference(arm.gravity, c.gravity) < 1e-11);
    CHECK(largest_difference(flange_pose(kFr3, c.q), c.O_T_F) < 1e-12);
  }
}

TEST_CASE("inverse dynamics agrees with Pinocchio in 100 configurations") {
  for (const auto& row : kCases) {
    const Case c(row);
    const Vec7 tau = inverse_dynamics(kFr3, c.q, c.dq, c.ddq, c.load, c.g);
    CHECK(largest_difference(tau, c.tau) < 1e-10);
  }
}

TEST_CASE("the joint frames chain to the flange and turn about their own z") {
  const Case c(kCases[0]);
  ArmState arm;
  evaluate(kFr3, c.q, c.dq, c.load, c.g, arm);
  CHECK(compose(arm.O_T_J[6], kFr3.flange_origin) == arm.O_T_F);
  for (std::size_t i = 0; i < kJoints; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      CHECK(arm.J_F[i * 6 + 3 + k] == doctest::Approx(arm.O_T_J[i][8 + k]));
}

TEST_CASE("a shifted Jacobian is the derivative of the shifted frame's position") {
  const Case c(kCases[2]);
  const Mat4 F_T_X{0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0.05, -0.1, 0.2, 1};
  ArmState arm;
  evaluate(kFr3, c.q, c.dq, c.load, c.g, arm);
  const Mat67 J = shift_jacobian(arm.J_F, arm.O_T_F, F_T_X);
  for (std::size_t i = 0; i < kJoints; ++i) {
    // Central difference: truncation and rounding both stay near 1e-10.
    constexpr double h = 1e-5;
    Vec7 plus = c.q, minus = c.q;
    plus[i] += h;
    minus[i] -= h;
    const Mat4 a = compose(flange_pose(kFr3, plus), F_T_X);
    const Mat4 b = compose(flange_pose(kFr3, minus), F_T_X);
    for (std::size_t k = 0; k < 3; ++k) {
      CHECK(std::abs(J[i * 6 + k] - (a[12 + k] - b[12 + k]) / (2 * h)) < 1e-8);
      CHECK(J[i * 6 + 3 + k] == arm.J_F[i * 6 + 3 + k]);
    }
  }
}

TEST_CASE("two point masses combine to their centre and their moments about it") {
  const Load ee{1.0, {0, 0, 0.1}, {}};
  const Load load{3.0, {0, 0, 0.3}, {}};
  const Load total = combine(ee, load);
  CHECK(total.mass == 4.0);
  CHECK(total.F_x_C[2] == doctest::Approx(0.25));
  // m1 0.15² + m2 0.05² about x and y, nothing about the line that joins them.
  CHECK(total.I[0] == doctest::Approx(0.03));
  CHECK(total.I[4] == doctest::Approx(0.03));
  CHECK(total.I[8] == doctest::Approx(0.0));
}

TEST_CASE("a body without mass adds nothing to a combination, not even its inertia") {
  const Load ee{0.73, {-0.01, 0, 0.03}, {0.001, 0, 0, 0, 0.0025, 0, 0, 0, 0.0017}};
  const Load ghost{0, {1, 2, 3}, {5, 0, 0, 0, 5, 0, 0, 0, 5}};
  const Load total = combine(ee, ghost);
  CHECK(total.mass == ee.mass);
  CHECK(largest_difference(total.I, ee.I) < 1e-15);
  CHECK(combine(ghost, ghost).I == Mat3{});
  CHECK(combine(ghost, ghost).F_x_C == Vec3{});
}

TEST_CASE("the elbow is q3 and a branch that flips at -0.467 rad and is never zero") {
  Vec7 q = kFr3.q_ready;
  q[2] = 0.4;
  CHECK(elbow(kFr3, q) == std::array<double, 2>{0.4, -1.0});
  q[3] = kFr3.elbow_flip_q4;
  CHECK(elbow(kFr3, q)[1] == 1.0);
  q[3] = std::nextafter(kFr3.elbow_flip_q4, -1.0);
  CHECK(elbow(kFr3, q)[1] == -1.0);
}

TEST_CASE("a robot is found by its name only") {
  CHECK(find_robot("fr3") == &kFr3);
  CHECK(find_robot("fr4") == nullptr);
  CHECK(find_robot(nullptr) == nullptr);
}

TEST_CASE("accelerometers agree with Pinocchio in 100 motions") {
  for (const auto& row : kCases) {
    const Case c(row);
    ArmState arm;
    evaluate(kFr3, c.q, c.dq, c.load, c.g, arm);
    AccelerometerReadings felt;
    accelerometers(kFr3, arm, c.dq, c.ddq, c.g, felt);
    CHECK(largest_difference(felt.top, c.felt.top) < 1e-10);
    CHECK(largest_difference(felt.bottom, c.felt.bottom) < 1e-10);
  }
}
