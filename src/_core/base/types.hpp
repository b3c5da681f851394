// Fixed-size numeric types and names every room shares.
// Must not know a robot word: no limits, no frames, no protocol.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

// Marks a function that may run inside a cycle: no allocation, no lock, no exception, no syscall
// beyond socket and clock. A source rule (tests/meta) and the allocation test hold it to that.
#define FSIM_NONBLOCKING noexcept

namespace fsim {

inline constexpr std::size_t kJoints = 7;
/// One cycle in seconds (FCI: 1 kHz).
inline constexpr double kDt = 1e-3;

using Vec3 = std::array<double, 3>;
using Vec6 = std::array<double, 6>;
using Vec7 = std::array<double, 7>;
/// 3x3, column-major, as on the wire.
using Mat3 = std::array<double, 9>;
/// Homogeneous transform, 4x4, column-major, as on the wire.
using Mat4 = std::array<double, 16>;
/// 6x7, column-major (libfranka's Jacobian layout).
using Mat67 = std::array<double, 42>;
/// 7x7, column-major.
using Mat77 = std::array<double, 49>;

inline constexpr Mat4 kIdentity4{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

/// The number of one millisecond of the simulated world; on the wire it is `message_id`.
struct Cycle {
  std::uint64_t n = 0;
  friend constexpr auto operator<=>(const Cycle&, const Cycle&) = default;
  constexpr Cycle next() const noexcept { return {n + 1}; }
};

/// Cycles from `from` to `to`; `to` must not be older.
constexpr std::uint64_t operator-(Cycle to, Cycle from) noexcept { return to.n - from.n; }

constexpr Vec7 all_joints(double value) noexcept {
  Vec7 v{};
  for (double& x : v) x = value;
  return v;
}

}  // namespace fsim
