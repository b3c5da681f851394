// The rows a command is judged by and what each family of signals says about one sample.
// Must not know cycles, ids or what is recorded.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

#include "base/types.hpp"
#include "judge/judge.hpp"
#include "robot/limits.hpp"

namespace fsim::judge {

/// Index into `checks()`; the order within a generator is the precedence.
enum class Row : std::uint8_t {
  kPositionFinite,
  kPositionRange,
  kPositionStart,
  kPositionAcceleration,
  kPositionVelocity,
  kPositionJerk,
  kVelocityFinite,
  kVelocityStart,
  kVelocityAcceleration,
  kVelocityJerk,
  kVelocityEnvelope,
  kTorqueFinite,
  kTorqueRange,
  kTorqueRate,
  kLostInARow,
  kCount,
};

/// Which rows apply to a sample, by where the history stands.
enum class Phase : std::uint8_t {
  kOpening,       ///< first command of the motion: all rows and the start tolerance
  kRunning,       ///< all rows but the start tolerance
  kReseedFirst,   ///< first command after a hold: range and start tolerance
  kReseedSecond,  ///< second one: range and velocity envelope
};

/// One sample to judge: what it implies (`next`) after the history's newest (`prev`), `dt` later.
struct Sample {
  const Reference& prev;
  const Reference& next;
  double dt;
  Phase phase;
};

/// The first failing row, at the joint that exceeds it most.
struct Breach {
  Row row;
  std::int8_t joint;
  double value;
  double limit;  ///< nominal, without slack
};

std::optional<Breach> judge_joint_position(const Sample& sample, const robot::JointLimits& limits,
                                           const Rules& rules) FSIM_NONBLOCKING;
std::optional<Breach> judge_joint_velocity(const Sample& sample, const robot::JointLimits& limits,
                                           const Rules& rules) FSIM_NONBLOCKING;
std::optional<Breach> judge_torque(const Sample& sample, const robot::JointLimits& limits,
                                   const Rules& rules) FSIM_NONBLOCKING;

/// What `q_c` (or `dq_c`) implies `dt` after `prev`: backward Euler (reference 000, "The difference
/// formulas"). `tau_J_d` is carried over.
Reference imply_joint_position(const Reference& prev, const Vec7& q_c, double dt,
                               Phase phase) FSIM_NONBLOCKING;
Reference imply_joint_velocity(const Reference& prev, const Vec7& dq_c, double dt,
                               Phase phase) FSIM_NONBLOCKING;

/// The command ends its motion: the generator's flag, or the torque's where there is no generator.
bool finishes(const MotionSpec& spec, const wire::RobotCommand& command) noexcept;

/// Half a unit in the last place of `x` as the f32 it is published as; 0 where that is below
/// 2^-126.
inline double half_ulp_f32(double x) noexcept {
  constexpr std::uint32_t kExponent = 0x7F800000U;
  const std::uint32_t exponent = (std::bit_cast<std::uint32_t>(static_cast<float>(x)) & kExponent);
  constexpr std::uint32_t kHalfUlp = 24U << 23;  // 2^-24 of the leading bit
  return exponent > kHalfUlp ? static_cast<double>(std::bit_cast<float>(exponent - kHalfUlp)) : 0.0;
}

/// Slack of the limits on differences of a published signal (architecture.md, "Judging on a wire of
/// 32-bit floats"; assumed.hpp, J1). Order 0 is 2u of the signal; order n + 1 is order n over dt
/// plus 2u of the n + 1st derivative, which the client reads from the same datagram. 0 on f64.
inline double slack_of(double published, const Rules& rules) noexcept {
  return rules.f32_state ? 2.0 * half_ulp_f32(published) : 0.0;
}
inline Vec7 slack_of(const Vec7& published, const Rules& rules) noexcept {
  Vec7 slack{};
  for (std::size_t i = 0; i < kJoints; ++i) slack[i] = slack_of(published[i], rules);
  return slack;
}
inline Vec7 slack_of_next_order(const Vec7& slack, double dt, const Vec7& derivative,
                                const Rules& rules) noexcept {
  Vec7 next{};
  for (std::size_t i = 0; i < kJoints; ++i)
    next[i] = slack[i] / dt + slack_of(derivative[i], rules);
  return next;
}

/// A value and where it may lie: [low - slack, high + slack].
struct Band {
  double value;
  double low;
  double high;
  double slack;
};

/// The joint whose band is exceeded most, if any.
template <class BandOf>
std::optional<Breach> worst_outside(Row row, BandOf band_of) noexcept {
  std::optional<Breach> worst;
  double worst_excess = 0.0;
  for (std::size_t i = 0; i < kJoints; ++i) {
    const Band b = band_of(i);
    const double above = b.value - b.high;
    const double below = b.low - b.value;
    const double excess = std::max(above, below);
    if (excess > b.slack && excess > worst_excess) {
      worst_excess = excess;
      worst = Breach{row, static_cast<std::int8_t>(i), b.value, above > below ? b.high : b.low};
    }
  }
  return worst;
}

/// The same for a symmetric limit, reported as its positive number.
template <class BandOf>
std::optional<Breach> worst_magnitude(Row row, BandOf band_of) noexcept {
  std::optional<Breach> worst = worst_outside(row, band_of);
  if (worst && worst->limit < 0) worst->limit = -worst->limit;
  return worst;
}

}  // namespace fsim::judge
