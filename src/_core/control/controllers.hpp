// The robot's internal controllers: reference and measured state in, joint torques out. Must not
// decide when they run, add gravity, or limit torques.
#pragma once

#include "base/types.hpp"
#include "judge/judge.hpp"
#include "robot/model.hpp"

namespace fsim::control {

/// Follow q_d, dq_d, ddq_d as a spring of stiffness `K_theta` [Nm/rad, link side] in each joint,
/// damped to ratio 0.7. `arm` is the nominal model at (q, dq) with the declared load. Returns
/// torques without gravity [Nm]. Stable at 1 kHz for 0 <= K_theta <= 14250.
Vec7 joint_impedance(const robot::RobotType& robot, const robot::ArmState& arm, const Vec7& q,
                     const Vec7& dq, const judge::Reference& ref, const Vec7& K_theta) noexcept;

/// Follow the pose FK(q_d) * F_T_EE * EE_T_K and its twist J dq_d as a spring `K_x` in the axes of
/// the stiffness frame K [N/m, Nm/rad], damped to ratio 0.8; motions that leave the pose alone are
/// drawn to q_d weakly. Returns torques without gravity [Nm]. Stable at 1 kHz for K_x in 10..3000
/// and 1..300, through singularities too.
Vec7 cartesian_impedance(const robot::RobotType& robot, const robot::ArmState& arm, const Vec7& q,
                         const Vec7& dq, const judge::Reference& ref, const Mat4& F_T_EE,
                         const Mat4& EE_T_K, const Vec6& K_x) noexcept;

}  // namespace fsim::control
