// FCI v10 (libfranka 0.18 and newer; header revision d96c221a32): field order, types, sizes.
// Must not contain code beyond the tables.
#include <cstddef>

#include "wire/layout.hpp"

namespace fsim::wire {
namespace {

#define FSIM_STATE(type, field, count) \
  { #field, WireType::type, count, static_cast < std::uint16_t>(offsetof(RobotState, field)) }

constexpr FieldRow kStateV10[] = {
    FSIM_STATE(kU64, message_id, 1),
    FSIM_STATE(kF32, O_T_EE, 16),
    FSIM_STATE(kF32, O_T_EE_d, 16),
    FSIM_STATE(kF32, F_T_EE, 16),
    FSIM_STATE(kF32, EE_T_K, 16),
    FSIM_STATE(kF32, F_T_NE, 16),
    FSIM_STATE(kF32, NE_T_EE, 16),
    FSIM_STATE(kF32, m_ee, 1),
    FSIM_STATE(kF32, I_ee, 9),
    FSIM_STATE(kF32, F_x_Cee, 3),
    FSIM_STATE(kF32, m_load, 1),
    FSIM_STATE(kF32, I_load, 9),
    FSIM_STATE(kF32, F_x_Cload, 3),
    FSIM_STATE(kF32, elbow, 2),
    FSIM_STATE(kF32, elbow_d, 2),
    FSIM_STATE(kF32, tau_J, 7),
    FSIM_STATE(kF32, tau_J_d, 7),
    FSIM_STATE(kF32, dtau_J, 7),
    FSIM_STATE(kF32, q, 7),
    FSIM_STATE(kF32, q_d, 7),
    FSIM_STATE(kF32, dq, 7),
    FSIM_STATE(kF32, dq_d, 7),
    FSIM_STATE(kF32, ddq_d, 7),
    FSIM_STATE(kF32, joint_contact, 7),
    FSIM_STATE(kF32, cartesian_contact, 6),
    FSIM_STATE(kF32, joint_collision, 7),
    FSIM_STATE(kF32, cartesian_collision, 6),
    FSIM_STATE(kF32, tau_ext_hat_filtered, 7),
    FSIM_STATE(kF32, O_F_ext_hat_K, 6),
    FSIM_STATE(kF32, K_F_ext_hat_K, 6),
    FSIM_STATE(kF32, O_dP_EE_d, 6),
    FSIM_STATE(kF32, O_ddP_O, 3),
    FSIM_STATE(kF32, elbow_c, 2),
    FSIM_STATE(kF32, delbow_c, 2),
    FSIM_STATE(kF32, ddelbow_c, 2),
    FSIM_STATE(kF32, O_T_EE_c, 16),
    FSIM_STATE(kF32, O_dP_EE_c, 6),
    FSIM_STATE(kF32, O_ddP_EE_c, 6),
    FSIM_STATE(kF32, theta, 7),
    FSIM_STATE(kF32, dtheta, 7),
    FSIM_STATE(kF32, accelerometer_top, 18),
    FSIM_STATE(kF32, accelerometer_bottom, 18),
    FSIM_STATE(kU8, motion_generator_mode, 1),
    FSIM_STATE(kU8, controller_mode, 1),
    FSIM_STATE(kBool, errors, kErrorCount),
    FSIM_STATE(kBool, reflex_reason, kErrorCount),
    FSIM_STATE(kU8, robot_mode, 1),
    FSIM_STATE(kF32, control_command_success_rate, 1),
};

#define FSIM_COMMAND(type, wire_name, field, count) \
  { wire_name, WireType::type, count, static_cast<std::uint16_t>(offsetof(RobotCommand, field)) }

constexpr FieldRow kCommandV7[] = {
    FSIM_COMMAND(kU64, "message_id", message_id, 1),
    FSIM_COMMAND(kF64, "motion.q_c", q_c, 7),
    FSIM_COMMAND(kF64, "motion.dq_c", dq_c, 7),
    FSIM_COMMAND(kF64, "motion.O_T_EE_c", O_T_EE_c, 16),
    FSIM_COMMAND(kF64, "motion.O_dP_EE_c", O_dP_EE_c, 6),
    FSIM_COMMAND(kF64, "motion.elbow_c", elbow_c, 2),
    FSIM_COMMAND(kBool, "motion.valid_elbow", valid_elbow, 1),
    FSIM_COMMAND(kBool, "motion.motion_generation_finished", motion_generation_finished, 1),
    FSIM_COMMAND(kF64, "control.tau_J_d", tau_J_d, 7),
    FSIM_COMMAND(kBool, "control.torque_command_finished", torque_command_finished, 1),
};

#undef FSIM_STATE
#undef FSIM_COMMAND

// 8 + 4 * 320 + 1 + 1 + 41 + 41 + 1 + 4 = 1377; 8 + 8 * 38 + 1 + 1 + 8 * 7 + 1 = 371.
static_assert(total_size(kStateV10) == 1377);
static_assert(total_size(kCommandV7) == 371);

constexpr Runs kStateRunsV10{kStateV10};
constexpr Runs kCommandRunsV7{kCommandV7};
constexpr Layout kStateLayoutV10{kStateV10, kStateRunsV10, total_size(kStateV10)};
constexpr Layout kCommandLayoutV7{kCommandV7, kCommandRunsV7, total_size(kCommandV7)};

}  // namespace

const Layout* state_layout(unsigned version) noexcept {
  return version == 10 ? &kStateLayoutV10 : nullptr;
}

const Layout* command_layout(unsigned version) noexcept {
  return version == 10 ? &kCommandLayoutV7 : nullptr;
}

}  // namespace fsim::wire
