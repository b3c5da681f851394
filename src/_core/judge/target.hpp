// One target of an asynchronous joint position motion: whether it is one, and where it leads. Must
// not know cycles lost, ids or the way there.
#pragma once

#include "base/fixed.hpp"
#include "base/types.hpp"
#include "judge/reference.hpp"
#include "judge/violation.hpp"
#include "robot/limits.hpp"
#include "wire/errors.hpp"

namespace fsim::judge {

struct TargetResult {
  bool accepted = false;  ///< `q` may be driven to
  Vec7 q{};               ///< the target, inside the joint range
  FixedVector<Violation, 8> violations;
  wire::ErrorSet abort;  ///< not empty: stop with these errors
};

/// A target is held to finiteness always and to the joint range where motion limits are enforced;
/// without enforcement it is moved to the end of the range. Nothing else about it is judged: it is
/// no sample of a trajectory (wire.md 5.9).
TargetResult judge_target(const Vec7& q_c, const robot::JointLimits& limits, const Rules& rules,
                          Cycle published) FSIM_NONBLOCKING;

}  // namespace fsim::judge
