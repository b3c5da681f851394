"""Sampled test signals, and a slow plain judge of joint commands to compare the server with.

Samples are at 1 ms. The judge is written from the FCI's published difference formulas alone and
shares nothing with the server: no tables, no state machine, one joint at a time.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

DT = 1e-3

# FR3 nominal limits: libfranka 0.18+ rate_limiting.h without its 1e-3 margin.
MAX_ACCELERATION = 10.0  # rad/s^2
MAX_JERK = 5000.0  # rad/s^3

VELOCITY_DISCONTINUITY = "joint_motion_generator_velocity_discontinuity"
ACCELERATION_DISCONTINUITY = "joint_motion_generator_acceleration_discontinuity"
START_POSE_INVALID = "joint_position_motion_generator_start_pose_invalid"
COMMUNICATION = "communication_constraints_violation"


def quintic(distance: float, duration: float, k: int) -> float:
    """Position at sample k of a rest-to-rest quintic; holds the end."""
    s = min(max(k * DT / duration, 0.0), 1.0)
    return distance * s**3 * (10.0 + s * (6.0 * s - 15.0))


def quintic_velocity(distance: float, duration: float, k: int) -> float:
    """Velocity at sample k of the same quintic."""
    s = min(max(k * DT / duration, 0.0), 1.0)
    return distance / duration * 30.0 * s**2 * (1.0 - s) ** 2


def cosine(amplitude: float, hertz: float, k: int) -> float:
    """Position at sample k of amplitude * (1 - cos 2 pi f t)."""
    return amplitude * (1.0 - math.cos(2.0 * math.pi * hertz * k * DT))


def shifted(q: Iterable[float], joint: int, offset: float) -> list[float]:
    """A copy of q with one joint (from 0) moved."""
    out = list(q)
    out[joint] += offset
    return out


def only(joint: int, value: float) -> list[float]:
    """Seven zeros but for one joint (from 0)."""
    return [value if i == joint else 0.0 for i in range(7)]


class PlainJudge:
    """Judges one joint's position commands from rest; lost cycles keep the acceleration."""

    def __init__(self, q: float = 0.0) -> None:
        self.q, self.dq, self.ddq = q, 0.0, 0.0
        self._frozen: float | None = None

    def command(self, q: float) -> str | None:
        """Take a command that arrived; returns the error it raises, or None."""
        self._frozen = None
        dq = (q - self.q) / DT
        return self._advance(q, dq, (dq - self.dq) / DT)

    def lose(self) -> str | None:
        """Take a cycle without a command; returns the error its extrapolation raises, or None."""
        if self._frozen is None:
            self._frozen = self.ddq
        dq = self.dq + self._frozen * DT
        return self._advance(self.q + dq * DT, dq, self._frozen)

    def _advance(self, q: float, dq: float, ddq: float) -> str | None:
        jerk = (ddq - self.ddq) / DT
        if abs(ddq) > MAX_ACCELERATION:
            return VELOCITY_DISCONTINUITY
        if abs(jerk) > MAX_JERK:
            return ACCELERATION_DISCONTINUITY
        self.q, self.dq, self.ddq = q, dq, ddq
        return None
