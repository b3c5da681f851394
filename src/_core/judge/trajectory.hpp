// Whole traces at once: a trajectory judged as a live motion would be, a gap, a loss trace.
// Must not know how arrays reach it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/types.hpp"
#include "judge/judge.hpp"

namespace fsim::judge {

/// What one cycle of a trace came to: its first violation, if any.
struct TraceVerdict {
  std::int16_t row = -1;          ///< index into checks(); -1: nothing broken
  std::int16_t joint = -1;        ///< 0-based; -1: no joint
  std::uint8_t extrapolated = 0;  ///< the sample was lost: the server's guess was judged
  double value = 0;
  double limit = 0;  ///< nominal
};

/// Judge `count` samples of 7 (q_c, dq_c or tau_J_d by `spec`), one a cycle, from rest at `q_d`. A
/// sample whose `lost` flag is set never arrives (null: none is lost). Limits are not enforced, so
/// that every sample has its verdict. Returns the index of the first violation, or -1.
std::ptrdiff_t judge_trace(const MotionSpec& spec, const robot::JointLimits& limits, bool f32_state,
                           const Vec7& q_d, const double* samples, const std::uint8_t* lost,
                           std::size_t count, TraceVerdict* out) noexcept;

/// A motion to judge offline. With a `solver` a Cartesian one has its joint side.
struct TraceMotion {
  MotionSpec spec;
  Limits limits;
  Rules rules;  ///< switches that enforce are left out of account
  Start start;
  JointSolver solver;
};
/// Numbers a sample of the generator has: 16 for O_T_EE_c (column-major), 6 for O_dP_EE_c, else 7.
std::size_t sample_width(const MotionSpec& spec) noexcept;
/// The same for any generator; `elbows` are `count` pairs of elbow_c, or null for none.
std::ptrdiff_t judge_trace(const TraceMotion& motion, const double* samples, const double* elbows,
                           const std::uint8_t* lost, std::size_t count, TraceVerdict* out) noexcept;

/// References of `count` lost cycles after `last`, as rows of q_d, dq_d, ddq_d (21 numbers); from
/// the 20th on the last value holds.
void extrapolate_gap(const Vec7& q_d, const Vec7& dq_d, const Vec7& ddq_d, std::size_t count,
                     double* out) noexcept;

/// control_command_success_rate after each cycle of a trace of answered flags.
void success_rates(const std::uint8_t* answered, std::size_t count, double* out) noexcept;

}  // namespace fsim::judge
