"""Signals that no robot can follow, and the first row they break, by plain arithmetic on arrays.

Rows, limits and their order: reference 000, "What is checked, and what it latches". Shares nothing
with the server.
"""

from __future__ import annotations

import math

import numpy as np
from fr3 import flange
from limiter_cases import turned

DT = 1e-3
KINDS = ("steps", "walk", "sine")
#: A bent arm, every joint near the middle of its range.
CENTRE = np.array([0.0, 0.0, 0.0, -1.6, 0.0, 2.5, 0.0])
#: Where joint 3 moves most when the pose is held: the others at most 0.6 of it (Jacobian's null
#: space, found by search).
ELBOW_START = np.array([0.78, 0.62, -0.82, -1.28, 0.8, 1.28, 0.55])
# The joint range and the envelope of reference 000, "The position-based joint velocity limits".
_LOWER = np.array([-2.7501, -1.7918, -2.9065, -3.0481, -2.8101, 0.5409, -3.0196])
_UPPER = np.array([2.7501, 1.7918, 2.9065, -0.1458, 2.8101, 4.5205, 3.0196])
_TOP = np.array([2.62, 2.62, 2.62, 2.62, 5.26, 4.18, 5.26])
_OFFSET = np.array([0.30, 0.20, 0.20, 0.30, 0.35, 0.35, 0.35])
_DECELERATION = np.array([6.0, 2.585, 3.5, 4.0, 17.0, 5.5, 17.0])


def signal(
    random: np.random.Generator, kind: str, size: float, width: int, samples: int
) -> np.ndarray:
    """N x width about zero, from zero: steps every 50 ms, a random walk, or sines up to 30 Hz."""
    if kind == "steps":
        out = size * np.repeat(random.uniform(-1, 1, (samples // 50, width)), 50, axis=0)
    elif kind == "walk":
        out = 0.1 * size * np.cumsum(random.normal(size=(samples, width)), axis=0)
    else:
        t = DT * np.arange(samples)[:, None]
        hertz, phase = random.uniform(0.2, 30, width), random.uniform(0, 2 * math.pi, width)
        out = size * np.sin(2 * math.pi * hertz * t + phase)
    out[0] = 0.0
    return out


def about(start: np.ndarray, moves: np.ndarray) -> np.ndarray:
    """Poses moved by the first three numbers of each row and turned by the others, in O."""
    return np.array([turned(list(m[3:6]), list(start), list(m[:3])) for m in moves])


def flange_columns(q: np.ndarray) -> np.ndarray:
    """The flange pose as the wire's 16 numbers."""
    return np.array(flange(list(q))).T.reshape(16)


def braking_from(q: np.ndarray) -> int:
    """The first sample at which a joint is where its speed limit shrinks towards a stop."""
    left = np.minimum(_UPPER - q, q - _LOWER)
    room = np.sqrt(np.maximum(0.0, 2 * _DECELERATION * left)) - _OFFSET
    inside = (room < _TOP + 0.01).any(axis=1)
    return int(inside.argmax()) if inside.any() else len(q)


def _rotations(poses: np.ndarray) -> np.ndarray:
    """Rotation vectors in O from each pose to the next."""
    R = poses.reshape(-1, 4, 4).transpose(0, 2, 1)[:, :3, :3]
    D = R[1:] @ R[:-1].transpose(0, 2, 1)
    skew = 0.5 * (D - D.transpose(0, 2, 1))
    axis = np.stack([skew[:, 2, 1], skew[:, 0, 2], skew[:, 1, 0]], axis=1)
    sine = np.linalg.norm(axis, axis=1)
    angle = np.arctan2(sine, 0.5 * (np.trace(D, axis1=1, axis2=2) - 1))
    return axis * np.where(sine > 0, angle / np.where(sine > 0, sine, 1.0), 1.0)[:, None]


def _norms(x: np.ndarray) -> np.ndarray:
    return np.stack([np.linalg.norm(x[:, :3], axis=1), np.linalg.norm(x[:, 3:], axis=1)])


_CARTESIAN = "cartesian_motion_generator_"
_VELOCITY, _ACCELERATION, _JERK = np.array([3.0, 2.5]), np.array([9.0, 17.0]), (4500.0, 8500.0)


def first_broken(interface: str, samples: np.ndarray) -> tuple[str, int] | None:
    """The error of the first broken row, and the sample: poses, twists, or angles of an elbow.

    The first sample is where the signal begins, at rest.
    """
    if interface == "elbow":
        rows = _elbow(samples[:, 0])
    elif interface == "cartesian_velocity":
        rows = _twist(samples)
    else:
        rows = _pose(samples)
    first = [(int(over.argmax()), n, name) for n, (name, over) in enumerate(rows) if over.any()]
    if not first:
        return None
    sample, _, name = min(first)
    return name, sample


def _over(values: np.ndarray, limits: np.ndarray | tuple) -> np.ndarray:
    return (values > np.asarray(limits)[:, None]).any(axis=0)


def _differences(v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    a = np.diff(v, axis=0, prepend=np.zeros((1, v.shape[1]))) / DT
    return a, np.diff(a, axis=0, prepend=np.zeros((1, v.shape[1]))) / DT


def _twist(v: np.ndarray) -> list:
    a, j = _differences(v)
    return [
        (_CARTESIAN + "acceleration_discontinuity", _over(_norms(a), _ACCELERATION)),
        (_CARTESIAN + "acceleration_discontinuity", _over(_norms(j), _JERK)),
        (_CARTESIAN + "velocity_limits_violation", _over(_norms(v), _VELOCITY)),
    ]


def _pose(poses: np.ndarray) -> list:
    v = np.zeros((len(poses), 6))
    v[1:, :3] = np.diff(poses[:, 12:15], axis=0) / DT
    v[1:, 3:] = _rotations(poses) / DT
    a, j = _differences(v)
    return [
        (_CARTESIAN + "velocity_discontinuity", _over(_norms(a), _ACCELERATION)),
        (_CARTESIAN + "velocity_limits_violation", _over(_norms(v), _VELOCITY)),
        (_CARTESIAN + "acceleration_discontinuity", _over(_norms(j), _JERK)),
    ]


def _elbow(q3: np.ndarray) -> list:
    v = np.diff(q3, prepend=q3[0]) / DT
    a, j = _differences(v[:, None])
    broken = (np.abs(v) > 1.5) | (np.abs(a[:, 0]) > 10) | (np.abs(j[:, 0]) > 5000)
    return [(_CARTESIAN + "elbow_limit_violation", broken | (np.abs(q3) > 2.9065))]
