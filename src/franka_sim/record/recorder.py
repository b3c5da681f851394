"""Follows a running robot into files: all of a run, or the last seconds before each error.

A thread of its own that reads the history; when the disk is too slow, cycles are missing in the
file and counted. Never waits for the cycle, nor the cycle for it.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from franka_sim.log.setup import logger
from franka_sim.record.files import Writer

#: Pause between two looks at the history [s]; chosen: a tenth of the default history in lockstep at
#: 20 times real time.
_LOOK_EVERY = 0.05
#: Cycles after an error that belong to its recording; chosen: the arm has come to rest by then.
AFTER_ERROR = 500
#: Files of errors that one run writes; chosen: a client that fails for a night fills no disk.
MOST_ERROR_FILES = 100

History = Callable[[int | None], npt.NDArray[np.void]]


class Recorder:
    """Writes recordings of one robot until `stop`. Runs when constructed.

    Args:
        history: the newest n cycles of the robot, oldest first, as `Simulation.history`.
        capacity: cycles that the history holds.
        about: facts of the run as texts.
        file: all cycles and events go there; None: not wanted.
        error_folder: the last cycles before and after each error go there, a file each.

    Raises:
        OSError: when a file or folder cannot be made.
    """

    def __init__(
        self,
        history: History,
        capacity: int,
        about: Mapping[str, str],
        file: Path | None = None,
        error_folder: Path | None = None,
    ) -> None:
        self._history = history
        self._capacity = capacity
        self._about = about
        self._folder = error_folder
        self._events: deque[tuple[str, int, int, Mapping[str, Any]]] = deque()
        self._recent: deque[tuple[str, int, int, Mapping[str, Any]]] = deque(maxlen=1000)
        self._errors: deque[tuple[int, str]] = deque()
        self._written = 0  # number of the newest cycle in the file
        self._missing = 0
        self._files = 0
        self._failed = False
        if error_folder is not None:
            error_folder.mkdir(parents=True, exist_ok=True)
        self._writer = Writer(file.open("wb"), about) if file is not None else None
        self._wake = threading.Event()
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
        self._thread.start()

    @property
    def missing(self) -> int:
        """Cycles that the file lacks because the disk was too slow."""
        return self._missing

    def event(self, kind: str, cycle: int, status: int, data: Mapping[str, Any]) -> None:
        """Take one event of the core. Any thread; does not wait for the disk."""
        self._events.append((kind, cycle, status, data))
        if kind == "motion_ended" and data.get("errors") and self._folder is not None:
            self._errors.append((cycle, str(data["errors"][0])))
        self._wake.set()

    def stop(self) -> None:
        """Write what there is and close the files. Call when the cycle has ended."""
        self._stopping = True
        self._wake.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopping:
            self._wake.wait(_LOOK_EVERY)
            self._wake.clear()
            self._look(last=False)
        self._look(last=True)
        if self._writer is not None and not self._failed:
            self._guard(lambda: self._close())

    def _look(self, *, last: bool) -> None:
        self._guard(lambda: self._follow())
        self._guard(lambda: self._write_errors(last))

    def _guard(self, work: Callable[[], None]) -> None:
        """Do `work`; a full disk ends the recording, not the robot."""
        if self._failed:
            return
        try:
            work()
        except OSError as error:
            self._failed = True
            logger().error("recording ended", why=error.strerror or str(error))

    def _close(self) -> None:
        assert self._writer is not None
        self._writer.close({"cycles_missing": str(self._missing)})

    def _follow(self) -> None:
        while self._events:
            event = self._events.popleft()
            self._recent.append(event)
            if self._writer is not None:
                self._writer.event(*event)
        if self._writer is None:
            return
        newest = self._history(1)
        if not len(newest):
            return
        wanted = int(newest[0]["message_id"]) - self._written
        if wanted <= 0:
            return
        # The robot runs on between two looks: ask for more than there was, then for all.
        for n in (2 * wanted + 1000, self._capacity):
            rows = self._history(min(n, self._capacity))
            rows = rows[rows["message_id"] > self._written]
            if int(rows[0]["message_id"]) == self._written + 1:
                break
        self._missing += int(rows[-1]["message_id"]) - self._written - len(rows)
        self._writer.cycles(rows)
        self._written = int(rows[-1]["message_id"])

    def _write_errors(self, last: bool) -> None:
        while self._errors:
            cycle, name = self._errors[0]
            newest = self._history(1)
            if not last and (not len(newest) or newest[0]["message_id"] < cycle + AFTER_ERROR):
                return
            self._errors.popleft()
            if self._files == MOST_ERROR_FILES:
                logger().warning("no more recordings of errors", files=self._files)
                return
            self._files += 1
            self._write_error(cycle, name)

    def _write_error(self, cycle: int, name: str) -> None:
        assert self._folder is not None
        path = self._folder / f"{cycle:010d}-{name}.mcap"
        rows = self._history(None)
        rows = rows[rows["message_id"] <= cycle + AFTER_ERROR]
        writer = Writer(path.open("wb"), self._about)
        writer.cycles(rows)
        first = int(rows[0]["message_id"]) if len(rows) else 0
        for event in self._recent:
            if first <= event[1] <= cycle + AFTER_ERROR:
                writer.event(*event)
        writer.close({"error": name, "error_cycle": str(cycle)})
        logger().info("recorded an error", error=name, cycle=cycle, file=str(path))
