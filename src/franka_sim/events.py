"""What happened in a simulation, in order, and waiting for it without polling.

Filled by the server's thread, read from any. Must not interpret events.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeVar

T = TypeVar("T")

#: Events that are remembered; chosen: some thousand motions.
CAPACITY = 10_000

#: How long a wait on something that has no event of its own sleeps between two looks [s]; chosen:
#: one look a cycle would only heat the machine.
LOOK_EVERY = 0.002


@dataclass(frozen=True)
class SimEvent:
    """One event of the core.

    Attributes:
        kind: ``motion_started``, ``motion_ended``, ``violation``, ``reply`` or ``notice``.
        cycle: number of the cycle it belongs to.
        status: status number of the negotiated version, for events that answer a request.
        data: what else is known: ``error``, ``signal``, ``joint`` (from 0; -1 for none), ``value``,
            ``limit``, ``unit``, ``enforced`` of a violation, ``errors`` of a motion that ended,
            ``notice`` of a notice.
        number: place in the history of the simulation, from 0.
    """

    kind: str
    cycle: int
    status: int
    data: Mapping[str, Any] = field(default_factory=dict)
    number: int = 0

    def __reduce__(self) -> tuple[Callable[..., SimEvent], tuple[Any, ...]]:
        # A read-only mapping cannot be pickled itself.
        return _event, (self.kind, self.cycle, self.status, dict(self.data), self.number)


def _event(kind: str, cycle: int, status: int, data: dict[str, Any], number: int) -> SimEvent:
    return SimEvent(kind, cycle, status, MappingProxyType(data), number)


class EventLog:
    """The newest events, and a condition that fires with each."""

    def __init__(self) -> None:
        self._events: deque[SimEvent] = deque(maxlen=CAPACITY)
        self._changed = threading.Condition()
        self._count = 0

    def add(self, kind: str, cycle: int, status: int, data: Mapping[str, Any]) -> None:
        """Append one event and wake everyone who waits."""
        with self._changed:
            frozen = MappingProxyType(dict(data))
            self._events.append(SimEvent(kind, cycle, status, frozen, self._count))
            self._count += 1
            self._changed.notify_all()

    def all(self) -> tuple[SimEvent, ...]:
        """Return the remembered events, oldest first."""
        with self._changed:
            return tuple(self._events)

    def forget(self) -> None:
        """Forget all events; their numbers go on."""
        with self._changed:
            self._events.clear()

    @property
    def count(self) -> int:
        """Number of events since the start, forgotten ones included."""
        with self._changed:
            return self._count

    def wait_for_event(
        self, wanted: Callable[[SimEvent], bool], timeout: float, after: int
    ) -> SimEvent:
        """Return the first event numbered `after` or later that is wanted.

        Raises:
            TimeoutError: when none came within `timeout` seconds.
        """

        def find() -> SimEvent | None:
            return next((e for e in self._events if e.number >= after and wanted(e)), None)

        with self._changed:
            found = self._changed.wait_for(find, timeout)
        if found is None:
            raise TimeoutError(f"the event did not come within {timeout:g} s")
        return found

    def wait_until(self, look: Callable[[], T], timeout: float) -> T:
        """Return what `look` returns as soon as it is true; it is called at every event and often.

        Raises:
            TimeoutError: when it stayed false for `timeout` seconds.
        """
        deadline = time.monotonic() + timeout
        while not (value := look()):
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"the condition did not become true within {timeout:g} s")
            with self._changed:
                self._changed.wait(min(left, LOOK_EVERY))
        return value
