// Nothing that control or robot runs in a cycle touches the heap. Not under a sanitizer, which has
// its own operator new (dev and clang run it).
#include <doctest/doctest.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FSIM_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define FSIM_SANITIZED 1
#endif
#endif

#ifdef FSIM_SANITIZED
TEST_CASE(
    "model, controllers, hold, brake, planner and rejoin never touch the heap: skipped under a "
    "sanitizer") {}
#else

#include <cstdlib>
#include <new>

#include "control/brake.hpp"
#include "control/controllers.hpp"
#include "control/idle_hold.hpp"
#include "control/rejoin.hpp"
#include "control/target_planner.hpp"
#include "robot/model.hpp"

namespace {
std::size_t allocations = 0;
}
void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

using namespace fsim;
using robot::kFr3;

TEST_CASE("model, controllers, hold, brake, planner and rejoin never touch the heap") {
  // The counter itself works.
  delete new int;
  REQUIRE(allocations > 0);

  judge::Reference ref;
  ref.q_d = kFr3.q_ready;
  ref.dq_d = {0.5, -0.3, 1, 2, -2, 3, 0.01};
  ref.ddq_d = {5, 5, -5, -12, 20, 0, 1};
  control::Brake brake;
  control::IdleHold idle;
  robot::ArmState arm;
  const std::size_t before = allocations;
  robot::evaluate(kFr3, ref.q_d, ref.dq_d, {}, {0, 0, -9.81}, arm);
  brake.begin(ref, kFr3.limits);
  while (!brake.at_rest()) ref = brake.step();
  control::joint_impedance(kFr3, arm, ref.q_d, ref.dq_d, ref, kFr3.K_theta);
  const Vec7 tau = control::cartesian_impedance(kFr3, arm, kFr3.q_ready, ref.dq_d, ref, kIdentity4,
                                                kIdentity4, kFr3.K_x);
  idle.begin(kFr3, arm, ref.q_d, kFr3.q_ready, ref.dq_d, tau);
  idle.torque(kFr3, arm, ref.q_d, ref.dq_d);
  control::TargetPlanner planner;
  planner.begin(kFr3.q_ready, kFr3.limits.velocity, kFr3.limits);
  for (const Vec7& target : {Vec7{1, 0.5, 1, -1, 1, 2, 1}, kFr3.limits.upper, kFr3.limits.lower}) {
    planner.set_target(target);
    for (int n = 0; n < 300; ++n) planner.step();
  }
  control::Rejoin rejoin;
  rejoin.begin(kFr3.q_ready);
  for (const auto path : {judge::JointPath::kStopped, judge::JointPath::kRebased})
    rejoin.follow(ref, path, kFr3.limits);
  CHECK(allocations == before);
}

#endif
