"""Lets each kind of message through once per scope (a motion, a connection); counts the rest.

Pure: no clock, no output.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable


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
