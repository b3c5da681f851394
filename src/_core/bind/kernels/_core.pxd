# The core's functions over arrays, as the kernels see them. Declarations only.
from libc.stddef cimport ptrdiff_t, size_t
from libc.stdint cimport int8_t, int16_t, uint8_t, uint16_t, uint64_t


cdef extern from "base/types.hpp" namespace "fsim" nogil:
    cdef cppclass Vec7:
        double& operator[](size_t)

    cdef cppclass Mat4:
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


    double upper_velocity_limit(const JointLimits&, size_t, double) noexcept
    double lower_velocity_limit(const JointLimits&, size_t, double) noexcept

    cdef cppclass Derivatives:
        double velocity
        double acceleration
        double jerk

    cdef cppclass CartesianLimits:
        Derivatives translation
        Derivatives rotation
        Derivatives elbow


cdef extern from "robot/model.hpp" namespace "fsim::robot" nogil:
    cdef cppclass RobotType:
        JointLimits limits
        CartesianLimits cartesian
        Vec7 q_ready
    const RobotType* find_robot(const char*) noexcept


cdef extern from "<string_view>" namespace "std" nogil:
    cdef cppclass string_view:
        const char* data() noexcept
        size_t size() noexcept


cdef extern from "wire/errors.hpp" namespace "fsim::wire" nogil:
    cdef cppclass Error:
        pass
    string_view error_name "fsim::wire::name"(Error) noexcept

    cdef cppclass ErrorSet:
        uint64_t bits() noexcept


cdef extern from "judge/violation.hpp" namespace "fsim::judge" nogil:
    cdef cppclass Axis:
        pass

    cdef cppclass Cause:
        pass
    const char* axis_name "fsim::judge::name"(Axis) noexcept
    const char* cause_name "fsim::judge::name"(Cause) noexcept
    const char* cause_text "fsim::judge::text"(Cause) noexcept

    cdef cppclass Violation:
        Error error
        uint8_t row
        int8_t joint
        double value
        double limit
        bint extrapolated
        Axis axis
        double over
        uint8_t lost_in_last_20
        bint previous_extrapolated
        uint16_t gap
        Cause cause

    cdef cppclass Violations "fsim::FixedVector<fsim::judge::Violation, 8>":
        size_t size() noexcept
        const Violation& operator[](size_t) noexcept


cdef extern from "judge/judge.hpp" namespace "fsim::judge" nogil:
    cdef enum class Generator:
        kNone
        kJointPosition
        kJointVelocity
        kCartesianPosition
        kCartesianVelocity
    bint is_cartesian(Generator) noexcept

    cdef cppclass MotionSpec:
        Generator generator
        bint external_torque

    cdef cppclass Limits:
        JointLimits joint
        CartesianLimits cartesian

    cdef cppclass Rules:
        bint f32_state
        double joint_discontinuity_scale

    cdef cppclass Elbow:
        double& operator[](size_t)

    cdef cppclass Start:
        Vec7 q_d

    cdef cppclass Counters:
        uint64_t lost
        uint64_t extrapolated


cdef extern from "judge/robot_solver.hpp" namespace "fsim::judge" nogil:
    cdef cppclass JointSolution:
        Vec7 q

    cdef cppclass JointSolver:
        pass

    cdef cppclass RobotSolver:
        const RobotType* robot
        Mat4 F_T_EE
        bint solve(const Mat4&, const Elbow*, const Vec7&, JointSolution&) noexcept
        JointSolver joint_solver() noexcept
        Start start_at(const Vec7&) noexcept


cdef extern from "judge/trajectory.hpp" namespace "fsim::judge" nogil:
    # Layout of VERDICT_DTYPE.
    ctypedef struct TraceVerdict:
        int16_t row
        int16_t joint
        uint8_t extrapolated
        double value
        double limit

    # Layout of REFERENCE_DTYPE.
    cdef cppclass TraceReference:
        pass

    cdef cppclass TraceMotion:
        MotionSpec spec
        Limits limits
        Rules rules
        Start start
        JointSolver solver

    cdef cppclass TraceReport:
        ptrdiff_t first
        Violations violations
        ErrorSet errors
        ptrdiff_t unsolved
        Violations after_the_last
        Counters counters

    size_t sample_width(const MotionSpec&) noexcept
    TraceReport judge_trace(const TraceMotion&, const double*, const double*, const uint8_t*, size_t,
                            TraceVerdict*, TraceReference*) noexcept
    void extrapolate_gap(const Vec7&, const Vec7&, const Vec7&, size_t, double*) noexcept
    void success_rates(const uint8_t*, size_t, double*) noexcept


cdef extern from "wire/layout.hpp" namespace "fsim::wire" nogil:
    cdef cppclass Layout:
        size_t size
    const Layout* state_layout(unsigned) noexcept


cdef extern from "wire/codec.hpp" namespace "fsim::wire" nogil:
    void encode_states(const Layout&, const uint8_t*, size_t, uint8_t*) noexcept
    void decode_states(const Layout&, const uint8_t*, size_t, uint8_t*) noexcept
