"""What tests need to know about an FR3 without asking the server: its published kinematics.

Numbers: Franka's Denavit-Hartenberg table (Craig's convention) in the FCI manual. Matrices are
lists of rows; the wire's are column-major, see `columns`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

# a [m], d [m], alpha [rad] of joints 1 to 7, then the flange.
DH = (
    (0.0, 0.333, 0.0),
    (0.0, 0.0, -math.pi / 2),
    (0.0, 0.316, math.pi / 2),
    (0.0825, 0.0, math.pi / 2),
    (-0.0825, 0.384, -math.pi / 2),
    (0.0, 0.0, math.pi / 2),
    (0.088, 0.0, math.pi / 2),
    (0.0, 0.107, 0.0),
)

# Soft joint limits: libfranka's FR3 URDF.
Q_MIN = (-2.7501, -1.7918, -2.9065, -3.0481, -2.8101, 0.54092, -3.0196)
Q_MAX = (2.7501, 1.7918, 2.9065, -0.1458, 2.8101, 4.5205, 3.0196)

Matrix = list[list[float]]


def multiply(a: Matrix, b: Matrix) -> Matrix:
    return [[sum(a[i][k] * b[k][j] for k in range(4)) for j in range(4)] for i in range(4)]


def flange(q: Sequence[float]) -> Matrix:
    """Pose of the flange in the base frame."""
    pose: Matrix = [[float(i == j) for j in range(4)] for i in range(4)]
    for (a, d, alpha), theta in zip(DH, (*q, 0.0), strict=True):
        ca, sa, ct, st = math.cos(alpha), math.sin(alpha), math.cos(theta), math.sin(theta)
        link = [
            [ct, -st, 0.0, a],
            [st * ca, ct * ca, -sa, -sa * d],
            [st * sa, ct * sa, ca, ca * d],
            [0.0, 0.0, 0.0, 1.0],
        ]
        pose = multiply(pose, link)
    return pose


def columns(values: Sequence[float]) -> Matrix:
    """A matrix from the wire's 16 numbers."""
    return [[values[4 * j + i] for j in range(4)] for i in range(4)]


def pose_error(a: Matrix, b: Matrix) -> tuple[float, float]:
    """Distance [m] and angle [rad] between two poses."""
    distance = math.dist([a[i][3] for i in range(3)], [b[i][3] for i in range(3)])
    # The antisymmetric part keeps its precision at small angles, where the trace has none.
    r = [[sum(a[k][i] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]
    sine = 0.5 * math.hypot(r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1])
    cosine = 0.5 * (r[0][0] + r[1][1] + r[2][2] - 1.0)
    return distance, math.atan2(sine, cosine)


def almost_affine(values: Sequence[float]) -> bool:
    """Whether 16 numbers are a homogeneous transform as libfranka tests it (1e-5 on the norms)."""
    m = columns(values)
    if m[3] != [0.0, 0.0, 0.0, 1.0]:
        return False
    rows = [math.hypot(*m[i][:3]) for i in range(3)]
    cols = [math.hypot(m[0][j], m[1][j], m[2][j]) for j in range(3)]
    return all(abs(norm - 1.0) <= 1e-5 for norm in rows + cols)
