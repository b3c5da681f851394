// What the reference is while the client is quiet. Must not know ids or limits.
// Source: reference 000, "What the sim does with a lost cycle".
#pragma once

#include "base/types.hpp"
#include "judge/reference.hpp"

namespace fsim::judge {

/// One guess after `last`, at its acceleration: semi-implicit Euler, velocity first. The same law
/// serves q_c and dq_c (a velocity's q_d is its integral); torques are held bit-equal. Guesses keep
/// ddq_d, so a chain of them stays at the acceleration of the last command that arrived (J4).
/// Poses, twists and elbows follow the same law in pose.cpp and twist.cpp.
inline Reference extrapolate(const Reference& last) FSIM_NONBLOCKING {
  Reference next = last;
  for (std::size_t i = 0; i < kJoints; ++i) {
    next.dq_d[i] = last.dq_d[i] + last.ddq_d[i] * kDt;
    next.q_d[i] = last.q_d[i] + next.dq_d[i] * kDt;
  }
  return next;
}

/// Stand still where `last` is, torques as they are.
inline Reference held(const Reference& last) FSIM_NONBLOCKING {
  Reference next = last;
  next.dq_d = Vec7{};
  next.ddq_d = Vec7{};
  CartesianReference& c = next.cartesian;
  c.O_dP_EE_c = c.O_ddP_EE_c = {};
  c.turn = c.turn_rate = {};
  c.delbow_c = c.ddelbow_c = {};
  return next;
}

}  // namespace fsim::judge
