// A small arm for controller tests: rigid links, reflected motor inertia, dry and viscous friction.
// Must not share code with the plant; it integrates the core's model in the plainest way.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "robot/model.hpp"

namespace fsim::test {

inline constexpr Vec3 kGravity{0, 0, -9.81};

class SimulatedArm {
 public:
  Vec7 q{}, dq{};
  robot::Load load{};          ///< what really hangs at the flange
  double friction_factor = 1;  ///< of the robot's dry friction

  explicit SimulatedArm(const robot::RobotType& type) : q(type.q_ready), type_(type) {}

  /// What the controller knows: nominal model at the measured state, without the load.
  robot::ArmState nominal() const {
    robot::ArmState arm;
    robot::evaluate(type_, q, dq, robot::Load{}, kGravity, arm);
    return arm;
  }

  /// Advance one cycle under motor torques `tau` (gravity included).
  void step(const Vec7& tau) {
    robot::ArmState arm;
    robot::evaluate(type_, q, dq, load, kGravity, arm);
    // Velocity without dry friction; viscous friction is implicit.
    std::array<Vec7, kJoints> A;
    Vec7 momentum{};
    for (std::size_t i = 0; i < kJoints; ++i) {
      momentum[i] = kDt * (tau[i] - arm.coriolis[i] - arm.gravity[i]);
      for (std::size_t j = 0; j < kJoints; ++j) {
        const double m = arm.M[j * kJoints + i] + (i == j ? type_.armature[i] : 0.0);
        momentum[i] += m * dq[j];
        A[i][j] = m + (i == j ? kDt * type_.viscous[i] : 0.0);
      }
    }
    invert(A);
    Vec7 v{};
    for (std::size_t i = 0; i < kJoints; ++i)
      for (std::size_t j = 0; j < kJoints; ++j) v[i] += A[i][j] * momentum[j];
    // Dry friction: the impulse, bounded per joint, that stops as many joints as it can.
    Vec7 impulse{};
    for (int sweep = 0; sweep < 50; ++sweep)
      for (std::size_t i = 0; i < kJoints; ++i) {
        const double bound = kDt * friction_factor * type_.coulomb[i];
        const double next = std::clamp(impulse[i] - v[i] / A[i][i], -bound, bound);
        for (std::size_t j = 0; j < kJoints; ++j) v[j] += A[j][i] * (next - impulse[i]);
        impulse[i] = next;
      }
    dq = v;
    for (std::size_t i = 0; i < kJoints; ++i) q[i] += kDt * dq[i];
  }

  /// Kinetic energy of links and motors [J].
  double energy() const {
    const robot::ArmState arm = nominal();
    double sum = 0;
    for (std::size_t i = 0; i < kJoints; ++i) {
      sum += type_.armature[i] * dq[i] * dq[i] / 2;
      for (std::size_t j = 0; j < kJoints; ++j) sum += arm.M[j * kJoints + i] * dq[i] * dq[j] / 2;
    }
    return sum;
  }

 private:
  /// Gauss-Jordan; the matrix is symmetric positive definite, so no pivoting.
  static void invert(std::array<Vec7, kJoints>& A) {
    for (std::size_t p = 0; p < kJoints; ++p) {
      const double pivot = 1 / A[p][p];
      for (std::size_t j = 0; j < kJoints; ++j) A[p][j] *= pivot;
      A[p][p] = pivot;
      for (std::size_t i = 0; i < kJoints; ++i) {
        if (i == p) continue;
        const double f = A[i][p];
        A[i][p] = 0;
        for (std::size_t j = 0; j < kJoints; ++j) A[i][j] -= f * A[p][j];
      }
    }
  }

  const robot::RobotType& type_;
};

inline Vec7 plus(Vec7 a, const Vec7& b) {
  for (std::size_t i = 0; i < kJoints; ++i) a[i] += b[i];
  return a;
}
inline double largest(const Vec7& v) {
  double worst = 0;
  for (const double x : v) worst = std::max(worst, std::abs(x));
  return worst;
}
inline double distance(const Vec7& a, const Vec7& b) {
  Vec7 d;
  for (std::size_t i = 0; i < kJoints; ++i) d[i] = a[i] - b[i];
  return largest(d);
}
/// Distance of two poses' origins [m] and angle between them [rad].
inline std::array<double, 2> pose_distance(const Mat4& a, const Mat4& b) {
  double square = 0, trace = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    square += (a[12 + k] - b[12 + k]) * (a[12 + k] - b[12 + k]);
    for (std::size_t c = 0; c < 3; ++c) trace += a[c * 4 + k] * b[c * 4 + k];
  }
  return {std::sqrt(square), std::acos(std::clamp((trace - 1) / 2, -1.0, 1.0))};
}

}  // namespace fsim::test
