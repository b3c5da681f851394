"""Commands and inputs that come from Python instead of a client: when they act, and how they end.

Any thread. Must not know what a command means to a hand or a pump.
"""

from __future__ import annotations

import itertools
import struct
import threading

from franka_sim.gripper.door import ToolDoor
from franka_sim.gripper.tables import statuses, tool_table

#: Names of commands from Python; those of clients count up from 1 (server/session.py).
_FIRST_TOKEN = 1 << 31
_MAX_CYCLES = (1 << 32) - 1


class Order:
    """A command that was given and ends later."""

    def __init__(self) -> None:
        self._ended = threading.Event()
        self._status = ""
        self._cycle = 0

    def wait(self, timeout: float = 30.0) -> str:
        """Return how the command ended: kSuccess, kUnsuccessful, kAborted or kFail.

        Args:
            timeout: in seconds of wall time.

        Raises:
            TimeoutError: when it has not ended by then.
        """
        if not self._ended.wait(timeout):
            raise TimeoutError(f"the command did not end within {timeout:g} s")
        return self._status

    @property
    def done(self) -> bool:
        """Whether it has ended."""
        return self._ended.is_set()

    @property
    def cycle(self) -> int:
        """Number of the cycle it ended in; 0 before."""
        return self._cycle

    def end(self, status: str, cycle: int) -> None:
        """Note how it ended. For the one who carries the core's answers."""
        self._status, self._cycle = status, cycle
        self._ended.set()


class Orders:
    """Gives commands and inputs to the tool of one engine and matches the answers."""

    def __init__(self, engine: ToolDoor, kind: str) -> None:
        self._engine = engine
        self.kind = kind
        self._tokens = itertools.count(_FIRST_TOKEN)
        self._open: dict[int, Order] = {}

    def command(
        self,
        name: str,
        layout: str,
        *values: float,
        after: float | None,
        at_motion_cycle: int | None,
    ) -> Order:
        """Give the command called `name`; `layout` is its payload as struct has it."""
        when, cycles = moment(after, at_motion_cycle)
        token, order = next(self._tokens), Order()
        payload = struct.pack("<" + layout, *values)
        self._open[token] = order
        try:
            number = tool_table(self.kind).named(name).id
            self._engine.tool_submit(self.kind, token, number, payload, when, cycles)
        except BaseException:
            del self._open[token]
            raise
        return order

    def input(
        self,
        name: str,
        value: float,
        *,
        after: float | None,
        at_motion_cycle: int | None,
        stiffness: float = 0.0,
    ) -> None:
        """Change something around the tool."""
        when, cycles = moment(after, at_motion_cycle)
        self._engine.tool_input(name, value, stiffness, when, cycles)

    def answered(self, token: int, status: int, cycle: int) -> None:
        """Match one answer of the core; those of clients are not meant."""
        order = self._open.pop(token, None)
        if order is not None:
            order.end(statuses(self.kind)[status], cycle)


def moment(after: float | None, at_motion_cycle: int | None) -> tuple[str, int]:
    """Return when something acts, in the core's words: now, or in so many cycles.

    Raises:
        ValueError: when both are given, or one is out of range.
    """
    if after is not None and at_motion_cycle is not None:
        raise ValueError("after and at_motion_cycle: only one of them can say when")
    if after is not None:
        if not 0.0 <= after <= _MAX_CYCLES / 1000:
            raise ValueError(f"after: {after!r} is not allowed; it must be a number of seconds")
        return "after", round(after * 1000)
    if at_motion_cycle is not None:
        if not 0 <= at_motion_cycle <= _MAX_CYCLES:
            raise ValueError(
                f"at_motion_cycle: {at_motion_cycle!r} is not allowed; it must be a count of cycles"
            )
        return "motion", at_motion_cycle
    return "now", 0
