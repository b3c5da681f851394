# The kernels that judge: a whole trajectory and the numbers it is judged by. Part of _kernels.pyx.

#: One verdict a sample: ``row`` indexes the core's table of checks, -1 where nothing is broken.
VERDICT_DTYPE = np.dtype(
    [("row", "i2"), ("joint", "i2"), ("extrapolated", "u1"), ("value", "f8"), ("limit", "f8")],
    align=True,
)

#: What the state would publish after a sample. ``O_T_EE`` is the pose that ``q_d`` realises, under
#: a Cartesian generator.
REFERENCE_DTYPE = np.dtype([
    ("q_d", "f8", 7), ("dq_d", "f8", 7), ("ddq_d", "f8", 7), ("tau_J_d", "f8", 7),
    ("O_T_EE", "f8", 16), ("O_dP_EE_c", "f8", 6), ("O_ddP_EE_c", "f8", 6),
    ("elbow_c", "f8", 2), ("delbow_c", "f8", 2), ("ddelbow_c", "f8", 2),
])

_LIMIT_NAMES = ("lower", "upper", "velocity", "acceleration", "jerk", "torque", "torque_rate",
                "velocity_offset", "deceleration")


class BrokenRow(NamedTuple):
    """A sample that breaks a row: joint 0-based (-1: none), value, nominal limit and excess in the
    row's unit, and what the live server's record of it says."""

    sample: int
    joint: int
    row: int
    value: float
    limit: float
    error: str
    over: float
    axis: str
    extrapolated: bool
    previous_extrapolated: bool
    lost_in_last_20: int
    gap: int
    cause: str
    text: str


class Judgement(NamedTuple):
    """What a trajectory came to: the first broken row, a verdict a sample, all rows that the same
    sample breaks, the first sample whose pose has no joints (-1: none), and what a finish on the
    last sample would break; and the numbers of the errors that are latched under enforcement."""

    first: BrokenRow | None
    verdicts: np.ndarray
    violations: tuple[BrokenRow, ...]
    unsolved: int
    after_the_last: tuple[BrokenRow, ...]
    errors: tuple[int, ...]


cdef const _core.RobotType* _robot(name) except NULL:
    cdef const _core.RobotType* robot = _core.find_robot(name.encode())
    if robot == NULL:
        raise ValueError(f"robot: {name!r} given, fr3 expected")
    return robot


cdef _core.JointLimits _limits(limits, const _core.RobotType* robot) except *:
    cdef _core.JointLimits l = robot.limits
    if limits is None:
        return l
    missing = [name for name in (*_LIMIT_NAMES, "position_based") if name not in limits]
    if missing:
        raise ValueError(f"limits: {', '.join(missing)} missing")
    l.lower = _vec7(limits["lower"], "limits: lower")
    l.upper = _vec7(limits["upper"], "limits: upper")
    l.velocity = _vec7(limits["velocity"], "limits: velocity")
    l.acceleration = _vec7(limits["acceleration"], "limits: acceleration")
    l.jerk = _vec7(limits["jerk"], "limits: jerk")
    l.torque = _vec7(limits["torque"], "limits: torque")
    l.torque_rate = _vec7(limits["torque_rate"], "limits: torque_rate")
    l.velocity_offset = _vec7(limits["velocity_offset"], "limits: velocity_offset")
    l.deceleration = _vec7(limits["deceleration"], "limits: deceleration")
    l.position_based = limits["position_based"]
    return l


cdef int _derivatives(limits, name, _core.Derivatives* out) except -1:
    values = limits.get(name)
    if values is None:
        return 0
    if len(values) != 3:
        raise ValueError(f"cartesian_limits: {name}: velocity, acceleration and jerk expected")
    out.velocity, out.acceleration, out.jerk = values
    return 0


cdef _core.MotionSpec _spec(generator) except *:
    cdef _core.MotionSpec spec
    spec.external_torque = generator == "torque"
    if generator == "torque":
        spec.generator = _core.Generator.kNone
    elif generator == "joint_position":
        spec.generator = _core.Generator.kJointPosition
    elif generator == "joint_velocity":
        spec.generator = _core.Generator.kJointVelocity
    elif generator == "cartesian_pose":
        spec.generator = _core.Generator.kCartesianPosition
    elif generator == "cartesian_velocity":
        spec.generator = _core.Generator.kCartesianVelocity
    else:
        raise ValueError(f"generator: {generator!r} given, joint_position, joint_velocity, torque, "
                         "cartesian_pose or cartesian_velocity expected")
    return spec


