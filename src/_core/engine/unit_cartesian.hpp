// What a Cartesian motion asks of the robot's kinematics. Must not hold state.
#pragma once

#include "judge/solver.hpp"
#include "robot/model.hpp"

namespace fsim::engine {

/// judge::JointSolver::Solve; `context` is a Unit.
bool solve_joints(const void* context, const Mat4& O_T_EE, const judge::Elbow* elbow,
                  const Vec7& q_prev, judge::JointSolution& out) noexcept;

/// Too near a singularity to start a Cartesian motion. The robot's threshold is not published;
/// sigma_min <= 0.05 is the peer's (robot-model.md 5).
bool singular(const robot::ArmState& arm) noexcept;

}  // namespace fsim::engine
