"""Who looks on while a robot runs: the log, the timing report, the recorder.

Hands each event to all of them and ends them in the right order. Must not decide what they say.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from franka_sim.config import Config, ConfigError
from franka_sim.log.narrator import Narrator
from franka_sim.log.setup import logger
from franka_sim.metrics import Timing, report
from franka_sim.server.door import EngineEvent

if TYPE_CHECKING:
    from franka_sim.record.recorder import Recorder


class Watchers:
    """The onlookers that a configuration asks for.

    Args:
        config: a complete configuration.

    Raises:
        ConfigError: when something cannot be written where it should be, or a package is missing.
    """

    def __init__(self, config: Config) -> None:
        self._config = config
        self._narrator = Narrator()
        self._report = _timing_report(config)
        _check_recording(config)
        self._recorder: Recorder | None = None

    def begin(self, history: Callable[[int | None], npt.NDArray[np.void]]) -> None:
        """Start those that follow the history; the robot has published its first state.

        Args:
            history: the newest n cycles.

        Raises:
            ConfigError: when a recording cannot be written where it should be.
        """
        config = self._config
        if config.record is None and config.record_on_error is None:
            return
        from franka_sim.record.recorder import Recorder

        about = {"robot": config.robot, "options": json.dumps(dict(config.values), default=str)}
        file, folder = config.record, config.record_on_error
        try:
            self._recorder = Recorder(
                history,
                config.history,
                about,
                Path(file) if file is not None else None,
                Path(folder) if folder is not None else None,
            )
        except OSError as error:
            name = config.name("record_on_error" if folder is not None else "record")
            raise ConfigError(
                f"{name}: {error.filename} cannot be written: {error.strerror}"
            ) from None

    def tell(self, event: EngineEvent) -> None:
        """Hand `event` of the core to everybody. Loop thread only."""
        self._narrator.tell(event)
        if event.kind == "motion_ended" and self._report is not None:
            self._report.ended(event.cycle, event.data)
        if self._recorder is not None and event.kind != "reply":
            self._recorder.event(event.kind, event.cycle, event.status, event.data)

    def end(self, timing: Callable[[], Timing]) -> None:
        """Write what is still to be written; the cycle has ended."""
        if self._recorder is not None:
            self._recorder.stop()
        if self._report is None:
            return
        path = Path(self._config.timing_report)
        try:
            report.write(path, self._report.as_dict(timing()))
        except OSError as error:
            # The run is over; what it measured is lost, but not what it did.
            logger().error("the timing report cannot be written", path=str(path), why=str(error))


def _timing_report(config: Config) -> report.TimingReport | None:
    if config.timing_report is None:
        return None
    path = Path(config.timing_report)
    why = report.refusal(path)
    if why:
        raise ConfigError(f"{config.name('timing_report')}: {path} cannot be written: {why}")
    return report.TimingReport()


def _check_recording(config: Config) -> None:
    """Raise ConfigError for a recording that could not be made, before the robot starts."""
    wanted = [key for key in ("record", "record_on_error") if config.values[key] is not None]
    if not wanted:
        return
    from franka_sim.record.files import library

    library()
    if config.record is not None:
        path = Path(config.record)
        why = report.refusal(path)
        if why:
            raise ConfigError(f"{config.name('record')}: {path} cannot be written: {why}")
    if config.record_on_error is not None and Path(config.record_on_error).is_file():
        raise ConfigError(
            f"{config.name('record_on_error')}: {config.record_on_error} is a file, not a folder"
        )
