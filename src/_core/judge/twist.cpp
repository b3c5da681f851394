// Cartesian velocities: what O_dP_EE_c implies and which rows it breaks. Must not know cycles or
// ids.
#include <cmath>

#include "base/rotation.hpp"
#include "judge/cartesian.hpp"

namespace fsim::judge {
namespace {

constexpr ElbowRows kElbow{Row::kTwistElbowFinite,       Row::kTwistElbowStart,
                           Row::kTwistElbowStartSign,    Row::kTwistElbowSign,
                           Row::kTwistElbowRange,        Row::kTwistElbowVelocity,
                           Row::kTwistElbowAcceleration, Row::kTwistElbowJerk};
constexpr JointRows kJointSide{Row::kTwistJointAcceleration, Row::kTwistJointJerk,
                               Row::kTwistJointRange, Row::kTwistJointVelocity};

std::optional<Breach> judge_motion(const Sample& s, const Slacks& slacks, const Limits& limits,
                                   const Rules& rules) noexcept {
  const CartesianReference& c = s.next.cartesian;
  const robot::Derivatives& t = limits.cartesian.translation;
  const robot::Derivatives& r = limits.cartesian.rotation;
  // The first command is differenced from rest (C4); after a hold only the speed is known.
  if (s.phase == Phase::kOpening || s.phase == Phase::kRunning) {
    if (auto b = over_norm(Row::kTwistTranslationAcceleration, Axis::kTranslation,
                           norm3(&c.O_ddP_EE_c[0]), t.acceleration, slacks.translation[2]))
      return b;
    if (auto b = over_norm(Row::kTwistRotationAcceleration, Axis::kRotation,
                           norm3(&c.O_ddP_EE_c[3]), r.acceleration, slacks.rotation[2]))
      return b;
    if (auto b = judge_jerk(s, {Row::kTwistTranslationJerk, 0}, t, slacks.translation)) return b;
    if (auto b = judge_jerk(s, {Row::kTwistRotationJerk, 3}, r, slacks.rotation)) return b;
  }
  if (auto b = over_norm(Row::kTwistTranslationVelocity, Axis::kTranslation, norm3(&c.O_dP_EE_c[0]),
                         t.velocity, slack_of_norm(&c.O_dP_EE_c[0], 3, rules)))
    return b;
  return over_norm(Row::kTwistRotationVelocity, Axis::kRotation, norm3(&c.O_dP_EE_c[3]), r.velocity,
                   slack_of_norm(&c.O_dP_EE_c[3], 3, rules));
}

}  // namespace

Reference imply_twist(const Reference& prev, const wire::RobotCommand& command, double dt,
                      Phase phase) FSIM_NONBLOCKING {
  Reference next = prev;
  CartesianReference& c = next.cartesian;
  c.O_dP_EE_c = command.O_dP_EE_c;
  for (std::size_t k = 0; k < 6; ++k)
    c.O_ddP_EE_c[k] = (command.O_dP_EE_c[k] - prev.cartesian.O_dP_EE_c[k]) / dt;
  // After a hold the first command only says how fast the signal is (J7).
  if (phase == Phase::kReseedFirst) c.O_ddP_EE_c = {};
  c.goal = integrate_twist(prev.cartesian.goal, c.O_dP_EE_c, dt);
  imply_elbow(prev.cartesian, command, dt, phase, c);
  return next;
}

Reference extrapolate_twist(const Reference& last) FSIM_NONBLOCKING {
  Reference next = last;
  CartesianReference& c = next.cartesian;
  for (std::size_t k = 0; k < 6; ++k) c.O_dP_EE_c[k] += c.O_ddP_EE_c[k] * kDt;
  c.goal = integrate_twist(last.cartesian.goal, c.O_dP_EE_c, kDt);
  c.delbow_c[0] += c.ddelbow_c[0] * kDt;
  c.elbow_c[0] += c.delbow_c[0] * kDt;
  return next;
}

Slacks twist_slacks(const Sample& s, const Rules& rules) noexcept {
  Slacks slacks;
  if (!rules.f32_state) return slacks;
  const CartesianReference& p = s.prev.cartesian;
  const double per_cycle = 1.0 / s.dt;
  // The pose of a twist is the server's own integral: nothing is rounded on its way.
  const auto fill = [&](std::array<double, 4>& slack, std::size_t from) {
    slack[1] = slack_of_norm(&p.O_dP_EE_c[from], 3, rules);
    slack[2] = slack[1] * per_cycle + slack_of_norm(&p.O_ddP_EE_c[from], 3, rules);
    slack[3] = slack[2] * per_cycle;
  };
  fill(slacks.translation, 0);
  fill(slacks.rotation, 3);
  slacks.elbow = elbow_slacks(s, rules);
  return slacks;
}

void judge_twist(const Sample& s, const Limits& limits, const Rules& rules,
                 Breaches& out) FSIM_NONBLOCKING {
  // A value so large that its difference overflows is refused like a non-finite one (J11).
  for (std::size_t k = 0; k < 6; ++k)
    if (!std::isfinite(s.next.cartesian.O_dP_EE_c[k]) ||
        !std::isfinite(s.next.cartesian.O_ddP_EE_c[k])) {
      const robot::CartesianLimits& l = limits.cartesian;
      out.push({Row::kTwistFinite, -1, s.next.cartesian.O_dP_EE_c[k],
                k < 3 ? l.translation.velocity : l.rotation.velocity, 0.0,
                k < 3 ? Axis::kTranslation : Axis::kRotation});
      return;
    }
  if (broke(out, judge_elbow_finite(s, kElbow))) return;

  const Slacks slacks = twist_slacks(s, rules);
  if (broke(out, judge_motion(s, slacks, limits, rules))) return;
  judge_joint_discontinuities(s, kJointSide, slacks, limits, rules, out);
  if (!out.empty()) return;
  if (broke(out, judge_elbow_start(s, kElbow, slacks, rules))) return;
  if (broke(out, judge_elbow_sign(s, kElbow))) return;
  if (broke(out, judge_elbow_motion(s, kElbow, slacks, limits, rules))) return;
  broke(out, judge_joint_envelopes(s, kJointSide, slacks, limits));
}

}  // namespace fsim::judge
