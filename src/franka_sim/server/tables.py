"""The seam of protocol versions: command ids, sizes and statuses as the core's tables give them.

Above this file nobody names a version. The only numbers written here are those that are the same in
every version: header, Connect and its reply, of the robot (v2 to v10; wire.md 1.1, 1.2, 2.2) and of
what speaks the same grammar in other sizes (grippers: wire.md 4).
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from franka_sim import _engine

#: command id, command_id (the client's running number), size of the whole message; u32 each.
HEADER = struct.Struct("<III")

CONNECT_ID = 0
#: version, UDP port of the client; u16 each.
CONNECT = struct.Struct("<HH")
CONNECT_SIZE = HEADER.size + CONNECT.size
#: status u8, version of the server u16.
CONNECT_REPLY = struct.Struct("<BH")


@dataclass(frozen=True)
class Grammar:
    """How messages are built: the parts that do not depend on the command.

    Attributes:
        header: command id, command_id, size of the whole message.
        connect_reply: status, version of the server.
        status: how any other reply begins.
    """

    header: struct.Struct
    connect_reply: struct.Struct
    status: struct.Struct

    @property
    def connect_size(self) -> int:
        """Size in bytes of a whole Connect."""
        return self.header.size + CONNECT.size


ROBOT = Grammar(HEADER, CONNECT_REPLY, struct.Struct("<B"))

SUCCESS = "kSuccess"
MOTION_STARTED = "kMotionStarted"
NOT_POSSIBLE = "kCommandNotPossibleRejected"
INVALID_ARGUMENT = "kInvalidArgumentRejected"
ABORTED = "kAborted"
INCOMPATIBLE = "kIncompatibleLibraryVersion"
FAIL = "kFail"
#: What ends another command may always be asked for, and is told that it worked.
STOPS = ("StopMove", "Stop")


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

        Falls back to the command's word for "no".
        """
        for status in (*preferred, NOT_POSSIBLE, FAIL):
            if status in self.statuses:
                return self.statuses[status]
        raise KeyError(f"{self.name} has no way to be rejected")


@dataclass(frozen=True)
class CommandTable:
    """All commands of one version, by id, and the grammar of their messages."""

    version: int
    by_id: Mapping[int, Command]
    grammar: Grammar = ROBOT

    def named(self, name: str) -> Command:
        """Return the command called `name`; KeyError when this version has none."""
        for command in self.by_id.values():
            if command.name == name:
                return command
        raise KeyError(name)

    @property
    def unknown_rejection(self) -> int:
        """Status number that answers a command id nobody knows.

        A stop exists in every version and all commands with a short list of statuses agree with
        its number (wire.md 1.4).
        """
        stop = next(command for command in self.by_id.values() if command.name in STOPS)
        return stop.rejection()

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
    return CommandTable(version, by_id(_engine.commands(version)))


def by_id(rows: Mapping[str, Mapping[str, Any]]) -> Mapping[int, Command]:
    """Return the commands of a table of the core."""
    commands = (
        Command(name, row["id"], row["request_size"], row["reply_size"], dict(row["statuses"]))
        for name, row in rows.items()
    )
    return {command.id: command for command in commands}
