# distutils: language = c++
# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Functions over arrays: judge a trajectory, extrapolate a gap, window a loss trace.

Arguments are checked here, once; the work is done by the core without the GIL. Any thread may call.
"""
from libc.stddef cimport ptrdiff_t, size_t
from libc.stdint cimport uint8_t

cimport _core
from _core cimport TraceVerdict, Vec7

from typing import NamedTuple

import numpy as np

# --- the judge ------------------------------------------------------------------------------------

#: One verdict a sample: ``row`` indexes the core's table of checks, -1 where nothing is broken.
VERDICT_DTYPE = np.dtype(
    [("row", "i2"), ("joint", "i2"), ("extrapolated", "u1"), ("value", "f8"), ("limit", "f8")],
    align=True,
)

_LIMIT_NAMES = ("lower", "upper", "velocity", "acceleration", "jerk", "torque", "torque_rate",
                "velocity_offset", "deceleration")


class FirstViolation(NamedTuple):
    """The first sample that breaks a row: joint 0-based (-1: none), value and nominal limit in the
    row's unit."""

    sample: int
    joint: int
    row: int
    value: float
    limit: float


cdef Vec7 _vec7(values, name) except *:
    cdef Vec7 v
    if len(values) != 7:
        raise ValueError(f"{name}: {len(values)} numbers given, one a joint (7) expected")
    for i in range(7):
        v[i] = values[i]
    return v


cdef _core.JointLimits _limits(limits) except *:
    cdef _core.JointLimits l = _core.kFr3.limits
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


cdef _core.MotionSpec _spec(generator) except *:
    cdef _core.MotionSpec spec
    spec.external_torque = False
    if generator == "joint_position":
        spec.generator = _core.Generator.kJointPosition
    elif generator == "joint_velocity":
        spec.generator = _core.Generator.kJointVelocity
    elif generator == "torque":
        spec.generator = _core.Generator.kNone
        spec.external_torque = True
    else:
        raise ValueError(
            f"generator: {generator!r} given, joint_position, joint_velocity or torque expected")
    return spec


def _flags(values, name, count=None):
    flags = np.asarray(values)
    if flags.ndim != 1 or (count is not None and flags.shape[0] != count):
        raise ValueError(f"{name}: shape {flags.shape} given, one flag a cycle expected")
    return np.ascontiguousarray(flags != 0).view(np.uint8)


def _result(out, shape, dtype):
    if out is None:
        return np.empty(shape, dtype)
    if (not isinstance(out, np.ndarray) or out.shape != shape or out.dtype != dtype
            or not out.flags.c_contiguous or not out.flags.writeable):
        raise ValueError(f"out: a writable C-contiguous array of shape {shape} and dtype {dtype} "
                         "expected")
    return out


def judge_joint_trajectory(samples, generator="joint_position", *, limits=None, lost=None,
                           q_d=None, f32_state=True, out=None):
    """Judge a trajectory as the server would, one sample a cycle, without enforcing.

    Args:
        samples: N x 7 numbers: q_c [rad], dq_c [rad/s] or tau_J_d [Nm] by ``generator``.
        generator: ``joint_position``, ``joint_velocity`` or ``torque``.
        limits: mapping as ``_engine.joint_limits`` returns it; None: an FR3.
        lost: N flags; a sample whose flag is set never arrives. None: all arrive.
        q_d: 7 numbers, where the arm rests before [rad]. None: the first sample of positions,
            the FR3's ready pose otherwise.
        f32_state: the state is published as 32-bit floats (FCI v10), so limits have their slack.
        out: N verdicts (VERDICT_DTYPE) to write into.

    Returns:
        The first violation (None: there is none) and the verdicts.

    Raises:
        ValueError: an argument has the wrong shape, name or type.
    """
    cdef const double[:, ::1] s = np.ascontiguousarray(samples, dtype=np.float64)
    if s.shape[1] != 7:
        raise ValueError(f"samples: {s.shape[1]} columns given, one a joint (7) expected")
    cdef size_t n = <size_t> s.shape[0]
    cdef _core.MotionSpec spec = _spec(generator)
    cdef _core.JointLimits l = _limits(limits)
    cdef bint f32 = f32_state
    cdef const uint8_t[::1] lost_flags
    cdef const uint8_t* lost_data = NULL
    verdicts = _result(out, (n,), VERDICT_DTYPE)
    if n == 0:
        return None, verdicts
    if lost is not None:
        lost_flags = _flags(lost, "lost", n)
        lost_data = &lost_flags[0]
    cdef Vec7 start = _core.kFr3.q_ready
    if q_d is not None:
        start = _vec7(q_d, "q_d")
    elif spec.generator == _core.Generator.kJointPosition:
        start = _vec7(s[0], "q_d")

    cdef TraceVerdict[::1] v = verdicts
    cdef ptrdiff_t first
    with nogil:
        first = _core.judge_trace(spec, l, f32, start, &s[0, 0], lost_data, n, &v[0])
    if first < 0:
        return None, verdicts
    return FirstViolation(first, v[first].joint, v[first].row, v[first].value,
                          v[first].limit), verdicts


