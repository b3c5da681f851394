"""The gripper protocols as the core's tables give them, and the sizes that are theirs alone.

Must not know what a command does.
"""

from __future__ import annotations

import struct
from functools import cache

from franka_sim import _engine
from franka_sim.server.tables import CommandTable, Grammar, by_id

#: wire.md 1.1 and 4.1: command id u16, command_id u32, size u32; statuses are u16.
GRAMMAR = Grammar(struct.Struct("<HII"), struct.Struct("<HH"), struct.Struct("<H"))

HAND, VACUUM = "hand", "vacuum"


@cache
def tool_table(kind: str) -> CommandTable:
    """Return the command table of ``hand`` or ``vacuum``.

    Raises:
        ValueError: for another kind.
    """
    protocol = _engine.tool_protocol(kind)
    return CommandTable(protocol["version"], by_id(protocol["commands"]), GRAMMAR)


def standard_port(kind: str) -> int:
    """Return the TCP port that client libraries know (wire.md 0.2)."""
    return int(_engine.tool_protocol(kind)["port"])


@cache
def statuses(kind: str) -> tuple[str, ...]:
    """Return the names of the statuses that end a command, in the order of their numbers."""
    numbers = tool_table(kind).named("Stop").statuses
    return tuple(sorted(numbers, key=lambda name: numbers[name]))
