"""Random arguments for libfranka's limiters and filters, by our names of them."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

Arguments = list[float | list[float]]
#: FR3 nominal, libfranka rate_limiting.h: speed, acceleration, jerk of translation and rotation.
CARTESIAN = [3.0, 9.0, 4500.0, 2.5, 17.0, 8500.0]
DT = 1e-3


def rotation(axis: list[float]) -> list[list[float]]:
    """Rodrigues' formula, as rows."""
    angle = math.sqrt(sum(a * a for a in axis))
    x, y, z = (a / (angle or 1.0) for a in axis)
    c, s = math.cos(angle), math.sin(angle)
    k = 1 - c
    return [
        [c + x * x * k, x * y * k - z * s, x * z * k + y * s],
        [y * x * k + z * s, c + y * y * k, y * z * k - x * s],
        [z * x * k - y * s, z * y * k + x * s, c + z * z * k],
    ]


def pose(turn: list[float], origin: list[float]) -> list[float]:
    """16 numbers, column-major."""
    rows = rotation(turn)
    columns = [[rows[r][c] for r in range(3)] + [0.0] for c in range(3)]
    return [*columns[0], *columns[1], *columns[2], *origin, 1.0]


def turned(by: list[float], from_pose: list[float], move: list[float]) -> list[float]:
    """`from_pose` turned by `by` in the base's axes and moved."""
    rows = rotation(by)
    columns = [
        [sum(rows[r][k] * from_pose[4 * c + k] for k in range(3)) for r in range(3)] + [0.0]
        for c in range(3)
    ]
    origin = [from_pose[12 + k] + move[k] for k in range(3)]
    return [*columns[0], *columns[1], *columns[2], *origin, 1.0]


def cases(picker: random.Random, count: int) -> Iterator[tuple[str, Arguments]]:
    """`count` cases a function: small steps, large ones, and states outside the limits."""

    def normal(n: int, scale: float) -> list[float]:
        return [picker.gauss(0, scale) for _ in range(n)]

    for k in range(count):
        scale = (1e-5, 1e-3, 1.0)[k % 3]
        upper = [picker.uniform(0.0, 3.0) for _ in range(7)]
        lower = [-picker.uniform(0.0, 3.0) for _ in range(7)]
        acceleration = [picker.uniform(5.0, 20.0) for _ in range(7)]
        jerk = [picker.uniform(3000.0, 10000.0) for _ in range(7)]
        q, dq, ddq = normal(7, 1.0), normal(7, 1.0), normal(7, 4.0)
        q_c = [a + DT * v + x for a, v, x in zip(q, dq, normal(7, scale), strict=True)]
        dq_c = [v + DT * a + x for v, a, x in zip(dq, ddq, normal(7, scale), strict=True)]
        tau = normal(7, 30.0)
        tau_c = [t + x for t, x in zip(tau, normal(7, 3.0), strict=True)]
        yield "limit_rate_torques", [[1000.0] * 7, tau_c, tau]
        bounds = [upper[0], lower[0], acceleration[0], jerk[0]]
        yield "limit_rate_velocity", [*bounds, dq_c[0], dq[0], ddq[0]]
        yield "limit_rate_position", [*bounds, q_c[0], q[0], dq[0], ddq[0]]
        arrays = [upper, lower, acceleration, jerk]
        yield "limit_rate_joint_velocities", [*arrays, dq_c, dq, ddq]
        yield "limit_rate_joint_positions", [*arrays, q_c, q, dq, ddq]
        twist, twist_rate = normal(6, 1.0), normal(6, 4.0)
        twist_c = [v + x for v, x in zip(twist, normal(6, scale * 10), strict=True)]
        yield "limit_rate_cartesian_velocity", [*CARTESIAN, twist_c, twist, twist_rate]
        last = pose(normal(3, 1.0), normal(3, 0.5))
        to = turned(normal(3, scale), last, normal(3, scale))
        yield "limit_rate_cartesian_pose", [*CARTESIAN, to, last, twist, twist_rate]
        cutoff = picker.uniform(5.0, 2000.0)
        yield "lowpass_filter", [DT, q_c[0], q[0], cutoff]
        yield "cartesian_lowpass_filter", [DT, to, last, cutoff]
