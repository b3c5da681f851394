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
