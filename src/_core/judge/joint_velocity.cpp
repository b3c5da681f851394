// Joint velocities: what dq_c implies and which rows it breaks. Must not know cycles or ids.
#include <cmath>

#include "judge/checks.hpp"

namespace fsim::judge {

Reference imply_joint_velocity(const Reference& prev, const Vec7& dq_c, double dt,
                               Phase phase) FSIM_NONBLOCKING {
  Reference next = prev;
  next.dq_d = dq_c;
  for (std::size_t i = 0; i < kJoints; ++i) {
    next.ddq_d[i] = (dq_c[i] - prev.dq_d[i]) / dt;
    next.q_d[i] = prev.q_d[i] + dq_c[i] * dt;
  }
  // After a hold the first command only says how fast the signal is (J7).
  if (phase == Phase::kReseedFirst) next.ddq_d = Vec7{};
  return next;
}

std::optional<Breach> judge_joint_velocity(const Sample& s, const robot::JointLimits& limits,
                                           const Rules& rules) FSIM_NONBLOCKING {
  // A value so large that its difference overflows is refused like a non-finite one.
  for (std::size_t i = 0; i < kJoints; ++i)
    if (!std::isfinite(s.next.dq_d[i]) || !std::isfinite(s.next.ddq_d[i]))
      return Breach{Row::kVelocityFinite, static_cast<std::int8_t>(i), s.next.dq_d[i],
                    limits.velocity[i]};

  const Vec7 slack = slack_of(s.prev.dq_d, rules);
  if (s.phase == Phase::kOpening || s.phase == Phase::kReseedFirst) {
    const double tolerance = rules.start_velocity_tolerance;
    if (auto b = worst_magnitude(Row::kVelocityStart, [&](std::size_t i) {
          return Band{s.next.dq_d[i] - s.prev.dq_d[i], -tolerance, tolerance, slack[i]};
        }))
      return b;
    if (s.phase == Phase::kReseedFirst) return {};
  }

  if (s.phase != Phase::kReseedSecond) {
    const Vec7 slack_1 = slack_of_next_order(slack, s.dt, s.prev.ddq_d, rules);
    if (auto b = worst_magnitude(Row::kVelocityAcceleration, [&](std::size_t i) {
          return Band{s.next.ddq_d[i], -limits.acceleration[i], limits.acceleration[i], slack_1[i]};
        }))
      return b;
    if (auto b = worst_magnitude(Row::kVelocityJerk, [&](std::size_t i) {
          return Band{(s.next.ddq_d[i] - s.prev.ddq_d[i]) / s.dt, -limits.jerk[i], limits.jerk[i],
                      slack_1[i] / s.dt};
        }))
      return b;
  }

  // The envelope stands at the q_d the client could read when it chose dq_c (J2).
  return worst_outside(Row::kVelocityEnvelope, [&](std::size_t i) {
    return Band{s.next.dq_d[i], robot::lower_velocity_limit(limits, i, s.prev.q_d[i]),
                robot::upper_velocity_limit(limits, i, s.prev.q_d[i]),
                slack_of(s.next.dq_d[i], rules)};
  });
}

}  // namespace fsim::judge
