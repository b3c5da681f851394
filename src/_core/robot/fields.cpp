// One row a wire field, in wire order. Sources: libfranka robot_state.h for meaning and frame; the
// named section of robot-model.md (rm) or of the reference for what this server publishes.
#include "robot/fields.hpp"

namespace fsim::robot {
namespace {

using enum Origin;

constexpr FieldMeaning kFields[] = {
    {"message_id", "ms", "", kState, "number of the cycle, strictly increasing", "wire.md 3.3"},
    {"O_T_EE", "m", "O", kPhysics, "measured pose of EE: forward kinematics of q and F_T_EE",
     "reference 000"},
    {"O_T_EE_d", "m", "O", kCommand,
     "desired pose of EE: the commanded one under a pose generator, where the motion started under "
     "a "
     "twist generator, else the measured one",
     "reference 000"},
    {"F_T_EE", "m", "F", kConfiguration, "F_T_NE * NE_T_EE", "rm 1"},
    {"EE_T_K", "m", "EE", kConfiguration, "SetEEToK", "rm 1"},
    {"F_T_NE", "m", "F", kConfiguration, "nominal end effector (identity without a tool)", "rm 6"},
    {"NE_T_EE", "m", "NE", kConfiguration, "SetNEToEE", "rm 1"},
    {"m_ee", "kg", "", kConfiguration, "mass of the configured end effector (0 without a tool)",
     "rm 6"},
    {"I_ee", "kg m^2", "F", kConfiguration, "inertia of the configured end effector", "rm 6"},
    {"F_x_Cee", "m", "F", kConfiguration, "centre of mass of the configured end effector", "rm 6"},
    {"m_load", "kg", "", kConfiguration, "SetLoad", "rm 6"},
    {"I_load", "kg m^2", "F", kConfiguration, "SetLoad", "rm 6"},
    {"F_x_Cload", "m", "F", kConfiguration, "SetLoad", "rm 6"},
    {"elbow", "rad, -", "", kPhysics, "q3 and the branch of joint 4: sign(q4 + 0.467)", "rm 1"},
    {"elbow_d", "rad, -", "", kPhysics, "as elbow unless a Cartesian motion commands one",
     "reference 000"},
    {"tau_J", "Nm", "joint", kPhysics,
     "link-side joint torque: gravity, inertia and contact; no motor inertia, no motor friction",
     "rm 5"},
    {"tau_J_d", "Nm", "joint", kCommand,
     "desired torque without gravity: the client's, or the internal controller's in a motion",
     "rm 5"},
    {"dtau_J", "Nm/s", "joint", kPhysics, "backward difference of tau_J", "rm 5"},
    {"q", "rad", "joint", kPhysics, "measured position", "libfranka robot_state.h"},
    {"q_d", "rad", "joint", kCommand,
     "last accepted or extrapolated position (of a Cartesian command: its inverse kinematics, "
     "joined smoothly where it jumps); idle: the hold set-point",
     "reference 000"},
    {"dq", "rad/s", "joint", kPhysics, "measured velocity", "libfranka robot_state.h"},
    {"dq_d", "rad/s", "joint", kCommand, "velocity of the commanded stream", "reference 000"},
    {"ddq_d", "rad/s^2", "joint", kCommand, "acceleration of the commanded stream",
     "reference 000"},
    {"joint_contact", "-", "joint", kModel,
     "1 while tau_ext_hat_filtered is above the lower threshold", "rm 9"},
    {"cartesian_contact", "-", "K", kModel, "1 while K_F_ext_hat_K is above the lower threshold",
     "rm 9"},
    {"joint_collision", "-", "joint", kModel,
     "1 from the torque that stopped the arm (joint_reflex) until recovery", "rm 9"},
    {"cartesian_collision", "-", "K", kModel,
     "1 from the force that stopped the arm (cartesian_reflex) until recovery", "rm 9"},
    {"tau_ext_hat_filtered", "Nm", "joint", kModel,
     "momentum observer on the robot's own model: torque the robot exerts on the environment",
     "rm 5"},
    {"O_F_ext_hat_K", "N, Nm", "O", kModel,
     "the same wrench in O's axes, its moment about the origin of O", "rm 5"},
    {"K_F_ext_hat_K", "N, Nm", "K", kModel,
     "wrench the robot exerts on the environment at K: pinv(J_K^T) tau_ext_hat_filtered; zeros "
     "near a singularity",
     "rm 5"},
    {"O_dP_EE_d", "m/s, rad/s", "O", kCommand, "commanded twist; zero under any other generator",
     "reference 000"},
    {"O_ddP_O", "m/s^2", "O", kConfiguration,
     "gravity in O as the base is mounted: 0, 0, -9.81 on a table (--base-tilt)", "rm 5"},
    {"elbow_c", "rad, -", "", kPhysics, "as elbow unless a Cartesian motion commands one",
     "reference 000"},
    {"delbow_c", "rad/s, -", "", kCommand, "velocity of the commanded elbow; zero without one",
     "wire.md 6"},
    {"ddelbow_c", "rad/s^2, -", "", kCommand, "acceleration of the commanded elbow", "wire.md 6"},
    {"O_T_EE_c", "m", "O", kCommand, "as O_T_EE_d", "reference 000"},
    {"O_dP_EE_c", "m/s, rad/s", "O", kCommand,
     "commanded twist, or the backward difference of the commanded pose", "wire.md 6"},
    {"O_ddP_EE_c", "m/s^2, rad/s^2", "O", kCommand, "backward difference of O_dP_EE_c",
     "wire.md 6"},
    {"theta", "rad", "joint", kModel, "motor position: q + tau_J / K_joint", "rm 4"},
    {"dtheta", "rad/s", "joint", kConstant, "zero, as in all recorded states that carry it",
     "rm 4"},
    {"accelerometer_top", "m/s^2", "sensor", kModel,
     "specific force at the upper sensors of links 0 to 5, [link][axis]: +9.81 upward at rest",
     "rm 5, ASSUMED A5"},
    {"accelerometer_bottom", "m/s^2", "sensor", kModel,
     "specific force at the lower sensors of links 0 to 5, [link][axis]", "rm 5, ASSUMED A5"},
    {"motion_generator_mode", "", "", kState, "the running motion's generator", "wire.md 5.1"},
    {"controller_mode", "", "", kState, "the running motion's controller", "wire.md 5.1"},
    {"errors", "", "", kState, "active errors", "wire.md 8"},
    {"reflex_reason", "", "", kState, "errors that ended the previous motion", "wire.md 8"},
    {"robot_mode", "", "", kState, "mode of the robot", "rm 10"},
    {"control_command_success_rate", "-", "", kState,
     "fraction of the last 100 cycles answered in time, 1 in an asynchronous motion; 0 without one",
     "reference 000"},
};

}  // namespace

std::span<const FieldMeaning> field_meanings() noexcept { return kFields; }

const char* name(Origin origin) noexcept {
  switch (origin) {
    case kPhysics:
      return "physics";
    case kModel:
      return "model";
    case kCommand:
      return "command";
    case kConfiguration:
      return "configuration";
    case kConstant:
      return "constant";
    case kState:
      return "state";
  }
  return "";
}

}  // namespace fsim::robot
