// Pushes: when they begin and end, how they grow, where they act, and that lockstep wakes for them.
// Expected numbers are the definitions (a line, half a sine) and the principle of virtual work.
#include <doctest/doctest.h>

#include <cmath>

#include "engine/disturbance.hpp"
#include "support/world.hpp"

using namespace fsim;
using engine::Disturbances;
using engine::Push;
using engine::PushShape;
using engine::PushStart;

namespace {

using Wrenches = FixedVector<plant::LinkWrench, plant::kMaxWrenches>;

Push push(double f, std::uint64_t duration = Push::kForever) {
  Push p;
  p.link = 7;
  p.force = {f, 0, 0};
  p.duration = duration;
  return p;
}

/// Force along x in the cycles 1 to n; the motion's first command comes in cycle `first`, if any.
std::vector<double> force_by_cycle(Disturbances& d, int n, std::uint64_t first = 0) {
  std::vector<double> out;
  for (std::uint64_t c = 1; c <= static_cast<std::uint64_t>(n); ++c) {
    d.advance(Cycle{c}, {first != 0 && c >= first, Cycle{first}});
    Wrenches w;
    d.evaluate(kIdentity4, kIdentity4, w);
    double sum = 0;
    for (const plant::LinkWrench& one : w) sum += one.force[0];
    out.push_back(sum);
  }
  return out;
}

}  // namespace

TEST_CASE("a step acts for its cycles and no longer") {
  Disturbances d;
  d.add(push(5, 3));
  CHECK(force_by_cycle(d, 5) == std::vector<double>{5, 5, 5, 0, 0});
}

TEST_CASE("a ramp grows in equal steps and then stays until it is over") {
  Disturbances d;
  Push p = push(8, 6);
  p.shape = PushShape::kRamp;
  p.rise = 4;
  d.add(p);
  CHECK(force_by_cycle(d, 7) == std::vector<double>{2, 4, 6, 8, 8, 8, 0});
}

TEST_CASE("a ramp without end stays whole until it is released") {
  Disturbances d;
  Push p = push(8);
  p.shape = PushShape::kRamp;
  p.rise = 2;
  d.add(p);
  CHECK(force_by_cycle(d, 4) == std::vector<double>{4, 8, 8, 8});
  d.release();
  CHECK(force_by_cycle(d, 1) == std::vector<double>{0});
}

TEST_CASE("a pulse is half a sine, symmetric, with the impulse of its area") {
  Disturbances d;
  Push p = push(10, 100);
  p.shape = PushShape::kPulse;
  d.add(p);
  const auto f = force_by_cycle(d, 101);
  CHECK(f[49] == doctest::Approx(10).epsilon(1e-3));
  for (std::size_t k = 0; k < 50; ++k) CHECK(f[k] == doctest::Approx(f[99 - k]));
  double area = 0;
  for (const double x : f) area += x;
  CHECK(area == doctest::Approx(10 * 100 * 2 / M_PI).epsilon(1e-4));
  CHECK(f[100] == 0);
}

TEST_CASE("a push begins at its cycle, and at once when that has passed") {
  Disturbances d;
  Push p = push(1, 2);
  p.start = PushStart::kAtCycle;
  p.cycle = 3;
  d.add(p);
  CHECK(force_by_cycle(d, 5) == std::vector<double>{0, 0, 1, 1, 0});
  d.add(p);
  d.advance(Cycle{9}, {});
  Wrenches w;
  d.evaluate(kIdentity4, kIdentity4, w);
  CHECK(w.size() == 1);
}

TEST_CASE("a push that counts from the first command waits for a motion") {
  Disturbances d;
  Push p = push(1, 1);
  p.start = PushStart::kAtMotionCycle;
  p.cycle = 2;
  d.add(p);
  CHECK(force_by_cycle(d, 3) == std::vector<double>{0, 0, 0});
  CHECK(force_by_cycle(d, 6, 2) == std::vector<double>{0, 0, 0, 1, 0, 0});
}

TEST_CASE("pushes add up until there is no room") {
  Disturbances d;
  for (std::size_t k = 0; k < plant::kMaxWrenches; ++k) CHECK(d.add(push(1)));
  CHECK_FALSE(d.add(push(1)));
  CHECK(force_by_cycle(d, 1)[0] == 16);
}

