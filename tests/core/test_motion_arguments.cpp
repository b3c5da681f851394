// Argument ranges of every request, each bound just inside and just outside.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "motion/arguments.hpp"
#include "support/requests.hpp"

using namespace fsim;
using namespace fsim::test;
using motion::acceptable;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

template <std::size_t N, class Make>
void check_bounds(std::size_t i, double low, double high, std::array<double, N> inside, Make make) {
  CAPTURE(i);
  const auto at = [&](double value) {
    std::array<double, N> v = inside;
    v[i] = value;
    return acceptable(make(v));
  };
  CHECK(at(low));
  CHECK(at(high));
  CHECK_FALSE(at(std::nextafter(low, -kInf)));
  CHECK_FALSE(at(std::nextafter(high, kInf)));
  CHECK_FALSE(at(kNan));
  CHECK_FALSE(at(kInf));
  CHECK_FALSE(at(-kInf));
}

/// A turn by 45 degrees about z whose entries are written as `s`.
Mat4 turned(double s) { return {s, s, 0, 0, -s, s, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}; }

}  // namespace

TEST_CASE("K_theta is accepted from 0 to 14250 Nm/rad in each joint") {
  // wire.md 7, libfranka robot.h setJointImpedance.
  for (std::size_t i = 0; i < kJoints; ++i)
    check_bounds<7>(i, 0, 14250, all_joints(1000),
                    [](const Vec7& K) { return wire::SetJointImpedanceRequest{K}; });
}

TEST_CASE("K_x is accepted from 10 to 3000 N/m and from 1 to 300 Nm/rad in each axis") {
  // wire.md 7, libfranka robot.h setCartesianImpedance.
  for (std::size_t i = 0; i < 6; ++i)
    check_bounds<6>(i, i < 3 ? 10 : 1, i < 3 ? 3000 : 300, {100, 100, 100, 50, 50, 50},
                    [](const Vec6& K) { return wire::SetCartesianImpedanceRequest{K}; });
}

TEST_CASE("a transform's columns and rows have unit norm to 1e-5, its last row is exact") {
  // libfranka's isHomogeneousTransformation: 0.707 is 1.5e-4 short of a unit norm; eight digits
  // fit.
  for (const bool ee : {false, true}) {
    const auto accepted = [ee](const Mat4& T) {
      return ee ? acceptable(wire::SetNEToEERequest{T}) : acceptable(wire::SetEEToKRequest{T});
    };
    CHECK(accepted(kIdentity4));
    CHECK(accepted(turned(0.70710678)));
    CHECK_FALSE(accepted(turned(0.707)));
    CHECK_FALSE(accepted(Mat4{}));
    Mat4 scaled = kIdentity4;
    scaled[0] = 1 + 0.9e-5;
    CHECK(accepted(scaled));
    scaled[0] = 1 + 1.1e-5;
    CHECK_FALSE(accepted(scaled));
    scaled[0] = 1 - 1.1e-5;
    CHECK_FALSE(accepted(scaled));
    for (const std::size_t last : {3u, 7u, 11u, 15u}) {
      Mat4 T = kIdentity4;
      T[last] += 1e-12;
      CHECK_FALSE(accepted(T));
    }
    for (std::size_t i = 0; i < 16; ++i)
      for (const double bad : {kNan, kInf}) {
        Mat4 T = kIdentity4;
        T[i] = bad;
        CAPTURE(i);
        CHECK_FALSE(accepted(T));
      }
    Mat4 far = kIdentity4;
    far[12] = -1.5;
    CHECK(accepted(far));
  }
}

TEST_CASE("a load has a mass that is not negative, a finite centre and a possible inertia") {
  // wire.md 7, setLoad: negative mass, non-finite, inertia not positive semi-definite are refused.
  const auto load = [](double mass, const Vec3& centre, const Mat3& I) {
    return acceptable(wire::SetLoadRequest{mass, centre, I});
  };
  const Mat3 box{1e-3, 0, 0, 0, 2e-3, 0, 0, 0, 2.5e-3};
  CHECK(load(0, {}, {}));
  CHECK(load(0.5, {0, 0, 0.1}, box));
  CHECK(load(0.5, {0, 0, 0.1}, {}));  // a point mass
  CHECK_FALSE(load(-1e-9, {}, {}));
  CHECK_FALSE(load(kNan, {}, box));
  CHECK_FALSE(load(kInf, {}, box));
  for (std::size_t i = 0; i < 3; ++i) {
    Vec3 centre{};
    centre[i] = kNan;
    CHECK_FALSE(load(1, centre, box));
  }
  for (std::size_t i = 0; i < 9; ++i) {
    Mat3 I = box;
    I[i] = kInf;
    CHECK_FALSE(load(1, {}, I));
  }
  for (const std::size_t diagonal : {0u, 4u, 8u}) {
    Mat3 I = box;
    I[diagonal] = -1e-3;
    CHECK_FALSE(load(1, {}, I));
  }
  Mat3 skew = box;
  skew[1] = 1e-4;
  CHECK_FALSE(load(1, {}, skew));
  // Off-diagonal too large for its diagonal: 1.5e-3^2 > 1e-3 * 2e-3.
  Mat3 indefinite = box;
  indefinite[1] = indefinite[3] = 1.5e-3;
  CHECK_FALSE(load(1, {}, indefinite));
  Mat3 definite = box;
  definite[1] = definite[3] = 1.4e-3;
  CHECK(load(1, {}, definite));
}

