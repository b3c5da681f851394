"""The timing report: one JSON file with every motion's figures and the connection's histograms.

Collects as motions end, writes when the server stops; must not wait for a cycle that has ended.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from franka_sim.metrics.timing import Timing

#: Motions that are kept; chosen: a night of one-second motions, 20 MB.
MOST_MOTIONS = 50_000


class TimingReport:
    """Remembers the summaries of motions. Any thread."""

    def __init__(self) -> None:
        self._motions: deque[dict[str, Any]] = deque(maxlen=MOST_MOTIONS)
        self._ended = 0
        self._lock = threading.Lock()

    def ended(self, cycle: int, data: Mapping[str, Any]) -> None:
        """Take the event of a motion that ended in the state of `cycle`."""
        summary = {key: data[key] for key in ("motion", "ended", "errors")}
        summary["ended_at_cycle"] = cycle
        for key, value in data["timing"].items():
            name, microseconds = key.removesuffix("_ns"), key.endswith("_ns")
            summary[f"{name}_us" if microseconds else key] = value / 1e3 if microseconds else value
        with self._lock:
            self._ended += 1
            self._motions.append(summary)

    def as_dict(self, timing: Timing | None) -> dict[str, Any]:
        """Return the whole report as values for JSON; `timing` is the newest certificate."""
        with self._lock:
            motions, ended = list(self._motions), self._ended
        report: dict[str, Any] = {
            "format": "franka_sim timing report 1",
            "motions_ended": ended,
            "motions": motions,
        }
        if timing is not None:
            report["last_motion"] = {"motion": timing.number, **timing.motion.as_dict()}
            report["connection"] = timing.connection.as_dict()
        return report


def write(path: Path, report: Mapping[str, Any]) -> None:
    """Write `report` to `path` in one piece: a reader never sees half of it.

    Raises:
        OSError: when the file cannot be written.
    """
    path = path.resolve()  # a link stays one
    draft = _draft(path)
    draft.write_text(json.dumps(report, indent=1) + "\n")
    draft.replace(path)


def _draft(path: Path) -> Path:
    return path.with_name(path.name + ".part")


def refusal(path: Path) -> str:
    """Return why a file cannot be written to `path`; empty when it can. Tries it."""
    path = path.resolve()
    if path.is_dir():
        return f"{path} is a folder"
    if path.exists() and not path.is_file():
        return f"{path} is not a regular file"
    if not path.parent.is_dir():
        return f"{path.parent} is no folder"
    try:
        _draft(path).touch()
        _draft(path).unlink()
    except OSError as error:
        return error.strerror or str(error)
    return ""
