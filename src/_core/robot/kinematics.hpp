// The parts of forward kinematics that the dynamics share. Must not know masses.
#pragma once

#include <array>

#include "base/types.hpp"
#include "robot/model.hpp"

namespace fsim::robot {

constexpr Vec3 position(const Mat4& T) noexcept { return {T[12], T[13], T[14]}; }
constexpr Vec3 axis_z(const Mat4& T) noexcept { return {T[8], T[9], T[10]}; }

/// Poses in O of the seven joint frames; a joint turns about its frame's z.
void joint_frames(const RobotType& robot, const Vec7& q, std::array<Mat4, kJoints>& O_T_J) noexcept;
/// Zero Jacobian of the flange from those poses.
Mat67 flange_jacobian(const std::array<Mat4, kJoints>& O_T_J, const Mat4& O_T_F) noexcept;

}  // namespace fsim::robot
