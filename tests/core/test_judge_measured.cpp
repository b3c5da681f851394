// The safety controller's rows and the deviations that Move carries.
// Source: reference 000, the sections on errors 2, 3 and 4; wire.md 5.1.
#include <string>

#include "judge/measured.hpp"
#include "test_judge_cartesian_support.hpp"

namespace fsim::judge::test {
namespace {

constexpr Cycle kNow{77};
MeasuredRules enforced() {
  MeasuredRules rules;
  rules.enforce = true;
  return rules;
}
Measurement resting() {
  Measurement m;
  m.q = kReady;
  return m;
}
SafetyResult judged(const Measurement& m, MeasuredRules rules = enforced()) {
  return judge_measured(m, cartesian_limits(), rules, kNow);
}
int only(const SafetyResult& r) {
  return r.violations.size() == 1 ? static_cast<int>(r.violations[0].error) : -1;
}

TEST_CASE("a measured joint velocity may be 0.1 rad/s over the envelope, per joint and sign") {
  const robot::JointLimits l = fr3_limits();
  for (std::size_t i = 0; i < kJoints; ++i)
    for (double sign : {-1.0, 1.0}) {
      const double envelope = plain_envelope(l, i, kReady[i], sign);
      Measurement m = resting();
      m.dq[i] = envelope + sign * (0.1 - 1e-9);
      CHECK(judged(m).violations.empty());
      m.dq[i] = envelope + sign * (0.1 + 1e-9);
      const SafetyResult r = judged(m);
      CHECK(only(r) == 3);
      CHECK(r.abort.has(wire::Error::kJointVelocityViolation));
      CHECK(r.violations[0].joint == static_cast<int>(i));
      CHECK(r.violations[0].limit == doctest::Approx(envelope));
      CHECK(r.violations[0].over == doctest::Approx(0.1));
      CHECK(r.violations[0].cause == Cause::kMeasured);
      CHECK(r.violations[0].cycle == kNow);
    }
}

TEST_CASE("the speed of the end effector is 4 above 3 m/s, without a margin, and outranks 3") {
  for (std::size_t k = 0; k < 3; ++k)
    for (double sign : {-1.0, 1.0}) {
      Measurement m = resting();
      m.O_v_EE[k] = sign * 3.0;
      CHECK(judged(m).violations.empty());
      m.O_v_EE[k] = sign * 3.0000001;
      CHECK(only(judged(m)) == 4);
      m.dq[0] = 10;
      const SafetyResult both = judged(m);
      CHECK(only(both) == 4);
      CHECK_FALSE(both.abort.has(wire::Error::kJointVelocityViolation));
    }
}

TEST_CASE("links nearer than 50 mm are a self-collision that names the two") {
  Measurement m = resting();
  m.clearance = 0.05;
  CHECK(judged(m).violations.empty());
  m.clearance = 0.0499;
  m.link_a = 1;
  m.link_b = 5;
  const SafetyResult r = judged(m);
  CHECK(only(r) == 2);
  CHECK(r.violations[0].joint == 1);
  CHECK(r.violations[0].other == 5);
  CHECK(r.violations[0].value == 0.0499);
  CHECK(r.violations[0].over == doctest::Approx(1e-4));
}

TEST_CASE("a measured position beyond its range by more than the margin is 0") {
  const robot::JointLimits l = fr3_limits();
  for (std::size_t i = 0; i < kJoints; ++i)
    for (double sign : {-1.0, 1.0}) {
      const double stop = sign > 0 ? l.upper[i] : l.lower[i];
      Measurement m = resting();
      m.q[i] = stop + sign * 0.0099;
      CHECK(judged(m).violations.empty());
      m.q[i] = stop + sign * 0.0101;
      CHECK(only(judged(m)) == 0);
    }
}

TEST_CASE("a configured box holds the end effector, and there is none by default") {
  Measurement m = resting();
  m.O_p_EE = {0.5, 0, -3};
  CHECK(judged(m).violations.empty());
  MeasuredRules rules = enforced();
  rules.box = Box{{-1, -1, 0}, {1, 1, 1}};
  const SafetyResult r = judged(m, rules);
  CHECK(only(r) == 1);
  CHECK(r.violations[0].value == -3);
  CHECK(r.violations[0].limit == 0);
  CHECK(r.violations[0].over == 3);
  m.O_p_EE = {1.0, -1.0, 0.0};
  CHECK(judged(m, rules).violations.empty());
}

TEST_CASE("what is not enforced is told and does not abort") {
  Measurement m = resting();
  m.clearance = 0.01;
  m.dq[0] = 5;
  const SafetyResult r = judged(m, {});
  CHECK(r.violations.size() == 2);
  CHECK_FALSE(r.abort.any());
  CHECK_FALSE(r.violations[0].enforced);
}

TEST_CASE("deviations of path and goal are 9 and 8 per axis, libfranka's own are never reached") {
  const Mat4 far = moved(moved(kHome, 0, 0.3), 4, 0.5);
  const Deviation d = deviation_of(kHome, far, 0.1, -0.3);
  CHECK(d.translation == doctest::Approx(0.3));
  CHECK(d.rotation == doctest::Approx(0.5));
  CHECK(d.elbow == doctest::Approx(0.4));
  CHECK_FALSE(judge_path(d, kLibfrankaDeviation, true, kNow));
  CHECK_FALSE(judge_goal(d, kLibfrankaDeviation, true, kNow));
  struct {
    Deviation maximum;
    Axis axis;
  } const cases[] = {{{0.29, 3, 3}, Axis::kTranslation},
                     {{0.31, 0.49, 3}, Axis::kRotation},
                     {{0.31, 0.51, 0.39}, Axis::kElbow}};
  for (const auto& c : cases) {
    const auto path = judge_path(d, c.maximum, true, kNow);
    REQUIRE(path);
    CHECK(static_cast<int>(path->error) == 9);
    CHECK(path->axis == c.axis);
    CHECK(path->enforced);
    const auto goal = judge_goal(d, c.maximum, false, kNow);
    REQUIRE(goal);
    CHECK(static_cast<int>(goal->error) == 8);
    CHECK(goal->over == doctest::Approx(0.01).epsilon(1e-6));
    CHECK_FALSE(goal->enforced);
  }
  CHECK_FALSE(judge_path(d, {0.31, 0.51, 0.41}, true, kNow));
}

}  // namespace
}  // namespace fsim::judge::test
