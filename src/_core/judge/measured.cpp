// Measured-side rows and their ranks. Must not look at commands.
#include "judge/measured.hpp"

#include <cmath>

#include "judge/cartesian.hpp"

namespace fsim::judge {
namespace {

Violation violation_of(const Breach& breach, bool enforce, Cycle published) noexcept {
  const CheckRow& row = checks()[static_cast<std::size_t>(breach.row)];
  Violation v{row.error,    static_cast<std::uint8_t>(breach.row),
              breach.joint, breach.value,
              breach.limit, published};
  v.enforced = enforce;
  v.axis = breach.axis;
  v.over = breach.over;
  v.cause = Cause::kMeasured;
  return v;
}

std::optional<Breach> judge_joint_velocity(const Measurement& m, const robot::JointLimits& l,
                                           const MeasuredRules& rules) noexcept {
  return worst_outside(Row::kMeasuredVelocity, [&](std::size_t i) {
    return Band{m.dq[i], robot::lower_velocity_limit(l, i, m.q[i]),
                robot::upper_velocity_limit(l, i, m.q[i]), rules.joint_velocity_margin};
  });
}

std::optional<Breach> judge_box(const Measurement& m, const Box& box) noexcept {
  std::optional<Breach> worst;
  for (std::size_t k = 0; k < 3; ++k) {
    const double above = m.O_p_EE[k] - box.high[k];
    const double below = box.low[k] - m.O_p_EE[k];
    const double over = std::max(above, below);
    if (over <= 0 || (worst && over <= worst->over)) continue;
    worst =
        Breach{Row::kMeasuredBox, -1, m.O_p_EE[k], above > below ? box.high[k] : box.low[k], over,
               Axis::kTranslation};
  }
  return worst;
}

struct DeviationRows {
  Row translation, rotation, elbow;
};

std::optional<Violation> judge_deviation(const DeviationRows& rows, const Deviation& actual,
                                         const Deviation& maximum, bool enforce,
                                         Cycle published) noexcept {
  std::optional<Breach> b =
      over_norm(rows.translation, Axis::kTranslation, actual.translation, maximum.translation, 0.0);
  if (!b) b = over_norm(rows.rotation, Axis::kRotation, actual.rotation, maximum.rotation, 0.0);
  if (!b) b = over_norm(rows.elbow, Axis::kElbow, actual.elbow, maximum.elbow, 0.0);
  if (!b) return {};
  return violation_of(*b, enforce, published);
}

}  // namespace

SafetyResult judge_measured(const Measurement& m, const Limits& limits, const MeasuredRules& rules,
                            Cycle published) FSIM_NONBLOCKING {
  SafetyResult out;
  const auto report = [&](const std::optional<Breach>& breach, std::int8_t other = -1) {
    if (!breach) return false;
    Violation v = violation_of(*breach, rules.enforce, published);
    v.other = other;
    out.violations.push(v);
    if (v.enforced) out.abort.set(v.error);
    return true;
  };

  // The end effector's speed outranks the joints' (translation only, no margin).
  const double speed = norm3(m.O_v_EE.data());
  if (!report(over_norm(Row::kMeasuredEeVelocity, Axis::kTranslation, speed,
                        limits.cartesian.translation.velocity, 0.0)))
    report(judge_joint_velocity(m, limits.joint, rules));

  if (m.clearance < rules.clearance)
    report(Breach{Row::kMeasuredClearance, m.link_a, m.clearance, rules.clearance,
                  rules.clearance - m.clearance},
           m.link_b);
  report(worst_outside(Row::kMeasuredPosition, [&](std::size_t i) {
    return Band{m.q[i], limits.joint.lower[i], limits.joint.upper[i], rules.joint_position_margin};
  }));
  if (rules.box) report(judge_box(m, *rules.box));
  return out;
}

Deviation deviation_of(const Mat4& O_T_EE_c, const Mat4& O_T_EE, double elbow_c,
                       double elbow) FSIM_NONBLOCKING {
  const Vec3 away{O_T_EE[12] - O_T_EE_c[12], O_T_EE[13] - O_T_EE_c[13], O_T_EE[14] - O_T_EE_c[14]};
  return {norm3(away.data()), norm3(turn_from(O_T_EE_c, O_T_EE).data()), std::abs(elbow - elbow_c)};
}

std::optional<Violation> judge_path(const Deviation& actual, const Deviation& maximum, bool enforce,
                                    Cycle published) FSIM_NONBLOCKING {
  constexpr DeviationRows kRows{Row::kPathTranslation, Row::kPathRotation, Row::kPathElbow};
  return judge_deviation(kRows, actual, maximum, enforce, published);
}

std::optional<Violation> judge_goal(const Deviation& actual, const Deviation& maximum, bool enforce,
                                    Cycle published) FSIM_NONBLOCKING {
  constexpr DeviationRows kRows{Row::kGoalTranslation, Row::kGoalRotation, Row::kGoalElbow};
  return judge_deviation(kRows, actual, maximum, enforce, published);
}

}  // namespace fsim::judge
