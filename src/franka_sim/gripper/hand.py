"""The Franka Hand of a simulation: its true state, commands pinned to cycles, faults on demand.

For tests and scripts; clients use the gripper's port. Any thread.
"""

from __future__ import annotations

from dataclasses import dataclass

from franka_sim.gripper.orders import Order
from franka_sim.gripper.tool import Tool


@dataclass(frozen=True)
class HandState:
    """The hand in one cycle.

    Attributes:
        cycle: number of that cycle (ms).
        width: between the fingertips [m].
        max_width: largest width known, 0 before homing [m].
        is_grasped: whether something is held within the tolerances of its grasp.
        temperature: of the case [degC].
        force: what the fingers exert on what is between them, or on each other [N].
        doing: Idle, Homing, Moving, Grasping, Holding, Pressing, Stopping, Hot or Off.
    """

    cycle: int
    width: float
    max_width: float
    is_grasped: bool
    temperature: float
    force: float
    doing: str


class Hand(Tool):
    """The hand of one robot.

    Everything but `state` may be given a moment. By default it acts in the next cycle;
    ``after=0.5`` lets it act half a simulated second later; ``at_motion_cycle=n`` this many cycles
    after the first command of the motion that runs, or of the next one, which repeats exactly in
    clock lockstep. Of several things for one cycle the first asked for acts first; at most
    64 may wait.
    """

    @property
    def state(self) -> HandState:
        """The newest state."""
        s = self._engine.tool_snapshot()
        return HandState(
            s["cycle"],
            s["width"],
            s["max_width"],
            s["is_grasped"],
            s["temperature"],
            s["force"],
            s["hand_state"],
        )

    def homing(self, *, after: float | None = None, at_motion_cycle: int | None = None) -> Order:
        """Command homing; see `Order.wait`."""
        return self._orders.command("Homing", "", after=after, at_motion_cycle=at_motion_cycle)

    def move(
        self,
        width: float,
        speed: float,
        *,
        after: float | None = None,
        at_motion_cycle: int | None = None,
    ) -> Order:
        """Command a width [m] at a speed of the width [m/s]."""
        return self._orders.command(
            "Move", "2d", width, speed, after=after, at_motion_cycle=at_motion_cycle
        )

    def grasp(
        self,
        width: float,
        speed: float,
        force: float,
        epsilon_inner: float = 0.005,
        epsilon_outer: float = 0.005,
        *,
        after: float | None = None,
        at_motion_cycle: int | None = None,
    ) -> Order:
        """Command a grasp: width and tolerances [m], speed of the width [m/s], force [N]."""
        return self._orders.command(
            "Grasp",
            "5d",
            width,
            epsilon_inner,
            epsilon_outer,
            speed,
            force,
            after=after,
            at_motion_cycle=at_motion_cycle,
        )

    def place_object(
        self,
        width: float,
        stiffness: float = 2e5,
        *,
        after: float | None = None,
        at_motion_cycle: int | None = None,
    ) -> None:
        """Put a thing between the fingers: `width` [m], `stiffness` [N/m].

        Fingers that are closer together than it meet it only after they have opened that far.
        """
        if not 0.0 < width <= 1.0:
            raise ValueError(f"width: {width!r} is not allowed; it must be above 0 and at most 1 m")
        if not stiffness > 0.0:
            raise ValueError(f"stiffness: {stiffness!r} is not allowed; it must be above 0 N/m")
        self._orders.input(
            "object", width, stiffness=stiffness, after=after, at_motion_cycle=at_motion_cycle
        )

    def remove_object(
        self, *, after: float | None = None, at_motion_cycle: int | None = None
    ) -> None:
        """Take away what is between the fingers, as if it slipped out."""
        self._orders.input("object", 0.0, after=after, at_motion_cycle=at_motion_cycle)

    def set_temperature(
        self, celsius: float, *, after: float | None = None, at_motion_cycle: int | None = None
    ) -> None:
        """Warm or cool the case to `celsius` [degC]; from 80 on the hand does not work."""
        if not 0.0 <= celsius <= 1000.0:
            raise ValueError(
                f"celsius: {celsius!r} is not allowed; it must be a number from 0 to 1000 degC"
            )
        self._orders.input("temperature", celsius, after=after, at_motion_cycle=at_motion_cycle)
