"""Random smooth pose motions of an FR3 that stay well inside its joint range.

A motion is kept when joints that follow it exist all the way, 0.1 rad inside the range and in no
haste; frankik, which solves in closed form, must find the same joints. Shares nothing with the
server.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import frankik
import numpy as np
from cartesian import inside, minimum_jerk, path
from fr3 import DH

MARGIN = 0.1  # rad inside the joint range
SECONDS = 10.0
FOLDED = -2.7  # of joint 4 [rad]; chosen: beyond, the forearm comes near the shoulder
STRIDE = 50  # cycles between two checked samples

_FIXED = []
for _a, _d, _alpha in DH:
    _c, _s = math.cos(_alpha), math.sin(_alpha)
    _rows = [[1, 0, 0, _a], [0, _c, -_s, -_s * _d], [0, _s, _c, _c * _d], [0, 0, 0, 1]]
    _FIXED.append(np.array(_rows))


@dataclass
class PoseMotion:
    """Where it starts, which way it goes and the joints that follow it at every 50th cycle."""

    q: np.ndarray
    shift: np.ndarray  # m
    turn: np.ndarray  # rotation vector in O
    joints: np.ndarray

    def poses(self, start) -> np.ndarray:
        """Its poses from where the robot says it is."""
        return path(start, self.shift, self.turn, minimum_jerk(SECONDS))


def jacobian(q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Flange pose and geometric Jacobian in the base frame."""
    T, axes, origins = np.eye(4), [], []
    for i, fixed in enumerate(_FIXED):
        T = T @ fixed
        if i < 7:
            c, s = math.cos(q[i]), math.sin(q[i])
            turned = T.copy()
            turned[:, 0], turned[:, 1] = c * T[:, 0] + s * T[:, 1], c * T[:, 1] - s * T[:, 0]
            T = turned
            axes.append(T[:3, 2])
            origins.append(T[:3, 3])
    z, p = np.array(axes), np.array(origins)
    return T, np.vstack([np.cross(z, T[:3, 3] - p).T, z.T])


def _turn(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Rotation vector, in the base frame, from a's orientation to b's."""
    D = b[:3, :3] @ a[:3, :3].T
    v = 0.5 * np.array([D[2, 1] - D[1, 2], D[0, 2] - D[2, 0], D[1, 0] - D[0, 1]])
    sine = np.linalg.norm(v)
    angle = math.atan2(sine, 0.5 * (np.trace(D) - 1.0))
    return v if sine < 1e-12 else v * (angle / sine)


def follow(q: np.ndarray, target: np.ndarray) -> np.ndarray | None:
    """The joints nearest to q whose flange is at the target."""
    q = q.copy()
    for _ in range(8):
        T, J = jacobian(q)
        error = np.concatenate([target[:3, 3] - T[:3, 3], _turn(T, target)])
        if np.abs(error).max() < 1e-10:
            return q
        if np.linalg.svd(J, compute_uv=False)[-1] < 0.06:
            return None
        q += np.linalg.pinv(J) @ error
    return None


def candidate(random: np.random.Generator) -> PoseMotion | None:
    """One try."""
    home = np.array([0.0, -0.6, 0.0, -2.1, 0.0, 1.7, 0.8])
    q = home + random.uniform(-1.0, 1.0, 7) * np.array([1.5, 0.6, 0.8, 0.6, 0.8, 0.7, 1.5])
    start, J = jacobian(q)
    if np.linalg.svd(J, compute_uv=False)[-1] < 0.08:
        return None
    shift, axis = random.normal(size=3), random.normal(size=3)
    shift *= random.uniform(0.2, 0.5) / np.linalg.norm(shift)
    axis *= random.uniform(0.5, 1.3) / np.linalg.norm(axis)
    poses = path(start, shift, axis, minimum_jerk(SECONDS))
    if along(q, poses, 1000) is None:  # most are refused by a coarse look
        return None
    joints = along(q, poses, STRIDE)
    # 0.5 rad/s in the mean of 50 ms: no haste anywhere.
    if joints is None or np.abs(np.diff(joints, axis=0)).max() > 0.025:
        return None
    for target, found in zip(poses[::STRIDE], joints, strict=True):
        exact = frankik.ik(target, found, found[6])
        if np.isnan(exact).any() or np.abs(exact - found).max() > 1e-6:
            return None
    return PoseMotion(q, shift, axis, joints)


def along(q: np.ndarray, poses: np.ndarray, stride: int) -> np.ndarray | None:
    """Joints that follow the poses at every `stride` cycles, if all are where they may be."""
    joints = [q]
    for target in poses[stride::stride]:
        found = follow(joints[-1], target)
        if found is None or not clear(found, target):
            return None
        joints.append(found)
    return np.array(joints)


def clear(q: np.ndarray, pose: np.ndarray) -> bool:
    """Inside the range, not folded, and the hand's side away from base, column and floor."""
    p = pose[:3, 3]
    wrist = p - 0.107 * pose[:3, 2]
    away = min(math.hypot(p[0], p[1]), math.hypot(wrist[0], wrist[1]))
    return inside(q, MARGIN) and q[3] > FOLDED and min(p[2], wrist[2]) > 0.15 and away > 0.3


def motions(seed: int):
    """Endless motions; the same for the same seed."""
    random = np.random.default_rng(seed)
    while True:
        motion = candidate(random)
        if motion is not None:
            yield motion