cdef tuple _broken(const _core.Violations& violations, ptrdiff_t sample):
    cdef _core.string_view error
    rows = []
    for i in range(violations.size()):
        error = _core.error_name(violations[i].error)
        rows.append(BrokenRow(
            sample, violations[i].joint, violations[i].row, violations[i].value,
            violations[i].limit, error.data()[:error.size()].decode(),
            violations[i].over, _core.axis_name(violations[i].axis).decode(),
            bool(violations[i].extrapolated), bool(violations[i].previous_extrapolated),
            violations[i].lost_in_last_20, violations[i].gap,
            _core.cause_name(violations[i].cause).decode(),
            _core.cause_text(violations[i].cause).decode()))
    return tuple(rows)


def judge_trajectory(samples, generator="joint_position", *, robot="fr3", elbows=None, limits=None,
                     cartesian_limits=None, lost=None, q_d=None, F_T_EE=None, f32_state=True,
                     joint_discontinuity_scale=1.0, joint_side=True, out=None, references=None):
    """Judge a trajectory as the server would, one sample a cycle, without enforcing.

    Args:
        samples: N x 7, 16 or 6 numbers: q_c [rad], dq_c [rad/s], tau_J_d [Nm], O_T_EE_c
            (column-major) or O_dP_EE_c [m/s, rad/s] by ``generator``.
        generator: ``joint_position``, ``joint_velocity``, ``torque``, ``cartesian_pose`` or
            ``cartesian_velocity``.
        robot: name of the arm; its limits and, for Cartesian samples, its inverse kinematics.
        elbows: N x 2: elbow_c of Cartesian samples. None: the elbow is free.
        limits: mapping as ``_engine.joint_limits`` returns it; None: the robot's.
        cartesian_limits: mapping of ``translation``, ``rotation``, ``elbow`` to velocity,
            acceleration and jerk; the robot's where missing.
        lost: N flags; a sample whose flag is set never arrives. None: all arrive.
        q_d: 7 numbers, where the arm rests before [rad]. None: the first sample of positions,
            joints near the ready pose for a first pose, the ready pose otherwise.
        F_T_EE: 16 numbers, the end effector in the flange's frame. None: at the flange.
        f32_state: the state is published as 32-bit floats (FCI v10), so limits have their slack.
        joint_discontinuity_scale: multiplies the limits on the joint side of Cartesian samples.
        joint_side: False: Cartesian samples alone, without the joints that follow them.
        out: N verdicts (VERDICT_DTYPE) to write into.
        references: N references (REFERENCE_DTYPE) to write into; None: not wanted.

    Raises:
        ValueError: an argument has the wrong shape, name or type, or no joints near the ready pose
            reach the first pose.
    """
    cdef const double[:, ::1] s = np.ascontiguousarray(samples, dtype=np.float64)
    cdef const _core.RobotType* arm = _robot(robot)
    cdef _core.TraceMotion motion
    motion.spec = _spec(generator)
    motion.rules.f32_state = f32_state
    motion.rules.joint_discontinuity_scale = joint_discontinuity_scale
    motion.limits.joint = _limits(limits, arm)
    motion.limits.cartesian = arm.cartesian
    if cartesian_limits is not None:
        _derivatives(cartesian_limits, "translation", &motion.limits.cartesian.translation)
        _derivatives(cartesian_limits, "rotation", &motion.limits.cartesian.rotation)
        _derivatives(cartesian_limits, "elbow", &motion.limits.cartesian.elbow)
    cdef bint cartesian = _core.is_cartesian(motion.spec.generator)
    cdef size_t width = _core.sample_width(motion.spec)
    if <size_t> s.shape[1] != width:
        raise ValueError(f"samples: {s.shape[1]} columns given, {width} expected")
    cdef size_t n = <size_t> s.shape[0]

    verdicts = _result(out, (n,), VERDICT_DTYPE)
    cdef _core.TraceReference* reference_data = NULL
    cdef uint8_t[::1] reference_bytes
    if references is not None:
        reference_bytes = _result(references, (n,), REFERENCE_DTYPE).view(np.uint8)
    cdef const uint8_t[::1] lost_flags
    cdef const uint8_t* lost_data = NULL
    if lost is not None:
        lost_flags = _flags(lost, "lost", n)
    cdef const double[:, ::1] e
    cdef const double* elbow_data = NULL
    if elbows is not None:
        e = np.ascontiguousarray(elbows, dtype=np.float64)
        if not cartesian or <size_t> e.shape[0] != n or e.shape[1] != 2:
            raise ValueError("elbows: one pair a sample of a Cartesian generator expected")
    if n == 0:
        return Judgement(None, verdicts, (), -1, (), ())
    if references is not None:
        reference_data = <_core.TraceReference*> &reference_bytes[0]
    if lost is not None:
        lost_data = &lost_flags[0]
    if elbows is not None:
        elbow_data = &e[0, 0]

    cdef _core.RobotSolver solver
    solver.robot = arm
    if F_T_EE is not None:
        if len(F_T_EE) != 16:
            raise ValueError(f"F_T_EE: {len(F_T_EE)} numbers given, 16 expected")
        for i in range(16):
            solver.F_T_EE[i] = F_T_EE[i]
    cdef _core.Vec7 q = arm.q_ready
    cdef _core.JointSolution joints
    cdef _core.Mat4 pose
    cdef _core.Elbow elbow
    if q_d is not None:
        q = _vec7(q_d, "q_d")
    elif motion.spec.generator == _core.Generator.kJointPosition:
        q = _vec7(s[0], "q_d")
    elif motion.spec.generator == _core.Generator.kCartesianPosition:
        for i in range(16):
            pose[i] = s[0, i]
        if elbows is not None:
            elbow[0], elbow[1] = e[0, 0], e[0, 1]
        if not solver.solve(pose, &elbow if elbows is not None else NULL, arm.q_ready, joints):
            raise ValueError("q_d: no joints near the ready pose reach the first pose; give those "
                             "it starts from")
        q = joints.q
    motion.start = solver.start_at(q)
    if joint_side:
        motion.solver = solver.joint_solver()

    cdef TraceVerdict[::1] v = verdicts
    cdef _core.TraceReport report
    with nogil:
        report = _core.judge_trace(motion, &s[0, 0], elbow_data, lost_data, n, &v[0],
                                   reference_data)
    broken = _broken(report.violations, report.first)
    bits = report.errors.bits()
    return Judgement(broken[0] if broken else None, verdicts, broken, report.unsolved,
                     _broken(report.after_the_last, n),
                     tuple(error for error in range(64) if bits >> error & 1))


