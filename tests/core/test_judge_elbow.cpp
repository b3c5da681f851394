// The elbow under both Cartesian generators: start, branch, range, and when it comes and goes.
// Source: reference 000, the elbow rows; issue: the 0.3 rad/s^2 ramp.
#include "test_judge_cartesian_support.hpp"

namespace fsim::judge::test {
namespace {

constexpr MotionSpec kBoth[] = {kPose, kTwist};

TEST_CASE("a first elbow 0.1 rad away or on the other branch is 22") {
  for (const MotionSpec& spec : kBoth) {
    CHECK(clean(CartesianClient(spec, strict()).answer(kHome, {0.09, -1})));
    CHECK(error_index(CartesianClient(spec, strict()).answer(kHome, {0.5, -1})) == 22);
    CHECK(error_index(CartesianClient(spec, strict()).answer(kHome, {0.0, 1})) == 22);
    CHECK(error_index(CartesianClient(spec, strict()).answer(kHome, {0.0, 0})) == 22);
  }
  // The pose's own start outranks it.
  CHECK(error_index(CartesianClient(kPose, strict()).answer(moved(kHome, 0, 1), {0.5, -1})) == 16);
}

TEST_CASE("a branch that changes in the middle of a motion is 21 and outranks a pose's step") {
  for (const MotionSpec& spec : kBoth)
    for (double sign : {1.0, 0.0, -0.5}) {
      CartesianClient client(spec, strict());
      REQUIRE(clean(client.answer(kHome, kHomeElbow)));
      const CycleResult r = client.answer(kHome, {0.0, sign});
      CHECK(error_index(r) == 21);
      CHECK(r.violations[0].value == sign);
      CHECK(r.violations[0].limit == -1);
      CHECK(r.violations[0].axis == Axis::kElbow);
    }
  CartesianClient pose(kPose, permissive());
  pose.answer(kHome, kHomeElbow);
  CHECK(error_index(pose.answer(moved(kHome, 0, 0.5), {0, 1})) == 21);
  // Under a twist its own rows come first.
  CartesianClient twist(kTwist, permissive());
  twist.answer(kHome, kHomeElbow);
  wire::RobotCommand c = twist.twist(along(0, 1.0));
  c.elbow_c = {0, 1};
  c.valid_elbow = true;
  CHECK(error_index(twist.close({c})) == 20);
}

TEST_CASE("an elbow that is not finite is 18 and aborts, enforced or not") {
  for (const MotionSpec& spec : kBoth)
    for (const Elbow bad : {Elbow{std::nan(""), -1}, Elbow{0, std::nan("")}, Elbow{1e308, -1}}) {
      CartesianClient client(spec, permissive());
      REQUIRE(clean(client.answer(kHome, kHomeElbow)));
      const CycleResult r = client.answer(kHome, bad);
      CHECK(error_index(r) == 18);
      CHECK(r.abort.any());
      CHECK(std::string(checks()[r.violations[0].row].signal) == "elbow_c");
    }
}

TEST_CASE("the elbow's range is joint 3's, per sign, just inside and just outside") {
  const robot::JointLimits l = fr3_limits();
  for (const MotionSpec& spec : kBoth)
    for (double stop : {l.lower[2], l.upper[2]}) {
      Start start{with(kReady, 2, stop), kHome, {kReady, {}, kHome, {stop, -1}}};
      const double out = stop > 0 ? 1e-9 : -1e-9;
      CartesianClient inside(spec, strict(), {}, cartesian_limits(), start);
      CHECK(clean(inside.answer(kHome, {stop - out, -1})));
      CHECK(clean(inside.answer(kHome, {stop, -1})));
      const CycleResult r = inside.answer(kHome, {stop + out, -1});
      CHECK(error_index(r) == 17);
      CHECK(r.violations[0].limit == stop);
      CartesianClient opening(spec, strict(), {}, cartesian_limits(), start);
      CHECK(error_index(opening.answer(kHome, {stop + out, -1})) == 17);
    }
}

/// Cycles until the ramp of 0.3 rad/s^2 from q3 = -0.123 breaks something, and what.
struct Ramp {
  double seconds;
  CycleResult result;
};
Ramp ramp(JointSolver solver, const Limits& limits) {
  Start start{with(kReady, 2, -0.123), kHome, {kReady, {}, kHome, {-0.123, -1}}};
  CartesianClient client(kPose, strict(), solver, limits, start);
  double q3 = -0.123, v = 0;
  client.answer(kHome, {q3, -1});
  for (int k = 1; k < 6000; ++k) {
    v += 0.3 * kDt;
    q3 += v * kDt;
    const CycleResult r = client.answer(kHome, {q3, -1});
    if (!r.violations.empty()) return {k * kDt, r};
  }
  return {0, {}};
}

TEST_CASE("an elbow ramp of 0.3 rad/s2 from -0.123 is 17 after 4.49 s") {
  const Ramp alone = ramp({}, cartesian_limits());
  CHECK(error_index(alone.result) == 17);
  CHECK(std::abs(alone.seconds - 4.49) <= 0.01);
  CHECK(alone.result.violations[0].limit == 2.9065);
}

TEST_CASE("at joint 3's stop 17 precedes 27, and the envelope of joint 3 comes earlier") {
  LinearArm arm;
  arm.q0 = with(kReady, 2, -0.123);
  arm.elbow0 = -0.123;
  arm.J[6][2] = 1;
  // Joint 3 meets its braking parabola first: -0.2 + sqrt(2 * 3.5 * d) = v.
  const Ramp live = ramp(arm.solver(), cartesian_limits());
  CHECK(error_index(live.result) == 28);
  CHECK(live.result.violations[0].joint == 2);
  CHECK(live.seconds < 4.3);
  // A flat envelope as the FER's leaves the range: both rows at one sample, the elbow is named.
  Limits flat = cartesian_limits();
  flat.joint.position_based = false;
  const Ramp both = ramp(arm.solver(), flat);
  CHECK(error_index(both.result) == 17);
  CHECK(both.result.violations.size() == 1);
}

TEST_CASE("an elbow that begins later is a first one, and one that is left out is forgotten") {
  for (const MotionSpec& spec : kBoth) {
    CartesianClient client(spec, strict());
    for (int k = 0; k < 5; ++k)
      spec.generator == Generator::kCartesianPosition ? client.answer(kHome)
                                                      : client.answer(Vec6{});
    client.judge.observe({kReady, {}, kHome, {0.3, -1}});
    CHECK(client.judge.reference().cartesian.elbow_c == Elbow{0.3, -1});
    // Near the measured one: it rebases, whatever its step.
    const CycleResult r = client.answer(kHome, {0.35, -1});
    CHECK(clean(r));
    CHECK(r.reference.cartesian.elbow_c == Elbow{0.35, -1});
    CHECK(r.reference.cartesian.delbow_c == Elbow{});
    // Commanded, it no longer follows the arm.
    client.judge.observe({kReady, {}, kHome, {0.31, -1}});
    CHECK(client.judge.reference().cartesian.elbow_c == Elbow{0.35, -1});
    const CycleResult moving = client.answer(kHome, {0.35 + 4e-6, -1});
    CHECK(clean(moving));
    CHECK(moving.reference.cartesian.delbow_c[0] == doctest::Approx(4e-3));
    CHECK(moving.reference.cartesian.ddelbow_c[0] == doctest::Approx(4.0));
    CHECK(moving.reference.cartesian.delbow_c[1] == 0);
    // Left out: measured again, and the next one is a first one.
    spec.generator == Generator::kCartesianPosition ? client.answer(kHome) : client.answer(Vec6{});
    client.judge.observe({kReady, {}, kHome, {0.31, -1}});
    CHECK(client.judge.reference().cartesian.elbow_c == Elbow{0.31, -1});
    CHECK(client.judge.reference().cartesian.delbow_c == Elbow{});
    CHECK(error_index(client.answer(kHome, {0.42, -1})) == 22);
  }
}

TEST_CASE("an elbow that begins at the measured elbow costs no joint a step, and may be left off") {
  // The other joints follow joint 3 and the pose moves on at 4 m/s^2: where the elbow begins 0.01
  // rad beside q_d, and where it is left off, the joints jump.
  for (const MotionSpec& spec : kBoth) {
    LinearArm arm;
    arm.J[0] = {0.5, 0.5, 0, 1, 0.3, -1, 0.2};
    arm.J[6] = {0.4, -0.6, 1, 0.1, 0.7, -0.2, 0.5};
    CartesianClient client(spec, strict(), arm.solver());
    double x = 0, v = 0;
    const auto go_on = [&](bool with_elbow, double q3) {
      v += 4e-3;  // 4000 m/s^3 at the first, 4 rad/s^2 in joint 4
      x += v * kDt;
      wire::RobotCommand c = client.command(client.now.next());
      c.O_T_EE_c = moved(kHome, 0, x);
      c.O_dP_EE_c = along(0, v);
      c.elbow_c = {q3, -1};
      c.valid_elbow = with_elbow;
      return client.close({c});
    };
    v = -4e-3;  // opens at rest
    for (int k = 0; k < 20; ++k) REQUIRE(clean(go_on(false, 0)));
    client.judge.observe({kReady, {}, kHome, {0.01, -1}});
    const Elbow elbow_c = client.judge.reference().cartesian.elbow_c;
    CHECK(elbow_c[0] == 0.01);
    for (int k = 0; k < 20; ++k) {
      CAPTURE(k);
      const CycleResult r = go_on(true, elbow_c[0]);
      CHECK(clean(r));
      CHECK(r.reference.q_d[2] == elbow_c[0]);
      CHECK(r.joint_path == (k < 3 ? JointPath::kRebased : JointPath::kFollows));
      if (k > 0) CHECK(r.reference.dq_d[3] == doctest::Approx(v));
    }
    for (int k = 0; k < 20; ++k) {
      const CycleResult r = go_on(false, 0);
      CHECK(clean(r));
      CHECK(r.joint_path == (k < 3 ? JointPath::kRebased : JointPath::kFollows));
    }
    // Not where it jumps while it is commanded.
    REQUIRE(clean(go_on(true, elbow_c[0])));
    for (int k = 0; k < 5; ++k) REQUIRE(clean(go_on(true, elbow_c[0])));
    const int named = spec.generator == Generator::kCartesianPosition ? 29 : 30;
    CHECK(error_index(go_on(true, elbow_c[0] + 0.01)) == named);
  }
}

}  // namespace
}  // namespace fsim::judge::test
