"""Keeps a log readable: each kind once per scope (a motion, a connection), or so many a second.

Counts what it holds back. No output.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Hashable


class OncePerScope:
    """Lets the first of each kind through until `next_scope` opens the next scope.

    A command stream that breaks a limit breaks it a thousand times a second; one line a kind and
    motion is what a reader can use. Not thread-safe: one owner.
    """

    def __init__(self) -> None:
        self._seen: Counter[Hashable] = Counter()

    def first(self, kind: Hashable) -> bool:
        """Count one of `kind` and return whether it is the first in this scope."""
        self._seen[kind] += 1
        return self._seen[kind] == 1

    def suppressed(self) -> dict[Hashable, int]:
        """Return, for each kind that came again in this scope, how many were held back."""
        return {kind: count - 1 for kind, count in self._seen.items() if count > 1}

    def next_scope(self) -> dict[Hashable, int]:
        """Begin a new scope; return what the old one held back."""
        held_back = self.suppressed()
        self._seen.clear()
        return held_back


class PerSecond:
    """Lets a number of lines a second through and counts the rest.

    Args:
        lines: how many in any one second.
        clock: seconds, monotonic.
    """

    def __init__(self, lines: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._lines = lines
        self._clock = clock
        self._second = -math.inf
        self._said = 0
        self._held_back = 0

    def take(self) -> int | None:
        """Return None for a line to hold back, else how many were held back before it."""
        now = self._clock()
        if now - self._second >= 1.0:
            self._second, self._said = now, 0
        if self._said == self._lines:
            self._held_back += 1
            return None
        self._said += 1
        held, self._held_back = self._held_back, 0
        return held
