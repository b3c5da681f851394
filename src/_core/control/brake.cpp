// Planning (Ruckig) and evaluation of the stop. Ruckig is used for planning only: its profiles are
// copied into plain phases, so nothing of it lives in the cycle's state.
#include "control/brake.hpp"

#include <algorithm>
#include <cmath>

#include "control/ruckig_profile.hpp"

namespace fsim::control {
namespace {

/// How much harder than its limits a joint may brake to stay in range. Chosen: 30 rad/s^2 takes the
/// rated 87 Nm for the 3 kg m^2 of a stretched arm.
constexpr double kHarder[] = {1.0, 1.5, 2.0, 3.0};

double finite_or_zero(double value) noexcept { return std::isfinite(value) ? value : 0.0; }

}  // namespace

JerkProfile Brake::constant_deceleration(double q, double dq, double acceleration) noexcept {
  JerkProfile stop;
  stop.add({std::abs(dq) / acceleration, q, dq, -std::copysign(acceleration, dq), 0});
  stop.q_end = q + dq * stop.duration / 2;
  return stop;
}

JerkProfile Brake::plan(double q, double dq, double ddq, double acceleration,
                        double jerk) noexcept {
  ruckig::InputParameter<1> input;
  input.control_interface = ruckig::ControlInterface::Velocity;
  input.current_position = {q};
  input.current_velocity = {dq};
  input.current_acceleration = {ddq};
  input.max_acceleration = {acceleration};
  input.max_jerk = {jerk};
  ruckig::Ruckig<1> planner;
  ruckig::Trajectory<1> trajectory;
  if (planner.calculate(input, trajectory) < 0) return constant_deceleration(q, dq, acceleration);

  const auto profiles = trajectory.get_profiles();
  const ruckig::Profile& profile = profiles[0][0];
  JerkProfile stop = phases_of(profile);
  stop.q_end = stop.count > 0 ? profile.p[7] : q;
  const bool valid = std::isfinite(stop.q_end) && std::isfinite(stop.duration);
  return valid ? stop : constant_deceleration(q, dq, acceleration);
}

void Brake::begin(const judge::Reference& from, const robot::JointLimits& limits) noexcept {
  time_ = 0;
  for (std::size_t i = 0; i < kJoints; ++i) {
    const double q = finite_or_zero(from.q_d[i]), dq = finite_or_zero(from.dq_d[i]);
    const double ddq = finite_or_zero(from.ddq_d[i]);
    // Harder only if the stop would lie beyond the range, and only as hard as that takes. A joint
    // that already is beyond it stops within the limits if it is on its way back.
    for (const double factor : kHarder) {
      stops_[i] = plan(q, dq, ddq, factor * limits.acceleration[i], limits.jerk[i]);
      const double end = stops_[i].q_end;
      if (end <= std::max(limits.upper[i], q) && end >= std::min(limits.lower[i], q)) break;
    }
  }
}

judge::Reference Brake::step() noexcept {
  time_ += kDt;
  judge::Reference out;
  for (std::size_t i = 0; i < kJoints; ++i) {
    const JointMotion m = stops_[i].at(time_);
    out.q_d[i] = m.q;
    out.dq_d[i] = m.dq;
    out.ddq_d[i] = m.ddq;
  }
  return out;
}

bool Brake::at_rest() const noexcept {
  return std::all_of(stops_.begin(), stops_.end(),
                     [this](const JerkProfile& stop) { return time_ >= stop.duration; });
}

}  // namespace fsim::control
