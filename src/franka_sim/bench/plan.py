"""How much is measured, and the order of the halves of a pair. Must not know what is measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Plan:
    """Amounts of one run of the bench; all chosen.

    Attributes:
        pairs: runs of the reference and as many of the server.
        states: states (milliseconds) of one realtime run.
        rounds: cycles of one lockstep run.
        slow_rounds: cycles of one lockstep run with a client in Python.
        calls: timed batches of a function, cycles of an unpaced engine.
        seconds: length of one measurement of processor time.
        say: takes a line of progress.
    """

    pairs: int = 5
    states: int = 5000
    rounds: int = 100_000
    slow_rounds: int = 20_000
    calls: int = 10_000
    seconds: float = 4.0
    say: Callable[[str], None] = lambda text: None

    def alternate(
        self, name: str, reference: Callable[[], T], server: Callable[[], T]
    ) -> tuple[list[T], list[T]]:
        """Run both halves of each pair in turn; every second pair begins with the server.

        Returns:
            The results of the reference and of the server; entry i of both is pair i.
        """
        references: list[T] = []
        servers: list[T] = []
        for i in range(self.pairs):
            self.say(f"{name}: pair {i + 1} of {self.pairs}")
            if i % 2 == 0:
                references.append(reference())
                servers.append(server())
            else:
                servers.append(server())
                references.append(reference())
        return references, servers


QUICK = Plan(pairs=3, states=1000, rounds=20_000, slow_rounds=4_000, calls=2_000, seconds=1.5)
