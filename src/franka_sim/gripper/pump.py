"""The vacuum gripper of a simulation: its true state, commands pinned to cycles, faults on demand.

For tests and scripts; clients use the gripper's port. Any thread.
"""

from __future__ import annotations

from dataclasses import dataclass

from franka_sim.gripper.door import ToolDoor
from franka_sim.gripper.orders import Order, Orders

#: What the pump can report of itself (libfranka: VacuumGripperDeviceStatus).
DEVICE_STATUSES = ("green", "yellow", "orange", "red")


@dataclass(frozen=True)
class PumpState:
    """The pump in one cycle.

    Attributes:
        cycle: number of that cycle (ms).
        in_control_range: whether the vacuum is at its setpoint.
        part_detached: whether a part was let go, or lost, after the last suction.
        part_present: whether the vacuum says that a part is there.
        device_status: green, yellow, orange or red.
        actual_power: of the pump [%].
        vacuum: below the pressure around [mbar].
        doing: Idle, Evacuating, Holding, Dropping or Off.
    """

    cycle: int
    in_control_range: bool
    part_detached: bool
    part_present: bool
    device_status: str
    actual_power: int
    vacuum: float
    doing: str


class Pump:
    """The vacuum gripper of one robot; moments as in `Hand`."""

    def __init__(self, engine: ToolDoor, orders: Orders) -> None:
        self._engine = engine
        self._orders = orders

    @property
    def state(self) -> PumpState:
        """The newest state."""
        s = self._engine.tool_snapshot()
        return PumpState(
            s["cycle"],
            s["in_control_range"],
            s["part_detached"],
            s["part_present"],
            DEVICE_STATUSES[s["device_status"]],
            s["actual_power"],
            s["vacuum"],
            s["pump_state"],
        )

    def vacuum(
        self,
        vacuum: int,
        timeout: float,
        profile: int = 0,
        *,
        after: float | None = None,
        at_motion_cycle: int | None = None,
    ) -> Order:
        """Command a vacuum [10 mbar] within `timeout` [s], with profile P0 to P3."""
        return self._orders.command(
            "Vacuum",
            "BBq",
            vacuum,
            profile,
            round(timeout * 1000),
            after=after,
            at_motion_cycle=at_motion_cycle,
        )

    def drop_off(
        self, timeout: float, *, after: float | None = None, at_motion_cycle: int | None = None
    ) -> Order:
        """Command letting go within `timeout` [s]."""
        return self._orders.command(
            "DropOff", "q", round(timeout * 1000), after=after, at_motion_cycle=at_motion_cycle
        )

    def stop(self, *, after: float | None = None, at_motion_cycle: int | None = None) -> Order:
        """Command a stop."""
        return self._orders.command("Stop", "", after=after, at_motion_cycle=at_motion_cycle)

    def place_part(
        self, there: bool = True, *, after: float | None = None, at_motion_cycle: int | None = None
    ) -> None:
        """Close the cup with a part, or take it away."""
        self._orders.input("object", float(there), after=after, at_motion_cycle=at_motion_cycle)

    def stall(
        self, seconds: float, *, after: float | None = None, at_motion_cycle: int | None = None
    ) -> None:
        """Keep the pressure as it is for so long, whatever pump and valve do."""
        if not 0.0 <= seconds <= 86400.0:
            raise ValueError(
                f"seconds: {seconds!r} is not allowed; it must be a number from 0 to 86400 s"
            )
        self._orders.input(
            "stall", round(seconds * 1000), after=after, at_motion_cycle=at_motion_cycle
        )

    def set_device_status(
        self, status: str, *, after: float | None = None, at_motion_cycle: int | None = None
    ) -> None:
        """Have the pump report ``green``, ``yellow``, ``orange`` or ``red``."""
        if status not in DEVICE_STATUSES:
            allowed = ", ".join(DEVICE_STATUSES)
            raise ValueError(f"status: {status!r} is not allowed; it must be one of {allowed}")
        number = float(DEVICE_STATUSES.index(status))
        self._orders.input("device_status", number, after=after, at_motion_cycle=at_motion_cycle)

    def power(
        self, on: bool, *, after: float | None = None, at_motion_cycle: int | None = None
    ) -> None:
        """Cut the pump's power or give it back."""
        self._orders.input("power", float(on), after=after, at_motion_cycle=at_motion_cycle)

    def state_hash(self) -> int:
        """Return the hash of the pump's states in the cycles of `Simulation.state_hash`."""
        return int(self._engine.tool_hash())
