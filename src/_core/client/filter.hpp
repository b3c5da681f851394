// What a client does to its own commands, first half: low-pass filters. Must not know limits,
// cycles or bytes. Source: wire.md section 6; values as libfranka 0.21.3's lowpass_filter returns
// them.
#pragma once

#include "base/types.hpp"

namespace fsim::client {

/// Share of a new value that passes a first-order low-pass of cutoff `hz`, sampled each `dt`.
double lowpass_gain(double dt, double hz) noexcept;

/// One step of it: `gain` of `value`, the rest of `last`.
inline double lowpass(double gain, double value, double last) noexcept {
  return gain * value + (1 - gain) * last;
}

/// The same of a pose: its origin entry by entry, its axes by slerp. Both are orthonormalized
/// first, as libfranka does: a state of 32-bit floats is not quite a rotation.
Mat4 lowpass_pose(double gain, const Mat4& O_T_EE, const Mat4& last) noexcept;

/// The same frame with the rotation nearest to its axes (polar factor). The axes must be
/// right-handed.
Mat4 with_nearest_rotation(const Mat4& T) noexcept;

/// Whether the axes of a finite T span space in the right-handed sense.
bool is_right_handed(const Mat4& T) noexcept;

}  // namespace fsim::client
