# The core's limiters and filters, as the Cython face sees them. Declarations only. Stands apart from
# _core.pxd, whose headers the room client may not see.
from libc.stddef cimport ptrdiff_t, size_t


cdef extern from "base/types.hpp" namespace "fsim" nogil:
    cdef cppclass Vec6:
        double& operator[](size_t)

    cdef cppclass Vec7:
        double& operator[](size_t)

    cdef cppclass Mat4:
        double& operator[](size_t)


cdef extern from "robot/limits.hpp" namespace "fsim::robot" nogil:
    cdef cppclass JointLimits:
        Vec7 lower
        Vec7 upper
        Vec7 velocity
        Vec7 velocity_offset
        Vec7 deceleration
        bint position_based


cdef extern from "client/filter.hpp" namespace "fsim::client" nogil:
    double lowpass_gain(double, double) noexcept


cdef extern from "client/limiter.hpp" namespace "fsim::client" nogil:
    cdef cppclass NormLimits:
        double velocity
        double acceleration
        double jerk

    cdef cppclass CartesianLimits:
        NormLimits translation
        NormLimits rotation

    double torque_rate_margin(double) noexcept


cdef extern from "client/series.hpp" namespace "fsim::client" nogil:
    cdef cppclass Loop:
        bint f32_echo
        double gain

    cdef cppclass VelocityBounds:
        const double* upper
        const double* lower
        size_t stride
        const JointLimits* envelope
        double tolerance

    cdef cppclass LastScalars:
        const double* position
        const double* velocity
        const double* acceleration

    ptrdiff_t limit_torque_series(const Vec7&, const Vec7&, const Loop&, const double*, size_t,
                                  double*) noexcept
    ptrdiff_t limit_velocity_series(const VelocityBounds&, const double*, const double*,
                                    const LastScalars&, size_t, const Loop&, const double*, size_t,
                                    double*) noexcept
    ptrdiff_t limit_position_series(const VelocityBounds&, const double*, const double*,
                                    const LastScalars&, size_t, const Loop&, const double*, size_t,
                                    double*) noexcept
    ptrdiff_t limit_twist_series(const CartesianLimits&, const Vec6&, const Vec6&, const Loop&,
                                 const double*, size_t, double*) noexcept
    ptrdiff_t limit_pose_series(const CartesianLimits&, const Mat4&, const Vec6&, const Vec6&,
                                const Loop&, const double*, size_t, double*) noexcept
    ptrdiff_t lowpass_series(double, const double*, size_t, const double*, size_t,
                             double*) noexcept
    ptrdiff_t lowpass_pose_series(double, const Mat4&, const double*, size_t, double*) noexcept
    void upper_velocity_limits(const JointLimits&, double, const double*, size_t, double*) noexcept
    void lower_velocity_limits(const JointLimits&, double, const double*, size_t, double*) noexcept
