"""MCAP files with cycles and events: writing them, and reading them back.

The only module that knows MCAP. Times in a file are simulated: cycle n stands at n milliseconds.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from franka_sim.config import ConfigError
from franka_sim.record import schema

CYCLES, EVENTS = "/franka_sim/cycle", "/franka_sim/event"
#: Name of the metadata record, and the version of what is in it.
ABOUT, FORMAT = "franka_sim", "1"
_NS_PER_CYCLE = 1_000_000
_EVENT_SCHEMA = {
    "title": "franka_sim.Event",
    "type": "object",
    "properties": {
        "kind": {
            "type": "string",
            "description": "motion_started, motion_ended, violation, notice",
        },
        "cycle": {"type": "integer", "description": "number of the state it is about [ms]"},
        "status": {"type": "integer", "description": "wire number of a Move's status"},
        "data": {"type": "object", "description": "what is known of it"},
    },
}


def library() -> Any:
    """Return the module mcap.

    Raises:
        ConfigError: when it is not installed.
    """
    try:
        import mcap
        import mcap.reader
        import mcap.writer
    except ImportError:
        raise ConfigError("recording needs mcap; install franka-sim-rt[record]") from None
    return mcap


def plain(value: Any) -> Any:
    """Return `value` as JSON has it: no tuples, and None for what is no number."""
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


class Writer:
    """One file that is being written. One thread.

    Args:
        stream: where the bytes go; owned from now on.
        about: facts of the run as texts, e.g. the configuration.
    """

    def __init__(self, stream: IO[bytes], about: Mapping[str, str]) -> None:
        self._stream = stream
        self._writer: Any = library().writer.Writer(stream)
        self._writer.start(profile="", library="franka_sim")
        cycle = self._writer.register_schema(
            schema.NAME, schema.SCHEMA_ENCODING, schema.text().encode()
        )
        event = self._writer.register_schema(
            "franka_sim.Event", "jsonschema", json.dumps(_EVENT_SCHEMA).encode()
        )
        self._cycles = self._writer.register_channel(CYCLES, schema.MESSAGE_ENCODING, cycle)
        self._events = self._writer.register_channel(EVENTS, "json", event)
        self._writer.add_metadata(ABOUT, {"format": FORMAT, **about})

    def cycles(self, rows: npt.NDArray[np.void]) -> None:
        """Write rows of the history, (N,)."""
        for row in schema.pack(rows):
            number = int(row["message_id"])
            time = number * _NS_PER_CYCLE
            self._writer.add_message(
                self._cycles, time, schema.message(row), time, sequence=number & 0xFFFFFFFF
            )

    def event(self, kind: str, cycle: int, status: int, data: Mapping[str, Any]) -> None:
        """Write one event of the core."""
        time = cycle * _NS_PER_CYCLE
        text = json.dumps(
            {"kind": kind, "cycle": cycle, "status": status, "data": plain(data)}, allow_nan=False
        )
        self._writer.add_message(self._events, time, text.encode(), time)

    def close(self, facts: Mapping[str, str] | None = None) -> None:
        """Write what a reader needs to find its way, and close the file."""
        if facts:
            self._writer.add_metadata(f"{ABOUT}_end", dict(facts))
        self._writer.finish()
        self._stream.close()


@dataclass(frozen=True)
class Recording:
    """What a file holds.

    Attributes:
        path: the file.
        rows: (N,) cycles in order; fields as in `schema.packed()`.
        events: what happened, in order: kind, cycle, status, data.
        about: facts of the run as texts.
    """

    path: Path
    rows: npt.NDArray[np.void]
    events: tuple[Mapping[str, Any], ...]
    about: Mapping[str, str]

    def of_kind(self, kind: str) -> list[Mapping[str, Any]]:
        """Return the events of one kind, oldest first."""
        return [event for event in self.events if event["kind"] == kind]


def read(path: Path) -> Recording:
    """Return everything in a file.

    Raises:
        ConfigError: when it cannot be read, or was written by something else.
    """
    mcap = library()
    about: dict[str, str] = {}
    rows: list[npt.NDArray[np.void]] = []
    events: list[Mapping[str, Any]] = []
    try:
        with path.open("rb") as stream:
            reader = mcap.reader.make_reader(stream)
            for metadata in reader.iter_metadata():
                if metadata.name.startswith(ABOUT):
                    about |= metadata.metadata
            for message_schema, channel, message in reader.iter_messages([CYCLES, EVENTS]):
                if channel.topic == EVENTS:
                    events.append(json.loads(message.data))
                    continue
                if message_schema.data.decode() != schema.text():
                    raise ConfigError(f"{path}: recorded by another version of franka_sim")
                rows.append(schema.unpack(message.data))
    except OSError as error:
        if error.filename is not None:
            raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
        # The reader sought the end of something shorter than any recording.
        raise ConfigError(f"{path}: is no recording of franka_sim: it is too short") from None
    except (ValueError, EOFError, mcap.exceptions.McapError) as error:
        why = str(error) or "it ends too early"
        raise ConfigError(f"{path}: is no recording of franka_sim: {why}") from None
    if not rows and not events:
        raise ConfigError(f"{path}: holds no cycle of franka_sim")
    table = np.array(rows, schema.packed()) if rows else np.zeros(0, schema.packed())
    return Recording(path, table, tuple(events), about)
