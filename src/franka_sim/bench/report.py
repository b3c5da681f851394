"""What a figure is: reference, server, their ratio over the pairs, and the bound it is held to.

Values in, table or JSON out. Must not measure anything.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

#: Fewer pairs than this say little: an outlier is then a third of the evidence.
ENOUGH_PAIRS = 5


@dataclass(frozen=True)
class Bound:
    """A limit on the median ratio or on the server's median figure; inclusive.

    Attributes:
        of: what is limited.
        side: whether the limit is the most or the least.
        limit: in the unit of what is limited.
        aim: whether it is an aim, wished for, or a bound, promised.
    """

    of: Literal["ratio", "server"]
    side: Literal["<=", ">="]
    limit: float
    aim: bool = False

    def met(self, value: float) -> bool:
        """Return whether `value` keeps it."""
        return value <= self.limit if self.side == "<=" else value >= self.limit

    def words(self, unit: str) -> str:
        """Return it as a person reads it."""
        what = "ratio" if self.of == "ratio" else "aim" if self.aim else "server"
        return f"{what} {self.side} {number(self.limit)}" + (f" {unit}" if what != "ratio" else "")


@dataclass(frozen=True)
class Row:
    """One figure.

    Attributes:
        name: group and condition, e.g. ``realtime.idle``.
        what: what both figures are, in a few words.
        unit: of both figures.
        against: what the reference is, in a few words.
        reference, server: figures of the runs; entry i of both is pair i.
        bounds: all of them must be kept.
        notes: conditions a reader needs.
    """

    name: str
    what: str
    unit: str
    against: str
    reference: Sequence[float]
    server: Sequence[float]
    bounds: Sequence[Bound] = ()
    notes: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len(self.reference) != len(self.server) or not self.server:
            raise ValueError(f"{self.name}: a pair is a reference and a server figure")

    @property
    def ratios(self) -> list[float]:
        """Server over reference, a pair each."""
        return [
            s / r if r else float("inf") for r, s in zip(self.reference, self.server, strict=True)
        ]

    @property
    def met(self) -> bool | None:
        """Whether all bounds are kept; None without one."""
        if not self.bounds:
            return None
        value = {
            "ratio": statistics.median(self.ratios),
            "server": statistics.median(self.server),
        }
        return all(bound.met(value[bound.of]) for bound in self.bounds)

    def as_json(self) -> dict[str, Any]:
        """Return all of it, raw figures included."""
        ratios = self.ratios
        return {
            "name": self.name,
            "what": self.what,
            "unit": self.unit,
            "reference": statistics.median(self.reference),
            "reference_is": self.against,
            "server": statistics.median(self.server),
            "ratio": {"median": statistics.median(ratios), "min": min(ratios), "max": max(ratios)},
            "pairs": [list(pair) for pair in zip(self.reference, self.server)],  # noqa: B905
            "bounds": [bound.words(self.unit) for bound in self.bounds],
            "met": self.met,
            "notes": dict(self.notes),
        }


@dataclass(frozen=True)
class Latency:
    """A histogram of a live cycle, from the server's own history.

    Attributes:
        name: condition.
        what: what the times are.
        figures: min, mean, p50, p99, p99.9, max [us].
        cycles: how many they are of.
        slips: times that a stall moved the grid, since the server's start.
        policy: scheduling of the cycle, as obtained.
    """

    name: str
    what: str
    figures: Mapping[str, float]
    cycles: int
    slips: int
    policy: str

    def as_json(self) -> dict[str, Any]:
        """Return all of it."""
        return {
            "name": self.name,
            "what": self.what,
            "unit": "us",
            **self.figures,
            "cycles": self.cycles,
            "slips": self.slips,
            "policy": self.policy,
        }


@dataclass
class Findings:
    """What measurements add to."""

    rows: list[Row] = field(default_factory=list)
    latencies: list[Latency] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)


def number(value: float) -> str:
    """Return a figure with three digits or more that mean something."""
    if value == 0 or abs(value) >= 100:
        return f"{value:.0f}"
    return f"{value:.3g}"


def table(findings: Findings, pairs: int) -> str:
    """Return the report as plain text."""
    head = ("name", "reference", "server", "unit", "ratio (min, max)", "bound", "met")
    lines: list[tuple[str, ...]] = [head]
    for row in findings.rows:
        j = row.as_json()
        ratio = j["ratio"]
        lines.append(
            (
                row.name,
                number(j["reference"]),
                number(j["server"]),
                row.unit,
                f"{ratio['median']:.2f} ({ratio['min']:.2f}, {ratio['max']:.2f})",
                ", ".join(j["bounds"]) or "-",
                {True: "yes", False: "NO", None: "-"}[row.met],
            )
        )
    parts = [columns(lines)] if findings.rows else []
    if findings.rows and pairs < ENOUGH_PAIRS:
        parts.append(f"{pairs} pairs: fewer than {ENOUGH_PAIRS}, good for a first look only.")
    if findings.latencies:
        names = tuple(findings.latencies[0].figures)
        lines = [("live cycle [us]", *names, "cycles", "slips", "policy")]
        for entry in findings.latencies:
            figures = (f"{entry.figures[name]:.1f}" for name in names)
            lines.append(
                (
                    f"{entry.name}: {entry.what}",
                    *figures,
                    str(entry.cycles),
                    str(entry.slips),
                    entry.policy,
                )
            )
        parts.append(columns(lines))
    about = [
        f"  {row.name:<{_widest(findings.rows)}}  {row.what}; reference: {row.against}"
        for row in findings.rows
    ]
    if about:
        parts.append("\n".join(about))
    parts += [f"{name}: not measured, {why}" for name, why in findings.skipped.items()]
    return "\n\n".join(parts)


def columns(lines: Sequence[Sequence[str]]) -> str:
    """Return rows of cells as aligned text with a rule under the first row."""
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    texts = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    ]
    return "\n".join([texts[0], "-" * max(map(len, texts)), *texts[1:]])


def _widest(rows: Sequence[Row]) -> int:
    return max((len(row.name) for row in rows), default=0)