def extrapolate(q_d, dq_d, ddq_d, cycles, *, out=None):
    """References of lost cycles after (q_d, dq_d, ddq_d), at constant acceleration.

    Args:
        q_d, dq_d, ddq_d: 7 numbers each [rad, rad/s, rad/s^2].
        cycles: how many; from the 20th on the last value holds.
        out: cycles x 3 x 7 float64 to write into.

    Returns:
        cycles x 3 x 7: q_d, dq_d and ddq_d of each cycle.

    Raises:
        ValueError: an argument has the wrong shape.
    """
    if cycles < 0:
        raise ValueError(f"cycles: {cycles} given, 0 or more expected")
    cdef size_t n = cycles
    cdef Vec7 q = _vec7(q_d, "q_d")
    cdef Vec7 dq = _vec7(dq_d, "dq_d")
    cdef Vec7 ddq = _vec7(ddq_d, "ddq_d")
    references = _result(out, (n, 3, 7), np.dtype(np.float64))
    if n == 0:
        return references
    cdef double[:, :, ::1] r = references
    with nogil:
        _core.extrapolate_gap(q, dq, ddq, n, &r[0, 0, 0])
    return references


def success_rate(answered, *, out=None):
    """control_command_success_rate after each cycle: the fraction answered of the last 100.

    Args:
        answered: N flags, one a cycle from the first command on.
        out: N float64 to write into.

    Raises:
        ValueError: an argument has the wrong shape.
    """
    cdef const uint8_t[::1] flags = _flags(answered, "answered")
    cdef size_t n = <size_t> flags.shape[0]
    rates = _result(out, (n,), np.dtype(np.float64))
    if n == 0:
        return rates
    cdef double[::1] r = rates
    with nogil:
        _core.success_rates(&flags[0], n, &r[0])
    return rates


cdef const _core.Layout* _layout(unsigned version) except NULL:
    cdef const _core.Layout* layout = _core.state_layout(version)
    if layout == NULL:
        raise ValueError(f"version: FCI version {version} is not built in")
    return layout


def encode_states(unsigned version, states, *, out=None):
    """Datagrams of N robot states.

    Args:
        version: FCI version, e.g. 10.
        states: N records of _engine.state_dtype.
        out: N x size uint8 to write into (1377 bytes a state in version 10).

    Raises:
        ValueError: an argument has the wrong dtype or shape, or the version is not built in.
    """
    from franka_sim import _engine

    cdef const _core.Layout* layout = _layout(version)
    rows = np.ascontiguousarray(states)
    if rows.dtype != _engine.state_dtype or rows.ndim != 1:
        raise ValueError("states: one dimension of _engine.state_dtype expected")
    cdef size_t n = <size_t> rows.shape[0]
    datagrams = _result(out, (n, layout.size), np.dtype(np.uint8))
    if n == 0:
        return datagrams
    cdef const uint8_t[::1] source = rows.view(np.uint8).reshape(-1)
    cdef uint8_t[:, ::1] target = datagrams
    with nogil:
        _core.encode_states(layout[0], &source[0], n, &target[0, 0])
    return datagrams


def decode_states(unsigned version, datagrams, *, out=None):
    """Robot states of N datagrams.

    Args:
        version: FCI version, e.g. 10.
        datagrams: N x size uint8.
        out: N records of _engine.state_dtype to write into.

    Raises:
        ValueError: an argument has the wrong dtype or shape, or the version is not built in.
    """
    from franka_sim import _engine

    cdef const _core.Layout* layout = _layout(version)
    rows = np.ascontiguousarray(datagrams, dtype=np.uint8)
    if rows.ndim != 2 or <size_t> rows.shape[1] != layout.size:
        raise ValueError(f"datagrams: N x {layout.size} bytes expected")
    cdef size_t n = <size_t> rows.shape[0]
    states = _result(out, (n,), _engine.state_dtype)
    if n == 0:
        return states
    cdef const uint8_t[:, ::1] source = rows
    cdef uint8_t[::1] target = states.view(np.uint8).reshape(-1)
    with nogil:
        _core.decode_states(layout[0], &source[0, 0], n, &target[0])
    return states