def velocity_envelope(q, robot="fr3"):
    """Return the lowest and the highest velocity [rad/s] at N x 7 positions, N x 7 each."""
    cdef const double[:, ::1] positions = np.ascontiguousarray(q, dtype=np.float64)
    if positions.shape[1] != 7:
        raise ValueError(f"q: {positions.shape[1]} columns given, one a joint (7) expected")
    cdef const _core.RobotType* arm = _robot(robot)
    low, high = np.empty((positions.shape[0], 7)), np.empty((positions.shape[0], 7))
    cdef double[:, ::1] l = low
    cdef double[:, ::1] h = high
    cdef ptrdiff_t k
    cdef size_t i
    with nogil:
        for k in range(positions.shape[0]):
            for i in range(7):
                l[k, i] = _core.lower_velocity_limit(arm.limits, i, positions[k, i])
                h[k, i] = _core.upper_velocity_limit(arm.limits, i, positions[k, i])
    return low, high


def cartesian_limits(robot="fr3"):
    """Return velocity, acceleration and jerk of ``translation`` [m], ``rotation`` and ``elbow``
    [rad]: what Control checks."""
    cdef _core.CartesianLimits l = _robot(robot).cartesian
    return {
        "translation": (l.translation.velocity, l.translation.acceleration, l.translation.jerk),
        "rotation": (l.rotation.velocity, l.rotation.acceleration, l.rotation.jerk),
        "elbow": (l.elbow.velocity, l.elbow.acceleration, l.elbow.jerk),
    }
