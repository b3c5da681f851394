# The core's functions over arrays, as the kernels see them. Declarations only.
from libc.stddef cimport ptrdiff_t, size_t
from libc.stdint cimport int16_t, uint8_t


cdef extern from "base/types.hpp" namespace "fsim" nogil:
    cdef cppclass Vec7:
        double& operator[](size_t)


cdef extern from "robot/limits.hpp" namespace "fsim::robot" nogil:
    cdef cppclass JointLimits:
        Vec7 lower
        Vec7 upper
        Vec7 velocity
        Vec7 acceleration
        Vec7 jerk
        Vec7 torque
        Vec7 torque_rate
        Vec7 velocity_offset
        Vec7 deceleration
        bint position_based


cdef extern from "robot/model.hpp" namespace "fsim::robot" nogil:
    cdef cppclass RobotType:
        JointLimits limits
        Vec7 q_ready
    const RobotType kFr3


cdef extern from "judge/judge.hpp" namespace "fsim::judge" nogil:
    cdef enum class Generator:
        kNone
        kJointPosition
        kJointVelocity

    cdef cppclass MotionSpec:
        Generator generator
        bint external_torque


cdef extern from "judge/trajectory.hpp" namespace "fsim::judge" nogil:
    # Layout of VERDICT_DTYPE.
    ctypedef struct TraceVerdict:
        int16_t row
        int16_t joint
        uint8_t extrapolated
        double value
        double limit

    ptrdiff_t judge_trace(const MotionSpec&, const JointLimits&, bint, const Vec7&, const double*,
                          const uint8_t*, size_t, TraceVerdict*) noexcept
    void extrapolate_gap(const Vec7&, const Vec7&, const Vec7&, size_t, double*) noexcept
    void success_rates(const uint8_t*, size_t, double*) noexcept


cdef extern from "wire/layout.hpp" namespace "fsim::wire" nogil:
    cdef cppclass Layout:
        size_t size
    const Layout* state_layout(unsigned) noexcept


cdef extern from "wire/codec.hpp" namespace "fsim::wire" nogil:
    void encode_states(const Layout&, const uint8_t*, size_t, uint8_t*) noexcept
    void decode_states(const Layout&, const uint8_t*, size_t, uint8_t*) noexcept
