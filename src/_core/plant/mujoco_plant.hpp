// Drives a MuJoCo model through addresses and function pointers that Python looked up, so that one
// build works with every supported MuJoCo. Must not include a MuJoCo header or know FCI words.
#pragma once

#include <array>

#include "plant/plant.hpp"

namespace fsim::plant {

/// Addresses inside one mjModel/mjData pair. They stay put while the model is unchanged; the owner
/// (Python) keeps both alive as long as the plant.
struct MujocoHandles {
  void* model = nullptr;
  void* data = nullptr;
  void (*step)(const void*, void*) = nullptr;        ///< mj_step
  void (*forward)(const void*, void*) = nullptr;     ///< mj_forward
  void (*kinematics)(const void*, void*) = nullptr;  ///< mj_kinematics
  double* qpos = nullptr;
  double* qvel = nullptr;
  double* qacc = nullptr;
  double* ctrl = nullptr;
  double* qacc_warmstart = nullptr;
  const double* sensordata = nullptr;
  // Six or three or nine numbers a body.
  double* xfrc_applied = nullptr;  ///< force, moment about the centre of mass; world's axes
  const double* xpos = nullptr;    ///< origin of the body's frame
  const double* xmat = nullptr;    ///< its axes, row-major
  const double* xipos = nullptr;   ///< centre of mass
  std::array<int, kJoints> qpos_index{};
  std::array<int, kJoints> dof_index{};
  std::array<int, kJoints> actuator_index{};
  /// First of the three numbers of each joint's torque sensor; the joint axis is its z.
  std::array<int, kJoints> torque_sensor_index{};
  std::array<int, kLinks> body_index{};
};

class MujocoPlant final : public Plant {
 public:
  explicit MujocoPlant(const MujocoHandles& handles) noexcept : h_(handles) {}
  void reset(const Vec7& q, Output& out) noexcept override;
  void step(const Input& in, Output& out) noexcept override;

 private:
  void read(Output& out) const noexcept;
  void apply(const FixedVector<LinkWrench, kMaxWrenches>& wrenches) noexcept;
  MujocoHandles h_;
  bool pushed_ = false;  ///< xfrc_applied holds something
};

}  // namespace fsim::plant
