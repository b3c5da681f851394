// Limiters and filters over time series: the scalar ones. Nothing here knows libfranka's formulas
// (limiter.cpp, filter.cpp); here is only what is fed forward.
#include "client/series.hpp"

#include <algorithm>
#include <cmath>

#include "client/filter.hpp"

namespace fsim::client {
namespace {

constexpr std::ptrdiff_t kNone = -1;

/// `x` as the client reads it.
double echo(double x, bool f32) noexcept {
  return f32 ? static_cast<double>(static_cast<float>(x)) : x;
}

bool finite(const double* row, std::size_t width) noexcept {
  for (std::size_t i = 0; i < width; ++i)
    if (!std::isfinite(row[i])) return false;
  return true;
}

double filtered(const Loop& loop, double value, double last) noexcept {
  return loop.gain < 1 ? lowpass(loop.gain, value, last) : value;
}

/// Limits of scalar `i` in sample `k`, where the client sees its position at `q`.
ScalarLimits limits_at(const VelocityBounds& bounds, double acceleration, double jerk,
                       std::size_t k, std::size_t i, double q) noexcept {
  if (bounds.envelope != nullptr)
    return {robot::upper_velocity_limit(*bounds.envelope, i, q) - bounds.tolerance,
            robot::lower_velocity_limit(*bounds.envelope, i, q) + bounds.tolerance, acceleration,
            jerk};
  const std::size_t at = k * bounds.stride + i;
  return {bounds.upper[at], bounds.lower[at], acceleration, jerk};
}

}  // namespace

std::ptrdiff_t limit_rate_series(const double* max_rate, const double* last, std::size_t width,
                                 const Loop& loop, const double* rows, std::size_t count,
                                 double* out) noexcept {
  const double* from = last;
  for (std::size_t k = 0; k < count; ++k, rows += width, out += width) {
    if (!finite(rows, width)) return static_cast<std::ptrdiff_t>(k);
    for (std::size_t i = 0; i < width; ++i) {
      const double seen = echo(from[i], loop.f32_echo);
      out[i] = limit_rate(max_rate[i], filtered(loop, rows[i], seen), seen);
    }
    from = out;
  }
  return kNone;
}

std::ptrdiff_t limit_torque_series(const Vec7& max_rate, const Vec7& last, const Loop& loop,
                                   const double* rows, std::size_t count, double* out) noexcept {
  if (!loop.f32_echo)
    return limit_rate_series(max_rate.data(), last.data(), kJoints, loop, rows, count, out);
  Vec7 from = last;
  for (std::size_t k = 0; k < count; ++k, rows += kJoints, out += kJoints) {
    if (!finite(rows, kJoints)) return static_cast<std::ptrdiff_t>(k);
    for (std::size_t i = 0; i < kJoints; ++i) {
      const double seen = echo(from[i], true);
      const double rate = max_rate[i] - torque_rate_margin(seen);
      from[i] = out[i] = limit_rate(rate, filtered(loop, rows[i], seen), seen);
    }
  }
  return kNone;
}

std::ptrdiff_t limit_velocity_series(const VelocityBounds& bounds, const double* max_acceleration,
                                     const double* max_jerk, const LastScalars& last,
                                     std::size_t width, const Loop& loop, const double* rows,
                                     std::size_t count, double* out) noexcept {
  Vec7 q{}, dq{}, ddq{};
  if (last.position != nullptr) std::copy_n(last.position, width, q.begin());
  std::copy_n(last.velocity, width, dq.begin());
  std::copy_n(last.acceleration, width, ddq.begin());
  for (std::size_t k = 0; k < count; ++k, rows += width, out += width) {
    if (!finite(rows, width)) return static_cast<std::ptrdiff_t>(k);
    for (std::size_t i = 0; i < width; ++i) {
      const ScalarLimits limits =
          limits_at(bounds, max_acceleration[i], max_jerk[i], k, i, echo(q[i], loop.f32_echo));
      const double dq_d = echo(dq[i], loop.f32_echo);
      out[i] =
          limit_velocity(limits, filtered(loop, rows[i], dq_d), dq_d, echo(ddq[i], loop.f32_echo));
      // What the robot makes of it: acceleration by difference, position by integration.
      ddq[i] = (out[i] - dq[i]) / kDt;
      dq[i] = out[i];
      q[i] += dq[i] * kDt;
    }
  }
  return kNone;
}

std::ptrdiff_t limit_position_series(const VelocityBounds& bounds, const double* max_acceleration,
                                     const double* max_jerk, const LastScalars& last,
                                     std::size_t width, const Loop& loop, const double* rows,
                                     std::size_t count, double* out) noexcept {
  Vec7 q{}, dq{}, ddq{};
  std::copy_n(last.position, width, q.begin());
  std::copy_n(last.velocity, width, dq.begin());
  std::copy_n(last.acceleration, width, ddq.begin());
  for (std::size_t k = 0; k < count; ++k, rows += width, out += width) {
    if (!finite(rows, width)) return static_cast<std::ptrdiff_t>(k);
    for (std::size_t i = 0; i < width; ++i) {
      const double q_d = echo(q[i], loop.f32_echo);
      const ScalarLimits limits = limits_at(bounds, max_acceleration[i], max_jerk[i], k, i, q_d);
      out[i] = limit_position(limits, filtered(loop, rows[i], q_d), q_d, echo(dq[i], loop.f32_echo),
                              echo(ddq[i], loop.f32_echo));
      // What the robot makes of it: two backward differences.
      const double velocity = (out[i] - q[i]) / kDt;
      ddq[i] = (velocity - dq[i]) / kDt;
      dq[i] = velocity;
      q[i] = out[i];
    }
  }
  return kNone;
}

std::ptrdiff_t lowpass_series(double gain, const double* last, std::size_t width,
                              const double* rows, std::size_t count, double* out) noexcept {
  const double* from = last;
  for (std::size_t k = 0; k < count; ++k, rows += width, out += width) {
    if (!finite(rows, width)) return static_cast<std::ptrdiff_t>(k);
    for (std::size_t i = 0; i < width; ++i) out[i] = lowpass(gain, rows[i], from[i]);
    from = out;
  }
  return kNone;
}

void upper_velocity_limits(const robot::JointLimits& envelope, double tolerance, const double* q,
                           std::size_t count, double* out) noexcept {
  for (std::size_t n = 0; n < count * kJoints; ++n)
    out[n] = robot::upper_velocity_limit(envelope, n % kJoints, q[n]) - tolerance;
}

void lower_velocity_limits(const robot::JointLimits& envelope, double tolerance, const double* q,
                           std::size_t count, double* out) noexcept {
  for (std::size_t n = 0; n < count * kJoints; ++n)
    out[n] = robot::lower_velocity_limit(envelope, n % kJoints, q[n]) + tolerance;
}

}  // namespace fsim::client
