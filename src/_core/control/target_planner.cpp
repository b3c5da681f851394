// Planning (Ruckig) with one deceleration a joint and direction, chosen by where the target lies.
#include "control/target_planner.hpp"

#include <algorithm>
#include <cmath>

#include "control/ruckig_profile.hpp"

namespace fsim::control {
namespace {

/// chosen: what rounding may put a plan above the bound that it touches [rad/s], [rad].
constexpr double kTouch = 1e-3;
constexpr double kRounding = 1e-9;
/// chosen: samples of a phase; within one the speed is a parabola of time.
constexpr int kSamples = 16;
/// Below this a joint at rest speeds up as gently as it slows down: Ruckig 0.19.4 finds no way of
/// 1e-8 to 1e-7 rad between accelerations that are far apart (measured) [rad].
constexpr double kHair = 1e-6;

}  // namespace

// A deceleration a that ends at rest needs the speed sqrt(2 a x) at a distance x before the end, or
// less where the jerk rounds its edges. With s = sqrt(2 D (distance + x)), D the envelope's
// deceleration, the envelope plus kCreep is s - k there, k = offset - kCreep, and kCreep alone
// where s < offset. So a <= D (s - k)^2 / (s^2 - s_t^2), s_t = s at the end: least at s = s_t^2 /
// k, or at the nearest s where the bound is this curve and not yet `velocity`.
double envelope_deceleration(const robot::JointLimits& limits, std::size_t i, double distance,
                             double velocity) noexcept {
  const double most = limits.acceleration[i];
  const double D = limits.deceleration[i], offset = limits.velocity_offset[i];
  const double k = offset - kCreep;
  const double s_fast = velocity + k;
  const double s_t_2 = 2 * D * std::max(0.0, distance);
  if (!limits.position_based || velocity <= kCreep || s_t_2 >= s_fast * s_fast) return most;
  const double s = std::clamp(s_t_2 / k, offset, s_fast);
  return std::min(most, D * (s - k) * (s - k) / (s * s - s_t_2));
}

void TargetPlanner::begin(const Vec7& q_d, const Vec7& maximum_velocity,
                          const robot::JointLimits& limits) noexcept {
  *this = TargetPlanner{};
  limits_ = limits;
  for (std::size_t i = 0; i < kJoints; ++i) {
    velocity_[i] = std::min(maximum_velocity[i], limits.velocity[i]);
    ways_[i].q_end = q_d[i];
  }
  now_.q_d = q_d;
  target_ = q_d;
}

void TargetPlanner::set_target(const Vec7& q) noexcept {
  target_ = q;
  planned_ = false;
}

bool TargetPlanner::keeps_envelope(std::size_t i, const JerkProfile& way) const noexcept {
  double start = 0;
  for (std::size_t n = 0; n < way.count; ++n) {
    const double duration = way.phases[n].duration;
    for (int k = 1; k <= kSamples; ++k) {
      const JointMotion m = way.at(start + duration * k / kSamples);
      if (m.dq > 0 && m.dq > robot::upper_velocity_limit(limits_, i, m.q) + kCreep + kTouch)
        return false;
      if (m.dq < 0 && m.dq < robot::lower_velocity_limit(limits_, i, m.q) - kCreep - kTouch)
        return false;
    }
    start += duration;
  }
  return true;
}

bool TargetPlanner::keeps_range(std::size_t i, const JerkProfile& way) const noexcept {
  const auto [lowest, highest] = way.reach();
  // Whoever begins outside comes back.
  return highest <= std::max(limits_.upper[i], now_.q_d[i]) + kRounding &&
         lowest >= std::min(limits_.lower[i], now_.q_d[i]) - kRounding;
}

bool TargetPlanner::plan() noexcept {
  ruckig::InputParameter<kJoints> input;
  input.current_position = now_.q_d;
  input.current_velocity = now_.dq_d;
  input.current_acceleration = now_.ddq_d;
  input.target_position = target_;
  input.max_velocity = velocity_;
  input.max_jerk = limits_.jerk;
  Vec7 down{};
  for (std::size_t i = 0; i < kJoints; ++i) {
    const double q = target_[i];
    // What stops a joint on its way up pulls it down.
    down[i] = -envelope_deceleration(limits_, i, limits_.upper[i] - q, velocity_[i]);
    input.max_acceleration[i] =
        envelope_deceleration(limits_, i, q - limits_.lower[i], velocity_[i]);
    if (std::abs(q - now_.q_d[i]) < kHair && now_.dq_d[i] == 0 && now_.ddq_d[i] == 0) {
      const double gentle = std::min(input.max_acceleration[i], -down[i]);
      input.max_acceleration[i] = gentle;
      down[i] = -gentle;
    }
  }
  input.min_acceleration = down;

  // Together if that can be had; else each joint on its own.
  for (const auto together : {ruckig::Synchronization::Time, ruckig::Synchronization::None}) {
    input.synchronization = together;
    ruckig::Ruckig<kJoints> planner;
    ruckig::Trajectory<kJoints> trajectory;
    if (planner.calculate(input, trajectory) < 0) continue;
    const auto profiles = trajectory.get_profiles();
    Ways ways;
    bool good = true;
    for (std::size_t i = 0; i < kJoints && good; ++i) {
      ways[i] = phases_of(profiles[0][i]);
      ways[i].q_end = target_[i];
      good =
          std::isfinite(ways[i].duration) && keeps_range(i, ways[i]) && keeps_envelope(i, ways[i]);
    }
    if (!good) continue;
    ways_ = ways;
    time_ = 0;
    return true;
  }
  return false;
}

judge::Reference TargetPlanner::step() noexcept {
  // A joint may be too fast to stop at a nearer target as gently as the stop behind it wants. The
  // way it is on keeps the envelope and slows down in time, so it is followed until a plan does.
  if (!planned_) planned_ = plan();
  time_ += kDt;
  for (std::size_t i = 0; i < kJoints; ++i) {
    const JointMotion m = ways_[i].at(time_);
    now_.q_d[i] = m.q;
    now_.dq_d[i] = m.dq;
    now_.ddq_d[i] = m.ddq;
  }
  return now_;
}

bool TargetPlanner::at_rest() const noexcept {
  return planned_ && std::all_of(ways_.begin(), ways_.end(),
                                 [this](const JerkProfile& way) { return time_ >= way.duration; });
}

}  // namespace fsim::control
