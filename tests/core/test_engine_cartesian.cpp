// Cartesian motions of a unit in closed loop with a simulated arm, without thread, socket or clock.
#include <doctest/doctest.h>

#include "support/bench.hpp"

using namespace fsim;
using namespace fsim::test;
using engine::EventKind;
using Ints = std::vector<int>;

namespace {

wire::RobotCommand pose(const Mat4& O_T_EE_c, bool finished = false) {
  wire::RobotCommand command;
  command.O_T_EE_c = O_T_EE_c;
  command.motion_generation_finished = finished;
  return command;
}

}  // namespace

TEST_CASE("a generator beside the client's torques ends where the arm is, not where it points") {
  // The torques hold the arm; q_d is far away when the motion is finished or stopped.
  for (const bool stopped : {false, true})
    for (const std::uint32_t generator : {kJointPosition, kCartesianPosition}) {
      Bench bench(strict());
      bench.idle(60);
      const wire::RobotState start = bench.state;
      bench.begin(1, move(generator, kExternal));
      wire::RobotCommand last;
      for (int n = 0; n <= 1000; ++n) {
        const double way = 0.1 * quintic(n * 1e-3, 1.0);
        Vec7 q_c = start.q_d;
        Mat4 O_T_EE_c = start.O_T_EE_d;
        q_c[0] += way;
        O_T_EE_c[14] += way;
        last = generator == kJointPosition ? position(q_c) : pose(O_T_EE_c);
        bench.cycle(last);
      }
      CHECK(distance(bench.state.q_d, start.q_d) > 0.05);
      CHECK(distance(bench.state.q, start.q) < 5e-3);
      last.motion_generation_finished = !stopped;
      if (stopped) bench.submit(2, wire::StopMoveRequest{});
      bench.cycle(last);
      REQUIRE(bench.run_until_answered(1, 2));
      CHECK(bench.statuses(1) == Ints{kMoveStarted, stopped ? kMovePreempted : kMoveSuccess});
      CHECK(bench.of_kind(EventKind::kViolation).empty());
      CHECK(distance(bench.state.q, start.q) < 5e-3);
    }
}

TEST_CASE("an elbow without a branch is never published, also where it is tolerated") {
  Bench bench;
  bench.idle(60);
  const wire::RobotState start = bench.state;
  bench.begin(1, move(kCartesianPosition));
  wire::RobotCommand command = pose(start.O_T_EE_d);
  command.valid_elbow = true;
  for (const double branch : {start.elbow[1], 0.0, 7.0, -start.elbow[1]}) {
    command.elbow_c = {start.elbow_d[0], branch};
    for (int n = 0; n < 5; ++n) {
      bench.cycle(command);
      CHECK(std::abs(bench.state.elbow_c[1]) == 1.0);
      CHECK(bench.state.elbow_d == bench.state.elbow_c);
    }
  }
  CHECK(bench.state.elbow_c[1] == -start.elbow[1]);
}

namespace {

/// Largest velocity, acceleration and jerk that the differences of q_d show from state `from` on,
/// as shares of the FR3's limits (robot-model.md 2).
struct Haste {
  double velocity = 0, acceleration = 0, jerk = 0;
};
Haste haste_of_q_d(const Bench& bench, std::size_t from) {
  constexpr Vec7 kVelocity{2.62, 2.62, 2.62, 2.62, 5.26, 4.18, 5.26};
  Haste most;
  for (std::size_t n = std::max<std::size_t>(from, 3); n < bench.past.size(); ++n)
    for (std::size_t i = 0; i < kJoints; ++i) {
      double q[4];
      for (std::size_t k = 0; k < 4; ++k) q[k] = bench.past[n - k].q_d[i];
      const double v = (q[0] - q[1]) / kDt, v1 = (q[1] - q[2]) / kDt, v2 = (q[2] - q[3]) / kDt;
      most.velocity = std::max(most.velocity, std::abs(v) / kVelocity[i]);
      most.acceleration = std::max(most.acceleration, std::abs(v - v1) / kDt / 10);
      most.jerk = std::max(most.jerk, std::abs(v - 2 * v1 + v2) / kDt / kDt / 5000);
    }
  return most;
}

double away(const Mat4& a, const Mat4& b) {
  return std::hypot(a[12] - b[12], a[13] - b[13], a[14] - b[14]);
}

}  // namespace

