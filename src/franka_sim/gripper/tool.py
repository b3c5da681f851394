"""What hand and pump have in common for tests and scripts: stop, faults, the hash of their states.

Any thread. Must not know what a tool does.
"""

from __future__ import annotations

from franka_sim.gripper.door import ToolDoor
from franka_sim.gripper.orders import Order, Orders


class Tool:
    """The tool of one robot; what moments mean is said in `Hand`."""

    def __init__(self, engine: ToolDoor, orders: Orders) -> None:
        self._engine = engine
        self._orders = orders

    def stop(self, *, after: float | None = None, at_motion_cycle: int | None = None) -> Order:
        """Command a stop."""
        return self._orders.command("Stop", "", after=after, at_motion_cycle=at_motion_cycle)

    def stall(
        self, seconds: float, *, after: float | None = None, at_motion_cycle: int | None = None
    ) -> None:
        """Block the tool for so long: fingers that do not move, a pressure that stays.

        The tool does not notice, so its command does not end.
        """
        if not 0.0 <= seconds <= 86400.0:
            raise ValueError(
                f"seconds: {seconds!r} is not allowed; it must be a number from 0 to 86400 s"
            )
        self._orders.input(
            "stall", round(seconds * 1000), after=after, at_motion_cycle=at_motion_cycle
        )

    def power(
        self, on: bool, *, after: float | None = None, at_motion_cycle: int | None = None
    ) -> None:
        """Cut the tool's power or give it back; a hand then has to be homed."""
        self._orders.input("power", float(on), after=after, at_motion_cycle=at_motion_cycle)

    def state_hash(self) -> int:
        """Return the hash of the tool's states in the cycles of `Simulation.state_hash`."""
        return int(self._engine.tool_hash())
