// What the client has set on the robot: gains, frames, load, thresholds. Values only.
#pragma once

#include "base/transforms.hpp"
#include "control/guiding.hpp"
#include "robot/model.hpp"
#include "wire/commands.hpp"

namespace fsim::engine {

/// Defaults: robot-model.md 8 (K_theta, K_x, maintainer answer), 9 (boot thresholds, ASSUMED) and 6
/// (no tool).
struct Configuration {
  Vec7 K_theta{3000, 3000, 3000, 2500, 2500, 2000, 2000};
  Vec6 K_x{3000, 3000, 3000, 300, 300, 300};
  Mat4 F_T_NE = kIdentity4;
  Mat4 NE_T_EE = kIdentity4;
  Mat4 F_T_EE = kIdentity4;
  Mat4 EE_T_K = kIdentity4;
  robot::Load ee;    ///< end effector as configured in Desk
  robot::Load load;  ///< SetLoad
  control::GuidingAxes guiding;
  wire::SetCollisionBehaviorRequest collision{
      {20, 20, 18, 18, 16, 14, 12}, {20, 20, 18, 18, 16, 14, 12}, {20, 20, 18, 18, 16, 14, 12},
      {20, 20, 18, 18, 16, 14, 12}, {20, 20, 20, 25, 25, 25},     {20, 20, 20, 25, 25, 25},
      {20, 20, 20, 25, 25, 25},     {20, 20, 20, 25, 25, 25}};

  /// What the robot's model carries at the flange.
  robot::Load total() const noexcept { return robot::combine(ee, load); }

  /// Carry out a setter whose arguments were accepted; other requests change nothing.
  void apply(const wire::Request& request) noexcept;
};

}  // namespace fsim::engine
