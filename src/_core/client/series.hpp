// Rate limiters and filters over a whole time series, one sample a cycle: what is sent is fed
// forward as the robot would publish it, and each next command is limited against that. Must not
// know whose robot it is. A row is 1 or 7 scalars, a twist or a pose; arrays are row-major.
#pragma once

#include "base/types.hpp"
#include "client/limiter.hpp"
#include "robot/limits.hpp"

namespace fsim::client {

/// How the robot publishes what it was sent, and the client's low-pass before the limiter.
struct Loop {
  bool f32_echo = false;  ///< as 32-bit floats (FCI v10)
  double gain = 1;        ///< lowpass_gain; 1: no filter
};

/// Velocity bounds of the rows: the same for all (stride 0), a row each (stride = width), or from
/// the position that is fed forward (`envelope` not null; 7 joints).
struct VelocityBounds {
  const double* upper;
  const double* lower;
  std::size_t stride;
  const robot::JointLimits* envelope;
  double tolerance;  ///< what libfranka stays below the envelope [rad/s]
};

/// The last command's state, `width` numbers each. Position: of positions, and of velocities under
/// an envelope; else null.
struct LastScalars {
  const double* position;
  const double* velocity;
  const double* acceleration;
};

/// Every function writes `count` rows and returns the first sample that is not finite (a pose: not
/// a frame), at which it stopped; -1: none.
std::ptrdiff_t limit_rate_series(const double* max_rate, const double* last, std::size_t width,
                                 const Loop& loop, const double* rows, std::size_t count,
                                 double* out) noexcept;
/// The torque rate with its f32 margin where the echo is f32.
std::ptrdiff_t limit_torque_series(const Vec7& max_rate, const Vec7& last, const Loop& loop,
                                   const double* rows, std::size_t count, double* out) noexcept;
std::ptrdiff_t limit_velocity_series(const VelocityBounds& bounds, const double* max_acceleration,
                                     const double* max_jerk, const LastScalars& last,
                                     std::size_t width, const Loop& loop, const double* rows,
                                     std::size_t count, double* out) noexcept;
std::ptrdiff_t limit_position_series(const VelocityBounds& bounds, const double* max_acceleration,
                                     const double* max_jerk, const LastScalars& last,
                                     std::size_t width, const Loop& loop, const double* rows,
                                     std::size_t count, double* out) noexcept;
std::ptrdiff_t limit_twist_series(const CartesianLimits& limits, const Vec6& last_O_dP_EE,
                                  const Vec6& last_O_ddP_EE, const Loop& loop, const double* rows,
                                  std::size_t count, double* out) noexcept;
std::ptrdiff_t limit_pose_series(const CartesianLimits& limits, const Mat4& last_O_T_EE,
                                 const Vec6& last_O_dP_EE, const Vec6& last_O_ddP_EE,
                                 const Loop& loop, const double* rows, std::size_t count,
                                 double* out) noexcept;

std::ptrdiff_t lowpass_series(double gain, const double* last, std::size_t width,
                              const double* rows, std::size_t count, double* out) noexcept;
std::ptrdiff_t lowpass_pose_series(double gain, const Mat4& last, const double* rows,
                                   std::size_t count, double* out) noexcept;

/// The position-based velocity limits of `count` rows of 7 positions, less the tolerance.
void upper_velocity_limits(const robot::JointLimits& envelope, double tolerance, const double* q,
                           std::size_t count, double* out) noexcept;
void lower_velocity_limits(const robot::JointLimits& envelope, double tolerance, const double* q,
                           std::size_t count, double* out) noexcept;

}  // namespace fsim::client