TEST_CASE("q_d joins an opening pose beside the desired one without a step, and arrives") {
  for (const std::uint32_t controller : {kJointImpedance, kCartesianImpedance})
    for (const std::size_t axis : {0u, 1u, 2u})
      for (const double beside : {0.049, -0.049, 0.001}) {
        CAPTURE(axis);
        CAPTURE(beside);
        Bench bench(strict());
        bench.idle(60);
        const wire::RobotState start = bench.state;
        Mat4 O_T_EE_c = start.O_T_EE_d;
        O_T_EE_c[12 + axis] += beside;
        bench.begin(1, move(kCartesianPosition, controller));
        const std::size_t opened = bench.past.size();
        for (int n = 0; n < 600; ++n) bench.cycle(pose(O_T_EE_c));
        CHECK(bench.of_kind(EventKind::kViolation).empty());
        const Haste haste = haste_of_q_d(bench, opened);
        CHECK(haste.velocity < 0.51);
        CHECK(haste.acceleration < 0.51);
        CHECK(haste.jerk < 0.51);
        // The first state shows the pose as commanded and the joints on their way.
        CHECK(bench.past[opened].O_T_EE_c == O_T_EE_c);
        CHECK(distance(bench.past[opened].q_d, start.q_d) < 1e-5);
        CHECK(away(robot::flange_pose(robot::kFr3, bench.state.q_d), O_T_EE_c) < 1e-9);
        CHECK(bench.state.dq_d == Vec7{});
        CHECK(away(bench.state.O_T_EE, O_T_EE_c) < 4e-3);
      }
}

TEST_CASE("an elbow may begin at elbow_c and be left off, also while the pose moves") {
  // Soft joints and a push: the measured elbow is 0.02 rad beside q_d[2].
  for (const std::uint32_t generator : {kCartesianPosition, kCartesianPosition + 1})
    for (const bool moving : {false, true}) {
      CAPTURE(generator);
      CAPTURE(moving);
      Bench bench(strict());
      bench.submit(9, wire::SetJointImpedanceRequest{{600, 600, 200, 600, 200, 200, 200}});
      bench.idle(60);
      bench.begin(1, move(generator));
      const wire::RobotState start = bench.state;
      const std::size_t opened = bench.past.size();
      wire::RobotCommand command = pose(start.O_T_EE_d);
      double apart = 0;
      for (int n = 0; n < 2000; ++n) {
        bench.plant.push[2] = 5 * quintic(n * 1e-3, 0.3);
        const double way = moving ? 0.15 : 0.0;
        command.O_T_EE_c[13] = start.O_T_EE_d[13] + way * quintic(n * 1e-3, 2.0);
        command.O_dP_EE_c[1] = way * (quintic(n * 1e-3, 2.0) - quintic(n * 1e-3 - 1e-3, 2.0)) / kDt;
        // Copied once, as the client of a robot does, then kept; on and off several times.
        const bool begins = n >= 500 && n % 300 == 0;
        if (begins) {
          command.elbow_c = bench.state.elbow_c;
          apart = std::max(apart, std::abs(bench.state.elbow_c[0] - bench.state.q_d[2]));
        }
        command.valid_elbow = n >= 600 && n % 300 < 200;
        bench.cycle(command);
        REQUIRE(set_errors(bench.state.errors) == Ints{});
      }
      CHECK(apart > 0.01);
      const Haste haste = haste_of_q_d(bench, opened);
      CHECK(haste.acceleration < 1);
      CHECK(haste.jerk < 1);
      CHECK(bench.of_kind(EventKind::kViolation).empty());
    }
}

TEST_CASE("poses out of reach stop the arm within its limits, and it joins the next that are not") {
  Bench bench;
  bench.idle(60);
  const wire::RobotState start = bench.state;
  bench.begin(1, move(kCartesianPosition));
  const std::size_t opened = bench.past.size();
  Mat4 O_T_EE_c = start.O_T_EE_d;
  for (int n = 0; n < 2500; ++n) {
    // At its fastest, 0.19 m/s, for 20 cycles.
    const bool out_of_reach = n >= 1000 && n < 1020;
    O_T_EE_c[13] = start.O_T_EE_d[13] + 0.2 * quintic(n * 1e-3, 2.0);
    O_T_EE_c[14] = start.O_T_EE_d[14] + (out_of_reach ? 3 : 0);
    bench.cycle(pose(O_T_EE_c));
    if (out_of_reach) CHECK(bench.unit.last_result().reference.dq_d == Vec7{});
  }
  CHECK(bench.of_kind(EventKind::kNotice).size() == 1);
  const Haste haste = haste_of_q_d(bench, opened);
  CHECK(haste.acceleration > 0.3);
  CHECK(haste.acceleration < 1.1);
  CHECK(haste.jerk < 1.1);
  CHECK(away(robot::flange_pose(robot::kFr3, bench.state.q_d), O_T_EE_c) < 1e-9);
}