TEST_CASE("thresholds are finite, not negative, and lower is not above upper") {
  // wire.md 7, setCollisionBehavior.
  wire::SetCollisionBehaviorRequest good{};
  good.upper_torque_thresholds_acceleration = good.upper_torque_thresholds_nominal = all_joints(20);
  good.lower_torque_thresholds_acceleration = good.lower_torque_thresholds_nominal = all_joints(20);
  good.upper_force_thresholds_acceleration =
      good.upper_force_thresholds_nominal = {20, 20, 20, 25, 25, 25};
  CHECK(acceptable(good));
  CHECK(acceptable(wire::SetCollisionBehaviorRequest{}));
  const auto spoil = [&good](auto change) {
    wire::SetCollisionBehaviorRequest m = good;
    change(m);
    return acceptable(m);
  };
  for (std::size_t i = 0; i < kJoints; ++i)
    for (const double bad : {std::nextafter(20.0, 21.0), -1e-12, kNan}) {
      CHECK_FALSE(spoil([&](auto& m) { m.lower_torque_thresholds_acceleration[i] = bad; }));
      CHECK_FALSE(spoil([&](auto& m) { m.lower_torque_thresholds_nominal[i] = bad; }));
    }
  for (std::size_t i = 0; i < kJoints; ++i)
    for (const double bad : {std::nextafter(20.0, 19.0), kNan, kInf}) {
      CHECK_FALSE(spoil([&](auto& m) { m.upper_torque_thresholds_acceleration[i] = bad; }));
      CHECK_FALSE(spoil([&](auto& m) { m.upper_torque_thresholds_nominal[i] = bad; }));
    }
  for (std::size_t i = 0; i < 6; ++i)
    for (const double bad : {-1e-12, kNan, kInf}) {
      CHECK_FALSE(spoil([&](auto& m) { m.lower_force_thresholds_acceleration[i] = bad; }));
      CHECK_FALSE(spoil([&](auto& m) { m.lower_force_thresholds_nominal[i] = bad; }));
      CHECK_FALSE(spoil([&](auto& m) { m.upper_force_thresholds_acceleration[i] = bad; }));
      CHECK_FALSE(spoil([&](auto& m) { m.upper_force_thresholds_nominal[i] = bad; }));
    }
}

TEST_CASE("a Move names a pair of modes that can move the arm") {
  // wire.md 5.2, mode pairs by client call: (0 or 1, 0..3), (2, 0..3), (2, None 4).
  for (std::uint32_t controller = 0; controller < 6; ++controller)
    for (std::uint32_t generator = 0; generator < 7; ++generator) {
      const bool possible =
          controller <= 2 && (generator <= 3 || (generator == 4 && controller == 2));
      CAPTURE(controller);
      CAPTURE(generator);
      CHECK(acceptable(move(generator, controller)) == possible);
    }
  CHECK_FALSE(acceptable(move(0xFFFFFFFF, 0)));
  CHECK_FALSE(acceptable(move(0, 0xFFFFFFFF)));
}

TEST_CASE("an asynchronous Move commands joint positions, with a velocity for each joint") {
  // wire.md 5.9. With external torques nothing would hold the arm between two targets.
  const auto async = [](std::uint32_t generator, std::uint32_t controller) {
    wire::MoveRequest m = move(generator, controller);
    m.use_async_motion_generator = true;
    m.maximum_velocity = all_joints(1.0);
    return m;
  };
  for (std::uint32_t generator = 0; generator < 5; ++generator)
    for (std::uint32_t controller = 0; controller < 3; ++controller)
      CHECK(acceptable(async(generator, controller)) == (generator == 0 && controller < 2));
  for (std::size_t i = 0; i < kJoints; ++i)
    for (const double velocity : {0.0, -1.0, kNan, kInf, -kInf}) {
      wire::MoveRequest m = async(0, 0);
      m.maximum_velocity[i] = velocity;
      CHECK_FALSE(acceptable(m));
      m.use_async_motion_generator = false;
      CHECK(acceptable(m));
    }
  wire::MoveRequest fast = async(0, 0);
  fast.maximum_velocity = all_joints(100.0);
  CHECK(acceptable(fast));
}

TEST_CASE("a Move's deviations are finite and not negative") {
  // wire.md 1.5: kInvalidArgumentRejected reads "maximum path deviation out of range".
  for (std::size_t i = 0; i < 3; ++i)
    for (const double bad : {-1e-12, kNan, kInf}) {
      wire::MoveRequest m = move(kJointPosition);
      m.maximum_path_deviation[i] = bad;
      CHECK_FALSE(acceptable(m));
      m = move(kJointPosition);
      m.maximum_goal_pose_deviation[i] = bad;
      CHECK_FALSE(acceptable(m));
      m.maximum_goal_pose_deviation[i] = 0;
      CHECK(acceptable(m));
    }
}
