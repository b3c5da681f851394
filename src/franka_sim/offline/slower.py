"""How much slower a refused motion would have to be: same path, stretched in time, judged again.

Between samples stands a cubic spline (it starts at rest, as every motion does), whose acceleration
has no steps of its own. Positions and poses are read off it later, velocities also made smaller by
the factor, so that the path stays what it was. Torques keep their values and change more slowly.
Cycles that are lost stay lost: they belong to the network, not to the motion.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from franka_sim.offline.trajectory import Trajectory

#: Chosen: what has to be slower than this is another motion.
MOST = 16.0
#: Chosen: steps of the search for a factor that passes, and how near to the least it then comes.
_GROWTH = 1.25
_NEAR = 1.001


def find(trajectory: Trajectory, accepted: Callable[[Trajectory], bool]) -> float | None:
    """Return the least factor found at which `accepted`, or None.

    The factor returned has been judged; the next lower one tried, at most 0.1 % less, was refused.
    """
    if len(trajectory) < 2 or not np.isfinite(trajectory.samples).all():
        return None
    splines = _Splines.through(trajectory)
    low = high = 1.0
    while True:
        high = min(high * _GROWTH, MOST)
        if accepted(splines.stretched(high)):
            break
        if high >= MOST:
            return None
        low = high
    while high / low > _NEAR:
        middle = (low * high) ** 0.5
        if accepted(splines.stretched(middle)):
            high = middle
        else:
            low = middle
    return high


def stretched(trajectory: Trajectory, factor: float) -> Trajectory:
    """Return the motion `factor` times slower, sampled every cycle."""
    return _Splines.through(trajectory).stretched(factor)


@dataclass(frozen=True)
class _Spline:
    """Values at whole cycles and the second derivatives that make a spline of them."""

    values: NDArray[np.float64]
    bends: NDArray[np.float64]

    @staticmethod
    def through(values: NDArray[np.float64]) -> _Spline:
        """Solve b[k-1] + 4 b[k] + b[k+1] = 6 (second difference): no slope at the start, no bend at
        the end."""
        right = np.zeros_like(values)
        right[0] = 6.0 * (values[1] - values[0])
        right[1:-1] = 6.0 * (values[2:] - 2.0 * values[1:-1] + values[:-2])
        ratios = np.empty(len(values))
        ratios[0] = 0.5
        right[0] *= 0.5
        for k in range(1, len(values) - 1):
            ratios[k] = 1.0 / (4.0 - ratios[k - 1])
            right[k] = (right[k] - right[k - 1]) * ratios[k]
        for k in range(len(values) - 2, -1, -1):
            right[k] -= ratios[k] * right[k + 1]
        return _Spline(values, right)

    def at(self, cycles: NDArray[np.float64]) -> NDArray[np.float64]:
        k = np.minimum(cycles.astype(np.int64), len(self.values) - 2)
        t = (cycles - k)[:, None]
        near, far = self.values[k], self.values[k + 1]
        bend = (1.0 - t) * t * ((t - 2.0) * self.bends[k] - (1.0 + t) * self.bends[k + 1]) / 6.0
        result: NDArray[np.float64] = near + t * (far - near) + bend
        return result


@dataclass(frozen=True)
class _Splines:
    trajectory: Trajectory
    samples: _Spline
    elbows: _Spline | None

    @staticmethod
    def through(trajectory: Trajectory) -> _Splines:
        elbows = None if trajectory.elbows is None else _Spline.through(trajectory.elbows[:, :1])
        return _Splines(trajectory, _Spline.through(trajectory.samples), elbows)

    def stretched(self, factor: float) -> Trajectory:
        old = self.trajectory
        last = len(old) - 1
        # Ends on the last sample, at the first cycle at or after its stretched time.
        count = int(np.ceil(last * factor)) + 1
        cycles = np.minimum(np.arange(count) / factor, last)
        samples = self.samples.at(cycles)
        if old.generator.endswith("velocity"):
            samples /= factor
        elif old.generator == "cartesian-pose":
            samples = _frames(samples)
        elbows = None
        if self.elbows is not None and old.elbows is not None:
            # The branch is a sign: that of the sample before.
            elbows = np.column_stack([self.elbows.at(cycles), old.elbows[cycles.astype(int), 1]])
        lost = np.zeros(count, bool)
        kept = min(count, len(old))
        lost[:kept] = old.lost[:kept]
        return Trajectory(old.generator, samples, elbows, lost)


def _frames(samples: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return nearly rigid transforms made rigid: two Newton steps towards the nearest rotation."""
    frames = samples.reshape(-1, 4, 4).copy()  # column by column: [column][row]
    turn = frames[:, :3, :3]
    for _ in range(2):
        turn = 1.5 * turn - 0.5 * turn @ turn.transpose(0, 2, 1) @ turn
    frames[:, :3, :3] = turn
    frames[:, :, 3] = (0.0, 0.0, 0.0, 1.0)
    return frames.reshape(-1, 16)
