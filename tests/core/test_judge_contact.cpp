// Contact and collision levels per joint and axis: robot-model.md section 9.
#include <doctest/doctest.h>

#include <cmath>

#include "judge/contact.hpp"

using namespace fsim;
using namespace fsim::judge;

namespace {

constexpr Cycle kNow{77};

ContactThresholds thresholds() {
  return {{10, 11, 12, 13, 14, 15, 16},
          {20, 21, 22, 23, 24, 25, 26},
          {5, 6, 7, 8, 9, 10},
          {30, 31, 32, 33, 34, 35}};
}

/// A joint torque or a component of the wrench.
struct Push {
  Vec7 tau{};
  Vec6 force{};
};
Push push(std::size_t channel, double value) {
  Push p;
  if (channel < kJoints)
    p.tau[channel] = value;
  else
    p.force[channel - kJoints] = value;
  return p;
}
double lower(std::size_t c) {
  return c < kJoints ? thresholds().lower_torque[c] : thresholds().lower_force[c - kJoints];
}
double upper(std::size_t c) {
  return c < kJoints ? thresholds().upper_torque[c] : thresholds().upper_force[c - kJoints];
}
SafetyResult seen(ContactJudge& judge, const Push& p, bool armed = true) {
  return judge.observe(p.tau, p.force, thresholds(), armed, kNow);
}
/// Flags of all channels but `channel` are down, and that one is as told.
bool only(ContactFlags flags, std::size_t channel, bool up) {
  for (std::size_t c = 0; c < ContactFlags::kCount; ++c)
    if (flags.has(c) != (c == channel && up)) return false;
  return true;
}

}  // namespace

TEST_CASE("above lower is a contact that clears itself, above upper a collision that stays") {
  for (std::size_t c = 0; c < ContactFlags::kCount; ++c)
    for (const double sign : {-1.0, 1.0}) {
      CAPTURE(c);
      ContactJudge judge;
      CHECK(seen(judge, push(c, sign * (lower(c) - 1e-9))).violations.empty());
      CHECK(only(judge.contact(), c, false));
      seen(judge, push(c, sign * (lower(c) + 1e-9)));
      CHECK(only(judge.contact(), c, true));
      CHECK(seen(judge, push(c, sign * (upper(c) - 1e-9))).violations.empty());
      CHECK(only(judge.collision(), c, false));

      const SafetyResult r = seen(judge, push(c, sign * (upper(c) + 1e-9)));
      // libfranka: joint_reflex 6, cartesian_reflex 7.
      REQUIRE(r.violations.size() == 1);
      const Violation& v = r.violations[0];
      CHECK(static_cast<int>(v.error) == (c < kJoints ? 6 : 7));
      CHECK(r.abort.has(v.error));
      CHECK(v.enforced);
      CHECK(v.value == sign * (upper(c) + 1e-9));
      CHECK(v.limit == upper(c));
      CHECK(v.over == doctest::Approx(1e-9).epsilon(0.01));
      CHECK(v.cause == Cause::kPushed);
      CHECK(v.cycle == kNow);
      const CheckRow& row = checks()[v.row];
      if (c < kJoints) {
        CHECK(v.joint == static_cast<int>(c));
        CHECK(std::string_view(row.unit) == "Nm");
      } else {
        constexpr std::string_view kNames[] = {"x", "y", "z", "about x", "about y", "about z"};
        CHECK(name(v.axis) == kNames[c - kJoints]);
        CHECK(std::string_view(row.unit) == (c < kJoints + 3 ? "N" : "Nm"));
      }

      seen(judge, {});
      CHECK(only(judge.contact(), c, false));
      CHECK(only(judge.collision(), c, true));
      judge.recovered();
      CHECK(only(judge.collision(), c, false));
    }
}

TEST_CASE("torque, force and moment are three rows, each naming its worst channel") {
  ContactJudge judge;
  Push p;
  p.tau = {21, 0, -30, 0, 0, 0, 0};
  p.force = {0, -32, 0, 36, 0, -37};
  const SafetyResult r = seen(judge, p);
  REQUIRE(r.violations.size() == 3);
  CHECK(r.violations[0].joint == 2);
  CHECK(r.violations[1].axis == Axis::kY);
  CHECK(r.violations[2].axis == Axis::kAboutX);
  CHECK(r.abort.bits() == (std::uint64_t{1} << 6 | std::uint64_t{1} << 7));
  // The flags show all that were over.
  CHECK(judge.collision().joints() == Vec7{1, 0, 1, 0, 0, 0, 0});
  CHECK(judge.collision().axes() == Vec6{0, 1, 0, 1, 0, 1});
}

TEST_CASE("what is over while nothing is armed is excused until it was below") {
  ContactJudge judge;
  CHECK(seen(judge, push(8, 40), false).violations.empty());
  CHECK(judge.contact().has(8));
  CHECK_FALSE(judge.collision().has(8));
  // Armed again and still pushed; pushed harder elsewhere it trips.
  CHECK(seen(judge, push(8, 41)).violations.empty());
  Push both = push(8, 41);
  both.tau[0] = 50;
  CHECK(seen(judge, both).violations.size() == 1);
  CHECK(seen(judge, push(8, 30)).violations.empty());
  CHECK(seen(judge, push(8, 32)).violations.size() == 1);
}

TEST_CASE("the acceleration phase has its own thresholds, torque control never") {
  wire::SetCollisionBehaviorRequest set{};
  set.lower_torque_thresholds_acceleration = all_joints(1);
  set.upper_torque_thresholds_acceleration = all_joints(2);
  set.lower_torque_thresholds_nominal = all_joints(3);
  set.upper_torque_thresholds_nominal = all_joints(4);
  set.lower_force_thresholds_acceleration = {5, 5, 5, 5, 5, 5};
  set.upper_force_thresholds_acceleration = {6, 6, 6, 6, 6, 6};
  set.lower_force_thresholds_nominal = {7, 7, 7, 7, 7, 7};
  set.upper_force_thresholds_nominal = {8, 8, 8, 8, 8, 8};
  const auto first = [](const ContactThresholds& t) {
    return std::array{t.lower_torque[0], t.upper_torque[0], t.lower_force[0], t.upper_force[0]};
  };
  const std::array acceleration{1.0, 2.0, 5.0, 6.0}, nominal{3.0, 4.0, 7.0, 8.0};
  // robot-model.md section 9: max |ddq_d| > 0.05 rad/s^2.
  for (std::size_t i = 0; i < kJoints; ++i)
    for (const double sign : {-1.0, 1.0}) {
      Vec7 ddq_d{};
      ddq_d[i] = sign * 0.0499;
      CHECK(first(thresholds_of(set, ddq_d, false)) == nominal);
      ddq_d[i] = sign * 0.0501;
      CHECK(first(thresholds_of(set, ddq_d, false)) == acceleration);
      CHECK(first(thresholds_of(set, ddq_d, true)) == nominal);
    }
}
