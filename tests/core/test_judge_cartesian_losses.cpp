// Cartesian cycles without an answer: extrapolation, the hold and its re-seed, late commands.
// Source: reference 000, "What the sim does with a lost cycle", Cartesian rows of its table.
#include "test_judge_cartesian_support.hpp"

namespace fsim::judge::test {
namespace {

struct Law {
  double x = 0, v = 0, a = 0;
  double step() {
    v += a * kDt;
    return x += v * kDt;
  }
};

/// Translation along O's y, rotation about the EE's own z and the elbow, at constant accelerations
/// reached within their jerk limits.
struct Screw {
  Law y, turn, elbow;
  void step() {
    y.a = std::min(6.0, y.a + 4.0);
    turn.a = std::min(12.0, turn.a + 8.0);
    elbow.a = std::min(3.0, elbow.a + 3.0);
    y.step();
    turn.step();
    elbow.step();
  }
  Mat4 pose() const { return moved(moved(kHome, 1, y.x), 5, turn.x); }
  /// About the EE's z, which is -z of O.
  Vec6 twist() const { return {0, y.v, 0, 0, 0, -turn.v}; }
};

LinearArm small_arm() {
  LinearArm arm;
  arm.J[1][0] = 0.5;
  arm.J[5][6] = 0.4;
  arm.J[6][2] = 1;
  return arm;
}

CycleResult answer(CartesianClient& client, const Screw& screw) {
  wire::RobotCommand c = client.spec.generator == Generator::kCartesianPosition
                             ? client.pose(screw.pose())
                             : client.twist(screw.twist());
  c.elbow_c = {screw.elbow.x, -1};
  c.valid_elbow = true;
  return client.close({c});
}

void check_at(const CartesianReference& c, const Screw& screw, Generator generator) {
  const Mat4 expected = screw.pose();
  for (std::size_t i = 0; i < 16; ++i) CHECK(std::abs(c.goal[i] - expected[i]) < 1e-12);
  if (generator == Generator::kCartesianPosition) CHECK(c.O_T_EE_c == c.goal);
  const Vec6 twist = screw.twist();
  for (std::size_t i = 0; i < 6; ++i) CHECK(std::abs(c.O_dP_EE_c[i] - twist[i]) < 1e-9);
  CHECK(std::abs(c.O_ddP_EE_c[1] - 6.0) < 1e-5);
  CHECK(std::abs(c.O_ddP_EE_c[5] + 12.0) < 1e-5);
  CHECK(std::abs(c.elbow_c[0] - screw.elbow.x) < 1e-12);
  CHECK(c.elbow_c[1] == -1);
  CHECK(std::abs(c.delbow_c[0] - screw.elbow.v) < 1e-9);
}

TEST_CASE("a gap at constant accelerations is extrapolated exactly and resumes clean") {
  const LinearArm arm = small_arm();
  for (const MotionSpec& spec : {kPose, kTwist})
    for (int gap = 1; gap <= 19; ++gap) {
      CAPTURE(gap);
      CartesianClient client(spec, strict(), arm.solver());
      Screw screw;
      REQUIRE(clean(answer(client, screw)));
      for (int k = 0; k < 40; ++k) {
        screw.step();
        REQUIRE(clean(answer(client, screw)));
      }
      for (int k = 0; k < gap; ++k) {
        const CycleResult r = client.lose();
        screw.step();
        CHECK(clean(r));
        check_at(r.reference.cartesian, screw, spec.generator);
        CHECK(std::abs(r.reference.q_d[0] - (kReady[0] + 0.5 * screw.y.x)) < 1e-12);
        CHECK(std::abs(r.reference.dq_d[2] - screw.elbow.v) < 1e-8);
      }
      for (int k = 0; k < 3; ++k) {
        screw.step();
        const CycleResult r = answer(client, screw);
        CHECK(clean(r));
        check_at(r.reference.cartesian, screw, spec.generator);
      }
    }
}

TEST_CASE("a rotation goes on about the axis it had in the end effector") {
  CartesianClient client(kPose, permissive());
  // About the EE's x, then silence.
  client.answer(kHome);
  double turn = 0;
  for (int k = 0; k < 50; ++k) client.answer(moved(kHome, 3, turn += 1e-3));
  const CartesianReference before = client.judge.reference().cartesian;
  const CartesianReference after = client.lose().reference.cartesian;
  CHECK(after.turn[0] == doctest::Approx(1.0));
  const Mat4 expected = moved(before.O_T_EE_c, 3, 1e-3);
  for (std::size_t i = 0; i < 16; ++i) CHECK(std::abs(after.O_T_EE_c[i] - expected[i]) < 1e-13);
}

TEST_CASE("a guess is judged like a command and not clamped") {
  CartesianClient client(kPose, strict());
  client.answer(kHome);
  Law x;
  while (x.v < 2.97) {
    x.a = std::min(8.0, x.a + 4.0);
    x.step();
    REQUIRE(clean(client.answer(moved(kHome, 0, x.x))));
  }
  CycleResult r;
  int lost = 0;
  do r = client.lose(), ++lost;
  while (clean(r) && lost < 20);
  CHECK(lost < 6);
  CHECK(error_index(r) == 18);
  CHECK(r.violations[0].extrapolated);
  CHECK(r.violations[0].cause == Cause::kExtrapolation);
}

TEST_CASE("the 20th lost cycle holds the pose, two commands re-seed, the third is judged") {
  const LinearArm arm = small_arm();
  for (const MotionSpec& spec : {kPose, kTwist}) {
    CartesianClient client(spec, permissive(), arm.solver());
    Screw screw;
    answer(client, screw);
    for (int k = 0; k < 40; ++k) screw.step(), answer(client, screw);
    for (int k = 1; k <= 19; ++k) CHECK_FALSE(client.lose().hold_reached);
    const Reference before = client.judge.reference();
    const CycleResult twentieth = client.lose();
    CHECK(twentieth.hold_reached);
    CHECK(breaks(twentieth, Row::kLostInARow));
    CHECK(twentieth.violations[0].cause == Cause::kLostCommands);
    for (int k = 0; k < 30; ++k) {
      const Reference r = client.lose().reference;
      CHECK(r.cartesian.goal == before.cartesian.goal);
      CHECK(r.cartesian.O_dP_EE_c == Vec6{});
      CHECK(r.cartesian.delbow_c == Elbow{});
      CHECK(r.q_d == before.q_d);
      CHECK(r.dq_d == Vec7{});
    }
    // A signal at speed from the first cycle on: only start and velocity rows apply.
    const Elbow elbow = before.cartesian.elbow_c;
    const auto at = [&](double x, double v) {
      wire::RobotCommand c = spec.generator == Generator::kCartesianPosition
                                 ? client.pose(moved(before.cartesian.goal, 0, x))
                                 : client.twist(along(0, v));
      c.elbow_c = elbow;
      c.valid_elbow = true;
      return client.close({c});
    };
    CHECK(clean(at(0.01, 1.0)));
    CHECK(client.judge.reference().dq_d == Vec7{});
    CHECK(clean(at(0.011, 1.0)));
    CHECK(clean(at(0.012, 1.0)));
    const CycleResult full = at(0.012, 0.0);
    CHECK(error_index(full) == (spec.generator == Generator::kCartesianPosition ? 19 : 20));
  }
  // The start tolerance and the velocity rows do apply.
  const auto held = [] {
    CartesianClient client(kPose, permissive());
    client.answer(kHome);
    for (int k = 0; k < 25; ++k) client.lose();
    return client;
  };
  CHECK(error_index(held().answer(moved(kHome, 0, 0.06))) == 16);
  CartesianClient second = held();
  CHECK(clean(second.answer(kHome)));
  CHECK(error_index(second.answer(moved(kHome, 0, 0.0031))) == 18);
  CartesianClient sign(kPose, permissive());
  sign.answer(kHome, kHomeElbow);
  for (int k = 0; k < 25; ++k) sign.lose();
  CHECK(error_index(sign.answer(kHome, {0, 1})) == 21);
}

double quintic(double t) {  // 0.3 m in one second
  const double s = std::min(1.0, t);
  return 0.3 * s * s * s * (10 + s * (-15 + 6 * s));
}
Mat4 on_path(std::uint64_t echo) {
  const double t = static_cast<double>(echo - 1000) * kDt;
  return moved(moved(kHome, 0, quintic(t) - quintic(kDt)), 4, quintic(t) - quintic(kDt));
}

TEST_CASE("a backlog of poses drains in order onto the history of a client that lost nothing") {
  Rules rules = strict();
  rules.enforce_comm_constraints = false;
  for (int gap = 1; gap <= 18; ++gap)
    for (const bool fresh : {false, true}) {
      CAPTURE(gap);
      LinearArm arm = small_arm();
      arm.J[0][3] = 1;
      CartesianClient client(kPose, rules, arm.solver()), honest(kPose, rules, arm.solver());
      for (int k = 0; k < 200; ++k) {
        REQUIRE(clean(client.answer(on_path(client.now.n + 1))));
        REQUIRE(clean(honest.answer(on_path(honest.now.n + 1))));
      }
      const std::uint64_t last = client.now.n;
      for (int k = 0; k < gap; ++k) {
        REQUIRE(clean(client.lose()));
        REQUIRE(clean(honest.answer(on_path(honest.now.n + 1))));
      }
      std::vector<wire::RobotCommand> batch;
      for (int k = 1; k <= gap + (fresh ? 1 : 0); ++k) {
        const std::uint64_t e = last + static_cast<std::uint64_t>(k);
        wire::RobotCommand c = client.command({e});
        c.O_T_EE_c = on_path(e);
        batch.push_back(c);
      }
      const int calls = arm.calls;
      const CycleResult r = client.close(batch);
      CHECK(arm.calls - calls <= gap + 4);
      CHECK(clean(r));
      CHECK(r.late_applied);
      const Reference e =
          fresh ? honest.answer(on_path(honest.now.n + 1)).reference : honest.lose().reference;
      CHECK(r.reference.cartesian.O_T_EE_c == e.cartesian.O_T_EE_c);
      CHECK(r.reference.cartesian.O_ddP_EE_c == e.cartesian.O_ddP_EE_c);
      CHECK(r.reference.q_d == e.q_d);
      CHECK(r.reference.dq_d == e.dq_d);
      CHECK(r.reference.ddq_d == e.ddq_d);
      for (int k = 0; k < 20; ++k) CHECK(clean(client.answer(on_path(client.now.n + 1))));
    }
}

TEST_CASE("guesses made anew behind a late pose keep the joint history whole") {
  // The first of ten is late by ten: nine guesses follow it, of which three are solved.
  Rules rules = strict();
  rules.enforce_comm_constraints = false;
  const LinearArm arm = small_arm();
  CartesianClient client(kPose, rules, arm.solver());
  Screw screw;
  answer(client, screw);
  for (int k = 0; k < 40; ++k) {
    screw.step();
    REQUIRE(clean(answer(client, screw)));
  }
  screw.step();
  wire::RobotCommand late = client.pose(screw.pose());
  late.elbow_c = {screw.elbow.x, -1};
  late.valid_elbow = true;
  for (int k = 0; k < 10; ++k) REQUIRE(clean(client.lose()));
  const int calls = arm.calls;
  const CycleResult r = client.close({late});
  CHECK(clean(r));
  CHECK(arm.calls - calls == 5);
  for (int k = 0; k < 10; ++k) screw.step();
  check_at(r.reference.cartesian, screw, Generator::kCartesianPosition);
  CHECK(r.reference.dq_d[2] == doctest::Approx(screw.elbow.v).epsilon(1e-9));
  CHECK(r.reference.ddq_d[2] == doctest::Approx(3.0).epsilon(1e-5));
  screw.step();
  CHECK(clean(answer(client, screw)));
}

TEST_CASE("a first pose that is late stands at its own cycle") {
  Rules rules = strict();
  CartesianClient client(kPose, rules);
  client.lose();
  client.lose();
  wire::RobotCommand c = client.command({1001});
  c.O_T_EE_c = kHome;
  const CycleResult r = client.close({c});
  CHECK(clean(r));
  CHECK(r.started);
  CHECK(r.late_applied);
  CHECK(r.reference.cartesian.O_T_EE_c == kHome);
}

}  // namespace
}  // namespace fsim::judge::test
