// The rows a command is judged by and what each family of signals says about one sample.
// Must not know cycles, ids or what is recorded.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/fixed.hpp"
#include "base/types.hpp"
#include "judge/judge.hpp"
#include "judge/rows.hpp"
#include "judge/slack.hpp"
#include "robot/limits.hpp"

namespace fsim::judge {

/// Which rows apply to a sample, by where the history stands.
enum class Phase : std::uint8_t {
  kOpening,       ///< first command of the motion: all rows and the start tolerance
  kRunning,       ///< all rows but the start tolerance
  kReseedFirst,   ///< first command after a hold: range and start tolerance
  kReseedSecond,  ///< second one: range and velocity envelope
  kReseedThird,   ///< the joint side's third one: all rows but the jerk's
};

/// One sample to judge: what it implies (`next`) after the history's newest (`prev`), `dt` later.
struct Sample {
  const Reference& prev;
  const Reference& next;
  double dt;
  Phase phase;
  const JointSolution* joints = nullptr;  ///< Cartesian generators; null: no joint side to judge
};

/// The first failing row, at the joint that exceeds it most.
struct Breach {
  Row row{};
  std::int8_t joint = -1;
  double value = 0;
  double limit = 0;  ///< nominal, without slack
  double over = 0;   ///< beyond the nominal limit
  Axis axis = Axis::kNone;
};
/// What one sample breaks: one row, or both discontinuities of the joint side (29 and 30).
using Breaches = FixedVector<Breach, 2>;

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

/// One family of signals: what a generator's commands imply, how a gap is bridged, what is judged.
struct Family {
  /// The sample that `command` makes `dt` after `prev`; torques are carried over.
  Reference (*imply)(const Reference& prev, const wire::RobotCommand& command, double dt,
                     Phase phase) noexcept;
  /// One guess after `last` (extrapolate.hpp).
  Reference (*extrapolate)(const Reference& last) noexcept;
  /// Rows of the generator in the order of the table.
  void (*judge)(const Sample& sample, const Limits& limits, const Rules& rules,
                Breaches& out) noexcept;
  /// The command that stays at `at`.
  void (*stay)(const Reference& at, wire::RobotCommand& command) noexcept;
};
const Family& family(Generator generator) noexcept;

/// The command ends its motion: the generator's flag, or the torque's where there is no generator.
bool finishes(const MotionSpec& spec, const wire::RobotCommand& command) noexcept;

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
      worst =
          Breach{row, static_cast<std::int8_t>(i), b.value, above > below ? b.high : b.low, excess};
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
