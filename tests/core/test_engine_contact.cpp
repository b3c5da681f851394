// Pushed robots: contact, collision, reflex, recovery, and where nothing may trip.
#include <doctest/doctest.h>

#include "base/transforms.hpp"
#include "support/bench.hpp"

using namespace fsim;
using namespace fsim::test;
using engine::EventKind;
using Ints = std::vector<int>;
using Kind = engine::SideInput::Kind;

namespace {

int mode(const Bench& bench) { return static_cast<int>(bench.state.robot_mode); }
// wire.md 3.1.
constexpr int kOther = 0, kIdle = 1, kMove = 2, kGuiding = 3, kReflex = 4, kUserStopped = 5;

/// Push the flange with force and moment in O's axes.
void push_flange(Bench& bench, const Vec6& F) {
  robot::ArmState arm;
  robot::evaluate(robot::kFr3, bench.state.q, bench.state.dq, {}, kGravity, arm);
  for (std::size_t i = 0; i < kJoints; ++i) {
    bench.plant.push[i] = 0;
    for (std::size_t k = 0; k < 6; ++k) bench.plant.push[i] += arm.J_F[6 * i + k] * F[k];
  }
}

/// The same thresholds in both phases.
wire::SetCollisionBehaviorRequest behavior(double lower_torque, double upper_torque,
                                           double lower_force, double upper_force) {
  wire::SetCollisionBehaviorRequest set;
  set.lower_torque_thresholds_acceleration = set.lower_torque_thresholds_nominal =
      all_joints(lower_torque);
  set.upper_torque_thresholds_acceleration = set.upper_torque_thresholds_nominal =
      all_joints(upper_torque);
  Vec6 low, high;
  low.fill(lower_force);
  high.fill(upper_force);
  set.lower_force_thresholds_acceleration = set.lower_force_thresholds_nominal = low;
  set.upper_force_thresholds_acceleration = set.upper_force_thresholds_nominal = high;
  return set;
}

/// The events that stopped the arm.
std::vector<judge::Violation> violations(const Bench& bench) {
  std::vector<judge::Violation> found;
  for (const engine::Event& e : bench.of_kind(EventKind::kViolation)) found.push_back(e.violation);
  return found;
}

bool recover(Bench& bench, engine::Token token) {
  bench.submit(token, wire::AutomaticErrorRecoveryRequest{});
  return bench.run_until_answered(token, 1);
}

}  // namespace

TEST_CASE("a push at 5 N/s is a contact at the lower and a reflex at the upper threshold") {
  // issue 4, Shows 2. In a motion and at rest, whatever the switches say.
  for (const bool moving : {false, true})
    for (const bool switches : {false, true}) {
      Bench bench(switches ? strict() : judge::Rules{});
      bench.idle(60);
      bench.submit(1, behavior(100, 100, 10, 20));
      bench.cycle();
      if (moving) bench.begin(2, move(kJointPosition));
      const Vec7 q_d = bench.state.q_d;
      double contact_at = 0, reflex_at = 0, force = 0;
      while (force < 30 && mode(bench) != kReflex) {
        force += 5e-3;
        push_flange(bench, {0, 0, -force, 0, 0, 0});
        moving ? bench.cycle(position(q_d)) : bench.cycle();
        // K is the flange, which hangs head down in the ready pose: its z is O's -z, and the robot
        // pushes back against the push.
        if (contact_at == 0 && bench.state.cartesian_contact[2] != 0) contact_at = force;
        if (mode(bench) == kReflex) reflex_at = force;
      }
      CHECK(contact_at == doctest::Approx(10).epsilon(0.05));
      CHECK(reflex_at > 19);
      CHECK(reflex_at < 21);
      CHECK(set_errors(bench.state.errors) == Ints{7});
      CHECK(set_errors(bench.state.reflex_reason) == Ints{7});
      CHECK(bench.state.cartesian_collision == Vec6{0, 0, 1, 0, 0, 0});
      CHECK(bench.state.joint_collision == Vec7{});
      CHECK(bench.state.K_F_ext_hat_K[2] == doctest::Approx(-20).epsilon(0.01));
      CHECK(bench.state.O_F_ext_hat_K[2] == doctest::Approx(20).epsilon(0.01));
      REQUIRE(violations(bench).size() == 1);
      const judge::Violation v = violations(bench)[0];
      CHECK(v.axis == judge::Axis::kZ);
      CHECK(v.limit == 20);
      CHECK(v.value == bench.state.K_F_ext_hat_K[2]);
      CHECK(v.enforced);
      CHECK(v.cause == judge::Cause::kPushed);
      CHECK(v.generator == (moving ? judge::Generator::kJointPosition : judge::Generator::kNone));
      if (moving) {
        CHECK(bench.statuses(2) == Ints{kMoveStarted, kMoveReflexAborted});
        CHECK(bench.answers(2)[1].errors.bits() == std::uint64_t{1} << 7);
      }

      // Recovery under the push that stopped it: no second reflex, and the next motion works.
      bench.idle(200);
      REQUIRE(recover(bench, 3));
      CHECK(bench.statuses(3) == Ints{kRecoverySuccess});
      bench.idle(500);
      CHECK(mode(bench) == kIdle);
      CHECK(bench.state.cartesian_contact[2] == 1);
      CHECK(bench.state.cartesian_collision == Vec6{});
      bench.plant.push = {};
      bench.idle(500);
      CHECK(bench.state.cartesian_contact == Vec6{});
      bench.begin(4, move(kJointPosition));
      Vec7 q_c = bench.state.q_d;
      const double q0 = q_c[0];
      for (int n = 1; n <= 600; ++n) {
        q_c[0] = q0 + 0.3 * quintic(n * 1e-3, 0.6);
        bench.cycle(position(q_c));
      }
      bench.cycle(position(q_c, true));
      REQUIRE(bench.run_until_answered(4, 2));
      CHECK(bench.statuses(4) == Ints{kMoveStarted, kMoveSuccess});
      // Let go and pushed again it trips again.
      push_flange(bench, {0, 0, -25, 0, 0, 0});
      bench.idle(200);
      CHECK(mode(bench) == kReflex);
    }
}

