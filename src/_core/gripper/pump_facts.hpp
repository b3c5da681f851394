// What a Cobot Pump is, as numbers with their sources. Must not hold behaviour.
#pragma once

#include <array>

namespace fsim::gripper {

/// A production setup profile: when a part counts as present.
struct PumpProfile {
  double h2 = 550;         ///< [mbar] robot-model.md 11, H2
  double hysteresis = 10;  ///< [mbar] robot-model.md 11, h2
};
/// P0 to P3; a user fills them on the pump, new ones are alike (V1).
inline constexpr std::array<PumpProfile, 4> kPumpProfiles{};

struct PumpFacts {
  double reach = 750;          ///< [mbar] on a tight part: robot-model.md 11
  double time_constant = 0.3;  ///< [s] robot-model.md 11
  double open_reach = 60;      ///< [mbar] that an open cup shows; chosen
  double vent_time = 0.05;     ///< [s] valve open, or cup open; chosen
  double leak_time = 60;       ///< [s] pump off, valve closed, part tight; chosen
  double control_range = 10;   ///< [mbar] about the setpoint: as h2
  double released = 10;        ///< [mbar] a part falls off: as h2
  int evacuating_power = 100;  ///< [%]
  int holding_power = 20;      ///< [%] chosen: what a tight cup needs
};
inline constexpr PumpFacts kPumpFacts;

}  // namespace fsim::gripper
