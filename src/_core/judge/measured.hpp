// The safety controller: what the arm itself may not do, whatever was commanded. Pure; armed in
// every mode. Must not know how speeds and distances are measured.
// Source: reference 000, the sections on errors 2, 3 and 4.
#pragma once

#include <cstdint>
#include <optional>

#include "base/fixed.hpp"
#include "base/types.hpp"
#include "judge/reference.hpp"
#include "judge/violation.hpp"
#include "wire/errors.hpp"

namespace fsim::judge {

/// A box in O that the origin of EE may not leave.
struct Box {
  Vec3 low{};
  Vec3 high{};
};

struct MeasuredRules {
  bool enforce = false;                 ///< Rules::enforce_motion_limits
  double joint_velocity_margin = 0.1;   ///< [rad/s], reference 000, joint_velocity_violation (3)
  double joint_position_margin = 0.01;  ///< [rad], assumed.hpp M1
  double clearance = 0.05;              ///< [m], reference 000, self_collision_avoidance_violation
  std::optional<Box> box;               ///< off by default (M2)
};

/// What one cycle measured.
struct Measurement {
  Vec7 q{};
  Vec7 dq{};
  Vec3 O_p_EE{};           ///< origin of EE in O [m]
  Vec3 O_v_EE{};           ///< its velocity [m/s]
  double clearance = 1e9;  ///< distance of the closest watched links [m]
  std::int8_t link_a = -1;
  std::int8_t link_b = -1;
};

struct SafetyResult {
  FixedVector<Violation, 4> violations;
  wire::ErrorSet abort;
};

/// All that the arm breaks in the state of `published`: 4 or else 3 (4 outranks it), 2, 0, 1.
SafetyResult judge_measured(const Measurement& m, const Limits& limits, const MeasuredRules& rules,
                            Cycle published) FSIM_NONBLOCKING;

/// How far the arm may be from what was commanded (Move request).
struct Deviation {
  double translation = 0;  ///< [m]
  double rotation = 0;     ///< [rad]
  double elbow = 0;        ///< [rad]
};
/// wire.md 5.1: what libfranka always sends.
inline constexpr Deviation kLibfrankaDeviation{10.0, 3.12, 6.283185307179586};

/// Distance of the measured pose and q3 from the commanded ones.
Deviation deviation_of(const Mat4& O_T_EE_c, const Mat4& O_T_EE, double elbow_c,
                       double elbow) FSIM_NONBLOCKING;
/// 9: `actual` is over `maximum` during the motion. The first axis that is over, if any.
std::optional<Violation> judge_path(const Deviation& actual, const Deviation& maximum, bool enforce,
                                    Cycle published) FSIM_NONBLOCKING;
/// 8: the same when the motion has ended.
std::optional<Violation> judge_goal(const Deviation& actual, const Deviation& maximum, bool enforce,
                                    Cycle published) FSIM_NONBLOCKING;

}  // namespace fsim::judge
