// How the judge asks for inverse kinematics: the caller of `begin` brings it. Must not know how a
// pose is solved.
#pragma once

#include "base/types.hpp"
#include "judge/reference.hpp"

namespace fsim::judge {

/// The joints that realise a pose, and how far each moves at most for a unit of change there: row
/// norms of the inverse of the Jacobian at `q`. They carry the rounding of a published pose over to
/// the joints (assumed.hpp, C7); zero means no slack.
struct JointSolution {
  Vec7 q{};           ///< [rad]
  Vec7 per_metre{};   ///< [rad/m], of translation
  Vec7 per_radian{};  ///< [rad/rad], of rotation
  Vec7 per_elbow{};   ///< [rad/rad], of the elbow angle at a fixed pose
};

/// A function and its context. `O_T_EE` is a homogeneous transform; `elbow` is null where the
/// redundancy is free; `q_prev` is the solution before. False: did not converge, `out.q` (q_prev on
/// entry) says where the arm stays. Must not allocate or throw.
struct JointSolver {
  using Solve = bool (*)(const void* context, const Mat4& O_T_EE, const Elbow* elbow,
                         const Vec7& q_prev, JointSolution& out) noexcept;
  const void* context = nullptr;
  Solve solve = nullptr;
};

}  // namespace fsim::judge
