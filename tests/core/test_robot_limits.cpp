// The position-based velocity envelope against its published formula, worked by hand.
#include <doctest/doctest.h>

#include <cmath>

#include "robot/model.hpp"

using namespace fsim;
using namespace fsim::robot;

TEST_CASE("the envelope is flat at the rated speed in the middle of the range") {
  for (std::size_t i = 0; i < kJoints; ++i) {
    const double middle = (kFr3.limits.lower[i] + kFr3.limits.upper[i]) / 2;
    const double room = kFr3.limits.upper[i] - middle;
    const double parabola =
        std::sqrt(2 * kFr3.limits.deceleration[i] * room) - kFr3.limits.velocity_offset[i];
    CHECK(upper_velocity_limit(kFr3.limits, i, middle) ==
          doctest::Approx(std::min(parabola, kFr3.limits.velocity[i])).epsilon(1e-14));
  }
}

TEST_CASE("joint 1 at 2.5 rad may move up with sqrt(12 * 0.2501) - 0.3 rad/s and no tolerance") {
  CHECK(upper_velocity_limit(kFr3.limits, 0, 2.5) ==
        doctest::Approx(1.4323971830963).epsilon(1e-12));
  CHECK(lower_velocity_limit(kFr3.limits, 0, -2.5) ==
        doctest::Approx(-1.4323971830963).epsilon(1e-12));
}

TEST_CASE("at and beyond a stop no joint may move towards it") {
  for (std::size_t i = 0; i < kJoints; ++i)
    for (const double beyond : {0.0, 1e-9, 0.5}) {
      CHECK(upper_velocity_limit(kFr3.limits, i, kFr3.limits.upper[i] + beyond) == 0.0);
      CHECK(lower_velocity_limit(kFr3.limits, i, kFr3.limits.lower[i] - beyond) == 0.0);
    }
}

TEST_CASE("a robot without position-based limits has a flat envelope up to its stops") {
  JointLimits flat = kFr3.limits;
  flat.position_based = false;
  for (std::size_t i = 0; i < kJoints; ++i) {
    CHECK(upper_velocity_limit(flat, i, flat.upper[i]) == flat.velocity[i]);
    CHECK(lower_velocity_limit(flat, i, flat.lower[i]) == -flat.velocity[i]);
  }
}
