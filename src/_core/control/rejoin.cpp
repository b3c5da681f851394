// Planning (Ruckig) of the difference, one joint at a time, and its evaluation.
#include "control/rejoin.hpp"

#include <algorithm>
#include <cmath>

#include "control/ruckig_profile.hpp"

namespace fsim::control {
namespace {

/// chosen: the judged trajectory may move at its own limits meanwhile; the sum stays at 1.5 times
/// them. One that stopped does not move: the arm brakes as it can.
constexpr double kShare = 0.5;
/// chosen: taken in one cycle this is 1 rad/s^2 and 1000 rad/s^3, no jump. A first pose copied from
/// a 32-bit state is nearer than this [rad].
constexpr double kNoJump = 1e-6;

/// The fastest way from `from` to rest at zero; none (at zero at once) if there is no plan.
JerkProfile way_to_zero(const JointMotion& from, double velocity, double acceleration,
                        double jerk) noexcept {
  if (std::abs(from.q) <= kNoJump && std::abs(from.dq) <= kNoJump / kDt &&
      std::abs(from.ddq) <= kNoJump / (kDt * kDt))
    return {};
  if (!std::isfinite(from.q) || !std::isfinite(from.dq) || !std::isfinite(from.ddq)) return {};
  ruckig::InputParameter<1> input;
  input.current_position = {from.q};
  input.current_velocity = {from.dq};
  input.current_acceleration = {from.ddq};
  input.target_position = {0.0};
  input.max_velocity = {velocity};
  input.max_acceleration = {acceleration};
  input.max_jerk = {jerk};
  ruckig::Ruckig<1> planner;
  ruckig::Trajectory<1> trajectory;
  if (planner.calculate(input, trajectory) < 0) return {};
  const auto profiles = trajectory.get_profiles();
  const JerkProfile way = phases_of(profiles[0][0]);
  return std::isfinite(way.duration) ? way : JerkProfile{};
}

}  // namespace

void Rejoin::begin(const Vec7& q_d) noexcept {
  *this = Rejoin{};
  q_ = q_d;
}

void Rejoin::plan(const judge::Reference& judged, const robot::JointLimits& limits,
                  double share) noexcept {
  time_ = 0;
  apart_ = false;
  for (std::size_t i = 0; i < kJoints; ++i) {
    // What was followed, carried on for a cycle, seen from the judged.
    const double dq = dq_[i] + ddq_[i] * kDt;
    const double q = q_[i] + dq * kDt;
    const double ddq = ddq_[i] - judged.ddq_d[i];
    // A backward difference is the speed of half a cycle ago.
    const JointMotion away{q - judged.q_d[i], dq - judged.dq_d[i] + ddq * kDt / 2, ddq};
    ways_[i] = way_to_zero(away, share * limits.velocity[i], share * limits.acceleration[i],
                           share * limits.jerk[i]);
    apart_ |= ways_[i].count > 0;
  }
}

judge::Reference Rejoin::follow(const judge::Reference& judged, judge::JointPath path,
                                const robot::JointLimits& limits) noexcept {
  if (path == judge::JointPath::kFollows)
    time_ += kDt;
  else
    plan(judged, limits, path == judge::JointPath::kStopped ? 1.0 : kShare);

  judge::Reference out = judged;
  if (apart_) {
    apart_ = false;
    for (std::size_t i = 0; i < kJoints; ++i) {
      out.q_d[i] += ways_[i].at(time_).q;
      out.dq_d[i] = (out.q_d[i] - q_[i]) / kDt;
      out.ddq_d[i] = (out.dq_d[i] - dq_[i]) / kDt;
      apart_ |= time_ < ways_[i].duration;
    }
  }
  q_ = out.q_d;
  dq_ = out.dq_d;
  ddq_ = out.ddq_d;
  return out;
}

}  // namespace fsim::control
