// What each part of a Cartesian command implies and breaks: pose, twist, elbow and the joints that
// inverse kinematics gives for them. Must not know cycles, ids or what is recorded.
#pragma once

#include <array>
#include <cmath>
#include <optional>

#include "base/types.hpp"
#include "judge/checks.hpp"

namespace fsim::judge {

// --- small algebra
// --------------------------------------------------------------------------------

inline double norm3(const double* v) noexcept {
  return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}
/// R v for the rotation of `T`.
Vec3 rotate(const Mat4& T, const Vec3& v) noexcept;
/// R^T v.
Vec3 rotate_back(const Mat4& T, const Vec3& v) noexcept;
/// Angular distance of two poses about axes of `from` (on the right): R_to = R_from exp(result).
Vec3 turn_from(const Mat4& from, const Mat4& to) noexcept;
/// A transform as libfranka tests it that is no reflection either (assumed.hpp, C2).
bool valid_frame(const Mat4& T) noexcept;

// --- what a command implies
// -----------------------------------------------------------------------

Reference imply_pose(const Reference& prev, const wire::RobotCommand& command, double dt,
                     Phase phase) FSIM_NONBLOCKING;
Reference imply_twist(const Reference& prev, const wire::RobotCommand& command, double dt,
                      Phase phase) FSIM_NONBLOCKING;
/// Elbow of `command` after `prev` into `next`; without one the elbow is nobody's.
void imply_elbow(const CartesianReference& prev, const wire::RobotCommand& command, double dt,
                 Phase phase, CartesianReference& next) FSIM_NONBLOCKING;
/// The joint history of `next`, whose pose is realised by `q`. False where q_d, dq_d and ddq_d are
/// no differences of one trajectory: the history begins anew.
bool imply_joints(const Reference& prev, const Vec7& q, double dt, Phase phase,
                  Reference& next) FSIM_NONBLOCKING;

Reference extrapolate_pose(const Reference& last) FSIM_NONBLOCKING;
Reference extrapolate_twist(const Reference& last) FSIM_NONBLOCKING;

/// Where the history of the elbow stands: it may begin in the middle of a motion.
constexpr Phase elbow_phase(const Sample& s) noexcept {
  return s.prev.cartesian.elbow_commanded ? s.phase : Phase::kOpening;
}
/// The sample of a running motion that gives joint 3 to the elbow or takes it back.
constexpr bool elbow_changes(const CartesianReference& prev, const CartesianReference& next,
                             Phase phase) noexcept {
  return phase != Phase::kOpening && prev.elbow_commanded != next.elbow_commanded;
}
/// Where the history of the joints stands: a pose without a solution breaks it, and so does another
/// way to find the joints of a pose (C6, C13).
constexpr Phase joint_phase(const CartesianReference& prev, const CartesianReference& next,
                            Phase phase) noexcept {
  if (elbow_changes(prev, next, phase)) return Phase::kReseedFirst;
  constexpr Phase kSeeding[] = {Phase::kReseedThird, Phase::kReseedSecond, Phase::kReseedFirst};
  return prev.joint_seeds > 0 ? kSeeding[prev.joint_seeds - 1] : phase;
}

// --- what a sample breaks
// -------------------------------------------------------------------------

void judge_pose(const Sample& sample, const Limits& limits, const Rules& rules,
                Breaches& out) FSIM_NONBLOCKING;
void judge_twist(const Sample& sample, const Limits& limits, const Rules& rules,
                 Breaches& out) FSIM_NONBLOCKING;

/// Slack of the commanded pose's derivatives, orders 0 (pose) to 3 (jerk).
struct Slacks {
  std::array<double, 4> translation{};
  std::array<double, 4> rotation{};
  std::array<double, 4> elbow{};
};
Slacks pose_slacks(const Sample& sample, const Rules& rules) noexcept;
Slacks twist_slacks(const Sample& sample, const Rules& rules) noexcept;
std::array<double, 4> elbow_slacks(const Sample& sample, const Rules& rules) noexcept;

/// A jerk row and the half of O_dP_EE_c that it judges, as differences of the published fields.
struct JerkRow {
  Row row;
  std::size_t from;  ///< 0: translation, 3: rotation
  /// By what libfranka's limiter scales its limits for this row: a pose's rotation by its
  /// kFactorCartesianRotationPoseInterface, 0.99.
  double factor = 1.0;
};
std::optional<Breach> judge_jerk(const Sample& sample, const JerkRow& row,
                                 const robot::Derivatives& limits,
                                 const std::array<double, 4>& slack) noexcept;

/// Rows of the elbow under one generator.
struct ElbowRows {
  Row finite, start, start_sign, sign, range, velocity, acceleration, jerk;
};
std::optional<Breach> judge_elbow_finite(const Sample& sample, const ElbowRows& rows) noexcept;
std::optional<Breach> judge_elbow_start(const Sample& sample, const ElbowRows& rows,
                                        const Slacks& slacks, const Rules& rules) noexcept;
std::optional<Breach> judge_elbow_sign(const Sample& sample, const ElbowRows& rows) noexcept;
std::optional<Breach> judge_elbow_motion(const Sample& sample, const ElbowRows& rows,
                                         const Slacks& slacks, const Limits& limits,
                                         const Rules& rules) noexcept;

/// Rows of the joint side under one generator: per-cycle change of velocity, of acceleration,
/// position range, velocity envelope.
struct JointRows {
  Row acceleration, jerk, range, velocity;
};
/// Both rows, where both are broken.
void judge_joint_discontinuities(const Sample& sample, const JointRows& rows, const Slacks& slacks,
                                 const Limits& limits, const Rules& rules, Breaches& out) noexcept;
std::optional<Breach> judge_joint_envelopes(const Sample& sample, const JointRows& rows,
                                            const Slacks& slacks, const Limits& limits) noexcept;

/// A norm over its limit.
inline std::optional<Breach> over_norm(Row row, Axis axis, double value, double limit,
                                       double slack) noexcept {
  if (value <= limit + slack) return {};
  return Breach{row, -1, value, limit, value - limit, axis};
}
/// Pushes what was broken and says whether anything was.
inline bool broke(Breaches& out, const std::optional<Breach>& breach) noexcept {
  if (breach) out.push(*breach);
  return breach.has_value();
}

}  // namespace fsim::judge
