// What the robot's sensors make of the world: positions in steps, speeds and torques with noise,
// torques with a bias. Must not change the world. Same seed, same numbers, on every machine.
#pragma once

#include <cstdint>

#include "base/types.hpp"
#include "plant/plant.hpp"

namespace fsim::engine {

/// All zero: the sensors tell the truth.
struct SensorSettings {
  double encoder_resolution = 0;  ///< step of q [rad]
  double velocity_noise = 0;      ///< standard deviation of dq [rad/s]
  double torque_bias = 0;         ///< each joint's sensor is off by a constant up to this [Nm]
  double torque_noise = 0;        ///< standard deviation of tau_J [Nm]
  std::uint64_t seed = 0;
};

class Sensors {
 public:
  explicit Sensors(const SensorSettings& settings) noexcept;

  /// Fill `measured` from `world`; once for each cycle in which the world moves.
  void measure(const plant::Output& world, plant::Output& measured) noexcept;

 private:
  /// Channels of the generator.
  enum : std::uint64_t { kVelocity = 0, kTorque = 8, kBias = 16, kChannels = 32 };
  std::uint64_t word(std::uint64_t channel) const noexcept;
  /// Mean 0, deviation 1, never beyond 3.5: the sum of four uniform numbers.
  double normal(std::uint64_t channel) const noexcept;

  SensorSettings settings_;
  Vec7 bias_{};
  std::uint64_t count_ = 0;
};

}  // namespace fsim::engine
