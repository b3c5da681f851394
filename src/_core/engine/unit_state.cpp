// Fills the RobotState: measured, commanded and configured fields by regime. What no cycle fills
// yet is listed in robot/fields.cpp.
#include "engine/unit.hpp"
#include "robot/accelerometers.hpp"

namespace fsim::engine {
namespace {

void spread(wire::ErrorSet set, std::array<std::uint8_t, wire::kErrorCount>& flags) noexcept {
  for (std::size_t i = 0; i < wire::kErrorCount; ++i)
    flags[i] = static_cast<std::uint8_t>(set.bits() >> i & 1u);
}

}  // namespace

void Unit::fill(wire::RobotState& s) const noexcept {
  const Configuration& c = configuration_;
  // Measured.
  s.q = world_.q;
  s.dq = world_.dq;
  s.tau_J = world_.tau_J;
  s.dtau_J = dtau_J_;
  for (std::size_t i = 0; i < kJoints; ++i)
    s.theta[i] = world_.q[i] + world_.tau_J[i] / robot_.K_joint[i];
  s.O_T_EE = compose(arm_.O_T_F, c.F_T_EE);
  s.elbow = robot::elbow(robot_, world_.q);
  robot::AccelerometerReadings felt;
  robot::accelerometers(robot_, arm_, world_.dq, world_.ddq, settings_.gravity, felt);
  s.accelerometer_top = felt.top;
  s.accelerometer_bottom = felt.bottom;
  // Commanded, joint side.
  s.q_d = reference_.q_d;
  s.dq_d = reference_.dq_d;
  s.ddq_d = reference_.ddq_d;
  s.tau_J_d = tau_J_d_;
  fill_commanded(s);
  fill_contact(s);
  // Configured.
  s.F_T_NE = c.F_T_NE;
  s.NE_T_EE = c.NE_T_EE;
  s.F_T_EE = c.F_T_EE;
  s.EE_T_K = c.EE_T_K;
  s.m_ee = c.ee.mass;
  s.F_x_Cee = c.ee.F_x_C;
  s.I_ee = c.ee.I;
  s.m_load = c.load.mass;
  s.F_x_Cload = c.load.F_x_C;
  s.I_load = c.load.I;
  s.O_ddP_O = settings_.gravity;
  // Modes and errors.
  s.motion_generator_mode = generator_mode_;
  s.controller_mode = controller_mode_;
  s.robot_mode = motion::robot_mode(state_);
  spread(errors_, s.errors);
  spread(reflex_reason_, s.reflex_reason);
  // Where no command is owed none is missing.
  const double rate =
      async_ ? (state_ == motion::State::kStarting ? 0.0 : 1.0) : judge_.success_rate();
  s.control_command_success_rate = motion::in_motion(state_) ? rate : 0.0;
}

}  // namespace fsim::engine
