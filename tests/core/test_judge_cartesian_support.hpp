// A scripted Cartesian client and a linear stand-in for inverse kinematics. Must not hold
// expectations.
#pragma once

#include <cmath>

#include "test_judge_support.hpp"

namespace fsim::judge::test {

// Reference 000, "What is checked" (nominal): 3/9/4500, 2.5/17/8500, elbow 1.5/10/5000.
inline constexpr robot::CartesianLimits kCartesianLimits{
    {3.0, 9.0, 4500.0}, {2.5, 17.0, 8500.0}, {1.5, 10.0, 5000.0}};
inline Limits cartesian_limits() { return {fr3_limits(), kCartesianLimits}; }

inline constexpr MotionSpec kPose{Generator::kCartesianPosition, false};
inline constexpr MotionSpec kTwist{Generator::kCartesianVelocity, false};

// The EE of the ready pose: pointing down, 0.307 m ahead (columns x, -y, -z).
inline constexpr Mat4 kHome{1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0, 0.307, 0, 0.487, 1};
inline constexpr Elbow kHomeElbow{0.0, -1.0};

/// T moved by `x` along axis `k` of O (0 to 2) or turned by `x` about its own axis k - 3.
inline Mat4 moved(Mat4 T, std::size_t k, double x) {
  if (k < 3) {
    T[12 + k] += x;
    return T;
  }
  const std::size_t a = (k - 2) % 3, b = (k - 1) % 3;  // turns column a towards column b
  const Mat4 from = T;
  for (std::size_t row = 0; row < 3; ++row) {
    T[4 * a + row] = std::cos(x) * from[4 * a + row] + std::sin(x) * from[4 * b + row];
    T[4 * b + row] = -std::sin(x) * from[4 * a + row] + std::cos(x) * from[4 * b + row];
  }
  return T;
}

/// q = q0 + J (x - x0), x being translation, rotation vector about `home`'s own axes and elbow.
struct LinearArm {
  Mat4 home = kHome;
  Vec7 q0 = kReady;
  double elbow0 = 0;
  std::array<Vec7, 7> J{};  ///< column k: joints per unit of x_k (6: elbow)
  bool gives_gains = false;
  mutable bool works = true;
  mutable int calls = 0;

  static bool solve(const void* context, const Mat4& T, const Elbow* elbow, const Vec7& q_prev,
                    JointSolution& out) noexcept {
    const auto& arm = *static_cast<const LinearArm*>(context);
    ++arm.calls;
    if (!arm.works) return false;
    // Skew part of home^T T: the small rotation.
    const auto at = [&](std::size_t r, std::size_t c) {
      double sum = 0;
      for (std::size_t k = 0; k < 3; ++k) sum += arm.home[4 * r + k] * T[4 * c + k];
      return sum;
    };
    const double x[7] = {T[12] - arm.home[12],
                         T[13] - arm.home[13],
                         T[14] - arm.home[14],
                         (at(2, 1) - at(1, 2)) / 2,
                         (at(0, 2) - at(2, 0)) / 2,
                         (at(1, 0) - at(0, 1)) / 2,
                         elbow != nullptr ? (*elbow)[0] - arm.elbow0 : 0.0};
    (void)q_prev;
    out.q = arm.q0;
    for (std::size_t i = 0; i < kJoints; ++i)
      for (std::size_t k = 0; k < 7; ++k) out.q[i] += arm.J[k][i] * x[k];
    if (!arm.gives_gains) return true;
    for (std::size_t i = 0; i < kJoints; ++i) {
      out.per_metre[i] = std::hypot(arm.J[0][i], arm.J[1][i], arm.J[2][i]);
      out.per_radian[i] = std::hypot(arm.J[3][i], arm.J[4][i], arm.J[5][i]);
      out.per_elbow[i] = std::abs(arm.J[6][i]);
    }
    return true;
  }
  JointSolver solver() const { return {this, &LinearArm::solve}; }
};

struct CartesianClient {
  CommandJudge judge;
  MotionSpec spec;
  Limits limits = cartesian_limits();
  Start start{kReady, kHome, {kReady, {}, kHome, kHomeElbow}};
  Cycle now{1000};
  std::uint64_t lag = 0;

  CartesianClient(MotionSpec motion, Rules rules, JointSolver solver = {}) : spec(motion) {
    judge.begin(spec, limits, rules, start, solver);
  }
  CartesianClient(MotionSpec motion, Rules rules, JointSolver solver, const Limits& other,
                  const Start& from)
      : spec(motion), limits(other), start(from) {
    judge.begin(spec, limits, rules, start, solver);
  }
  wire::RobotCommand command(Cycle echo) const {
    wire::RobotCommand c;
    c.message_id = echo.n;
    return c;
  }
  wire::RobotCommand pose(const Mat4& O_T_EE_c) const {
    wire::RobotCommand c = command(now.next());
    c.O_T_EE_c = O_T_EE_c;
    return c;
  }
  wire::RobotCommand twist(const Vec6& O_dP_EE_c) const {
    wire::RobotCommand c = command(now.next());
    c.O_dP_EE_c = O_dP_EE_c;
    return c;
  }
  CycleResult close(const std::vector<wire::RobotCommand>& batch) {
    now = now.next();
    return judge.close(now, batch, {now.n - lag});
  }
  CycleResult answer(const Mat4& O_T_EE_c) { return close({pose(O_T_EE_c)}); }
  CycleResult answer(const Vec6& O_dP_EE_c) { return close({twist(O_dP_EE_c)}); }
  /// The pose (or a zero twist) with an elbow.
  CycleResult answer(const Mat4& O_T_EE_c, const Elbow& elbow) {
    wire::RobotCommand c =
        spec.generator == Generator::kCartesianPosition ? pose(O_T_EE_c) : twist({});
    c.elbow_c = elbow;
    c.valid_elbow = true;
    return close({c});
  }
  CycleResult lose() { return close({}); }
};

inline Vec6 along(std::size_t k, double x) {
  Vec6 v{};
  v[k] = x;
  return v;
}
inline int error_index(const CycleResult& r, std::size_t n = 0) {
  return r.violations.size() > n ? static_cast<int>(r.violations[n].error) : -1;
}

}  // namespace fsim::judge::test
