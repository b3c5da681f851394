// Limiters and filters over time series: twists and poses.
#include <algorithm>
#include <cmath>

#include "base/transforms.hpp"
#include "client/filter.hpp"
#include "client/series.hpp"

namespace fsim::client {
namespace {

constexpr std::ptrdiff_t kNone = -1;

/// A vector as the client reads it.
template <std::size_t N>
std::array<double, N> echo(std::array<double, N> v, bool f32) noexcept {
  if (f32)
    for (double& x : v) x = static_cast<double>(static_cast<float>(x));
  return v;
}

template <std::size_t N>
std::array<double, N> row_of(const double* row) noexcept {
  std::array<double, N> v{};
  std::copy_n(row, N, v.begin());
  return v;
}

Vec6 rate_of(const Vec6& value, const Vec6& last) noexcept {
  Vec6 rate{};
  for (std::size_t k = 0; k < 6; ++k) rate[k] = (value[k] - last[k]) / kDt;
  return rate;
}

bool finite(const double* row, std::size_t width) noexcept {
  for (std::size_t i = 0; i < width; ++i)
    if (!std::isfinite(row[i])) return false;
  return true;
}

bool is_frame(const Mat4& T) noexcept { return is_homogeneous(T) && is_right_handed(T); }

}  // namespace

std::ptrdiff_t limit_twist_series(const CartesianLimits& limits, const Vec6& last_O_dP_EE,
                                  const Vec6& last_O_ddP_EE, const Loop& loop, const double* rows,
                                  std::size_t count, double* out) noexcept {
  Vec6 velocity = last_O_dP_EE;
  Vec6 acceleration = last_O_ddP_EE;
  for (std::size_t k = 0; k < count; ++k, rows += 6, out += 6) {
    if (!finite(rows, 6)) return static_cast<std::ptrdiff_t>(k);
    Vec6 asked = row_of<6>(rows);
    const Vec6 seen = echo(velocity, loop.f32_echo);
    if (loop.gain < 1)
      for (std::size_t i = 0; i < 6; ++i) asked[i] = lowpass(loop.gain, asked[i], seen[i]);
    const Vec6 sent = limit_twist(limits, asked, seen, echo(acceleration, loop.f32_echo));
    acceleration = rate_of(sent, velocity);
    velocity = sent;
    std::copy_n(sent.begin(), 6, out);
  }
  return kNone;
}

std::ptrdiff_t limit_pose_series(const CartesianLimits& limits, const Mat4& last_O_T_EE,
                                 const Vec6& last_O_dP_EE, const Vec6& last_O_ddP_EE,
                                 const Loop& loop, const double* rows, std::size_t count,
                                 double* out) noexcept {
  Mat4 pose = last_O_T_EE;
  Vec6 velocity = last_O_dP_EE;
  Vec6 acceleration = last_O_ddP_EE;
  for (std::size_t k = 0; k < count; ++k, rows += 16, out += 16) {
    Mat4 asked = row_of<16>(rows);
    if (!is_frame(asked)) return static_cast<std::ptrdiff_t>(k);
    const Mat4 seen = echo(pose, loop.f32_echo);
    if (loop.gain < 1) asked = lowpass_pose(loop.gain, asked, seen);
    const Mat4 sent = limit_pose(limits, asked, seen, echo(velocity, loop.f32_echo),
                                 echo(acceleration, loop.f32_echo));
    // What the robot makes of it: the twist between the two, and its difference.
    const Vec6 twist = twist_between(pose, sent);
    acceleration = rate_of(twist, velocity);
    velocity = twist;
    pose = sent;
    std::copy_n(sent.begin(), 16, out);
  }
  return kNone;
}

std::ptrdiff_t lowpass_pose_series(double gain, const Mat4& last, const double* rows,
                                   std::size_t count, double* out) noexcept {
  Mat4 pose = last;
  for (std::size_t k = 0; k < count; ++k, rows += 16, out += 16) {
    const Mat4 asked = row_of<16>(rows);
    if (!finite(rows, 16) || !is_right_handed(asked)) return static_cast<std::ptrdiff_t>(k);
    pose = lowpass_pose(gain, asked, pose);
    std::copy_n(pose.begin(), 16, out);
  }
  return kNone;
}

}  // namespace fsim::client
