// The judge's solver for an arm that is built in: its own inverse kinematics, seen at the end
// effector. The live server and the offline judge bring this one. Must not know limits or commands.
#pragma once

#include "base/types.hpp"
#include "judge/reference.hpp"
#include "judge/solver.hpp"
#include "robot/model.hpp"

namespace fsim::judge {

/// One arm with what is fixed to its flange. The JointSolver it gives points here: keep it in place
/// for as long as that is used.
struct RobotSolver {
  const robot::RobotType* robot = nullptr;
  Mat4 F_T_EE = kIdentity4;

  /// JointSolver::Solve without the context.
  bool solve(const Mat4& O_T_EE, const Elbow* elbow, const Vec7& q_prev,
             JointSolution& out) const noexcept;
  JointSolver joint_solver() const noexcept;
  /// A motion that begins at rest at `q`, measured without error.
  Start start_at(const Vec7& q) const noexcept;
};

}  // namespace fsim::judge
