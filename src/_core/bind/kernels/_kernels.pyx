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

cdef Vec7 _vec7(values, name) except *:
    cdef Vec7 v
    if len(values) != 7:
        raise ValueError(f"{name}: {len(values)} numbers given, one a joint (7) expected")
    for i in range(7):
        v[i] = values[i]
    return v


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


include "judging.pxi"


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
