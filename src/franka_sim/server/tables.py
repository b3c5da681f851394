"""The seam of protocol versions: command ids, sizes and statuses as the core's tables give them.

Above this file nobody names a version. The only numbers written here are those that are the same in
every version (v2 to v10): header, Connect and its reply (wire.md 1.1, 1.2, 2.2).
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from franka_sim import _engine

#: command id, command_id (the client's running number), size of the whole message; u32 each.
HEADER = struct.Struct("<III")

CONNECT_ID = 0
#: version, UDP port of the client; u16 each.
CONNECT = struct.Struct("<HH")
CONNECT_SIZE = HEADER.size + CONNECT.size
#: status u8, version of the server u16.
CONNECT_REPLY = struct.Struct("<BH")

SUCCESS = "kSuccess"
MOTION_STARTED = "kMotionStarted"
NOT_POSSIBLE = "kCommandNotPossibleRejected"
INVALID_ARGUMENT = "kInvalidArgumentRejected"
ABORTED = "kAborted"
INCOMPATIBLE = "kIncompatibleLibraryVersion"


@dataclass(frozen=True)
class Command:
    """One command of one version. Sizes count the whole message, header included."""

    name: str
    id: int
    request_size: int
    reply_size: int
    statuses: Mapping[str, int]

    def rejection(self, *preferred: str) -> int:
        """Return the number of the first preferred status this command has.

        Falls back to the command's kCommandNotPossibleRejected.
        """
        for status in (*preferred, NOT_POSSIBLE):
            if status in self.statuses:
                return self.statuses[status]
        raise KeyError(f"{self.name} has no way to be rejected")


@dataclass(frozen=True)
class CommandTable:
    """All commands of one version, by id."""

    version: int
    by_id: Mapping[int, Command]

    def named(self, name: str) -> Command:
        """Return the command called `name`; KeyError when this version has none."""
        for command in self.by_id.values():
            if command.name == name:
                return command
        raise KeyError(name)

    @property
    def unknown_rejection(self) -> int:
        """Status number that answers a command id nobody knows.

        StopMove exists in every version and all commands with a short list of statuses agree with
        its number (wire.md 1.4).
        """
        return self.named("StopMove").rejection()

    @property
    def largest_request(self) -> int:
        """Size in bytes of the largest request of this version."""
        return max(command.request_size for command in self.by_id.values())


@cache
def command_table(version: int) -> CommandTable:
    """Return the command table of `version`.

    Raises:
        ValueError: when that version is not built in.
    """
    rows = _engine.commands(version)
    commands = (
        Command(name, row["id"], row["request_size"], row["reply_size"], dict(row["statuses"]))
        for name, row in rows.items()
    )
    return CommandTable(version, {command.id: command for command in commands})
