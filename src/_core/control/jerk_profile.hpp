// One joint's planned way: stretches of constant jerk, one after another, then rest. Must not plan.
#pragma once

#include <array>
#include <cstddef>

namespace fsim::control {

/// Position and its derivatives at one time.
struct JointMotion {
  double q = 0, dq = 0, ddq = 0;
};

struct JerkProfile {
  /// A stretch of constant jerk, from its own start.
  struct Phase {
    double duration, q, dq, ddq, jerk;
  };
  /// Ruckig uses up to two phases to come below a limit that is exceeded and seven to arrive.
  std::array<Phase, 9> phases{};
  std::size_t count = 0;
  double q_end = 0;  ///< where it rests afterwards
  double duration = 0;

  void add(const Phase& phase) noexcept;
  /// At `time` since the start: exactly at rest at `q_end` from `duration` on.
  JointMotion at(double time) const noexcept;
  /// Lowest and highest position on the way.
  struct Reach {
    double lowest, highest;
  };
  Reach reach() const noexcept;
};

}  // namespace fsim::control
