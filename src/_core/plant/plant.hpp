// The interface to physics: joint torques in, joint motion out, one cycle at a time. Must not know
// FCI words, limits or controllers.
#pragma once

#include "base/types.hpp"

namespace fsim::plant {

/// What acts on the arm during one cycle.
struct Input {
  Vec7 tau{};  ///< motor torque at the joints, gravity compensation included [Nm]
};

/// What the world did. All at the end of the cycle but the torques, which are the cycle's.
struct Output {
  Vec7 q{};      ///< [rad]
  Vec7 dq{};     ///< [rad/s]
  Vec7 ddq{};    ///< mean of the cycle: change of dq by time [rad/s^2]
  Vec7 tau_J{};  ///< link-side joint torque: motor inertia and motor friction removed [Nm]
};

/// Called from the cycle's thread only, after construction.
class Plant {
 public:
  virtual ~Plant() = default;
  /// Put the arm at `q` at rest and report it.
  virtual void reset(const Vec7& q, Output& out) noexcept = 0;
  /// Advance exactly one cycle (1 ms).
  virtual void step(const Input& in, Output& out) noexcept = 0;
};

}  // namespace fsim::plant
