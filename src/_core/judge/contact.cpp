// Levels, and the worst channel of each row.
#include "judge/contact.hpp"

#include <cmath>

#include "judge/rows.hpp"
#include "judge/violation.hpp"

namespace fsim::judge {
namespace {

/// An acceleration of the commanded motion above this is the acceleration phase [rad/s^2]
/// (assumed.hpp X3).
constexpr double kAccelerating = 0.05;

/// The channels of one row, and what they are called.
struct Group {
  Row row;
  std::size_t first, end;
};
constexpr Group kGroups[] = {{Row::kCollisionTorque, 0, kJoints},
                             {Row::kCollisionForce, kJoints, kJoints + 3},
                             {Row::kCollisionMoment, kJoints + 3, kJoints + 6}};
constexpr Axis kAxes[] = {Axis::kX,      Axis::kY,      Axis::kZ,
                          Axis::kAboutX, Axis::kAboutY, Axis::kAboutZ};

}  // namespace

ContactThresholds thresholds_of(const wire::SetCollisionBehaviorRequest& set, const Vec7& ddq_d,
                                bool external_torque) noexcept {
  bool accelerating = false;
  for (const double ddq : ddq_d) accelerating |= std::abs(ddq) > kAccelerating;
  if (accelerating && !external_torque)
    return {set.lower_torque_thresholds_acceleration, set.upper_torque_thresholds_acceleration,
            set.lower_force_thresholds_acceleration, set.upper_force_thresholds_acceleration};
  return {set.lower_torque_thresholds_nominal, set.upper_torque_thresholds_nominal,
          set.lower_force_thresholds_nominal, set.upper_force_thresholds_nominal};
}

Vec7 ContactFlags::joints() const noexcept {
  Vec7 out;
  for (std::size_t i = 0; i < kJoints; ++i) out[i] = has(i) ? 1.0 : 0.0;
  return out;
}

Vec6 ContactFlags::axes() const noexcept {
  Vec6 out;
  for (std::size_t k = 0; k < 6; ++k) out[k] = has(kJoints + k) ? 1.0 : 0.0;
  return out;
}

SafetyResult ContactJudge::observe(const Vec7& tau_ext, const Vec6& K_F_ext,
                                   const ContactThresholds& thresholds, bool armed,
                                   Cycle published) FSIM_NONBLOCKING {
  const auto value = [&](std::size_t c) { return c < kJoints ? tau_ext[c] : K_F_ext[c - kJoints]; };
  const auto upper = [&](std::size_t c) {
    return c < kJoints ? thresholds.upper_torque[c] : thresholds.upper_force[c - kJoints];
  };
  ContactFlags over;
  contact_.clear();
  for (std::size_t c = 0; c < ContactFlags::kCount; ++c) {
    const double lower =
        c < kJoints ? thresholds.lower_torque[c] : thresholds.lower_force[c - kJoints];
    if (std::abs(value(c)) > lower) contact_.set(c);
    if (std::abs(value(c)) > upper(c)) over.set(c);
  }

  SafetyResult out;
  if (!armed) {
    excused_ = over;
    return out;
  }
  excused_ &= over;
  for (const Group& group : kGroups) {
    const CheckRow& row = checks()[static_cast<std::size_t>(group.row)];
    Violation worst{row.error, static_cast<std::uint8_t>(group.row)};
    for (std::size_t c = group.first; c < group.end; ++c) {
      if (!over.has(c) || excused_.has(c)) continue;
      collision_.set(c);
      const double excess = std::abs(value(c)) - upper(c);
      if (excess <= worst.over) continue;
      worst.over = excess;
      worst.value = value(c);
      worst.limit = upper(c);
      if (c < kJoints)
        worst.joint = static_cast<std::int8_t>(c);
      else
        worst.axis = kAxes[c - kJoints];
    }
    if (worst.over <= 0) continue;
    worst.cycle = published;
    // The thresholds are the client's own: the robot keeps them whatever the switches say.
    worst.enforced = row.always;
    worst.cause = Cause::kPushed;
    out.violations.push(worst);
    out.abort.set(worst.error);
  }
  return out;
}

}  // namespace fsim::judge
