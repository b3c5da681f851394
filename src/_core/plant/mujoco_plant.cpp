// One mj_step a cycle: the model's time step is 1 ms (checked where the handles are made).
#include "plant/mujoco_plant.hpp"

namespace fsim::plant {

void MujocoPlant::read(Output& out) const noexcept {
  for (std::size_t i = 0; i < kJoints; ++i) {
    out.q[i] = h_.qpos[h_.qpos_index[i]];
    out.dq[i] = h_.qvel[h_.dof_index[i]];
    out.tau_J[i] = h_.sensordata[h_.torque_sensor_index[i] + 2];
  }
}

void MujocoPlant::reset(const Vec7& q, Output& out) noexcept {
  for (std::size_t i = 0; i < kJoints; ++i) {
    h_.qpos[h_.qpos_index[i]] = q[i];
    h_.qvel[h_.dof_index[i]] = 0;
    h_.qacc[h_.dof_index[i]] = 0;
    h_.qacc_warmstart[h_.dof_index[i]] = 0;
    h_.ctrl[h_.actuator_index[i]] = 0;
  }
  h_.forward(h_.model, h_.data);
  read(out);
  out.ddq = {};
}

void MujocoPlant::step(const Input& in, Output& out) noexcept {
  for (std::size_t i = 0; i < kJoints; ++i) h_.ctrl[h_.actuator_index[i]] = in.tau[i];
  std::array<double, kJoints> before;
  for (std::size_t i = 0; i < kJoints; ++i) before[i] = h_.qvel[h_.dof_index[i]];
  h_.step(h_.model, h_.data);
  read(out);
  // MuJoCo's qacc is the one that an explicit step would have; the integrator is implicit.
  for (std::size_t i = 0; i < kJoints; ++i) out.ddq[i] = (out.dq[i] - before[i]) / kDt;
}

}  // namespace fsim::plant
