// Joint angles for a flange pose, followed from the previous cycle's solution. Must not know
// limits, commands or errors: what a solution is worth is judge's and control's to say.
#pragma once

#include <cstdint>

#include "robot/model.hpp"

namespace fsim::robot {

enum class IkStatus : std::uint8_t {
  kConverged,   ///< pose met to kIkTolerance
  kOutOfReach,  ///< no joint angles reach it: the wrist would be further out than the arm is long
  kSingular,    ///< search ended where the arm cannot move in some direction
  kBranchFlip,  ///< the solution has the other sign of elbow[1]
  kTooFar,      ///< the solution is more than kIkMaxStep from q_prev: a jump, not a motion
  kNoSolution,  ///< search ended without one: q3 does not go with the pose, or not finite
};

/// Promised accuracy of a solution: distance [m] and angle [rad] from the pose asked for.
/// Source: issue text, "converged to 1e-9 m and rad".
inline constexpr double kIkTolerance = 1e-9;
/// Chosen: a legal cycle moves a joint by 5.3 mrad (5.26 rad/s), so one that is 20 cycles late by
/// 0.11 rad; other inverse kinematic branches of the FR3 lie more than 1 rad away.
inline constexpr double kIkMaxStep = 1.0;
/// Below this smallest singular value of the Jacobian a failed search is called singular.
/// ASSUMED like the zeroed external wrench: robot-model.md section 5.
inline constexpr double kIkSingular = 0.02;
/// Bound on Newton steps; a cycle's pose takes two or three.
inline constexpr int kIkMaxIterations = 24;

/// On any status but kConverged, `q` is q_prev: a failure never moves the arm.
struct IkSolution {
  IkStatus status;
  Vec7 q;          ///< [rad]
  int iterations;  ///< Newton steps taken
};

/// What an elbow command asks for: elbow[0] and elbow[1] of the wire.
struct ElbowTarget {
  double q3;      ///< [rad]
  double branch;  ///< sign(q4 - elbow_flip_q4): -1 or 1
};

/// Solve for the flange pose with the elbow free: from `q_prev` along the shortest joint motion
/// (minimum norm, each Newton step in the row space of the Jacobian), on q_prev's elbow branch.
/// ASSUMED: the robot's own redundancy law is unpublished; the minimum norm step reproduces the
/// joint motion of a measured refusal (reference 000, calibration rows).
IkSolution solve_ik(const RobotType& robot, const Mat4& O_T_F, const Vec7& q_prev) noexcept;
/// Solve with joint 3 prescribed: `q[2]` is `elbow.q3` to the bit, on the branch asked for.
IkSolution solve_ik(const RobotType& robot, const Mat4& O_T_F, const Vec7& q_prev,
                    const ElbowTarget& elbow) noexcept;

/// Smallest singular value of a Jacobian, metres and radians mixed as in robot-model.md section 5;
/// to 1 %.
double smallest_singular_value(const Mat67& J) noexcept;

/// How far each joint moves at most for a unit of pose or elbow: row norms of the matrix that
/// solve_ik's Newton step multiplies with.
struct IkGain {
  Vec7 per_metre;   ///< [rad/m], of translation of the frame whose Jacobian was given
  Vec7 per_radian;  ///< [rad/rad], of its rotation
  Vec7 per_elbow;   ///< [rad/rad], of q3 with the pose held; zero when the elbow is free
};
IkGain ik_gain(const Mat67& J, bool elbow_prescribed) noexcept;

/// O_T_F from O_T_EE. F_T_EE is inverted as it is, not as the rotation it may only nearly be, so
/// that compose(result, F_T_EE) gives O_T_EE back.
Mat4 remove_end_effector(const Mat4& O_T_EE, const Mat4& F_T_EE) noexcept;

}  // namespace fsim::robot
