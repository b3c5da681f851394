// The slack of limits on a wire of 32-bit floats (architecture.md, "Judging on a wire of 32-bit
// floats"; assumed.hpp J1, C7). Must not know limits.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "judge/reference.hpp"

namespace fsim::judge {

/// Half a unit in the last place of `x` as the f32 it is published as; 0 where that is below
/// 2^-126.
inline double half_ulp_f32(double x) noexcept {
  constexpr std::uint32_t kExponent = 0x7F800000U;
  const std::uint32_t exponent = (std::bit_cast<std::uint32_t>(static_cast<float>(x)) & kExponent);
  constexpr std::uint32_t kHalfUlp = 24U << 23;  // 2^-24 of the leading bit
  return exponent > kHalfUlp ? static_cast<double>(std::bit_cast<float>(exponent - kHalfUlp)) : 0.0;
}

/// Slack of the limits on differences of a published signal. Order 0 is 2u of the signal; order
/// n + 1 is order n over dt plus 2u of the n + 1st derivative, which the client reads from the same
/// datagram. 0 on f64.
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

/// The same for a norm: the errors of the entries, added as the sides of a box, bound the error of
/// the norm by the triangle inequality.
inline double slack_of_norm(const double* published, std::size_t count,
                            const Rules& rules) noexcept {
  if (!rules.f32_state) return 0.0;
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double u = half_ulp_f32(published[i]);
    sum += u * u;
  }
  return 2.0 * std::sqrt(sum);
}

}  // namespace fsim::judge
