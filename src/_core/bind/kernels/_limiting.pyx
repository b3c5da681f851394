# distutils: language = c++
# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Rate limiters and filters over arrays, unchecked: `franka_sim.rate_limiting` checks the arguments.

Rows are C-contiguous float64; `out` has their shape. A limiter returns the first sample that it
refuses (-1: none). The work is done by the core without the GIL. Any thread may call.
"""
from libc.stddef cimport ptrdiff_t, size_t

cimport _client
from _client cimport JointLimits, LastScalars, Loop, Mat4, Vec6, Vec7, VelocityBounds


cdef Vec7 _vec7(const double[::1] values) noexcept:
    cdef Vec7 v
    for i in range(7):
        v[i] = values[i]
    return v


cdef Vec6 _vec6(const double[::1] values) noexcept:
    cdef Vec6 v
    for i in range(6):
        v[i] = values[i]
    return v


cdef Mat4 _mat4(const double[::1] values) noexcept:
    cdef Mat4 m
    for i in range(16):
        m[i] = values[i]
    return m


cdef Loop _loop(bint f32_echo, double gain) noexcept:
    cdef Loop loop
    loop.f32_echo = f32_echo
    loop.gain = gain
    return loop


cdef _client.CartesianLimits _cartesian(const double[::1] limits) noexcept:
    """Translation, then rotation: velocity, acceleration, jerk each."""
    cdef _client.CartesianLimits c
    c.translation.velocity = limits[0]
    c.translation.acceleration = limits[1]
    c.translation.jerk = limits[2]
    c.rotation.velocity = limits[3]
    c.rotation.acceleration = limits[4]
    c.rotation.jerk = limits[5]
    return c


cdef class Envelope:
    """Position-based velocity limits of seven joints, and the tolerance kept below them [rad/s]."""

    cdef JointLimits limits
    cdef double tolerance

    def __init__(self, const double[::1] lower, const double[::1] upper,
                 const double[::1] velocity, const double[::1] velocity_offset,
                 const double[::1] deceleration, double tolerance):
        self.limits.lower = _vec7(lower)
        self.limits.upper = _vec7(upper)
        self.limits.velocity = _vec7(velocity)
        self.limits.velocity_offset = _vec7(velocity_offset)
        self.limits.deceleration = _vec7(deceleration)
        self.limits.position_based = True
        self.tolerance = tolerance

    def upper_limits(self, const double[:, ::1] q, double[:, ::1] out):
        """Upper velocity limits at N x 7 positions."""
        cdef size_t n = <size_t> q.shape[0]
        if n > 0:
            with nogil:
                _client.upper_velocity_limits(self.limits, self.tolerance, &q[0, 0], n, &out[0, 0])

    def lower_limits(self, const double[:, ::1] q, double[:, ::1] out):
        """Lower velocity limits at N x 7 positions."""
        cdef size_t n = <size_t> q.shape[0]
        if n > 0:
            with nogil:
                _client.lower_velocity_limits(self.limits, self.tolerance, &q[0, 0], n, &out[0, 0])


cdef VelocityBounds _bounds(const double[:, ::1] upper, const double[:, ::1] lower,
                            Envelope envelope) noexcept:
    """One row of limits holds for every sample."""
    cdef VelocityBounds b
    b.upper = NULL
    b.lower = NULL
    b.stride = 0
    b.envelope = NULL
    b.tolerance = 0
    if envelope is not None:
        b.envelope = &envelope.limits
        b.tolerance = envelope.tolerance
        return b
    b.upper = &upper[0, 0]
    b.lower = &lower[0, 0]
    if upper.shape[0] > 1:
        b.stride = <size_t> upper.shape[1]
    return b


def torque_rate_margins(const double[::1] tau_J_d, double[::1] out):
    """Rates by which the f32 echo of torques may mislead [Nm/s]."""
    for i in range(tau_J_d.shape[0]):
        out[i] = _client.torque_rate_margin(tau_J_d[i])


def lowpass_gain(double sample_time, double cutoff_frequency):
    """Share of a new value that passes."""
    return _client.lowpass_gain(sample_time, cutoff_frequency)


def limit_torques(const double[::1] max_rate, const double[::1] last, bint f32_echo, double gain,
                  const double[:, ::1] rows, double[:, ::1] out):
    """N x 7 torques."""
    cdef size_t n = <size_t> rows.shape[0]
    cdef Vec7 rate = _vec7(max_rate)
    cdef Vec7 start = _vec7(last)
    cdef Loop loop = _loop(f32_echo, gain)
    cdef ptrdiff_t bad = -1
    if n > 0:
        with nogil:
            bad = _client.limit_torque_series(rate, start, loop, &rows[0, 0], n, &out[0, 0])
    return bad


def limit_velocities(const double[:, ::1] upper, const double[:, ::1] lower, Envelope envelope,
                     const double[::1] max_acceleration, const double[::1] max_jerk,
                     const double[::1] position, const double[::1] velocity,
                     const double[::1] acceleration, bint f32_echo, double gain,
                     const double[:, ::1] rows, double[:, ::1] out):
    """N x 1 or N x 7 velocities; `envelope` None: `upper` and `lower` have 1 row or N."""
    cdef size_t n = <size_t> rows.shape[0]
    if n == 0:
        return -1
    cdef size_t width = <size_t> rows.shape[1]
    cdef VelocityBounds bounds = _bounds(upper, lower, envelope)
    cdef Loop loop = _loop(f32_echo, gain)
    cdef LastScalars last
    last.position = &position[0]
    last.velocity = &velocity[0]
    last.acceleration = &acceleration[0]
    cdef ptrdiff_t bad
    with nogil:
        bad = _client.limit_velocity_series(bounds, &max_acceleration[0], &max_jerk[0], last, width,
                                            loop, &rows[0, 0], n, &out[0, 0])
    return bad


def limit_positions(const double[:, ::1] upper, const double[:, ::1] lower, Envelope envelope,
                    const double[::1] max_acceleration, const double[::1] max_jerk,
                    const double[::1] position, const double[::1] velocity,
                    const double[::1] acceleration, bint f32_echo, double gain,
                    const double[:, ::1] rows, double[:, ::1] out):
    """N x 1 or N x 7 positions; `envelope` None: `upper` and `lower` have 1 row or N."""
    cdef size_t n = <size_t> rows.shape[0]
    if n == 0:
        return -1
    cdef size_t width = <size_t> rows.shape[1]
    cdef VelocityBounds bounds = _bounds(upper, lower, envelope)
    cdef Loop loop = _loop(f32_echo, gain)
    cdef LastScalars last
    last.position = &position[0]
    last.velocity = &velocity[0]
    last.acceleration = &acceleration[0]
    cdef ptrdiff_t bad
    with nogil:
        bad = _client.limit_position_series(bounds, &max_acceleration[0], &max_jerk[0], last, width,
                                            loop, &rows[0, 0], n, &out[0, 0])
    return bad


def limit_twists(const double[::1] limits, const double[::1] velocity,
                 const double[::1] acceleration, bint f32_echo, double gain,
                 const double[:, ::1] rows, double[:, ::1] out):
    """N x 6 twists; `limits`: translation, rotation."""
    cdef size_t n = <size_t> rows.shape[0]
    cdef _client.CartesianLimits l = _cartesian(limits)
    cdef Vec6 v = _vec6(velocity)
    cdef Vec6 a = _vec6(acceleration)
    cdef Loop loop = _loop(f32_echo, gain)
    cdef ptrdiff_t bad = -1
    if n > 0:
        with nogil:
            bad = _client.limit_twist_series(l, v, a, loop, &rows[0, 0], n, &out[0, 0])
    return bad


def limit_poses(const double[::1] limits, const double[::1] pose, const double[::1] velocity,
                const double[::1] acceleration, bint f32_echo, double gain,
                const double[:, ::1] rows, double[:, ::1] out):
    """N x 16 poses, column-major; `limits`: translation, rotation."""
    cdef size_t n = <size_t> rows.shape[0]
    cdef _client.CartesianLimits l = _cartesian(limits)
    cdef Mat4 T = _mat4(pose)
    cdef Vec6 v = _vec6(velocity)
    cdef Vec6 a = _vec6(acceleration)
    cdef Loop loop = _loop(f32_echo, gain)
    cdef ptrdiff_t bad = -1
    if n > 0:
        with nogil:
            bad = _client.limit_pose_series(l, T, v, a, loop, &rows[0, 0], n, &out[0, 0])
    return bad


def lowpass(double gain, const double[::1] last, const double[:, ::1] rows, double[:, ::1] out):
    """N rows of any width."""
    cdef size_t n = <size_t> rows.shape[0]
    cdef size_t width = <size_t> rows.shape[1]
    cdef ptrdiff_t bad = -1
    if n > 0 and width > 0:
        with nogil:
            bad = _client.lowpass_series(gain, &last[0], width, &rows[0, 0], n, &out[0, 0])
    return bad


def lowpass_poses(double gain, const double[::1] last, const double[:, ::1] rows,
                  double[:, ::1] out):
    """N x 16 poses, column-major."""
    cdef size_t n = <size_t> rows.shape[0]
    cdef Mat4 T = _mat4(last)
    cdef ptrdiff_t bad = -1
    if n > 0:
        with nogil:
            bad = _client.lowpass_pose_series(gain, T, &rows[0, 0], n, &out[0, 0])
    return bad