TEST_CASE("the arm may stand still under a push that neither changes nor ends") {
  Disturbances d;
  CHECK_FALSE(d.advance(Cycle{1}, {}));
  d.add(push(1));
  CHECK(d.advance(Cycle{2}, {}));
  CHECK_FALSE(d.advance(Cycle{3}, {}));
  d.release();
  CHECK(d.advance(Cycle{4}, {}));
  CHECK_FALSE(d.advance(Cycle{5}, {}));
  d.add(push(1, 2));
  CHECK(d.advance(Cycle{6}, {}));
  CHECK(d.advance(Cycle{7}, {}));
  CHECK(d.advance(Cycle{8}, {}));  // it is gone: what acts differs
  CHECK_FALSE(d.advance(Cycle{9}, {}));
}

TEST_CASE("what is given in the end effector's frame acts on link 7 at its place") {
  // Flange: 0.1 m along z; EE: another 0.2 m and a quarter turn about z.
  Mat4 flange = kIdentity4, ee = kIdentity4;
  flange[14] = 0.1;
  ee = {0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0.2, 1};
  Disturbances d;
  Push p = push(3);
  p.anchor = Push::Anchor::kEE;
  p.in_O = false;
  p.torque = {0, 2, 0};
  p.point = {0.5, 0, 0};
  d.add(p);
  d.advance(Cycle{1}, {});
  Wrenches w;
  d.evaluate(flange, ee, w);
  REQUIRE(w.size() == 1);
  CHECK_FALSE(w[0].in_base);
  CHECK(w[0].force == Vec3{0, 3, 0});
  CHECK(w[0].torque == Vec3{-2, 0, 0});
  CHECK(w[0].point[0] == doctest::Approx(0));
  CHECK(w[0].point[1] == doctest::Approx(0.5));
  CHECK(w[0].point[2] == doctest::Approx(0.3));
}

TEST_CASE("a push wakes a world that stands still in lockstep, and it comes to rest again") {
  test::World world(test::settings(engine::ClockKind::kLockstep));
  world.idle(200);
  const Vec7 q = world.state.q;
  world.idle(50);
  REQUIRE(world.state.q == q);
  Push p = push(0);
  p.force = {0, 0, -20};
  world.engine.submit(p);
  world.idle(1000);
  // It acted: the base joint's sensors see it, and the hold brought the arm back.
  const Vec7 held = world.state.tau_J;
  const Vec7 there = world.state.q;
  world.idle(50);
  CHECK(world.state.q == there);
  CHECK(world.engine.unit().at_rest());
  world.engine.submit(engine::ReleasePushes{});
  world.idle(1000);
  CHECK(world.engine.unit().at_rest());
  // Virtual work: the joints carried 20 N at the origin of link 7, pulled down.
  test::ArmPlant slow;
  plant::Output out;
  slow.reset(world.state.q, out);
  Wrenches w;
  plant::LinkWrench one;
  one.link = 7;
  one.force = {0, 0, -20};
  w.push(one);
  const Vec7 expected = slow.external(w);
  for (std::size_t i = 0; i < kJoints; ++i)
    CHECK(held[i] - world.state.tau_J[i] == doctest::Approx(-expected[i]).epsilon(0.01));
}

TEST_CASE("a Move in lockstep waits for the end of a push") {
  test::World world(test::settings(engine::ClockKind::kLockstep));
  world.idle(200);
  world.engine.submit(push(10, 300));
  world.submit(1, test::move(test::kJointVelocity));
  int waited = 0;
  for (; waited < 2000 && world.statuses(1).empty(); ++waited) world.cycle();
  CHECK(waited > 300);
  CHECK(world.statuses(1) == std::vector<int>{test::kMoveStarted});
}

TEST_CASE("a push that finds no room is told once") {
  test::World world;
  for (std::size_t k = 0; k <= plant::kMaxWrenches; ++k) world.engine.submit(push(0.1));
  world.idle(3);
  CHECK(world.notices(engine::Notice::kTooManyPushes) == 1);
}
