"""Low-pass filters of scalars, arrays and Cartesian poses; one step or a whole series."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from franka_sim import _limiting
from franka_sim.rate_limiting.arguments import Array, gain_of, refuse, row, samples

_NOT_FINITE = "current or past input value of the signal to be filtered is infinite or NaN."


def lowpass_filter(
    sample_time: float, y: ArrayLike, y_last: ArrayLike, cutoff_frequency: float
) -> float | Array:
    """First-order low-pass: y g + y_last (1 - g), g = dt / (dt + 1 / (2 pi f)).

    Args:
        sample_time: dt [s].
        y: what to filter: of the shape of `y_last` for one step, or with a leading axis of N
            samples, filtered one after the other.
        y_last: what was filtered last: a number or one dimension.
        cutoff_frequency: f [Hz]; not capped, as in libfranka.

    Returns:
        A float for a number, else an array of the shape of `y`.

    Raises:
        ValueError: with libfranka's text, or naming a shape. Any thread.
    """
    name = "lowpass-filter"
    gain = gain_of(cutoff_frequency, sample_time, name)
    last = np.ascontiguousarray(y_last, dtype=np.float64)
    given, shape = np.ascontiguousarray(y, dtype=np.float64), np.shape(y)
    if np.ndim(y_last) > 1 or np.shape(y_last) not in (shape, shape[1:]):
        raise ValueError(f"y: shape {shape} given, {np.shape(y_last)} or N of them expected")
    if not (np.isfinite(given).all() and np.isfinite(last).all()):
        raise ValueError(f"{name}: {_NOT_FINITE}")
    rows = given.reshape(-1, last.size) if given.size else given.reshape(0, max(last.size, 1))
    out = np.empty_like(rows)
    _limiting.lowpass(gain, last.reshape(-1), rows, out)
    return float(out[0, 0]) if shape == () else out.reshape(shape)


def cartesian_lowpass_filter(
    sample_time: float, O_T_EE: ArrayLike, O_T_EE_last: ArrayLike, cutoff_frequency: float
) -> Array:
    """Low-pass of poses: the origin as `lowpass_filter` does, the axes by slerp of its gain.

    Args:
        sample_time: [s].
        O_T_EE: 16 numbers, column-major, or N x 16, filtered one after the other.
        O_T_EE_last: the pose filtered last, 16 numbers.
        cutoff_frequency: [Hz].

    Returns:
        Orthonormal poses in the shape of `O_T_EE`.

    Raises:
        ValueError: with libfranka's text; also for left-handed or flat axes, which libfranka
            does not look at. Any thread.
    """
    name = "Cartesian lowpass-filter"
    gain = gain_of(cutoff_frequency, sample_time, name)
    rows, shape = samples(O_T_EE, 16, "O_T_EE")
    last = np.ascontiguousarray(O_T_EE_last, dtype=np.float64)
    if not (np.isfinite(rows).all() and np.isfinite(last).all()):
        raise ValueError(f"{name}: {_NOT_FINITE}")
    out = np.empty_like(rows)
    bad = _limiting.lowpass_poses(gain, frame(last, "O_T_EE_last"), rows, out)
    refuse(bad, shape, 16, "O_T_EE is invalid transformation matrix. Has to be column major!")
    return out.reshape(shape)


def frame(pose: ArrayLike, name: str) -> Array:
    """16 numbers whose axes are right-handed."""
    array = row(pose, 16, name)
    if not np.linalg.det(array.reshape(4, 4)[:3, :3]) > 0:
        raise ValueError(f"{name}: a homogeneous transform, column-major, expected")
    return array
