"""How a cycle stands in a recording: a ROS 1 message, whose text names each field's unit and frame.

ROS 1, because ROS 2 allows no capital letter in a name and the fields keep theirs. The bytes are
those of a packed NumPy record, so that writing is copying.
Must not know files.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from franka_sim import _engine

#: Name of the message, and how it is encoded (https://mcap.dev/spec/registry).
NAME = "franka_sim/Cycle"
SCHEMA_ENCODING = "ros1msg"
MESSAGE_ENCODING = "ros1"

#: Fields beside the state's: meaning, unit.
_OWN = {
    "command": ("the answer that closed the cycle", ""),
    "boundary_ns": ("when the cycle began, CLOCK_MONOTONIC", "ns"),
    "deadline_ns": ("when its state was due", "ns"),
    "sent_ns": ("when its state left", "ns"),
    "arrival_ns": ("when the newest command arrived, kernel, CLOCK_REALTIME", "ns"),
    "motion": ("running number of the motion, 0 before the first", ""),
    "flags": (
        "1 answered, 2 lost, 4 a late command was applied, 8 started, 16 the world stood still, "
        "32 the loss was asked for, 64 a client is there",
        "",
    ),
    "machine_state": ("state of the motion state machine", ""),
}
#: Units of what a client commands.
_COMMAND_UNITS = {
    "message_id": "ms",
    "q_c": "rad",
    "dq_c": "rad/s",
    "O_T_EE_c": "m, column-major, in O",
    "O_dP_EE_c": "m/s, rad/s, in O",
    "elbow_c": "rad, -",
    "valid_elbow": "",
    "motion_generation_finished": "",
    "tau_J_d": "Nm",
    "torque_command_finished": "",
}
_ROS = {"f8": "float64", "u8": "uint64", "i8": "int64", "u4": "uint32", "u1": "uint8", "b1": "bool"}


def _paths() -> list[tuple[str, tuple[str, ...], np.dtype[Any], str]]:
    """Return (name, path in the history's record, type, comment) of every field."""
    meanings = {name: row for name, *row in _engine.field_meanings()}
    rows: list[tuple[str, tuple[str, ...], np.dtype[Any], str]] = []
    for name in _engine.history_dtype.names or ():
        kind = _engine.history_dtype[name]
        if name == "command":
            for inner in kind.names or ():
                comment = f"[{_COMMAND_UNITS[inner]}] commanded: the answer that closed the cycle"
                rows.append((f"command_{inner}", (name, inner), kind[inner], comment))
        elif name in meanings:
            unit, frame, origin, meaning, _ = meanings[name]
            where = f", frame {frame}" if frame else ""
            rows.append((name, (name,), kind, f"[{unit}{where}] {meaning} ({origin})"))
        else:
            meaning, unit = _OWN[name]
            rows.append((name, (name,), kind, f"[{unit}] {meaning}"))
    return rows


@cache
def packed() -> np.dtype[np.void]:
    """Return the type of one cycle as it is written: no padding."""
    return np.dtype([(name, kind.base.str, kind.shape) for name, _, kind, _ in _paths()])


@cache
def text() -> str:
    """Return the message definition: one line a field, its unit and meaning as a comment."""
    lines = [
        "# One millisecond of franka_sim: what was published at its end, and what answered it."
    ]
    for name, _, kind, comment in _paths():
        ros = _ROS[kind.base.str[1:]]
        count = f"[{int(np.prod(kind.shape))}]" if kind.shape else ""
        lines.append(f"{ros}{count} {name}  # {comment}")
    return "\n".join(lines) + "\n"


def units() -> dict[str, str]:
    """Return the unit of every field, as the message definition says it."""
    return {name: comment[1 : comment.index("]")] for name, _, _, comment in _paths()}


def pack(rows: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
    """Return rows of the history, (N,), as they are written."""
    out = np.zeros(len(rows), packed())
    for name, path, _, _ in _paths():
        column = rows
        for step in path:
            column = column[step]
        out[name] = column
    return out


def message(row: npt.NDArray[np.void]) -> bytes:
    """Return the bytes of one packed row as a message."""
    return row.tobytes()


def unpack(data: bytes) -> npt.NDArray[np.void]:
    """Return the packed row of a message.

    Raises:
        ValueError: when the bytes are no message of this schema.
    """
    if len(data) != packed().itemsize:
        raise ValueError(f"a cycle of {len(data)} bytes; this version has {packed().itemsize}")
    row: npt.NDArray[np.void] = np.frombuffer(data, packed(), count=1)[0]
    return row