TEST_CASE("a torque over its threshold is joint_reflex and names the joint") {
  for (std::size_t i = 0; i < kJoints; ++i) {
    Bench bench;
    bench.idle(60);
    bench.submit(1, behavior(2, 4, 1e3, 1e3));
    bench.cycle();
    bench.plant.push[i] = 3;
    bench.idle(300);
    CHECK(mode(bench) == kIdle);
    Vec7 expected{};
    expected[i] = 1;
    CHECK(bench.state.joint_contact == expected);
    CHECK(bench.state.joint_collision == Vec7{});
    bench.plant.push[i] = 5;
    bench.idle(300);
    CHECK(mode(bench) == kReflex);
    CHECK(set_errors(bench.state.errors) == Ints{6});
    CHECK(bench.state.joint_collision == expected);
    REQUIRE(violations(bench).size() == 1);
    CHECK(violations(bench)[0].joint == static_cast<int>(i));
    CHECK(violations(bench)[0].limit == 4);
    CHECK(violations(bench)[0].value < -4);
  }
}

TEST_CASE("without a client's thresholds a push of 30 N stops the arm, one of 15 N does not") {
  // robot-model.md section 9: franka_ros' 20 N and 20 .. 12 Nm until set.
  Bench bench;
  bench.idle(60);
  push_flange(bench, {0, 15, 0, 0, 0, 0});
  bench.idle(500);
  CHECK(mode(bench) == kIdle);
  push_flange(bench, {0, 30, 0, 0, 0, 0});
  bench.idle(500);
  CHECK(mode(bench) == kReflex);
}

TEST_CASE("the acceleration thresholds hold while the motion speeds up, the nominal ones else") {
  Bench bench;
  bench.idle(60);
  wire::SetCollisionBehaviorRequest set = behavior(100, 100, 10, 40);
  set.lower_force_thresholds_acceleration.fill(30);
  bench.submit(1, set);
  bench.cycle();
  push_flange(bench, {0, 0, -20, 0, 0, 0});
  bench.idle(300);
  CHECK(bench.state.cartesian_contact[2] == 1);
  bench.begin(2, move(kJointVelocity));
  Vec7 dq_c{};
  for (int n = 0; n < 200; ++n) {
    dq_c[6] += 5e-4;
    bench.cycle(velocity(dq_c));
    if (n > 3) CHECK(bench.state.cartesian_contact[2] == 0);
  }
  for (int n = 0; n < 50; ++n) bench.cycle(velocity(dq_c));
  CHECK(bench.state.cartesian_contact[2] == 1);
  CHECK(mode(bench) == kMove);
}

TEST_CASE("a hand that guides, a pressed user stop and closed brakes are no collision") {
  Bench bench;
  bench.idle(60);
  bench.submit(1, behavior(1, 1, 1e3, 1e3));
  bench.cycle();
  struct Hold {
    Kind kind;
    int shown, after;
  };
  for (const Hold h : {Hold{Kind::kUserStop, kUserStopped, kIdle},
                       Hold{Kind::kBrakes, kOther, kIdle}, Hold{Kind::kGuiding, kGuiding, kIdle}}) {
    CAPTURE(h.shown);
    bench.side(h.kind, true);
    bench.cycle();
    bench.plant.push = {};
    bench.plant.push[0] = 2;
    bench.idle(100);
    CHECK(mode(bench) == h.shown);
    // Still pushed when it ends: what was over there is excused until it was below.
    if (h.kind == Kind::kGuiding || h.kind == Kind::kBrakes) bench.plant.push = {};
    bench.side(h.kind, false);
    bench.idle(300);
    CHECK(mode(bench) == h.after);
    CHECK(violations(bench).empty());
    CHECK(bench.state.joint_collision == Vec7{});
    bench.plant.push = {};
    bench.idle(1000);
  }
}

