// Cartesian poses: what O_T_EE_c implies and which rows it breaks. Must not know cycles or ids.
#include <algorithm>
#include <cmath>

#include "base/rotation.hpp"
#include "judge/cartesian.hpp"

namespace fsim::judge {
namespace {

constexpr ElbowRows kElbow{Row::kPoseElbowFinite,       Row::kPoseElbowStart,
                           Row::kPoseElbowStartSign,    Row::kPoseElbowSign,
                           Row::kPoseElbowRange,        Row::kPoseElbowVelocity,
                           Row::kPoseElbowAcceleration, Row::kPoseElbowJerk};
/// libfranka rate_limiting.h kFactorCartesianRotationPoseInterface.
constexpr double kPoseRotationFactor = 0.99;
constexpr JointRows kJointSide{Row::kPoseJointAcceleration, Row::kPoseJointJerk,
                               Row::kPoseJointRange, Row::kPoseJointVelocity};

/// T turned on the right by `v`, about its own axes.
void turn_right(Mat4& T, const Vec3& v) noexcept {
  const Mat3 R = rotation_from_vector(v);
  const Mat4 from = T;
  for (std::size_t col = 0; col < 3; ++col)
    for (std::size_t row = 0; row < 3; ++row)
      T[4 * col + row] =
          from[row] * R[3 * col] + from[4 + row] * R[3 * col + 1] + from[8 + row] * R[3 * col + 2];
}

void set(Vec6& v, std::size_t from, const Vec3& value) noexcept {
  for (std::size_t k = 0; k < 3; ++k) v[from + k] = value[k];
}

/// The published angular parts: the same vectors in O. `at` is the pose the step started from,
/// whose rotation takes both (an increment's axis is the same before and after it).
void publish_turn(const Mat4& at, CartesianReference& c) noexcept {
  set(c.O_dP_EE_c, 3, rotate(at, c.turn));
  set(c.O_ddP_EE_c, 3, rotate(at, c.turn_rate));
}

std::optional<Breach> judge_finite(const Sample& s, const Limits& limits) noexcept {
  const CartesianReference& c = s.next.cartesian;
  for (const double x : c.O_T_EE_c)
    if (!std::isfinite(x))
      return Breach{Row::kPoseFinite, -1, x, limits.cartesian.translation.velocity};
  return {};
}

/// The largest entry by which a frame misses being one: the report needs a number.
double worst_row_or_column(const Mat4& T) noexcept {
  double worst = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    worst = std::max(worst, std::abs(std::hypot(T[4 * i], T[4 * i + 1], T[4 * i + 2]) - 1));
    worst = std::max(worst, std::abs(std::hypot(T[i], T[4 + i], T[8 + i]) - 1));
    worst = std::max(worst, std::abs(T[4 * i + 3]));
  }
  return std::max(worst, std::abs(T[15] - 1));
}
constexpr double kFrameTolerance = 1e-5;  // libfranka isHomogeneousTransformation

std::optional<Breach> judge_start(const Sample& s, const Slacks& slacks,
                                  const Rules& rules) noexcept {
  const Mat4& at = s.prev.cartesian.O_T_EE_c;
  const Mat4& to = s.next.cartesian.O_T_EE_c;
  const Vec3 away{to[12] - at[12], to[13] - at[13], to[14] - at[14]};
  if (auto b = over_norm(Row::kPoseStartTranslation, Axis::kTranslation, norm3(away.data()),
                         rules.start_translation_tolerance, slacks.translation[0]))
    return b;
  return over_norm(Row::kPoseStartRotation, Axis::kRotation, norm3(turn_from(at, to).data()),
                   rules.start_rotation_tolerance, slacks.rotation[0]);
}

std::optional<Breach> judge_motion(const Sample& s, const Slacks& slacks,
                                   const Limits& limits) noexcept {
  const CartesianReference& c = s.next.cartesian;
  const robot::Derivatives& t = limits.cartesian.translation;
  const robot::Derivatives& r = limits.cartesian.rotation;
  const bool running = s.phase == Phase::kRunning;
  if (running) {
    if (auto b = over_norm(Row::kPoseTranslationAcceleration, Axis::kTranslation,
                           norm3(c.O_ddP_EE_c.data()), t.acceleration, slacks.translation[2]))
      return b;
    if (auto b = over_norm(Row::kPoseRotationAcceleration, Axis::kRotation,
                           norm3(c.turn_rate.data()), r.acceleration, slacks.rotation[2]))
      return b;
  }
  if (auto b = over_norm(Row::kPoseTranslationVelocity, Axis::kTranslation,
                         norm3(c.O_dP_EE_c.data()), t.velocity, slacks.translation[1]))
    return b;
  if (auto b = over_norm(Row::kPoseRotationVelocity, Axis::kRotation, norm3(c.turn.data()),
                         r.velocity, slacks.rotation[1]))
    return b;
  if (!running) return {};
  if (auto b = judge_jerk(s, {Row::kPoseTranslationJerk, 0}, t, slacks.translation)) return b;
  return judge_jerk(s, {Row::kPoseRotationJerk, 3, kPoseRotationFactor}, r, slacks.rotation);
}

}  // namespace

