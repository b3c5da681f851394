"""Checks the arguments of limiters and filters once, so that the compiled code need not."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from franka_sim import _limiting
from franka_sim.rate_limiting.constants import DELTA_T, MAX_CUTOFF_FREQUENCY

Array = NDArray[np.float64]


def row(values: ArrayLike, width: int, name: str) -> Array:
    """`width` finite numbers; width 1 may be a plain number."""
    array = np.ascontiguousarray(values, dtype=np.float64)
    if array.size != width or array.ndim > 1:
        raise ValueError(f"{name}: shape {array.shape} given, {width} numbers expected")
    array = array.reshape(width)
    if not np.isfinite(array).all():
        raise ValueError(f"{name}: {array.tolist()} given, finite numbers expected")
    return array


def positive(values: ArrayLike, width: int, name: str) -> Array:
    """`width` finite numbers greater than 0."""
    array = row(values, width, name)
    if not (array > 0).all():
        raise ValueError(f"{name}: {array.tolist()} given, numbers greater than 0 expected")
    return array


def samples(values: ArrayLike, width: int, name: str) -> tuple[Array, tuple[int, ...]]:
    """N x `width` rows, and the shape in which the caller gave them: one sample or N of them.

    Width 1 stands for plain numbers: () or (N,).
    """
    array = np.ascontiguousarray(values, dtype=np.float64)
    shape = np.shape(values)
    scalar = width == 1
    expected = () if scalar else (width,)
    if shape != expected and shape[1:] != expected:
        wanted = "a number or N of them" if scalar else f"{width} numbers or N x {width}"
        raise ValueError(f"{name}: shape {shape} given, {wanted} expected")
    return array.reshape(-1, width), shape


def refuse(sample: int, shape: tuple[int, ...], width: int, text: str) -> None:
    """Raise ValueError with libfranka's text if the core refused a sample (-1: none)."""
    if sample >= 0:
        series = len(shape) == (1 if width == 1 else 2)
        raise ValueError(f"{text} (sample {sample})" if series else text)


def gain_of(cutoff_frequency: float, sample_time: float = DELTA_T, filter_name: str = "") -> float:
    """The low-pass' gain; 1 (off) from MAX_CUTOFF_FREQUENCY on where the limiter runs it."""
    prefix = f"{filter_name}: " if filter_name else "lowpass-filter: "
    if not (sample_time >= 0 and math.isfinite(sample_time)):
        raise ValueError(f"{prefix}sample_time is negative, infinite or NaN.")
    if not (cutoff_frequency > 0 and math.isfinite(cutoff_frequency)):
        raise ValueError(f"{prefix}cutoff_frequency is zero, negative, infinite or NaN.")
    if not filter_name and cutoff_frequency >= MAX_CUTOFF_FREQUENCY:
        return 1.0
    return _limiting.lowpass_gain(sample_time, cutoff_frequency)
