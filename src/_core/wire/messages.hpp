// The two datagrams of a cycle in memory, independent of any FCI version: every number a double.
// Must not know bytes (codec.hpp) nor meaning (robot/fields, motion).
#pragma once

#include <array>
#include <cstdint>

#include "base/types.hpp"
#include "wire/errors.hpp"
#include "wire/modes.hpp"

namespace fsim::wire {

/// Superset of RobotState of FCI v4 to v10; names, order and frames as in libfranka's
/// robot_state.h. SI units. 4x4 column-major; accelerometers row-major [link][axis].
struct RobotState {
  std::uint64_t message_id = 0;
  Mat4 O_T_EE = kIdentity4;
  Mat4 O_T_EE_d = kIdentity4;
  Mat4 F_T_EE = kIdentity4;
  Mat4 EE_T_K = kIdentity4;
  Mat4 F_T_NE = kIdentity4;
  Mat4 NE_T_EE = kIdentity4;
  double m_ee = 0;
  Mat3 I_ee{};
  Vec3 F_x_Cee{};
  double m_load = 0;
  Mat3 I_load{};
  Vec3 F_x_Cload{};
  std::array<double, 2> elbow{};
  std::array<double, 2> elbow_d{};
  Vec7 tau_J{};
  Vec7 tau_J_d{};
  Vec7 dtau_J{};
  Vec7 q{};
  Vec7 q_d{};
  Vec7 dq{};
  Vec7 dq_d{};
  Vec7 ddq_d{};
  Vec7 joint_contact{};
  Vec6 cartesian_contact{};
  Vec7 joint_collision{};
  Vec6 cartesian_collision{};
  Vec7 tau_ext_hat_filtered{};
  Vec6 O_F_ext_hat_K{};
  Vec6 K_F_ext_hat_K{};
  Vec6 O_dP_EE_d{};
  Vec3 O_ddP_O{};
  std::array<double, 2> elbow_c{};
  std::array<double, 2> delbow_c{};
  std::array<double, 2> ddelbow_c{};
  Mat4 O_T_EE_c = kIdentity4;
  Vec6 O_dP_EE_c{};
  Vec6 O_ddP_EE_c{};
  Vec7 theta{};
  Vec7 dtheta{};
  std::array<double, 18> accelerometer_top{};
  std::array<double, 18> accelerometer_bottom{};
  double control_command_success_rate = 0;
  MotionGeneratorMode motion_generator_mode = MotionGeneratorMode::kIdle;
  ControllerMode controller_mode = ControllerMode::kOther;
  RobotMode robot_mode = RobotMode::kIdle;
  std::array<std::uint8_t, kErrorCount> errors{};
  std::array<std::uint8_t, kErrorCount> reflex_reason{};
};

/// RobotCommand of FCI v1 to v10. Only the fields of the active generator mean anything.
struct RobotCommand {
  std::uint64_t message_id = 0;
  Vec7 q_c{};
  Vec7 dq_c{};
  Mat4 O_T_EE_c{};
  Vec6 O_dP_EE_c{};
  std::array<double, 2> elbow_c{};
  bool valid_elbow = false;
  bool motion_generation_finished = false;
  Vec7 tau_J_d{};
  bool torque_command_finished = false;
};

}  // namespace fsim::wire
