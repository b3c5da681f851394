// The joint side of a Cartesian command: 29, 30, 27, 28 with a linear stand-in for the inverse
// kinematics. Source: reference 000, "The joint side of a Cartesian command (29, 30)".
#include "test_judge_cartesian_support.hpp"

namespace fsim::judge::test {
namespace {

// The reference's J+ x at its start pose [rad/m].
constexpr Vec7 kRampGain{0.33, 3.21, 0.02, 1.61, 0.22, 1.59, 0.17};

// FER tables of libfranka 0.9 (reference 000; robot-model.md for the Cartesian ones).
Limits fer() {
  Limits l = cartesian_limits();
  l.joint.acceleration = {15, 7.5, 10, 12.5, 15, 20, 20};
  l.joint.jerk = {7500, 3750, 5000, 6250, 7500, 10000, 10000};
  l.joint.position_based = false;
  l.cartesian = {{1.7, 13, 6500}, {2.5, 25, 12500}, {2.175, 10, 5000}};
  return l;
}

struct RampEnd {
  double increment = 0;  ///< of the refused cycle's velocity [m/s]
  CycleResult result;
};
/// Ramp in x with a (velocity, acceleration, jerk) budget after 0.5 s at rest, up to 0.15 m.
RampEnd ramp(const Limits& limits, double v_max, double a_max, double j_max, double scale = 1) {
  LinearArm arm;
  arm.J[0] = kRampGain;
  Rules rules = strict();
  rules.joint_discontinuity_scale = scale;
  Start start{kReady, kHome, {kReady, {}, kHome, kHomeElbow}};
  CartesianClient client(kPose, rules, arm.solver(), limits, start);
  for (int k = 0; k < 500; ++k) REQUIRE(clean(client.answer(kHome)));
  double x = 0, v = 0, a = 0;
  while (x < 0.15) {
    const double before = v;
    a = std::min(a_max, a + j_max * kDt);
    a = std::max(a - j_max * kDt, std::min(a, std::sqrt(j_max * (v_max - v))));
    a = std::min(a, (v_max - v) / kDt);
    v += a * kDt;
    x += v * kDt;
    const CycleResult r = client.answer(moved(kHome, 0, x));
    if (!r.violations.empty()) return {v - before, r};
    if (v_max - v < 1e-9) break;
  }
  return {};
}

TEST_CASE("the calibration rows of a FER come out as on the robot") {
  const RampEnd own = ramp(fer(), 1.7, 13 - 1e-3, 6500 - 1e-3);
  CHECK(error_index(own.result, 0) == 29);
  CHECK(error_index(own.result, 1) == 30);
  CHECK(own.result.abort.has(wire::Error::kCartesianMotionGeneratorJointVelocityDiscontinuity));
  CHECK(own.result.abort.has(wire::Error::kCartesianMotionGeneratorJointAccelerationDiscontinuity));
  for (double v : {0.5, 0.3}) {
    const RampEnd refused = ramp(fer(), v, 2.5, 500);
    CHECK(error_index(refused.result) == 29);
    CHECK(refused.result.violations.size() == 1);
    CHECK(refused.result.violations[0].joint == 1);
    CHECK(refused.increment == doctest::Approx(2.5e-3));
    CHECK(refused.result.violations[0].value == doctest::Approx(8.03).epsilon(2e-3));
    CHECK(refused.result.violations[0].limit == 7.5);
  }
  CHECK(ramp(fer(), 0.3, 1.5, 200).result.violations.empty());
  CHECK(ramp(fer(), 0.4, 1.0, 100).result.violations.empty());
  CHECK(ramp(fer(), 0.3, 0.5, 20).result.violations.empty());
}

TEST_CASE("on the FR3's tables 2.5 m/s2 passes and 3.5 m/s2 is refused") {
  CHECK(ramp(cartesian_limits(), 0.3, 2.5, 500).result.violations.empty());
  const RampEnd refused = ramp(cartesian_limits(), 0.3, 3.5, 500);
  CHECK(error_index(refused.result) == 29);
  CHECK(refused.result.violations[0].limit == 10.0);
}

TEST_CASE("the scale multiplies both tables") {
  CHECK(error_index(ramp(cartesian_limits(), 0.3, 2.5, 500, 0.8).result) == 29);
  const RampEnd wider = ramp(cartesian_limits(), 0.3, 3.5, 500, 1.2);
  CAPTURE(wider.increment);
  CHECK(error_index(wider.result) == -1);
  const RampEnd jerk = ramp(cartesian_limits(), 0.3, 2.5, 500, 0.3);
  CHECK(error_index(jerk.result) == 30);
  CHECK(jerk.result.violations[0].limit == doctest::Approx(1500));
}

struct Moving {
  LinearArm arm;
  CartesianClient client;
  explicit Moving(MotionSpec spec, Rules rules, double gain = 10)
      : arm{make(gain)}, client(spec, rules, arm.solver()) {}
  static LinearArm make(double gain) {
    LinearArm a;
    a.J[0][3] = gain;
    return a;
  }
};

TEST_CASE("both discontinuities come from one pose, one name from a twist") {
  Moving pose(kPose, strict());
  pose.client.answer(kHome);
  // 2 m/s^2 and 2000 m/s^3: inside the Cartesian limits, 20 rad/s^2 and 20000 rad/s^3.
  const CycleResult r = pose.client.answer(moved(kHome, 0, 2e-6));
  REQUIRE(r.violations.size() == 2);
  CHECK(error_index(r, 0) == 29);
  CHECK(error_index(r, 1) == 30);
  CHECK(r.violations[0].value == doctest::Approx(20));
  CHECK(r.violations[1].value == doctest::Approx(20000));
  Moving twist(kTwist, strict());
  twist.client.answer(Vec6{});
  const CycleResult t = twist.client.answer(along(0, 2e-3));
  CHECK(error_index(t, 0) == 30);
  CHECK(t.abort.bits() ==
        std::uint64_t{1} << static_cast<int>(
            wire::Error::kCartesianMotionGeneratorJointAccelerationDiscontinuity));
}

TEST_CASE("a Cartesian row outranks the joint side, and the joint side the elbow's limits") {
  Moving pose(kPose, permissive());
  pose.client.answer(kHome, kHomeElbow);
  CHECK(error_index(pose.client.answer(moved(kHome, 0, 0.3), {0.5, -1})) == 19);
  Moving joint(kPose, permissive());
  joint.client.answer(kHome, kHomeElbow);
  CHECK(error_index(joint.client.answer(moved(kHome, 0, 2e-6), {0.5, -1})) == 29);
}

TEST_CASE("the joint side is silent on the opening command, which rebases a pose's joints") {
  Moving pose(kPose, strict());
  const CycleResult first = pose.client.answer(moved(kHome, 0, 0.01));
  CHECK(clean(first));
  CHECK(first.reference.q_d[3] == doctest::Approx(kReady[3] + 0.1));
  CHECK(first.reference.dq_d == Vec7{});
  CHECK(clean(pose.client.answer(moved(kHome, 0, 0.01))));
  // A twist starts from rest: its first step is not judged, but it is recorded.
  Moving twist(kTwist, strict());
  const CycleResult t = twist.client.answer(along(0, 2e-3));
  CHECK(clean(t));
  CHECK(t.reference.dq_d[3] == doctest::Approx(0.02));
  CHECK(error_index(twist.client.answer(along(0, 2e-3))) == 30);
}

TEST_CASE("q_d, dq_d and ddq_d are the joint trajectory of the pose, also through a gap") {
  Moving pose(kPose, strict(), 1);
  pose.client.answer(kHome);
  double x = 0, v = 0;
  for (int k = 0; k < 200; ++k) {
    v += 4e-3;
    x += v * kDt;
    const CycleResult r =
        k % 9 == 4 || k % 9 == 5 ? pose.client.lose() : pose.client.answer(moved(kHome, 0, x));
    REQUIRE(clean(r));
    CHECK(r.reference.q_d[3] == doctest::Approx(kReady[3] + x).epsilon(1e-12));
    CHECK(r.reference.dq_d[3] == doctest::Approx(v).epsilon(1e-8));
    if (k > 1) CHECK(r.reference.ddq_d[3] == doctest::Approx(4.0).epsilon(1e-5));
  }
}

TEST_CASE("the envelope and the range of the joints are 28 and 27, after the discontinuities") {
  const robot::JointLimits l = fr3_limits();
  for (double sign : {-1.0, 1.0})
    for (std::size_t i = 0; i < kJoints; ++i) {
      const double stop = sign > 0 ? l.upper[i] : l.lower[i];
      for (const MotionSpec& spec : {kPose, kTwist}) {
        LinearArm arm;
        arm.q0 = with(kReady, i, stop - sign * 1e-9);
        arm.J[0][i] = 1;
        Start start{arm.q0, kHome, {arm.q0, {}, kHome, kHomeElbow}};
        CartesianClient client(spec, strict(), arm.solver(), cartesian_limits(), start);
        const auto go = [&](double x, double v) {
          return spec.generator == Generator::kCartesianPosition ? client.answer(moved(kHome, 0, x))
                                                                 : client.answer(along(0, v));
        };
        REQUIRE(clean(go(0, 0)));
        // 2 nm in one cycle: 2e-6 rad/s outward and 1 nrad beyond.
        const CycleResult r = go(sign * 2e-9, sign * 2e-6);
        CHECK(error_index(r) == 27);
        CHECK(r.violations[0].joint == static_cast<int>(i));
        CHECK(r.violations[0].limit == stop);
      }
      LinearArm arm;
      arm.q0 = with(kReady, i, stop - sign * 1e-3);
      arm.J[0][i] = 1;
      Start start{arm.q0, kHome, {arm.q0, {}, kHome, kHomeElbow}};
      CartesianClient client(kPose, strict(), arm.solver(), cartesian_limits(), start);
      client.answer(kHome);
      const CycleResult fast = client.answer(moved(kHome, 0, sign * 4e-6));
      CHECK(error_index(fast) == 28);
      CHECK_FALSE(fast.abort.has(wire::Error::kJointVelocityViolation));
      CHECK(fast.violations[0].cause == Cause::kNearStop);
    }
}

TEST_CASE("a pose without a solution is told once, never latched, and never a jump") {
  Moving pose(kPose, strict(), 1);
  pose.client.answer(kHome);
  double x = 0, v = 0;
  for (int k = 0; k < 50; ++k)
    REQUIRE(clean(pose.client.answer(moved(kHome, 0, x += (v += 4e-3) * kDt))));
  const Vec7 q = pose.client.judge.reference().q_d;
  pose.arm.works = false;
  int told = 0;
  for (int k = 0; k < 30; ++k) {
    const CycleResult r = pose.client.answer(moved(kHome, 0, x += v * kDt));
    CHECK(r.violations.empty());
    CHECK(r.reference.q_d == q);
    told += r.unsolved;
    if (k > 0) CHECK(r.reference.dq_d == Vec7{});
  }
  CHECK(told == 1);
  // The joint history re-seeds over three solutions: where, how fast, how it speeds up. At 4 m/s^2
  // the third has 8 or 12 rad/s^2 and no jerk yet.
  pose.arm.works = true;
  const CartesianClient before = pose.client;
  for (const double gain : {2.0, 3.0}) {
    pose.client = before;
    pose.arm.J[0][3] = gain;
    double y = x, w = v;
    CHECK(clean(pose.client.answer(moved(kHome, 0, y += w * kDt))));
    const CycleResult second = pose.client.answer(moved(kHome, 0, y += w * kDt));
    CHECK(clean(second));
    CHECK(second.reference.dq_d[3] == doctest::Approx(gain * v));
    CHECK(second.reference.ddq_d == Vec7{});
    const CycleResult third = pose.client.answer(moved(kHome, 0, y += (w += 4e-3) * kDt));
    CHECK(third.violations.size() == (gain == 2.0 ? 0 : 1));
    CHECK(error_index(third) == (gain == 2.0 ? -1 : 29));
    if (gain == 3.0) continue;
    CHECK(third.reference.ddq_d[3] == doctest::Approx(8));
    // From here on all is judged again: speeding up at 8 m/s^2 is 16 rad/s^2 and 8000 rad/s^3.
    CHECK(clean(pose.client.answer(moved(kHome, 0, y += (w += 4e-3) * kDt))));
    const CycleResult fifth = pose.client.answer(moved(kHome, 0, y += (w += 8e-3) * kDt));
    CHECK(error_index(fifth, 0) == 29);
    CHECK(error_index(fifth, 1) == 30);
  }
}

TEST_CASE("without a solver there is no joint side and q_d stays") {
  CartesianClient client(kPose, strict());
  client.answer(kHome);
  const CycleResult r = client.answer(moved(kHome, 0, 4e-6));
  CHECK(clean(r));
  CHECK_FALSE(r.unsolved);
  CHECK(r.reference.q_d == kReady);
}

TEST_CASE("a refused frame never reaches the solver") {
  LinearArm arm;
  Mat4 stretched = kHome, nowhere = kHome;
  stretched[0] = 2;
  nowhere[12] = std::nan("");
  for (const Mat4& bad : {stretched, nowhere}) {
    CartesianClient client(kPose, permissive(), arm.solver());
    client.answer(kHome);
    const int calls = arm.calls;
    client.answer(bad);
    CHECK(arm.calls == calls);
  }
}

}  // namespace
}  // namespace fsim::judge::test
