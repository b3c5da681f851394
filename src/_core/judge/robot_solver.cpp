// Inverse kinematics of a built-in arm in the judge's terms.
#include "judge/robot_solver.hpp"

#include <array>

#include "base/transforms.hpp"
#include "robot/inverse_kinematics.hpp"
#include "robot/kinematics.hpp"

namespace fsim::judge {

bool RobotSolver::solve(const Mat4& O_T_EE, const Elbow* elbow, const Vec7& q_prev,
                        JointSolution& out) const noexcept {
  const Mat4 O_T_F = robot::remove_end_effector(O_T_EE, F_T_EE);
  const robot::IkSolution found =
      elbow != nullptr ? robot::solve_ik(*robot, O_T_F, q_prev, {(*elbow)[0], (*elbow)[1]})
                       : robot::solve_ik(*robot, O_T_F, q_prev);
  if (found.status != robot::IkStatus::kConverged) return false;
  out.q = found.q;
  std::array<Mat4, kJoints> frames;
  robot::joint_frames(*robot, found.q, frames);
  const Mat67 J = robot::shift_jacobian(robot::flange_jacobian(frames, O_T_F), O_T_F, F_T_EE);
  const robot::IkGain gain = robot::ik_gain(J, elbow != nullptr);
  out.per_metre = gain.per_metre;
  out.per_radian = gain.per_radian;
  out.per_elbow = gain.per_elbow;
  return true;
}

JointSolver RobotSolver::joint_solver() const noexcept {
  return {this, [](const void* context, const Mat4& O_T_EE, const Elbow* elbow, const Vec7& q_prev,
                   JointSolution& out) noexcept {
            return static_cast<const RobotSolver*>(context)->solve(O_T_EE, elbow, q_prev, out);
          }};
}

Start RobotSolver::start_at(const Vec7& q) const noexcept {
  const Mat4 O_T_EE = compose(robot::flange_pose(*robot, q), F_T_EE);
  return {q, O_T_EE, {q, {}, O_T_EE, robot::elbow(*robot, q)}};
}

}  // namespace fsim::judge
