// A scripted client for the judge's tests: one call a cycle. Must not hold expectations.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <vector>

#include "judge/checks.hpp"
#include "judge/judge.hpp"

namespace fsim::judge::test {

// Reference 000, "The position-based joint velocity limits" and "What is checked" (nominal).
inline robot::JointLimits fr3_limits() {
  robot::JointLimits l{};
  l.lower = {-2.7501, -1.7918, -2.9065, -3.0481, -2.8101, 0.5409, -3.0196};
  l.upper = {2.7501, 1.7918, 2.9065, -0.1458, 2.8101, 4.5205, 3.0196};
  l.velocity = {2.62, 2.62, 2.62, 2.62, 5.26, 4.18, 5.26};
  l.acceleration = all_joints(10.0);
  l.jerk = all_joints(5000.0);
  l.torque = {87, 87, 87, 87, 12, 12, 12};
  l.torque_rate = all_joints(1000.0);
  l.velocity_offset = {0.30, 0.20, 0.20, 0.30, 0.35, 0.35, 0.35};
  l.deceleration = {6.0, 2.585, 3.5, 4.0, 17.0, 5.5, 17.0};
  l.position_based = true;
  return l;
}

// Reference 000, "The position-based joint velocity limits", without the limiter's 1e-3.
inline double plain_envelope(const robot::JointLimits& l, std::size_t i, double q, double sign) {
  const double distance = sign > 0 ? l.upper[i] - q : q - l.lower[i];
  const double braking = -l.velocity_offset[i] + std::sqrt(2 * l.deceleration[i] * distance);
  return sign * std::min(l.velocity[i], std::max(0.0, braking));
}
// A velocity that is on the envelope after two cycles of itself.
inline double on_envelope(const robot::JointLimits& l, std::size_t i, double q, double sign) {
  double v = 0;
  for (int k = 0; k < 60; ++k) v = plain_envelope(l, i, q + 2 * v * kDt, sign);
  return v;
}

// libfranka's examples start here.
inline constexpr Vec7 kReady{
    0, -0.78539816339744831, 0, -2.3561944901923448, 0, 1.5707963267948966, 0.78539816339744831};

inline constexpr MotionSpec kPosition{Generator::kJointPosition, false};
inline constexpr MotionSpec kVelocity{Generator::kJointVelocity, false};
inline constexpr MotionSpec kTorque{Generator::kNone, true};

/// Exact 64-bit wire and limits that abort.
inline Rules strict() {
  Rules rules;
  rules.enforce_motion_limits = true;
  rules.enforce_comm_constraints = true;
  rules.f32_state = false;
  return rules;
}
inline Rules permissive() {
  Rules rules;
  rules.f32_state = false;
  return rules;
}

struct Client {
  CommandJudge judge;
  MotionSpec spec;
  robot::JointLimits limits;
  Cycle now{1000};
  std::uint64_t lag = 0;  ///< states behind the open one that still answer it (lockstep)

  Client(MotionSpec motion, Rules rules, Vec7 q_d = kReady,
         robot::JointLimits joint_limits = fr3_limits())
      : spec(motion), limits(joint_limits) {
    judge.begin(spec, limits, rules, q_d);
  }
  /// A command that answers `echo`; `signal` is the generator's, or the torque.
  wire::RobotCommand command(Cycle echo, const Vec7& signal, bool finished = false) const {
    wire::RobotCommand c;
    c.message_id = echo.n;
    (spec.generator == Generator::kJointPosition   ? c.q_c
     : spec.generator == Generator::kJointVelocity ? c.dq_c
                                                   : c.tau_J_d) = signal;
    c.motion_generation_finished = finished && spec.generator != Generator::kNone;
    c.torque_command_finished = finished && spec.generator == Generator::kNone;
    return c;
  }
  CycleResult close(const std::vector<wire::RobotCommand>& batch) {
    now = now.next();
    return judge.close(now, batch, {now.n - lag});
  }
  /// Answer the next cycle in time.
  CycleResult answer(const Vec7& signal, bool finished = false) {
    return close({command(now.next(), signal, finished)});
  }
  CycleResult lose() { return close({}); }
  /// One batch of (echo, signal) for the next cycle.
  CycleResult deliver(std::initializer_list<std::pair<Cycle, Vec7>> batch) {
    std::vector<wire::RobotCommand> commands;
    for (const auto& [echo, signal] : batch) commands.push_back(command(echo, signal));
    return close(commands);
  }
};

inline Vec7 with(Vec7 v, std::size_t joint, double value) {
  v[joint] = value;
  return v;
}
inline Vec7 plus(Vec7 v, std::size_t joint, double step) {
  v[joint] += step;
  return v;
}

/// Nothing was broken and nothing aborts.
inline bool clean(const CycleResult& r) { return r.violations.empty() && !r.abort.any(); }
/// The first violation is of `row`.
inline bool breaks(const CycleResult& r, Row row) {
  return !r.violations.empty() && r.violations[0].row == static_cast<std::uint8_t>(row);
}
inline wire::Error error_of(Row row) { return checks()[static_cast<std::size_t>(row)].error; }

}  // namespace fsim::judge::test
