// Joint positions: what q_c implies and which rows it breaks. Must not know cycles or ids.
#include <cmath>

#include "judge/checks.hpp"

namespace fsim::judge {

Reference imply_joint_position(const Reference& prev, const Vec7& q_c, double dt,
                               Phase phase) FSIM_NONBLOCKING {
  Reference next = prev;
  next.q_d = q_c;
  for (std::size_t i = 0; i < kJoints; ++i) {
    next.dq_d[i] = (q_c[i] - prev.q_d[i]) / dt;
    next.ddq_d[i] = (next.dq_d[i] - prev.dq_d[i]) / dt;
  }
  // After a hold the first command only says where the signal is, the second how fast (J7).
  if (phase == Phase::kReseedFirst) next.dq_d = Vec7{};
  if (phase == Phase::kReseedFirst || phase == Phase::kReseedSecond) next.ddq_d = Vec7{};
  return next;
}

std::optional<Breach> judge_joint_position(const Sample& s, const robot::JointLimits& limits,
                                           const Rules& rules) FSIM_NONBLOCKING {
  // A value so large that its differences overflow is refused like a non-finite one.
  for (std::size_t i = 0; i < kJoints; ++i)
    if (!std::isfinite(s.next.q_d[i]) || !std::isfinite(s.next.dq_d[i]) ||
        !std::isfinite(s.next.ddq_d[i]))
      return Breach{Row::kPositionFinite, static_cast<std::int8_t>(i), s.next.q_d[i],
                    limits.upper[i]};

  if (auto b = worst_outside(Row::kPositionRange, [&](std::size_t i) {
        return Band{s.next.q_d[i], limits.lower[i], limits.upper[i],
                    slack_of(s.next.q_d[i], rules)};
      }))
    return b;

  const Vec7 slack = slack_of(s.prev.q_d, rules);

  if (s.phase == Phase::kOpening || s.phase == Phase::kReseedFirst) {
    const double tolerance = rules.start_pose_tolerance;
    if (auto b = worst_magnitude(Row::kPositionStart, [&](std::size_t i) {
          return Band{s.next.q_d[i] - s.prev.q_d[i], -tolerance, tolerance, slack[i]};
        }))
      return b;
    if (s.phase == Phase::kReseedFirst) return {};
  }

  const Vec7 slack_1 = slack_of_next_order(slack, s.dt, s.prev.dq_d, rules);
  const Vec7 slack_2 = slack_of_next_order(slack_1, s.dt, s.prev.ddq_d, rules);
  if (s.phase != Phase::kReseedSecond) {
    if (auto b = worst_magnitude(Row::kPositionAcceleration, [&](std::size_t i) {
          return Band{s.next.ddq_d[i], -limits.acceleration[i], limits.acceleration[i], slack_2[i]};
        }))
      return b;
  }

  if (auto b = worst_outside(Row::kPositionVelocity, [&](std::size_t i) {
        return Band{s.next.dq_d[i], robot::lower_velocity_limit(limits, i, s.prev.q_d[i]),
                    robot::upper_velocity_limit(limits, i, s.prev.q_d[i]), slack_1[i]};
      }))
    return b;
  if (s.phase == Phase::kReseedSecond) return {};

  return worst_magnitude(Row::kPositionJerk, [&](std::size_t i) {
    return Band{(s.next.ddq_d[i] - s.prev.ddq_d[i]) / s.dt, -limits.jerk[i], limits.jerk[i],
                slack_2[i] / s.dt};
  });
}

}  // namespace fsim::judge