TEST_CASE("brakes that stop a moving arm are no push, and a push on them is felt") {
  Bench bench;
  bench.idle(60);
  bench.cruise(1, 0, 0.5);
  bench.side(Kind::kBrakes, true);
  for (int n = 0; n < 100; ++n) {
    bench.cycle();
    CHECK(largest(bench.state.tau_ext_hat_filtered) < 0.3);
  }
  bench.plant.push = all_joints(15);
  bench.idle(500);
  CHECK(mode(bench) == kOther);
  robot::ArmState arm;
  robot::evaluate(robot::kFr3, bench.state.q, {}, {}, kGravity, arm);
  for (std::size_t i = 0; i < kJoints; ++i) {
    CHECK(bench.state.tau_J[i] == doctest::Approx(arm.gravity[i] - 15).epsilon(1e-9));
    CHECK(bench.state.tau_ext_hat_filtered[i] == doctest::Approx(-15).epsilon(1e-6));
  }
  CHECK(violations(bench).empty());
}

TEST_CASE("a load that SetLoad does not know pushes, and SetLoad takes the reading away") {
  Bench bench;
  bench.plant.arm().load = {1.5, {0, 0, 0.05}, {}};
  bench.idle(2000);
  CHECK(bench.state.O_F_ext_hat_K[2] == doctest::Approx(1.5 * 9.81).epsilon(0.01));
  bench.submit(1, wire::SetLoadRequest{1.5, {0, 0, 0.05}, {}});
  const double before = bench.state.O_F_ext_hat_K[2];
  for (int n = 0; n < 1000; ++n) {
    bench.cycle();
    CHECK(bench.state.O_F_ext_hat_K[2] < before + 0.01);
    CHECK(bench.state.O_F_ext_hat_K[2] > -3);
  }
  CHECK(std::abs(bench.state.O_F_ext_hat_K[2]) < 0.05);
  CHECK(mode(bench) == kIdle);
  CHECK(violations(bench).empty());
}

TEST_CASE("K_F and O_F follow the frame that SetEEToK names") {
  Bench bench;
  bench.idle(60);
  Mat4 EE_T_K = kIdentity4;
  EE_T_K[12] = 0.1;
  bench.submit(1, wire::SetEEToKRequest{EE_T_K});
  push_flange(bench, {0, 0, -12, 0, 0, 0});
  bench.idle(600);
  const Mat4 O_T_K = compose(bench.state.O_T_EE, EE_T_K);
  // By hand: R f, and R m + p x (R f); the moment about K of a force that acts 0.1 m beside it.
  const Vec6& K = bench.state.K_F_ext_hat_K;
  Vec3 f{}, m{};
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t c = 0; c < 3; ++c) {
      f[r] += O_T_K[4 * c + r] * K[c];
      m[r] += O_T_K[4 * c + r] * K[3 + c];
    }
  CHECK(f[2] == doctest::Approx(12).epsilon(0.01));
  CHECK(std::abs(std::hypot(K[3], K[4], K[5]) - 1.2) < 0.02);
  const Vec3 about_O{m[0] + O_T_K[13] * f[2] - O_T_K[14] * f[1],
                     m[1] + O_T_K[14] * f[0] - O_T_K[12] * f[2],
                     m[2] + O_T_K[12] * f[1] - O_T_K[13] * f[0]};
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(bench.state.O_F_ext_hat_K[k] == doctest::Approx(f[k]).scale(1));
    CHECK(bench.state.O_F_ext_hat_K[3 + k] == doctest::Approx(about_O[k]).scale(1));
  }
}

TEST_CASE("a motion that is torn down at speed is no collision") {
  for (const double speed : {0.5, 1.5, 2.4}) {
    Bench bench;
    bench.idle(60);
    bench.cruise(1, 0, speed);
    bench.cycle(velocity({std::nan(""), 0, 0, 0, 0, 0, 0}));
    bench.idle(500);
    CHECK(mode(bench) == kReflex);
    REQUIRE(recover(bench, 2));
    bench.idle(200);
    CHECK(mode(bench) == kIdle);
    for (const wire::RobotState& s : bench.past) {
      CHECK(largest(s.tau_ext_hat_filtered) < 0.3);
      CHECK(s.errors[6] + s.errors[7] == 0);
      CHECK(s.joint_contact == Vec7{});
      CHECK(s.cartesian_contact == Vec6{});
    }
  }
}
