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


_BRAKING = {"upper", "lower", "velocity", "velocity_offset", "deceleration"}


class PlainTrajectoryJudge:
    """Judges whole joint trajectories on an exact wire, from rest; gaps stay below 20 cycles.

    Source of the rows and their order: reference 000, "What is checked, and what it latches"; of
    the extrapolation: "What the sim does with a lost cycle". `limits` are seven numbers a name.
    """

    def __init__(self, generator: str, limits: dict, q: Iterable[float]) -> None:
        self._judge_one = getattr(self, "_" + generator)
        self._keeps = generator == "torque"
        self._limits = limits
        self._first = True
        self.q = list(q)
        self.dq, self.ddq, self.tau = [0.0] * 7, [0.0] * 7, [0.0] * 7

    def judge(
        self, samples: Iterable[Iterable[float]], lost: Iterable[bool]
    ) -> list[tuple[str, int] | None]:
        """The first broken row of each sample and its joint (from 0), or None."""
        verdicts: list[tuple[str, int] | None] = []
        for sample, missing in zip(samples, lost, strict=True):
            if missing and self._first:
                verdicts.append(None)
            elif missing:
                verdicts.append(self._lose())
            else:
                verdicts.append(self._judge_one([float(x) for x in sample]))
                self._first = False
        return verdicts

    def _lose(self) -> tuple[str, int] | None:
        if self._keeps:
            return self._torque(self.tau)
        dq = [v + a * DT for v, a in zip(self.dq, self.ddq, strict=True)]
        q = [x + v * DT for x, v in zip(self.q, dq, strict=True)]
        if self._judge_one == self._joint_position:
            return self._positions(q, dq, list(self.ddq))
        return self._velocities(q, dq, list(self.ddq))

    def _joint_position(self, sample: list[float]) -> tuple[str, int] | None:
        dq = [(new - old) / DT for new, old in zip(sample, self.q, strict=True)]
        ddq = [(new - old) / DT for new, old in zip(dq, self.dq, strict=True)]
        return self._positions(sample, dq, ddq)

    def _positions(self, q: list[float], dq: list[float], ddq: list[float]):
        limits = self._limits
        steps = [abs(new - old) for new, old in zip(q, self.q, strict=True)]
        rows = [
            ("range", [max(x - limits["upper"][i], limits["lower"][i] - x, 0.0)
                       for i, x in enumerate(q)]),
            ("start", [max(step - 0.1, 0.0) if self._first else 0.0 for step in steps]),
            ("acceleration", self._over("acceleration", ddq)),
            ("velocity", self._outside_the_envelope(dq)),
            ("jerk", self._over("jerk", self._jerk(ddq))),
        ]  # fmt: skip
        self.q, self.dq, self.ddq = q, dq, ddq
        return _first_broken(rows)

    def _joint_velocity(self, sample: list[float]) -> tuple[str, int] | None:
        ddq = [(new - old) / DT for new, old in zip(sample, self.dq, strict=True)]
        q = [x + v * DT for x, v in zip(self.q, sample, strict=True)]
        return self._velocities(q, sample, ddq)

    def _velocities(self, q: list[float], dq: list[float], ddq: list[float]):
        steps = [abs(new - old) for new, old in zip(dq, self.dq, strict=True)]
        rows = [
            ("start", [max(step - 0.1, 0.0) if self._first else 0.0 for step in steps]),
            ("acceleration", self._over("acceleration", ddq)),
            ("jerk", self._over("jerk", self._jerk(ddq))),
            ("velocity", self._outside_the_envelope(dq)),
        ]
        self.q, self.dq, self.ddq = q, dq, ddq
        return _first_broken(rows)

    def _torque(self, sample: list[float]) -> tuple[str, int] | None:
        rates = [(new - old) / DT for new, old in zip(sample, self.tau, strict=True)]
        rows = [
            ("range", self._over("torque", sample)),
            ("rate", self._over("torque_rate", rates)),
        ]
        self.tau = sample
        return _first_broken(rows)

    def _jerk(self, ddq: list[float]) -> list[float]:
        return [(new - old) / DT for new, old in zip(ddq, self.ddq, strict=True)]

    def _over(self, name: str, values: list[float]) -> list[float]:
        return [max(abs(x) - self._limits[name][i], 0.0) for i, x in enumerate(values)]

    def _outside_the_envelope(self, dq: list[float]) -> list[float]:
        """How far each joint is faster than it could brake from before its stop."""
        over = []
        for i, v in enumerate(dq):
            limit = {name: values[i] for name, values in self._limits.items() if name in _BRAKING}
            way = limit["upper"] - self.q[i] if v > 0 else self.q[i] - limit["lower"]
            braking = math.sqrt(max(0.0, 2 * limit["deceleration"] * way))
            top = min(max(braking - limit["velocity_offset"], 0.0), limit["velocity"])
            over.append(max(abs(v) - top, 0.0))
        return over


def _first_broken(rows: list[tuple[str, list[float]]]) -> tuple[str, int] | None:
    for name, over in rows:
        if max(over) > 0:
            return name, over.index(max(over))
    return None
