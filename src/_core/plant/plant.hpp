// The interface to physics: torques and wrenches in, joint motion out, one cycle at a time. Must
// not know FCI words, limits or controllers.
#pragma once

#include <cstdint>

#include "base/fixed.hpp"
#include "base/types.hpp"

namespace fsim::plant {

/// Link 0 (the base) to link 7.
inline constexpr std::size_t kLinks = kJoints + 1;
/// chosen: as many pushes as a script may have at once.
inline constexpr std::size_t kMaxWrenches = 16;

/// What the environment does to one link, with the moment about `point`.
struct LinkWrench {
  std::uint8_t link = 0;
  bool in_base = true;  ///< axes of force and torque: the base's, else the link's own
  Vec3 force{};         ///< on the link [N]
  Vec3 torque{};        ///< on the link [Nm]
  Vec3 point{};         ///< where the force acts, in the link's frame [m]
};

/// What acts on the arm during one cycle.
struct Input {
  Vec7 tau{};               ///< motor torque at the joints, gravity compensation included [Nm]
  double finger_force = 0;  ///< of the drive on each finger, opening positive [N]
  bool brakes = false;      ///< the joint brakes are closed: the joints stand whatever acts on them
  FixedVector<LinkWrench, kMaxWrenches> wrenches;
};

/// What the world did. All at the end of the cycle but the torques, which are the cycle's.
struct Output {
  Vec7 q{};               ///< [rad]
  Vec7 dq{};              ///< [rad/s]
  Vec7 ddq{};             ///< mean of the cycle: change of dq by time [rad/s^2]
  Vec7 tau_J{};           ///< link-side joint torque: motor inertia and motor friction removed [Nm]
  double width = 0;       ///< between the fingers, where there are some [m]
  double width_rate = 0;  ///< [m/s]
  double scene_speed = 0;  ///< fastest joint or body of the world beside the arm [m/s, rad/s]
};

/// Called from the cycle's thread only, after construction.
class Plant {
 public:
  virtual ~Plant() = default;
  /// Put the arm at `q` at rest, everything else where it began, and report it.
  virtual void reset(const Vec7& q, Output& out) noexcept = 0;
  /// Advance exactly one cycle (1 ms).
  virtual void step(const Input& in, Output& out) noexcept = 0;
};

}  // namespace fsim::plant
