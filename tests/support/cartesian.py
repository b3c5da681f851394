"""Cartesian test signals: paths of poses, twists and elbows at 1 ms, as the wire's columns.

Shares nothing with the server. Inverse kinematics are frankik's (closed form, from another source).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from fr3 import Q_MAX, Q_MIN, flange
from trajectories import DT

LEAST_BRANCH = -0.467  # joint 4 where the elbow's branch flips [rad]


def matrix(columns: Sequence[float]) -> np.ndarray:
    """4 x 4 from the wire's 16 numbers."""
    return np.array(columns, dtype=float).reshape(4, 4).T


def columns_of(poses: np.ndarray) -> list[list[float]]:
    """The wire's 16 numbers of each of (N, 4, 4) poses."""
    return np.swapaxes(poses, -1, -2).reshape(-1, 16).tolist()


def rotation(vectors: np.ndarray) -> np.ndarray:
    """Rotation matrices of rotation vectors (N, 3)."""
    vectors = np.atleast_2d(vectors)
    angles = np.linalg.norm(vectors, axis=1)
    axes = np.divide(
        vectors, angles[:, None], out=np.zeros_like(vectors), where=angles[:, None] > 0
    )
    K = np.zeros((len(vectors), 3, 3))
    K[:, 0, 1], K[:, 0, 2], K[:, 1, 2] = -axes[:, 2], axes[:, 1], -axes[:, 0]
    K -= np.swapaxes(K, 1, 2)
    s, c = np.sin(angles)[:, None, None], 1.0 - np.cos(angles)[:, None, None]
    return np.eye(3) + s * K + c * (K @ K)


def minimum_jerk(seconds: float) -> np.ndarray:
    """0 to 1 from rest to rest, a sample each cycle, both ends included."""
    s = np.linspace(0.0, 1.0, round(seconds / DT) + 1)
    return s**3 * (10.0 + s * (6.0 * s - 15.0))


def ramp(speed: float, acceleration: float, jerk: float, cycles: int) -> np.ndarray:
    """Speeds of `cycles` samples: up to `speed` within acceleration and jerk, then constant.

    The acceleration rises by whole steps of jerk, as a limiter of libfranka's kind makes it.
    """
    out, v, a = np.empty(cycles), 0.0, 0.0
    for k in range(cycles):
        a = min(a + jerk * DT, acceleration)
        # Lets go early enough to arrive at the speed with no acceleration left.
        if v + a * a / (2.0 * jerk) + a * DT >= speed:
            a = max(a - 2.0 * jerk * DT, 0.0)
        v = min(v + a * DT, speed)
        out[k] = v
    return out


def travelled(speeds: np.ndarray) -> np.ndarray:
    """Where backward differences of the positions are `speeds`."""
    return np.cumsum(speeds) * DT


def path(
    start: Sequence[float] | np.ndarray,
    shift: Sequence[float],
    turn: Sequence[float],
    profile: np.ndarray,
) -> np.ndarray:
    """Poses (N, 4, 4) from `start`, along `shift` and about the rotation vector `turn` (in O)."""
    start = np.asarray(start, dtype=float)
    T = start if start.shape == (4, 4) else matrix(start)
    out = np.repeat(T[None], len(profile), axis=0)
    out[:, :3, 3] += np.outer(profile, shift)
    out[:, :3, :3] = rotation(np.outer(profile, turn)) @ T[:3, :3]
    return out


def commands(poses: np.ndarray, elbow: Sequence[float] | None = None) -> list[dict]:
    """Samples for the raw client's play()."""
    extra = {} if elbow is None else {"elbow_c": tuple(elbow), "valid_elbow": True}
    return [{"O_T_EE_c": columns, **extra} for columns in columns_of(poses)]


def twists(axis: int, speeds: np.ndarray) -> list[dict]:
    """Twists along one of the six axes."""
    return [{"O_dP_EE_c": [float(v) if i == axis else 0.0 for i in range(6)]} for v in speeds]


def pose_of(q: Sequence[float]) -> np.ndarray:
    """Flange pose of joint angles."""
    return np.array(flange(list(q)))


def elbow_of(q: Sequence[float]) -> tuple[float, float]:
    """The elbow that joint angles have."""
    return float(q[2]), 1.0 if q[3] > LEAST_BRANCH else -1.0


def difference(a: np.ndarray, b: np.ndarray) -> tuple[float, float]:
    """Distance [m] and angle [rad] between two poses."""
    r = a[:3, :3].T @ b[:3, :3]
    sine = 0.5 * np.linalg.norm([r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]])
    return float(np.linalg.norm(a[:3, 3] - b[:3, 3])), float(
        np.arctan2(sine, 0.5 * (np.trace(r) - 1))
    )


def inside(q: np.ndarray, margin: float) -> bool:
    """Whether joint angles keep a margin inside the range."""
    return bool(np.all(q > np.array(Q_MIN) + margin) and np.all(q < np.array(Q_MAX) - margin))
