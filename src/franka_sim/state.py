"""One robot state as a client sees it: libfranka's field names over a record of the core.

Views only. What a field means and where its value comes from is the core's business; the wire
layout is the codec's.
"""

from __future__ import annotations

from enum import IntEnum
from functools import total_ordering
from typing import Any

import numpy as np
import numpy.typing as npt

from franka_sim.errors import Errors

Vector = npt.NDArray[np.float64]


class RobotMode(IntEnum):
    """What the robot is doing. Prints as libfranka prints it, e.g. ``User stopped``."""

    Other = 0
    Idle = 1
    Move = 2
    Guiding = 3
    Reflex = 4
    UserStopped = 5
    AutomaticErrorRecovery = 6

    def __str__(self) -> str:
        # The identifier in words, first letter large: the rule behind all of libfranka's texts.
        words = "".join(f" {c.lower()}" if c.isupper() else c for c in self.name).strip()
        return words.capitalize()

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


@total_ordering
class Duration:
    """Robot time: a whole number of milliseconds since the first cycle, not a host clock."""

    __slots__ = ("_ms",)

    def __init__(self, milliseconds: int) -> None:
        self._ms = int(milliseconds)

    def to_msec(self) -> int:
        """Return the time in milliseconds."""
        return self._ms

    def to_sec(self) -> float:
        """Return the time in seconds."""
        return self._ms * 1e-3

    def __sub__(self, other: Duration) -> Duration:
        return Duration(self._ms - other._ms)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Duration) and self._ms == other._ms

    def __lt__(self, other: Duration) -> bool:
        return self._ms < other._ms

    def __hash__(self) -> int:
        return hash(self._ms)

    def __repr__(self) -> str:
        return f"Duration({self._ms})"


class RobotState:
    """The newest or a recorded state of the robot, with the field names of ``franka::RobotState``.

    Arrays are read-only float64 copies in SI units. Poses are 16 numbers, column-major, ``A_T_B``
    being the pose of B in A; joint vectors have 7 entries, wrenches and twists 6, linear first.
    Safe to keep and to use from any thread.

    Args:
        record: one row of ``Simulation.history``: a structured scalar or 0-dimensional array with
            the wire's field names.
    """

    # Poses, (16,), column-major.
    O_T_EE: Vector
    O_T_EE_d: Vector
    O_T_EE_c: Vector
    F_T_EE: Vector
    F_T_NE: Vector
    NE_T_EE: Vector
    EE_T_K: Vector
    # End effector and load: kg, kg m^2 as (9,) column-major, m.
    m_ee: float
    I_ee: Vector
    F_x_Cee: Vector
    m_load: float
    I_load: Vector
    F_x_Cload: Vector
    # Elbow: (2,) joint 3 [rad], sign of joint 4 against the flip angle.
    elbow: Vector
    elbow_d: Vector
    elbow_c: Vector
    delbow_c: Vector
    ddelbow_c: Vector
    # Joints, (7,): Nm, Nm/s, rad, rad/s, rad/s^2.
    tau_J: Vector
    tau_J_d: Vector
    dtau_J: Vector
    q: Vector
    q_d: Vector
    dq: Vector
    dq_d: Vector
    ddq_d: Vector
    theta: Vector
    dtheta: Vector
    # Contact and collision levels, (7,) and (6,): 0 or 1.
    joint_contact: Vector
    cartesian_contact: Vector
    joint_collision: Vector
    cartesian_collision: Vector
    # External torque (7,) [Nm]; wrenches (6,) [N, Nm] at K in base and in K coordinates.
    tau_ext_hat_filtered: Vector
    O_F_ext_hat_K: Vector
    K_F_ext_hat_K: Vector
    # Twists (6,) and their derivative, base frame; gravity direction (3,) [m/s^2].
    O_dP_EE_d: Vector
    O_dP_EE_c: Vector
    O_ddP_EE_c: Vector
    O_ddP_O: Vector
    # (18,): six links by three axes, row-major [m/s^2].
    accelerometer_top: Vector
    accelerometer_bottom: Vector
    # Share of the last 100 commands that were in time; 0 while nothing moves.
    control_command_success_rate: float

    __slots__ = ("_record",)

    def __init__(self, record: Any) -> None:
        self._record = np.array(record).reshape(())
        self._record.flags.writeable = False

    def __getattr__(self, name: str) -> Any:
        record = object.__getattribute__(self, "_record")
        if name not in (record.dtype.names or ()):
            raise AttributeError(f"a robot state has no field {name!r}")
        value = record[name]
        if value.ndim == 0:
            return value.item()
        flat = value.reshape(-1)
        flat.flags.writeable = False
        return flat

    @property
    def time(self) -> Duration:
        """Robot time of this state; one cycle is one millisecond."""
        return Duration(int(self._record["message_id"]))

    @property
    def robot_mode(self) -> RobotMode:
        """What the robot is doing."""
        return RobotMode(int(self._record["robot_mode"]))

    @property
    def current_errors(self) -> Errors:
        """What is wrong now."""
        return Errors(self._record["errors"])

    @property
    def last_motion_errors(self) -> Errors:
        """What ended the previous motion; kept through recovery and reconnects."""
        return Errors(self._record["reflex_reason"])

    @property
    def m_total(self) -> float:
        """Mass of end effector and load [kg]."""
        return self.m_ee + self.m_load

    @property
    def F_x_Ctotal(self) -> Vector:
        """Common centre of mass of end effector and load in the flange frame, (3,) [m]."""
        if self.m_total == 0.0:
            return np.zeros(3)
        centre: Vector = (self.m_ee * self.F_x_Cee + self.m_load * self.F_x_Cload) / self.m_total
        return centre

    @property
    def I_total(self) -> Vector:
        """Inertia of end effector and load about their common centre, (9,) [kg m^2]."""
        centre = self.F_x_Ctotal
        total: Vector = self.I_ee + self.I_load
        for mass, at in ((self.m_ee, self.F_x_Cee), (self.m_load, self.F_x_Cload)):
            # Parallel axes: a mass d away from the new centre adds m (d.d 1 - d d^T).
            d = at - centre
            total = total + mass * (d @ d * np.eye(3) - np.outer(d, d)).reshape(-1)
        return total

    def __reduce__(self) -> tuple[type[RobotState], tuple[Any]]:
        return RobotState, (self._record,)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(self._record.dtype.names or ())]

    def __repr__(self) -> str:
        q = np.array2string(self.q, 200, precision=4, suppress_small=True, separator=", ")
        return f"<RobotState {self.time.to_msec()} ms, {self.robot_mode}, q={q}>"
