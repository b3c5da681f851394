"""Counts what peers do wrong, each kind of it, and logs the first of each kind.

A peer's bad bytes are values to count, never exceptions (style.md 4).
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from franka_sim.log.setup import logger as package_logger


class FaultCounter:
    """Counters of hostile or broken input. Written by the loop thread, readable from any."""

    def __init__(self, logger: Any = None) -> None:
        self._log = package_logger() if logger is None else logger
        self._counts: Counter[str] = Counter()

    def count(self, kind: str, peer: str, detail: str) -> None:
        """Count one fault; the first of its kind is also logged."""
        self._counts[kind] += 1
        if self._counts[kind] == 1:
            self._log.warning(
                "peer broke the protocol; more of this kind are only counted",
                kind=kind,
                peer=peer,
                detail=detail,
            )

    def snapshot(self) -> dict[str, int]:
        """Return a copy of all counters, each called ``tcp_<kind>``."""
        return {f"tcp_{kind}": count for kind, count in list(self._counts.items())}
