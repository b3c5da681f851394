// Drives a MuJoCo model through addresses and function pointers that Python looked up, so that one
// build works with every supported MuJoCo. Must not include a MuJoCo header or know FCI words.
#pragma once

#include <array>
#include <atomic>

#include "plant/plant.hpp"

namespace fsim::plant {

/// Addresses inside one mjModel/mjData pair. They stay put while the model is unchanged; the owner
/// (Python) keeps both alive as long as the plant.
struct MujocoHandles {
  const void* model = nullptr;
  void* data = nullptr;
  void (*step)(const void*, void*) = nullptr;        ///< mj_step
  void (*forward)(const void*, void*) = nullptr;     ///< mj_forward
  void (*reset_data)(const void*, void*) = nullptr;  ///< mj_resetData
  void (*kinematics)(const void*, void*) = nullptr;  ///< mj_kinematics
  double* qpos = nullptr;
  double* qvel = nullptr;
  double* qacc = nullptr;
  double* ctrl = nullptr;
  const double* sensordata = nullptr;
  // Six or three or nine numbers a body.
  double* xfrc_applied = nullptr;  ///< force, moment about the centre of mass; world's axes
  const double* xpos = nullptr;    ///< origin of the body's frame
  const double* xmat = nullptr;    ///< its axes, row-major
  const double* xipos = nullptr;   ///< centre of mass
  int nv = 0;                      ///< all degrees of freedom of the world
  std::array<int, kJoints> qpos_index{};
  std::array<int, kJoints> dof_index{};
  std::array<int, kJoints> actuator_index{};
  /// First of the three numbers of each joint's torque sensor; the joint axis is its z.
  std::array<int, kJoints> torque_sensor_index{};
  std::array<int, kLinks> body_index{};
  // Two fingers on slide joints, or none.
  bool fingers = false;
  std::array<int, 2> finger_qpos{};
  std::array<int, 2> finger_dof{};
  std::array<int, 2> finger_actuator{};
  double finger_start = 0;  ///< travel of each finger after a reset [m]
};

class MujocoPlant final : public Plant {
 public:
  explicit MujocoPlant(const MujocoHandles& handles) noexcept
      : h_(handles), in_use_(handles.model) {}
  void reset(const Vec7& q, Output& out) noexcept override;
  void step(const Input& in, Output& out) noexcept override;

  // Any thread.
  /// Go on with another model from the next step: one of the same structure (same counts of
  /// everything), alive as long as it may be in use.
  void offer(const void* model) noexcept { offered_.store(model, std::memory_order_release); }
  /// The model in use.
  const void* model() const noexcept { return in_use_.load(std::memory_order_acquire); }

 private:
  void read(Output& out) const noexcept;
  void take_offer() noexcept;
  void apply(const FixedVector<LinkWrench, kMaxWrenches>& wrenches) noexcept;
  MujocoHandles h_;
  std::atomic<const void*> offered_{nullptr};
  std::atomic<const void*> in_use_;
  bool pushed_ = false;  ///< xfrc_applied holds something
};

}  // namespace fsim::plant
