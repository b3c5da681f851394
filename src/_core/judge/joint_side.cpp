// The joint side of a Cartesian command: the trajectory that inverse kinematics gives, held to the
// robot's joint limits. Must not know how a pose is solved.
// Source: reference 000, "The joint side of a Cartesian command (29, 30)".
#include "judge/cartesian.hpp"

namespace fsim::judge {
namespace {

/// Slack of joint `i`'s derivative of `order`: the roundings of pose and elbow through the inverse
/// of the Jacobian, as a sum of bounds (C7).
double joint_slack(const Sample& s, const Slacks& slacks, std::size_t order,
                   std::size_t i) noexcept {
  return s.joints->per_metre[i] * slacks.translation[order] +
         s.joints->per_radian[i] * slacks.rotation[order] +
         s.joints->per_elbow[i] * slacks.elbow[order];
}

}  // namespace

bool imply_joints(const Reference& prev, const Vec7& q, double dt, Phase phase,
                  Reference& next) FSIM_NONBLOCKING {
  CartesianReference& c = next.cartesian;
  const Phase joints = joint_phase(prev.cartesian, c, phase);
  // A pose's first command is where the joints are; a twist's moves them from rest, unless an elbow
  // that opens with it does (C3).
  const bool rebases = joints == Phase::kReseedFirst ||
                       (joints == Phase::kOpening && (c.O_dP_EE_c == Vec6{} || c.elbow_commanded));
  const bool seeds = rebases || joints == Phase::kReseedSecond;
  next.q_d = q;
  for (std::size_t i = 0; i < kJoints; ++i) {
    next.dq_d[i] = rebases ? 0.0 : (q[i] - prev.q_d[i]) / dt;
    next.ddq_d[i] = seeds ? 0.0 : (next.dq_d[i] - prev.dq_d[i]) / dt;
  }
  if (elbow_changes(prev.cartesian, c, phase))
    c.joint_seeds = 2;
  else if (c.joint_seeds > 0)
    --c.joint_seeds;
  return !seeds && joints != Phase::kReseedThird;
}

void judge_joint_discontinuities(const Sample& s, const JointRows& rows, const Slacks& slacks,
                                 const Limits& limits, const Rules& rules, Breaches& out) noexcept {
  const Phase phase = joint_phase(s.prev.cartesian, s.next.cartesian, s.phase);
  const bool running = phase == Phase::kRunning;
  if (s.joints == nullptr || (!running && phase != Phase::kReseedThird)) return;
  const double scale = rules.joint_discontinuity_scale;
  broke(out, worst_magnitude(rows.acceleration, [&](std::size_t i) {
          const double limit = scale * limits.joint.acceleration[i];
          return Band{s.next.ddq_d[i], -limit, limit, joint_slack(s, slacks, 2, i)};
        }));
  if (!running) return;
  broke(out, worst_magnitude(rows.jerk, [&](std::size_t i) {
          const double limit = scale * limits.joint.jerk[i];
          return Band{(s.next.ddq_d[i] - s.prev.ddq_d[i]) / s.dt, -limit, limit,
                      joint_slack(s, slacks, 3, i)};
        }));
}

std::optional<Breach> judge_joint_envelopes(const Sample& s, const JointRows& rows,
                                            const Slacks& slacks, const Limits& limits) noexcept {
  const Phase phase = joint_phase(s.prev.cartesian, s.next.cartesian, s.phase);
  if (s.joints == nullptr || phase == Phase::kOpening) return {};
  if (auto b = worst_outside(rows.range, [&](std::size_t i) {
        return Band{s.next.q_d[i], limits.joint.lower[i], limits.joint.upper[i],
                    joint_slack(s, slacks, 0, i)};
      }))
    return b;
  if (phase == Phase::kReseedFirst) return {};
  return worst_outside(rows.velocity, [&](std::size_t i) {
    return Band{s.next.dq_d[i], robot::lower_velocity_limit(limits.joint, i, s.prev.q_d[i]),
                robot::upper_velocity_limit(limits.joint, i, s.prev.q_d[i]),
                joint_slack(s, slacks, 1, i)};
  });
}

}  // namespace fsim::judge
