// One mj_step a cycle: the model's time step is 1 ms (checked where the handles are made).
#include "plant/mujoco_plant.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace fsim::plant {
namespace {

/// A vector in a body's axes, turned into the world's; `R` is row-major.
Vec3 turned(const double* R, const Vec3& v) noexcept {
  Vec3 out;
  for (std::size_t r = 0; r < 3; ++r)
    out[r] = R[3 * r] * v[0] + R[3 * r + 1] * v[1] + R[3 * r + 2] * v[2];
  return out;
}

}  // namespace

void MujocoPlant::read(Output& out) const noexcept {
  for (std::size_t i = 0; i < kJoints; ++i) {
    out.q[i] = h_.qpos[h_.qpos_index[i]];
    out.dq[i] = h_.qvel[h_.dof_index[i]];
    out.tau_J[i] = h_.sensordata[h_.torque_sensor_index[i] + 2];
  }
  out.width = out.width_rate = 0;
  if (h_.fingers)
    for (std::size_t i = 0; i < 2; ++i) {
      out.width += h_.qpos[h_.finger_qpos[i]];
      out.width_rate += h_.qvel[h_.finger_dof[i]];
    }
  out.scene_speed = 0;
  if (h_.nv == static_cast<int>(kJoints)) return;
  for (int k = 0; k < h_.nv; ++k) {
    const bool arm = std::find(h_.dof_index.begin(), h_.dof_index.end(), k) != h_.dof_index.end();
    if (!arm) out.scene_speed = std::max(out.scene_speed, std::abs(h_.qvel[k]));
  }
}

void MujocoPlant::apply(const FixedVector<LinkWrench, kMaxWrenches>& wrenches) noexcept {
  if (pushed_)
    for (const int body : h_.body_index)
      for (int k = 0; k < 6; ++k) h_.xfrc_applied[6 * body + k] = 0;
  pushed_ = !wrenches.empty();
  if (!pushed_) return;
  // A step leaves the bodies where they were before it: place them at the present joint angles.
  h_.kinematics(h_.model, h_.data);
  const double* base = h_.xmat + 9 * std::ptrdiff_t{h_.body_index[0]};
  for (const LinkWrench& w : wrenches) {
    const std::ptrdiff_t body = h_.body_index[w.link];
    const double* axes = h_.xmat + 9 * body;
    const Vec3 force = turned(w.in_base ? base : axes, w.force);
    const Vec3 torque = turned(w.in_base ? base : axes, w.torque);
    const Vec3 point = turned(axes, w.point);
    double* total = h_.xfrc_applied + 6 * body;
    Vec3 arm;  // from the centre of mass to the point
    for (std::size_t k = 0; k < 3; ++k)
      arm[k] = h_.xpos[3 * body + static_cast<std::ptrdiff_t>(k)] + point[k] -
               h_.xipos[3 * body + static_cast<std::ptrdiff_t>(k)];
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t a = (k + 1) % 3, b = (k + 2) % 3;
      total[k] += force[k];
      total[3 + k] += torque[k] + arm[a] * force[b] - arm[b] * force[a];
    }
  }
}

void MujocoPlant::take_offer() noexcept {
  const void* offered = offered_.exchange(nullptr, std::memory_order_acq_rel);
  if (offered == nullptr) return;
  h_.model = offered;
  in_use_.store(offered, std::memory_order_release);
}

void MujocoPlant::reset(const Vec7& q, Output& out) noexcept {
  take_offer();
  h_.reset_data(h_.model, h_.data);
  for (std::size_t i = 0; i < kJoints; ++i) h_.qpos[h_.qpos_index[i]] = q[i];
  if (h_.fingers)
    for (const int finger : h_.finger_qpos) h_.qpos[finger] = h_.finger_start;
  apply({});
  h_.forward(h_.model, h_.data);
  read(out);
  out.ddq = {};
}

void MujocoPlant::step(const Input& in, Output& out) noexcept {
  take_offer();
  for (std::size_t i = 0; i < kJoints; ++i) h_.ctrl[h_.actuator_index[i]] = in.tau[i];
  if (h_.fingers)
    for (const int finger : h_.finger_actuator) h_.ctrl[finger] = in.finger_force;
  apply(in.wrenches);
  std::array<double, kJoints> before;
  for (std::size_t i = 0; i < kJoints; ++i) before[i] = h_.qvel[h_.dof_index[i]];
  std::array<double, kJoints> stood;
  for (std::size_t i = 0; i < kJoints; ++i) stood[i] = h_.qpos[h_.qpos_index[i]];
  h_.step(h_.model, h_.data);
  if (in.brakes)
    for (std::size_t i = 0; i < kJoints; ++i) {
      h_.qpos[h_.qpos_index[i]] = stood[i];
      h_.qvel[h_.dof_index[i]] = 0;
    }
  read(out);
  // MuJoCo's qacc is the one that an explicit step would have; the integrator is implicit.
  for (std::size_t i = 0; i < kJoints; ++i) out.ddq[i] = (out.dq[i] - before[i]) / kDt;
}

}  // namespace fsim::plant