Reference imply_pose(const Reference& prev, const wire::RobotCommand& command, double dt,
                     Phase phase) FSIM_NONBLOCKING {
  Reference next = prev;
  const CartesianReference& p = prev.cartesian;
  CartesianReference& c = next.cartesian;
  c.O_T_EE_c = c.goal = command.O_T_EE_c;
  c.O_dP_EE_c = c.O_ddP_EE_c = {};
  c.turn = c.turn_rate = {};
  // The first command says where the signal is; so does the first one after a hold, and the second
  // how fast (J7, C3).
  if (phase != Phase::kOpening && phase != Phase::kReseedFirst) {
    const bool seed = phase == Phase::kReseedSecond;
    c.turn = turn_from(p.O_T_EE_c, c.O_T_EE_c);
    for (std::size_t k = 0; k < 3; ++k) {
      c.O_dP_EE_c[k] = (c.O_T_EE_c[12 + k] - p.O_T_EE_c[12 + k]) / dt;
      c.turn[k] /= dt;
      if (seed) continue;
      c.O_ddP_EE_c[k] = (c.O_dP_EE_c[k] - p.O_dP_EE_c[k]) / dt;
      c.turn_rate[k] = (c.turn[k] - p.turn[k]) / dt;
    }
    publish_turn(p.O_T_EE_c, c);
  }
  imply_elbow(p, command, dt, phase, c);
  return next;
}

Reference extrapolate_pose(const Reference& last) FSIM_NONBLOCKING {
  Reference next = last;
  CartesianReference& c = next.cartesian;
  Vec3 increment{};
  for (std::size_t k = 0; k < 3; ++k) {
    c.O_dP_EE_c[k] += c.O_ddP_EE_c[k] * kDt;
    c.O_T_EE_c[12 + k] += c.O_dP_EE_c[k] * kDt;
    c.turn[k] += c.turn_rate[k] * kDt;
    increment[k] = c.turn[k] * kDt;
  }
  turn_right(c.O_T_EE_c, increment);
  publish_turn(last.cartesian.O_T_EE_c, c);
  c.goal = c.O_T_EE_c;
  c.delbow_c[0] += c.ddelbow_c[0] * kDt;
  c.elbow_c[0] += c.delbow_c[0] * kDt;
  return next;
}

Slacks pose_slacks(const Sample& s, const Rules& rules) noexcept {
  Slacks slacks;
  if (!rules.f32_state) return slacks;
  const CartesianReference& p = s.prev.cartesian;
  const double per_cycle = 1.0 / s.dt;
  auto& t = slacks.translation;
  t[0] = slack_of_norm(&p.O_T_EE_c[12], 3, rules);
  t[1] = t[0] * per_cycle + slack_of_norm(&p.O_dP_EE_c[0], 3, rules);
  t[2] = t[1] * per_cycle + slack_of_norm(&p.O_ddP_EE_c[0], 3, rules);
  t[3] = t[2] * per_cycle;
  // Rounding a rotation matrix by E turns it by at most |E| / sqrt(2) (C1).
  constexpr double kHalfRoot = 0.70710678118654752;
  auto& r = slacks.rotation;
  r[0] = kHalfRoot * std::hypot(slack_of_norm(&p.O_T_EE_c[0], 3, rules),
                                slack_of_norm(&p.O_T_EE_c[4], 3, rules),
                                slack_of_norm(&p.O_T_EE_c[8], 3, rules));
  r[1] = r[0] * per_cycle + slack_of_norm(&p.O_dP_EE_c[3], 3, rules);
  r[2] = r[1] * per_cycle + slack_of_norm(&p.O_ddP_EE_c[3], 3, rules);
  r[3] = r[2] * per_cycle;
  slacks.elbow = elbow_slacks(s, rules);
  return slacks;
}

void judge_pose(const Sample& s, const Limits& limits, const Rules& rules,
                Breaches& out) FSIM_NONBLOCKING {
  if (broke(out, judge_finite(s, limits))) return;
  if (broke(out, judge_elbow_finite(s, kElbow))) return;
  if (!valid_frame(s.next.cartesian.O_T_EE_c)) {
    const double misses = worst_row_or_column(s.next.cartesian.O_T_EE_c);
    out.push({Row::kPoseFrame, -1, misses, kFrameTolerance, misses});
    return;
  }
  // A value so large that its differences overflow is refused like a non-finite one (J11).
  for (const double x : s.next.cartesian.O_ddP_EE_c)
    if (!std::isfinite(x)) {
      out.push({Row::kPoseFinite, -1, x, limits.cartesian.translation.velocity});
      return;
    }

  const Slacks slacks = pose_slacks(s, rules);
  const bool starts = s.phase == Phase::kOpening || s.phase == Phase::kReseedFirst;
  if (starts && broke(out, judge_start(s, slacks, rules))) return;
  if (broke(out, judge_elbow_start(s, kElbow, slacks, rules))) return;
  if (broke(out, judge_elbow_sign(s, kElbow))) return;
  if (broke(out, judge_motion(s, slacks, limits))) return;
  judge_joint_discontinuities(s, kJointSide, slacks, limits, rules, out);
  if (!out.empty()) return;
  if (broke(out, judge_elbow_motion(s, kElbow, slacks, limits, rules))) return;
  broke(out, judge_joint_envelopes(s, kJointSide, slacks, limits));
}

}  // namespace fsim::judge
