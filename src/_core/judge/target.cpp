// The two rows of a target: those of q_c that do not need a history.
#include "judge/target.hpp"

#include <algorithm>
#include <cmath>

#include "judge/checks.hpp"

namespace fsim::judge {
namespace {

Violation violation_of(const Breach& breach, Cause cause, const Rules& rules,
                       Cycle published) noexcept {
  const CheckRow& row = checks()[static_cast<std::size_t>(breach.row)];
  Violation v{row.error,    static_cast<std::uint8_t>(breach.row),
              breach.joint, breach.value,
              breach.limit, published};
  v.enforced = row.always || rules.enforce_motion_limits;
  v.generator = Generator::kJointPosition;
  v.over = breach.over;
  v.cause = cause;
  return v;
}

std::optional<Breach> not_finite(const Vec7& q_c, const robot::JointLimits& limits) noexcept {
  for (std::size_t i = 0; i < kJoints; ++i)
    if (!std::isfinite(q_c[i]))
      return Breach{Row::kPositionFinite, static_cast<std::int8_t>(i), q_c[i], limits.upper[i]};
  return {};
}

}  // namespace

TargetResult judge_target(const Vec7& q_c, const robot::JointLimits& limits, const Rules& rules,
                          Cycle published) FSIM_NONBLOCKING {
  TargetResult out;
  const std::optional<Breach> nan = not_finite(q_c, limits);
  const std::optional<Breach> outside = worst_outside(Row::kPositionRange, [&](std::size_t i) {
    return Band{q_c[i], limits.lower[i], limits.upper[i], slack_of(q_c[i], rules)};
  });
  if (nan)
    out.violations.push(violation_of(*nan, Cause::kNotFinite, rules, published));
  else if (outside)
    out.violations.push(violation_of(*outside, Cause::kOwnSignal, rules, published));
  for (const Violation& v : out.violations)
    if (v.enforced) out.abort.set(v.error);
  if (out.abort.any()) return out;

  out.accepted = true;
  for (std::size_t i = 0; i < kJoints; ++i)
    out.q[i] = std::clamp(q_c[i], limits.lower[i], limits.upper[i]);
  return out;
}

}  // namespace fsim::judge
