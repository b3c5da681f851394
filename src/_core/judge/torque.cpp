// External torques: which rows tau_J_d breaks. Must not know cycles or ids.
#include <cmath>

#include "judge/checks.hpp"

namespace fsim::judge {

std::optional<Breach> judge_torque(const Sample& s, const robot::JointLimits& limits,
                                   const Rules& rules) FSIM_NONBLOCKING {
  for (std::size_t i = 0; i < kJoints; ++i)
    if (!std::isfinite(s.next.tau_J_d[i]))
      return Breach{Row::kTorqueFinite, static_cast<std::int8_t>(i), s.next.tau_J_d[i],
                    limits.torque[i]};

  if (auto b = worst_magnitude(Row::kTorqueRange, [&](std::size_t i) {
        return Band{s.next.tau_J_d[i], -limits.torque[i], limits.torque[i],
                    slack_of(s.next.tau_J_d[i], rules)};
      }))
    return b;

  const Vec7 slack = slack_of(s.prev.tau_J_d, rules);
  return worst_magnitude(Row::kTorqueRate, [&](std::size_t i) {
    return Band{(s.next.tau_J_d[i] - s.prev.tau_J_d[i]) / s.dt, -limits.torque_rate[i],
                limits.torque_rate[i], slack[i] / s.dt};
  });
}

}  // namespace fsim::judge
