// Every Cartesian row with a threshold just inside and just outside, per axis, joint and sign. The
// walk is over checks(): a new row is tested or fails here.
#include "test_judge_cartesian_support.hpp"

namespace fsim::judge::test {
namespace {

enum class Channel { kAxis, kElbow, kJoint };

struct Case {
  Channel channel;
  std::size_t from, count;  // axes 0 to 5, or joints 0 to 6
  std::vector<double>
      signal;  // along the axis (poses: positions; twists: velocities), or the elbow
  double nominal;
  Axis axis;
};

/// Positions under accelerations given cycle by cycle from rest at 0, the first command at 0.
std::vector<double> positions(std::initializer_list<double> accelerations) {
  std::vector<double> x{0.0};
  double v = 0;
  for (double a : accelerations) {
    v += a * kDt;
    x.push_back(x.back() + v * kDt);
  }
  return x;
}
std::vector<double> velocities(std::initializer_list<double> accelerations) {
  std::vector<double> v{0.0};
  for (double a : accelerations) v.push_back(v.back() + a * kDt);
  return v;
}
/// Steady at v, then at `factor` times v.
std::vector<double> speeding(bool twist, double v, double factor) {
  if (twist) return {v, v, factor * v};
  return {0, v * kDt, 2 * v * kDt, (2 + factor) * v * kDt};
}

constexpr double kJointGain = 10;  // rad/m of the stand-in arm, so that joints break first

// The last sample has `factor` times the limit of `row`; `joint` matters to joint rows only.
std::optional<Case> provoke(Row row, double sign, double factor, std::size_t joint) {
  const Limits l = cartesian_limits();
  const auto& t = l.cartesian.translation;
  const auto& r = l.cartesian.rotation;
  const auto& e = l.cartesian.elbow;
  const auto axis = [&](Axis kind, const std::vector<double>& signal, double nominal) {
    return Case{Channel::kAxis, kind == Axis::kTranslation ? 0u : 3u, 3, signal, nominal, kind};
  };
  const auto elbow = [&](const std::vector<double>& signal, double nominal) {
    return Case{Channel::kElbow, 0, 1, signal, nominal, Axis::kElbow};
  };
  const auto joints = [&](const std::vector<double>& signal, double nominal) {
    std::vector<double> x = signal;
    for (double& v : x) v /= kJointGain;
    return Case{Channel::kJoint, joint, 1, x, nominal, Axis::kNone};
  };
  const auto p_acc = [&](double limit) {
    const double a = sign * limit;
    return positions({0.4 * a, 0.8 * a, factor * a});
  };
  const auto v_acc = [&](double limit) {
    const double a = sign * limit;
    return velocities({0.4 * a, 0.8 * a, factor * a});
  };
  const double s = sign * factor;
  switch (row) {
    case Row::kPoseStartTranslation:
      return axis(Axis::kTranslation, {s * 0.05}, 0.05);
    case Row::kPoseStartRotation:
      return axis(Axis::kRotation, {s * 0.1}, 0.1);
    case Row::kPoseTranslationAcceleration:
      return axis(Axis::kTranslation, p_acc(t.acceleration), t.acceleration);
    case Row::kPoseRotationAcceleration:
      return axis(Axis::kRotation, p_acc(r.acceleration), r.acceleration);
    case Row::kPoseTranslationVelocity:
      return axis(Axis::kTranslation, speeding(false, sign * t.velocity, factor), t.velocity);
    case Row::kPoseRotationVelocity:
      return axis(Axis::kRotation, speeding(false, sign * r.velocity, factor), r.velocity);
    case Row::kPoseTranslationJerk:
      return axis(Axis::kTranslation, positions({s * t.jerk * kDt}), t.jerk);
    case Row::kPoseRotationJerk:
      return axis(Axis::kRotation, positions({s * r.jerk * kDt}), r.jerk);
    case Row::kTwistTranslationAcceleration:
      return axis(Axis::kTranslation, v_acc(t.acceleration), t.acceleration);
    case Row::kTwistRotationAcceleration:
      return axis(Axis::kRotation, v_acc(r.acceleration), r.acceleration);
    case Row::kTwistTranslationVelocity:
      return axis(Axis::kTranslation, speeding(true, sign * t.velocity, factor), t.velocity);
    case Row::kTwistRotationVelocity:
      return axis(Axis::kRotation, speeding(true, sign * r.velocity, factor), r.velocity);
    case Row::kTwistTranslationJerk:
      return axis(Axis::kTranslation, velocities({s * t.jerk * kDt}), t.jerk);
    case Row::kTwistRotationJerk:
      return axis(Axis::kRotation, velocities({s * r.jerk * kDt}), r.jerk);
    case Row::kPoseElbowStart:
    case Row::kTwistElbowStart:
      return elbow({s * 0.1}, 0.1);
    case Row::kPoseElbowVelocity:
    case Row::kTwistElbowVelocity:
      return elbow(speeding(false, sign * e.velocity, factor), e.velocity);
    case Row::kPoseElbowAcceleration:
    case Row::kTwistElbowAcceleration:
      return elbow(p_acc(e.acceleration), e.acceleration);
    case Row::kPoseElbowJerk:
    case Row::kTwistElbowJerk:
      return elbow(positions({s * e.jerk * kDt}), e.jerk);
    case Row::kPoseJointAcceleration:
      return joints(p_acc(10), 10);
    case Row::kTwistJointAcceleration:
      return joints(v_acc(10), 10);
    case Row::kPoseJointJerk:
      return joints(positions({s * 5000 * kDt}), 5000);
    case Row::kTwistJointJerk:
      return joints(velocities({s * 5000 * kDt}), 5000);
    case Row::kPoseJointVelocity:
    case Row::kTwistJointVelocity: {
      const double v = on_envelope(l.joint, joint, kReady[joint], sign);
      return joints(speeding(row == Row::kTwistJointVelocity, v, factor), v);
    }
    default:
      return {};
  }
}

// Rows of a Cartesian generator that are no threshold on a number: the file that tests them.
bool tested_elsewhere(Row row) {
  switch (row) {
    case Row::kPoseFinite:  // test_judge_pose.cpp
    case Row::kPoseFrame:
    case Row::kTwistFinite:      // test_judge_twist.cpp
    case Row::kPoseElbowFinite:  // test_judge_elbow.cpp, as all below
    case Row::kTwistElbowFinite:
    case Row::kPoseElbowStartSign:
    case Row::kTwistElbowStartSign:
    case Row::kPoseElbowSign:
    case Row::kTwistElbowSign:
    case Row::kPoseElbowRange:
    case Row::kTwistElbowRange:
    case Row::kPoseJointRange:  // test_judge_joint_side.cpp
    case Row::kTwistJointRange:
      return true;
    default:
      return false;
  }
}

CycleResult judge_last(Generator generator, const Case& c, std::size_t index) {
  LinearArm arm;
  if (c.channel == Channel::kJoint) arm.J[0][index] = kJointGain;
  const MotionSpec spec{generator, false};
  CartesianClient client(spec, permissive(), arm.solver());
  CycleResult last;
  for (const double x : c.signal) {
    const std::size_t k = c.channel == Channel::kAxis ? index : 0;
    if (c.channel == Channel::kElbow)
      last = client.answer(kHome, {x, -1});
    else if (generator == Generator::kCartesianPosition)
      last = client.answer(moved(kHome, k, x));
    else
      last = client.answer(along(k, x));
  }
  return last;
}

TEST_CASE("every Cartesian row holds just inside and breaks just outside, per axis and sign") {
  int walked = 0;
  for (std::size_t n = 0; n < checks().size(); ++n) {
    const Row row = static_cast<Row>(n);
    const CheckRow& entry = checks()[n];
    if (!is_cartesian(entry.generator) || tested_elsewhere(row)) continue;
    const bool of_joints =
        provoke(row, 1, 1, 0) && provoke(row, 1, 1, 0)->channel == Channel::kJoint;
    for (const double sign : {-1.0, 1.0})
      for (std::size_t joint = 0; joint < (of_joints ? kJoints : 1); ++joint) {
        CAPTURE(entry.signal);
        CAPTURE(entry.condition);
        CAPTURE(sign);
        const auto inside = provoke(row, sign, 1 - 1e-7, joint);
        const auto outside = provoke(row, sign, 1 + 1e-7, joint);
        REQUIRE(inside);
        for (std::size_t k = inside->from; k < inside->from + inside->count; ++k) {
          CAPTURE(k);
          CHECK(clean(judge_last(entry.generator, *inside, k)));
          const CycleResult r = judge_last(entry.generator, *outside, k);
          REQUIRE(r.violations.size() == 1);
          const Violation& v = r.violations[0];
          CHECK(v.row == n);
          CHECK(v.error == entry.error);
          CHECK(v.generator == entry.generator);
          CHECK(v.axis == outside->axis);
          CHECK(v.joint == (of_joints ? static_cast<int>(joint) : -1));
          CHECK(std::abs(v.limit) == doctest::Approx(std::abs(outside->nominal)).epsilon(1e-6));
          CHECK(std::abs(v.value) == doctest::Approx(std::abs(outside->nominal)).epsilon(1e-6));
          CHECK(v.over == doctest::Approx(1e-7 * std::abs(outside->nominal)).epsilon(0.05));
          ++walked;
        }
      }
  }
  // 14 axis rows of 3 axes, 8 elbow rows, 6 joint rows of 7 joints, each with two signs.
  CHECK(walked == 2 * (14 * 3 + 8 + 6 * 7));
}

TEST_CASE("the table names each Cartesian error by the reference's index") {
  const auto index = [](Row row) { return static_cast<int>(error_of(row)); };
  CHECK(index(Row::kPoseFrame) == 31);
  CHECK(index(Row::kPoseFinite) == 18);
  CHECK(index(Row::kTwistFinite) == 18);
  CHECK(index(Row::kPoseStartTranslation) == 16);
  CHECK(index(Row::kPoseStartRotation) == 16);
  CHECK(index(Row::kPoseElbowStart) == 22);
  CHECK(index(Row::kPoseElbowStartSign) == 22);
  CHECK(index(Row::kPoseElbowSign) == 21);
  CHECK(index(Row::kPoseTranslationAcceleration) == 19);
  CHECK(index(Row::kPoseRotationVelocity) == 18);
  CHECK(index(Row::kPoseTranslationJerk) == 20);
  CHECK(index(Row::kPoseJointAcceleration) == 29);
  CHECK(index(Row::kPoseJointJerk) == 30);
  CHECK(index(Row::kPoseElbowRange) == 17);
  CHECK(index(Row::kPoseElbowJerk) == 17);
  CHECK(index(Row::kPoseJointRange) == 27);
  CHECK(index(Row::kPoseJointVelocity) == 28);
  CHECK(index(Row::kTwistTranslationAcceleration) == 20);
  CHECK(index(Row::kTwistRotationJerk) == 20);
  CHECK(index(Row::kTwistTranslationVelocity) == 18);
  CHECK(index(Row::kTwistJointAcceleration) == 30);
  CHECK(index(Row::kTwistJointJerk) == 30);
  CHECK(index(Row::kTwistElbowSign) == 21);
}

}  // namespace
}  // namespace fsim::judge::test
