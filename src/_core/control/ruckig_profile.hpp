// From Ruckig's profile of one joint to ours, so that nothing of Ruckig lives in the cycle's state.
// Only for the sources that plan.
#pragma once

#include <ruckig/ruckig.hpp>

#include "control/jerk_profile.hpp"

namespace fsim::control {

/// The phases of `profile` that take time; `q_end` is left to the caller.
inline JerkProfile phases_of(const ruckig::Profile& profile) noexcept {
  JerkProfile way;
  const ruckig::BrakeProfile& before = profile.brake;
  if (before.duration > 0)
    for (std::size_t k = 0; k < 2; ++k)
      way.add({before.t[k], before.p[k], before.v[k], before.a[k], before.j[k]});
  for (std::size_t k = 0; k < 7; ++k)
    way.add({profile.t[k], profile.p[k], profile.v[k], profile.a[k], profile.j[k]});
  return way;
}

}  // namespace fsim::control
