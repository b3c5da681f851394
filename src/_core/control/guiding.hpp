// Hand guiding: a weightless arm that somebody moves, with locked directions. Must not decide when.
#pragma once

#include "base/types.hpp"
#include "robot/model.hpp"

namespace fsim::control {

/// SetGuidingMode: which directions of EE may move, x y z and about x y z of O, and whether the
/// elbow may.
struct GuidingAxes {
  std::array<bool, 6> free{true, true, true, true, true, true};
  bool elbow = true;
};

class Guiding {
 public:
  /// Somebody takes hold of the arm, which is at `q` with its EE at `O_T_EE`.
  void begin(const Mat4& O_T_EE, const Vec7& q) noexcept;

  /// Torque without gravity [Nm]: drag that makes the arm feel heavy rather than loose, springs in
  /// the locked directions and in front of the joints' stops. A direction that is locked later
  /// stays where it was at that time. Call once a cycle.
  Vec7 torque(const robot::RobotType& robot, const robot::ArmState& arm, const Vec7& q,
              const Vec7& dq, const Mat4& F_T_EE, const GuidingAxes& axes) noexcept;

 private:
  Mat4 O_T_anchor_ = kIdentity4;  ///< follows EE in the free directions
  double q3_anchor_ = 0;
};

}  // namespace fsim::control
