// The judge with the arm's own inverse kinematics: the reference's calibration rows at its start
// pose and tool, and smooth motions that must stay clean. Source: reference 000, "Calibration".
#include <algorithm>
#include <random>

#include "base/transforms.hpp"
#include "robot/inverse_kinematics.hpp"
#include "test_judge_cartesian_support.hpp"

namespace fsim::judge::test {
namespace {

/// Rz(45 deg) and 0.1034 m: the Franka Hand. With it the reference's EE pose comes out to 0.2 mm.
Mat4 hand() {
  const double c = std::sqrt(0.5);
  return {c, -c, 0, 0, c, c, 0, 0, 0, 0, 1, 0, 0, 0, 0.1034, 1};
}

struct Arm {
  Mat4 F_T_EE = hand();

  static bool solve(const void* context, const Mat4& O_T_EE, const Elbow* elbow, const Vec7& q_prev,
                    JointSolution& out) noexcept {
    const auto& self = *static_cast<const Arm*>(context);
    const Mat4 O_T_F = robot::remove_end_effector(O_T_EE, self.F_T_EE);
    const robot::IkSolution s =
        elbow != nullptr ? robot::solve_ik(robot::kFr3, O_T_F, q_prev, {(*elbow)[0], (*elbow)[1]})
                         : robot::solve_ik(robot::kFr3, O_T_F, q_prev);
    out.q = s.q;
    return s.status == robot::IkStatus::kConverged;
  }
  JointSolver solver() const { return {this, &Arm::solve}; }
  Start at(const Vec7& q) const {
    const Mat4 T = compose(robot::flange_pose(robot::kFr3, q), F_T_EE);
    return {q, T, {q, {}, T, robot::elbow(robot::kFr3, q)}};
  }
};

constexpr Vec7 kCalibration{-0.046, -0.873, -0.104, -2.437, -0.051, 1.617, 0.748};

Limits fer() {
  Limits l = cartesian_limits();
  l.joint.acceleration = {15, 7.5, 10, 12.5, 15, 20, 20};
  l.joint.jerk = {7500, 3750, 5000, 6250, 7500, 10000, 10000};
  l.joint.position_based = false;
  l.cartesian = {{1.7, 13, 6500}, {2.5, 25, 12500}, {2.175, 10, 5000}};
  return l;
}

struct RampEnd {
  double increment = 0;
  CycleResult result;
};
RampEnd ramp(const Limits& limits, double v_max, double a_max, double j_max) {
  const Arm arm;
  const Start start = arm.at(kCalibration);
  CartesianClient client(kPose, strict(), arm.solver(), limits, start);
  for (int k = 0; k < 500; ++k) REQUIRE(clean(client.answer(start.O_T_EE_d)));
  double x = 0, v = 0, a = 0;
  while (x < 0.15) {
    const double before = v;
    // The next acceleration leaves room to come down to v_max at half the jerk.
    const double step = j_max * kDt / 2;
    const double room = std::sqrt(step * step + j_max * (v_max - v)) - step;
    a = std::max(a - j_max * kDt, std::min({a_max, a + j_max * kDt, room}));
    v += a * kDt;
    x += v * kDt;
    const CycleResult r = client.answer(moved(start.O_T_EE_d, 0, x));
    CHECK_FALSE(r.unsolved);
    if (!r.violations.empty()) return {v - before, r};
  }
  return {};
}

TEST_CASE("the calibration rows of a FER come out as on the robot, through the real kinematics") {
  const RampEnd own = ramp(fer(), 1.7, 13 - 1e-3, 6500 - 1e-3);
  CHECK(error_index(own.result, 0) == 29);
  CHECK(error_index(own.result, 1) == 30);
  const RampEnd refused = ramp(fer(), 0.5, 2.5, 500);
  CHECK(error_index(refused.result) == 29);
  CHECK(refused.result.violations.size() == 1);
  CHECK(refused.result.violations[0].joint == 1);
  CHECK(refused.increment == doctest::Approx(2.5e-3));
  CHECK(refused.result.violations[0].value == doctest::Approx(8.01).epsilon(0.01));
  CHECK(error_index(ramp(fer(), 0.3, 1.5, 200).result) == -1);
  CHECK(error_index(ramp(fer(), 0.4, 1.0, 100).result) == -1);
  CHECK(error_index(ramp(fer(), 0.3, 0.5, 20).result) == -1);
}

TEST_CASE("on the FR3's tables 2.5 m/s2 passes and 3.5 m/s2 is refused, through the kinematics") {
  CHECK(error_index(ramp(cartesian_limits(), 0.3, 2.5, 500).result) == -1);
  CHECK(error_index(ramp(cartesian_limits(), 0.5, 3.5, 500).result) == 29);
}

TEST_CASE("smooth poses, twists and elbows keep the joints clean, with and without losses") {
  const Arm arm;
  std::mt19937 random(41);
  for (const MotionSpec& spec : {kPose, kTwist})
    for (const bool elbow : {false, true})
      for (const bool losses : {false, true}) {
        CAPTURE(elbow);
        CAPTURE(losses);
        const Start start = arm.at(kReady);
        CartesianClient client(spec, strict(), arm.solver(), cartesian_limits(), start);
        double largest = 0;
        for (int k = 0; k < 3000; ++k) {
          const double t = k * kDt;
          // 0.1 m and 0.3 rad in 1.5 s and back, from rest with a jerk that starts at zero.
          const auto s = [](double u) { return u - std::sin(2 * M_PI * u) / (2 * M_PI); };
          const double u = t < 1.5 ? s(t / 1.5) : 1 - s((t - 1.5) / 1.5);
          const double du = (t < 1.5 ? 1 - std::cos(2 * M_PI * t / 1.5)
                                     : std::cos(2 * M_PI * (t - 1.5) / 1.5) - 1) /
                            1.5;
          wire::RobotCommand c = client.command({client.now.n + 1});
          c.O_T_EE_c = moved(moved(start.O_T_EE_d, 1, 0.1 * u), 4, 0.3 * u);
          c.O_dP_EE_c = {0, 0.1 * du, 0, 0, 0, 0.3 * du};
          c.elbow_c = {0.1 * u, -1};
          c.valid_elbow = elbow;
          const bool lost = losses && k > 0 && random() % 20 == 0;
          const CycleResult r = lost ? client.lose() : client.close({c});
          CHECK_FALSE(r.unsolved);
          if (!clean(r)) {
            CAPTURE(k);
            CAPTURE(r.violations[0].value);
            CAPTURE(error_index(r));
            REQUIRE(clean(r));
          }
          for (double a : r.reference.ddq_d) largest = std::max(largest, std::abs(a));
        }
        CHECK(largest < 5);
        // q_d realises the pose that was asked for.
        const Reference& end = client.judge.reference();
        const Mat4 T = compose(robot::flange_pose(robot::kFr3, end.q_d), arm.F_T_EE);
        for (std::size_t i = 0; i < 16; ++i) CHECK(std::abs(T[i] - end.cartesian.goal[i]) < 1e-9);
        if (elbow) CHECK(end.q_d[2] == end.cartesian.elbow_c[0]);
      }
}

TEST_CASE("a pose out of reach is told and not latched") {
  const Arm arm;
  Rules rules = permissive();
  const Start start = arm.at(kReady);
  CartesianClient client(kPose, rules, arm.solver(), cartesian_limits(), start);
  REQUIRE(clean(client.answer(start.O_T_EE_d)));
  bool told = false;
  for (int k = 0; k < 5; ++k) {
    const CycleResult r = client.answer(moved(start.O_T_EE_d, 2, 2.0));
    told |= r.unsolved;
    CHECK(r.reference.q_d == kReady);
  }
  CHECK(told);
}

}  // namespace
}  // namespace fsim::judge::test
