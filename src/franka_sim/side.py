"""What a script may do to a running robot from the side: stop it, guide it, push it, load it, lose.

Checks values and hands them to the core's request door. Must not touch a cycle.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from franka_sim import world

#: What the core counts with.
_MOST_LOSSES = 2**32 - 1


class SideInputs:
    """The inputs of one robot. All methods may be called from any thread.

    The robot is `_engine`, which the one who inherits sets.
    """

    _engine: Any

    def lose(self, n: int) -> None:
        """Make `n` cycles count as lost, whatever the client sends; takes no time in lockstep.

        They are the next ones of the running motion, or the first after the opening command of the
        next motion when none runs. A motion that ends takes what is left with it.
        """
        if isinstance(n, bool) or not isinstance(n, int) or not 0 <= n <= _MOST_LOSSES:
            raise ValueError(
                f"n: {n!r} is not allowed; it must be a whole number from 0 to {_MOST_LOSSES}"
            )
        self._engine.lose(n)

    def user_stop(self, pressed: bool) -> None:
        """Press or release the user stop (external activation device)."""
        self._engine.user_stop(pressed)

    def guiding(self, active: bool) -> None:
        """Hold or release the guiding buttons at the flange."""
        self._engine.guiding(active)

    def brakes(self, closed: bool) -> None:
        """Close or open the joint brakes."""
        self._engine.brakes(closed)

    def push(
        self,
        link: str = "flange",
        force: Sequence[float] = (0.0, 0.0, 0.0),
        torque: Sequence[float] = (0.0, 0.0, 0.0),
        *,
        frame: str = "O",
        point: Sequence[float] = (0.0, 0.0, 0.0),
        shape: str = "step",
        duration: float | None = None,
        rise: float | None = None,
        at_cycle: int | None = None,
        at_motion_cycle: int | None = None,
    ) -> None:
        """Let the environment push the robot; what acts is `force` at `point`, and `torque`.

        The wrench acts on the robot: a force of (0, 0, -10) N pulls it down, and shows up as
        +10 N on z of ``O_F_ext_hat_K``, which is what the robot exerts. Up to 16 pushes add up.
        In clock lockstep a push with an end keeps the world from standing still until it is over,
        and a Move waits for that; one without end is part of the world once the arm has come to
        rest under it.

        Args:
            link: what is pushed: ``link0`` (the base, which stays where it is) to ``link7``,
                ``flange`` or ``EE``.
            force: (3,) [N].
            torque: (3,) [Nm].
            frame: axes of force and torque: ``O``, or ``link`` for those of what is pushed.
            point: (3,) where the force acts, in the frame of what is pushed [m].
            shape: ``step``; ``ramp``, growing linearly over `rise` and then constant; ``pulse``,
                half a sine over `duration`.
            duration: [s] in whole cycles; None: until :meth:`release`.
            rise: [s] of a ramp; by default its duration.
            at_cycle: begin in the cycle of this ``message_id`` instead of the next one.
            at_motion_cycle: begin this many cycles after the first command of the motion that
                runs, or of the next one: repeats exactly in clock lockstep.

        Raises:
            ValueError: names the argument, its value and what is allowed.
        """
        arguments = world.push_arguments(
            link=link,
            force=force,
            torque=torque,
            frame=frame,
            point=point,
            shape=shape,
            duration=duration,
            rise=rise,
            at_cycle=at_cycle,
            at_motion_cycle=at_motion_cycle,
        )
        self._engine.push(**arguments)

    def release(self) -> None:
        """End all pushes, also those that have not begun."""
        self._engine.release()

    def attach_payload(
        self,
        mass: float,
        com: Sequence[float] = (0.0, 0.0, 0.0),
        inertia: Sequence[float] = (0.0,) * 9,
    ) -> None:
        """Hang a rigid body on the flange of the simulated arm; the robot is not told.

        Until its client declares the same by ``setLoad`` the payload sags and shows up as external
        force, as on a robot. Takes the place of a payload that was there before. It acts from the
        next cycle on; for runs that repeat in clock lockstep attach it while nothing moves.

        Args:
            mass: [kg], at most 20.
            com: (3,) its centre of mass in the flange's frame [m].
            inertia: (9,) about that centre in the flange's axes, column-major [kg m^2], as in
                ``setLoad``; zero: a point mass.

        Raises:
            ValueError: names the argument, its value and what is allowed.
        """
        self._carry(*world.payload_arguments(mass, com, inertia))

    def detach_payload(self) -> None:
        """Take the payload off the flange, if there is one."""
        self._carry(0.0, [0.0] * 3, [0.0] * 9)

    def _carry(self, mass: float, com: list[float], inertia: list[float]) -> None:
        self._carries = mass > 0
        self._engine.plant.carry(mass, com, inertia)
        self._engine.stir()
