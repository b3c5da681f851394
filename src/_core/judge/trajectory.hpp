// Whole traces at once: a trajectory judged as a live motion would be, a gap, a loss trace.
// Must not know how arrays reach it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/types.hpp"
#include "judge/judge.hpp"
#include "wire/errors.hpp"

namespace fsim::judge {

/// What one cycle of a trace came to: its first violation, if any.
struct TraceVerdict {
  std::int16_t row = -1;          ///< index into checks(); -1: nothing broken
  std::int16_t joint = -1;        ///< 0-based; -1: no joint
  std::uint8_t extrapolated = 0;  ///< the sample was lost: the server's guess was judged
  double value = 0;
  double limit = 0;  ///< nominal
};

/// The reference after one cycle of a trace, as the state would publish it.
struct TraceReference {
  Vec7 q_d{}, dq_d{}, ddq_d{}, tau_J_d{};
  Mat4 O_T_EE = kIdentity4;  ///< pose that q_d realises
  Vec6 O_dP_EE_c{}, O_ddP_EE_c{};
  Elbow elbow_c{}, delbow_c{}, ddelbow_c{};
};

/// A motion to judge offline. With a `solver` a Cartesian one has its joint side.
struct TraceMotion {
  MotionSpec spec;
  Limits limits;
  Rules rules;  ///< switches that enforce are left out of account
  Start start;
  JointSolver solver;
};

/// What a whole trace came to.
struct TraceReport {
  std::ptrdiff_t first = -1;                 ///< the first sample with a violation; -1: none
  FixedVector<Violation, 8> violations;      ///< all of that sample
  wire::ErrorSet errors;                     ///< what it latches under enforcement
  std::ptrdiff_t unsolved = -1;              ///< the first pose without joints; -1: none
  FixedVector<Violation, 8> after_the_last;  ///< what a finish on the last sample would break
  Counters counters;
};

/// Numbers a sample of the generator has: 16 for O_T_EE_c (column-major), 6 for O_dP_EE_c, else 7.
std::size_t sample_width(const MotionSpec& spec) noexcept;

/// Judge `count` samples of the generator's width, one a cycle. A sample whose `lost` flag is set
/// never arrives (null: none is lost); `elbows` are `count` pairs of elbow_c, or null for none.
/// Limits are not enforced, so that every sample has its verdict; the arm is taken to be where it
/// was told to be. `references` gets one entry a sample unless it is null.
TraceReport judge_trace(const TraceMotion& motion, const double* samples, const double* elbows,
                        const std::uint8_t* lost, std::size_t count, TraceVerdict* out,
                        TraceReference* references = nullptr) noexcept;

/// References of `count` lost cycles after `last`, as rows of q_d, dq_d, ddq_d (21 numbers); from
/// the 20th on the last value holds.
void extrapolate_gap(const Vec7& q_d, const Vec7& dq_d, const Vec7& ddq_d, std::size_t count,
                     double* out) noexcept;

/// control_command_success_rate after each cycle of a trace of answered flags.
void success_rates(const std::uint8_t* answered, std::size_t count, double* out) noexcept;

}  // namespace fsim::judge
