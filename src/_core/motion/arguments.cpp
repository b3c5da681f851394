// One overload a request.
#include "motion/arguments.hpp"

#include <cmath>

#include "base/transforms.hpp"

namespace fsim::motion {
namespace {

template <std::size_t N>
bool within(const std::array<double, N>& values, double low, double high) noexcept {
  for (const double x : values)
    if (!(x >= low && x <= high)) return false;
  return true;
}

template <std::size_t N>
bool ordered(const std::array<double, N>& lower, const std::array<double, N>& upper) noexcept {
  for (std::size_t i = 0; i < N; ++i)
    if (!(std::isfinite(upper[i]) && lower[i] >= 0 && lower[i] <= upper[i])) return false;
  return true;
}

/// Symmetric and positive semi-definite: all principal minors are not negative. The slack is chosen
/// for inertias typed with six digits.
bool inertia(const Mat3& I) noexcept {
  double scale = 0;
  for (const double x : I) {
    if (!std::isfinite(x)) return false;
    scale = std::max(scale, std::abs(x));
  }
  const double eps = 1e-6 * scale;
  if (std::abs(I[1] - I[3]) > eps || std::abs(I[2] - I[6]) > eps || std::abs(I[5] - I[7]) > eps)
    return false;
  const double m01 = I[0] * I[4] - I[1] * I[3];
  const double m02 = I[0] * I[8] - I[2] * I[6];
  const double m12 = I[4] * I[8] - I[5] * I[7];
  const double det =
      I[0] * m12 - I[3] * (I[1] * I[8] - I[7] * I[2]) + I[6] * (I[1] * I[5] - I[4] * I[2]);
  return I[0] >= -eps && I[4] >= -eps && I[8] >= -eps && m01 >= -eps * scale &&
         m02 >= -eps * scale && m12 >= -eps * scale && det >= -eps * scale * scale;
}

/// Chosen (robot-model.md 6: the bounds of SetLoad are unpublished): an FR3 carries 3 kg, and Desk
/// takes a tool of 3 kg with its centre within 0.3 m. What is far beyond would throw the arm about.
constexpr double kMostLoad = 10, kFarthestCentre = 0.5, kMostInertia = 2;
/// Chosen: no tool is longer [m].
constexpr double kLongestTool = 10;

/// A frame that a tool can have.
bool tool_frame(const Mat4& T) noexcept {
  return is_homogeneous(T) && within(Vec3{T[12], T[13], T[14]}, -kLongestTool, kLongestTool);
}

constexpr std::uint32_t kNoGenerator = 4;  // Move request numbers, wire.md 1.3
constexpr std::uint32_t kJointPosition = 0;
constexpr std::uint32_t kExternalController = 2;

/// Targets are joint positions, followed by one of the robot's own controllers; a torque that has
/// to come every cycle and targets that need not do not go together. Without a velocity for each
/// joint libfranka itself refuses (wire.md 5.9).
bool asynchronous(const wire::MoveRequest& m) noexcept {
  for (const double velocity : m.maximum_velocity)
    if (!(std::isfinite(velocity) && velocity > 0)) return false;
  return m.motion_generator_mode == kJointPosition && m.controller_mode < kExternalController;
}

struct Acceptable {
  bool operator()(const wire::MoveRequest& m) const noexcept {
    constexpr double kUnbounded = 1e300;
    if (m.controller_mode > kExternalController || m.motion_generator_mode > kNoGenerator)
      return false;
    // Without a generator there must be external torques: something has to command.
    if (m.motion_generator_mode == kNoGenerator && m.controller_mode != kExternalController)
      return false;
    if (m.use_async_motion_generator && !asynchronous(m)) return false;
    return within(m.maximum_path_deviation, 0, kUnbounded) &&
           within(m.maximum_goal_pose_deviation, 0, kUnbounded);
  }
  bool operator()(const wire::StopMoveRequest&) const noexcept { return true; }
  bool operator()(const wire::SetCollisionBehaviorRequest& m) const noexcept {
    return ordered(m.lower_torque_thresholds_acceleration,
                   m.upper_torque_thresholds_acceleration) &&
           ordered(m.lower_torque_thresholds_nominal, m.upper_torque_thresholds_nominal) &&
           ordered(m.lower_force_thresholds_acceleration, m.upper_force_thresholds_acceleration) &&
           ordered(m.lower_force_thresholds_nominal, m.upper_force_thresholds_nominal);
  }
  bool operator()(const wire::SetJointImpedanceRequest& m) const noexcept {
    return within(m.K_theta, 0, 14250);
  }
  bool operator()(const wire::SetCartesianImpedanceRequest& m) const noexcept {
    return within(Vec3{m.K_x[0], m.K_x[1], m.K_x[2]}, 10, 3000) &&
           within(Vec3{m.K_x[3], m.K_x[4], m.K_x[5]}, 1, 300);
  }
  bool operator()(const wire::SetGuidingModeRequest&) const noexcept { return true; }
  bool operator()(const wire::SetEEToKRequest& m) const noexcept { return tool_frame(m.EE_T_K); }
  bool operator()(const wire::SetNEToEERequest& m) const noexcept { return tool_frame(m.NE_T_EE); }
  bool operator()(const wire::SetLoadRequest& m) const noexcept {
    return within(m.F_x_Cload, -kFarthestCentre, kFarthestCentre) && m.m_load >= 0 &&
           m.m_load <= kMostLoad && inertia(m.I_load) &&
           within(m.I_load, -kMostInertia, kMostInertia);
  }
  bool operator()(const wire::AutomaticErrorRecoveryRequest&) const noexcept { return true; }
};

}  // namespace

bool acceptable(const wire::Request& request) noexcept { return std::visit(Acceptable{}, request); }

}  // namespace fsim::motion
