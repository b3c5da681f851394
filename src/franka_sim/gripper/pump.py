"""The vacuum gripper of a simulation: its true state, commands pinned to cycles, faults on demand.

For tests and scripts; clients use the gripper's port. Any thread.
"""

from __future__ import annotations

from dataclasses import dataclass

from franka_sim.gripper.orders import Order
from franka_sim.gripper.tool import Tool

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


class Pump(Tool):
    """The vacuum gripper of one robot; moments as in `Hand`."""

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

    def place_part(
        self, there: bool = True, *, after: float | None = None, at_motion_cycle: int | None = None
    ) -> None:
        """Close the cup with a part, or take it away."""
        self._orders.input("object", float(there), after=after, at_motion_cycle=at_motion_cycle)

    def set_device_status(
        self, status: str, *, after: float | None = None, at_motion_cycle: int | None = None
    ) -> None:
        """Have the pump report ``green``, ``yellow``, ``orange`` or ``red``."""
        if status not in DEVICE_STATUSES:
            allowed = ", ".join(DEVICE_STATUSES)
            raise ValueError(f"status: {status!r} is not allowed; it must be one of {allowed}")
        number = float(DEVICE_STATUSES.index(status))
        self._orders.input("device_status", number, after=after, at_motion_cycle=at_motion_cycle)
