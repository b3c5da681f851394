// Evaluation of a planned way.
#include "control/jerk_profile.hpp"

#include <algorithm>
#include <cmath>

namespace fsim::control {

void JerkProfile::add(const Phase& phase) noexcept {
  if (!(phase.duration > 0)) return;
  phases[count++] = phase;
  duration += phase.duration;
}

JointMotion JerkProfile::at(double time) const noexcept {
  if (time >= duration) return {q_end, 0, 0};
  double t = time;
  for (std::size_t k = 0; k < count; ++k) {
    const Phase& phase = phases[k];
    if (t < phase.duration || k + 1 == count)
      return {phase.q + t * (phase.dq + t * (phase.ddq / 2 + t * phase.jerk / 6)),
              phase.dq + t * (phase.ddq + t * phase.jerk / 2), phase.ddq + t * phase.jerk};
    t -= phase.duration;
  }
  return {q_end, 0, 0};
}

JerkProfile::Reach JerkProfile::reach() const noexcept {
  Reach reach{q_end, q_end};
  const auto pass = [&reach](double q) {
    reach.lowest = std::min(reach.lowest, q);
    reach.highest = std::max(reach.highest, q);
  };
  for (std::size_t k = 0; k < count; ++k) {
    const auto [length, q, dq, ddq, jerk] = phases[k];
    pass(q);
    const double D = ddq * ddq - 2 * jerk * dq;
    if (D < 0) continue;
    // Where the speed is zero, in the form that does not cancel; a division by zero falls outside.
    const double w = -(ddq + std::copysign(std::sqrt(D), ddq));
    for (const double t : {w / jerk, 2 * dq / w})
      if (t > 0 && t < length) pass(q + t * (dq + t * (ddq / 2 + t * jerk / 6)));
  }
  return reach;
}

}  // namespace fsim::control
