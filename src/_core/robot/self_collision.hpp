// How close the arm's links are to each other. Must not know a threshold or an error.
#pragma once

#include <array>
#include <cstdint>

#include "robot/model.hpp"

namespace fsim::robot {

/// Links at least this far apart in the chain are watched; nearer ones touch by construction
/// (reference 000, self_collision_avoidance_violation).
inline constexpr int kWatchedSpan = 3;

/// The closest two watched links, `link_a` < `link_b`.
struct Clearance {
  double distance;  ///< [m]; where links overlap it is not positive, its size means nothing then
  std::uint8_t link_a;
  std::uint8_t link_b;
};

/// Closest pair of watched links for the joint frames of ArmState. Exact for the fitted shapes,
/// each link's inflated by `hull_protrusion`, so that the distance is that of the hulls they stand
/// for (ASSUMED: the robot's own volumes are unpublished; without the inflation the fold of
/// reference 000 ends at 71 mm and never comes within its 50 mm).
Clearance self_clearance(const RobotType& robot, const std::array<Mat4, kJoints>& O_T_J) noexcept;

/// The same for one pair of links, watched or not. Exact but for two boxes or two cylinders, whose
/// distance is bounded from below by that of capsules around them.
double link_distance(const RobotType& robot, const std::array<Mat4, kJoints>& O_T_J,
                     std::uint8_t link_a, std::uint8_t link_b) noexcept;

}  // namespace fsim::robot
