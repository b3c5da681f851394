"""What the cycle measured of itself and its client: latencies, and who lost what.

Reads the core's certificates; must not measure anything itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

#: Quantiles of reports and of the text.
QUANTILES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p99.9": 0.999}


@cache
def _bounds() -> npt.NDArray[np.uint64]:
    from franka_sim import _engine

    return _engine.histogram_bounds()


@dataclass(frozen=True)
class Latency:
    """Durations in fixed bins, each known to a 32nd part of itself; nanoseconds.

    Attributes:
        counts: (bins,) number of durations in each bin; its upper bounds are `bounds`.
        count: number of durations.
        mean_ns, lowest_ns, highest_ns: exact; 0 without durations.
    """

    counts: npt.NDArray[np.uint64]
    count: int
    mean_ns: float
    lowest_ns: int
    highest_ns: int

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> Latency:
        """Return the histogram that the core handed over."""
        counts = raw["counts"]
        count = int(counts.sum())
        mean = raw["sum_ns"] / count if count else 0.0
        return cls(counts, count, mean, raw["lowest_ns"], raw["highest_ns"])

    @property
    def bounds(self) -> npt.NDArray[np.uint64]:
        """(bins,) largest duration of each bin [ns]."""
        return _bounds()

    def quantile_ns(self, share: float) -> int:
        """Return the duration that `share` (0 to 1) of all do not exceed; 0 without durations.

        Raises:
            ValueError: when `share` is no number from 0 to 1.
        """
        if not 0 <= share <= 1:
            raise ValueError(f"share: {share} is not allowed; it must be a number from 0 to 1")
        if not self.count:
            return 0
        below = np.cumsum(self.counts)
        wanted = max(1, int(np.ceil(share * self.count)))
        upper = int(self.bounds[int(np.searchsorted(below, wanted))])
        return min(max(upper, self.lowest_ns), self.highest_ns)

    def between(self, low_ns: float, high_ns: float) -> int:
        """Return how many durations lie in bins whose upper bounds are within the two limits."""
        chosen = (self.bounds >= low_ns) & (self.bounds <= high_ns)
        return int(self.counts[chosen].sum())

    def as_dict(self) -> dict[str, Any]:
        """Return figures in microseconds, and the occupied bins, for JSON."""
        figures = {name: self.quantile_ns(share) / 1e3 for name, share in QUANTILES.items()}
        occupied = np.flatnonzero(self.counts)
        return {
            "unit": "us",
            "count": self.count,
            "min": self.lowest_ns / 1e3,
            "mean": self.mean_ns / 1e3,
            **figures,
            "max": self.highest_ns / 1e3,
            "bins": [[int(self.bounds[i]) / 1e3, int(self.counts[i])] for i in occupied],
        }


@dataclass(frozen=True)
class Certificate:
    """One motion, or one connection.

    Attributes:
        server_late: from when a state was due to when it left; zero in lockstep, where none is due.
        reaction: from a state leaving to its answer arriving, by the kernel's stamps of both; empty
            in lockstep.
        round_trip: from a state being due to its answer being taken by the cycle.
        cycles: cycles that were owed an answer.
        fresh, late, duplicate, unpublished: what came, by its echo.
        lost: cycles without an answer in time.
        late_states: states that left more than a tenth of a period late.
        culprits: of the lost cycles, by who caused it: ``server late``, ``client late``, ``never
            arrived``, ``wrong echo``, ``planned``. While a motion runs some may still be open.
    """

    server_late: Latency
    reaction: Latency
    round_trip: Latency
    cycles: int
    fresh: int
    late: int
    duplicate: int
    unpublished: int
    lost: int
    late_states: int
    culprits: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> Certificate:
        """Return the certificate that the core handed over."""
        numbers = dict(raw)
        latencies = {
            key: Latency.of(numbers.pop(key)) for key in ("server_late", "reaction", "round_trip")
        }
        known: dict[str, Any] = {**latencies, **numbers}
        return cls(**known)

    def as_dict(self) -> dict[str, Any]:
        """Return everything as values for JSON."""
        return {
            key: value.as_dict() if isinstance(value, Latency) else value
            for key, value in self.__dict__.items()
        }


@dataclass(frozen=True)
class Timing:
    """What `Simulation.timing()` returns.

    Attributes:
        motion: the running motion, or the one that ended last; empty before the first.
        connection: everything since the client connected.
        number: running number of that motion.
    """

    motion: Certificate
    connection: Certificate
    number: int

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> Timing:
        """Return what the core handed over."""
        return cls(Certificate.of(raw["motion"]), Certificate.of(raw["connection"]), raw["number"])


def sentence(summary: Mapping[str, Any]) -> str:
    """Return the one line that a motion's end is told with.

    Args:
        summary: the numbers that come with the event ``motion_ended``.
    """
    lost = f"{summary['lost']} of {summary['cycles']} cycles lost"
    by = [f"{name} {count}" for name, count in summary["culprits"].items() if count]
    if by:
        lost += f" ({', '.join(by)})"
    parts = [lost]
    if summary["reaction_max_ns"]:
        parts.append(
            "client's reaction p50 {:.0f} p99 {:.0f} max {:.0f} us".format(
                *(summary[f"reaction_{name}_ns"] / 1e3 for name in ("p50", "p99", "max"))
            )
        )
    if summary["server_late_max_ns"]:
        parts.append(
            "states late by p99 {:.0f} max {:.0f} us".format(
                *(summary[f"server_late_{name}_ns"] / 1e3 for name in ("p99", "max"))
            )
        )
    return "; ".join(parts)
