// Distances between links against numbers of MuJoCo (fr3_clearance.inc), and the fold that the
// reference describes.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "robot/kinematics.hpp"
#include "robot/self_collision.hpp"
#include "robot/self_collision_shapes.hpp"

using namespace fsim;
using namespace fsim::robot;

namespace {

constexpr std::size_t kPairs = 15;
constexpr double kGolden[][kJoints + kPairs] = {
#include "fr3_clearance.inc"
};

Clearance clearance(const Vec7& q) {
  std::array<Mat4, kJoints> frames;
  joint_frames(kFr3, q, frames);
  return self_clearance(kFr3, frames);
}

}  // namespace

TEST_CASE("every watched pair of links is as far apart as MuJoCo says, in 1000 poses") {
  static_assert(std::size(kGolden) == 1000);
  int compared = 0, overlapping = 0;
  for (const auto& row : kGolden) {
    Vec7 q;
    std::copy_n(row, kJoints, q.begin());
    std::array<Mat4, kJoints> frames;
    joint_frames(kFr3, q, frames);
    std::size_t k = kJoints;
    for (std::uint8_t a = 0; a < kLinks; ++a)
      for (std::uint8_t b = static_cast<std::uint8_t>(a + kWatchedSpan); b < kLinks; ++b, ++k) {
        CAPTURE(a);
        CAPTURE(b);
        const double distance = link_distance(kFr3, frames, a, b);
        // Where the uninflated shapes overlap only the sign is promised.
        if (row[k] + kFr3.hull_protrusion[a] + kFr3.hull_protrusion[b] < 1e-6) {
          CHECK(distance < 1e-6);
          ++overlapping;
        } else {
          CHECK(std::abs(distance - row[k]) < 1e-6);
          ++compared;
        }
      }
  }
  MESSAGE(compared, " compared, ", overlapping, " overlap");
  CHECK(compared > 14000);
}

TEST_CASE("the clearance is the least of all watched pairs and names the pair") {
  for (const auto& row : kGolden) {
    Vec7 q;
    std::copy_n(row, kJoints, q.begin());
    std::array<Mat4, kJoints> frames;
    joint_frames(kFr3, q, frames);
    double least = 1e9;
    for (std::uint8_t a = 0; a < kLinks; ++a)
      for (std::uint8_t b = static_cast<std::uint8_t>(a + kWatchedSpan); b < kLinks; ++b)
        least = std::min(least, link_distance(kFr3, frames, a, b));
    const Clearance found = self_clearance(kFr3, frames);
    CHECK(std::abs(found.distance - least) < 1e-12);
    CHECK(found.link_b - found.link_a >= kWatchedSpan);
    CHECK(link_distance(kFr3, frames, found.link_a, found.link_b) < least + 1e-12);
  }
}

TEST_CASE("at the ready pose no watched links are within 136 mm") {
  // Reference 000: no monitored pair is closer in its home and three start poses.
  const Clearance ready = clearance(kFr3.q_ready);
  MESSAGE("links ", int{ready.link_a}, " and ", int{ready.link_b}, ", ", ready.distance, " m");
  CHECK(ready.distance > 0.136);
}

TEST_CASE("folding joint 4 brings link 5 within 50 mm of the shoulder before joint 4 must stop") {
  // Reference 000: joint 4 at -0.1 rad/s, joint 5 at 0.2 rad/s, envelope reached after 11.63 s,
  // 50 mm after 10.80 s; issue text: 0.3 to 1.5 s before, and before the links touch.
  constexpr double envelope = 11.63;
  // Where the braking parabola allows 0.1 rad/s: (0.1 + offset)² / (2 deceleration) from the stop.
  const JointLimits& limits = kFr3.limits;
  const double room = std::pow(0.1 + limits.velocity_offset[3], 2) / (2 * limits.deceleration[3]);
  Vec7 q = kFr3.q_ready;
  q[3] = limits.lower[3] + room + 0.1 * envelope;
  double fired = 0;
  for (int k = 0; k < 11630 && fired == 0; ++k) {
    q[3] -= 0.1 * kDt;
    q[4] += 0.2 * kDt;
    const Clearance found = clearance(q);
    if (found.distance < 0.05) {
      fired = k * kDt;
      MESSAGE("fires at ", fired, " s, links ", int{found.link_a}, " and ", int{found.link_b});
      CHECK(found.link_b == 5);
      // Links 1 and 2 share the shoulder's sphere; link 2's hull stands out 1 mm more.
      CHECK((found.link_a == 1 || found.link_a == 2));
      CHECK(found.distance > 0.049);
    }
  }
  CHECK(fired > envelope - 1.5);
  CHECK(fired < envelope - 0.3);
}

TEST_CASE("crossing, parallel and degenerate segments have the distance that paper gives") {
  using shapes::distance;
  const shapes::Segment x{{-1, 0, 0}, {1, 0, 0}};
  CHECK(distance(x, shapes::Segment{{0, -1, 0.25}, {0, 1, 0.25}}) == doctest::Approx(0.25));
  CHECK(distance(x, shapes::Segment{{-0.5, 0.3, 0}, {0.5, 0.3, 0}}) == doctest::Approx(0.3));
  CHECK(distance(x, shapes::Segment{{4, 4, 0}, {6, 4, 0}}) == doctest::Approx(5.0));
  CHECK(distance(x, shapes::Segment{{2, 0, 1}, {2, 0, 1}}) == doctest::Approx(std::sqrt(2.0)));
  CHECK(distance(shapes::Segment{{2, 0, 1}, {2, 0, 1}}, x) == doctest::Approx(std::sqrt(2.0)));
}

TEST_CASE("a cylinder over a box touches with its flat, its side, its rim or a corner") {
  using shapes::distance;
  const shapes::Box box{{0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {1, 1, 1}};
  CHECK(distance(shapes::Cylinder{{0.5, 0, 2}, {0, 0, 1}, 0.25, 0.5}, box) ==
        doctest::Approx(0.75));
  CHECK(distance(shapes::Cylinder{{1.2, 0, 2}, {1, 0, 0}, 0.5, 0.25}, box) ==
        doctest::Approx(0.75));
  const double s = std::sqrt(0.5);
  CHECK(distance(shapes::Cylinder{{0, 0, 3}, {s, 0, s}, 0.5, 0.5}, box) == doctest::Approx(2 - s));
  CHECK(distance(shapes::Cylinder{{3, 3, 3}, {0, 0, 1}, 0.5, 0.5}, box) ==
        doctest::Approx(std::hypot(1.5, std::sqrt(8.0) - 0.5)));
  CHECK(distance(shapes::Cylinder{{0, 0, 1.2}, {s, 0, s}, 0.5, 0.5}, box) == 0.0);
}
