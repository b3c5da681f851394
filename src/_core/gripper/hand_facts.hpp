// What a Franka Hand is, as numbers with their sources. Must not hold behaviour.
#pragma once

namespace fsim::gripper {

struct HandFacts {
  double stroke = 0.08;      ///< [m] robot-model.md 11, width
  double top_speed = 0.1;    ///< [m/s] of the width: robot-model.md 11, speed (50 mm/s a finger)
  double peak_force = 140;   ///< [N] robot-model.md 11, force
  double steady_force = 70;  ///< [N] robot-model.md 11, force (continuous)
  double move_force = 30;    ///< [N] of a move or homing that meets something: robot-model.md 11,
                             ///< effective minimum of the hand (libfranka issue 111)
  /// [m/s^2] of the width; chosen: 0.1 m/s in 50 ms, so that a stop at full speed takes 2.5 mm.
  double acceleration = 2.0;
  /// [m/s] of the width: closing and opening once over the stroke takes 5 s (robot-model.md 11,
  /// homing time).
  double homing_speed = 0.032;
  /// [m] the width after power-up, wherever the fingers were left; chosen: half open.
  double power_up_width = 0.04;
};

/// When the fingers count as blocked, standing, arrived.
struct HandSenses {
  /// Blocked: the drive gives all it may and the fingers are slower than this part of the commanded
  /// speed for so many cycles; chosen: 20 ms are above the start of a motion and below what a
  /// client notices.
  double blocked_fraction = 0.25;
  unsigned blocked_cycles = 20;
  double standing_speed = 5e-4;  ///< [m/s] of the width; chosen
  unsigned standing_cycles = 5;  ///< chosen
  double arrived_error = 1e-4;   ///< [m] chosen: a tenth of the least tolerance people ask for
  double closed_width = 1e-3;    ///< [m] homing: fingers that meet are not farther apart; chosen
};

/// The case of the hand as one thermal mass; ASSUMED G5.
struct HandHeat {
  double idle = 30;            ///< [degC] robot-model.md 11, temperature
  double steady_rise = 30;     ///< [K] at `steady_force` for ever; grows with the force squared
  double motion_rise = 10;     ///< [K] at `top_speed` for ever
  double time_constant = 300;  ///< [s]
  double limit = 80;           ///< [degC] the hand refuses to work
  double works_again_at = 70;  ///< [degC]
};

inline constexpr HandFacts kHandFacts;
inline constexpr HandSenses kHandSenses;
inline constexpr HandHeat kHandHeat;

}  // namespace fsim::gripper
