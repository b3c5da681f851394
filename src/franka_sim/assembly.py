"""Builds a robot from a configuration: robot model, plant, engine.

The only place that knows which configuration key goes where in the core. Imports the heavy parts
when called, not before.
"""

from __future__ import annotations

import math
import os
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from franka_sim.config import Config, ConfigError

#: libfranka's Model indexes seven joints, whatever the URDF has.
_ARM_JOINTS = 7
T = TypeVar("T")
#: Of a table-mounted arm [m/s^2] (robot-model.md 5).
GRAVITY = 9.81


def robot_model(config: Config) -> bytes:
    """Return the URDF (UTF-8) that GetRobotModel serves.

    Raises:
        ConfigError: when the user's file cannot be read or is no URDF.
    """
    if config.urdf is None:
        from franka_sim import robots

        return str(robots.urdf(config.robot)).encode()
    path, name = Path(config.urdf), config.name("urdf")
    try:
        text = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{name}: cannot read {path}: {error.strerror}") from None
    try:
        root = ET.fromstring(text)
    except ET.ParseError as error:
        raise ConfigError(f"{name}: {path} is not valid XML: {error}") from None
    if root.tag != "robot":
        # libfranka's constructor would fail on it, far from the cause (wire.md 10.2).
        raise ConfigError(f"{name}: {path} has <{root.tag}> where a URDF has <robot>")
    moving = sum(joint.get("type") not in ("fixed", None) for joint in root.iter("joint"))
    if moving < _ARM_JOINTS:
        raise ConfigError(
            f"{name}: {path} has {moving} moving joints; a client's model needs {_ARM_JOINTS}"
        )
    return text


def _tilt(degrees: Sequence[float]) -> list[float]:
    """Return w, x, y, z of the base in the world: turned about x, then about the world's y."""
    about_x, about_y = (math.radians(a) / 2 for a in degrees)
    (cx, sx), (cy, sy) = ((math.cos(a), math.sin(a)) for a in (about_x, about_y))
    return [cy * cx, cy * sx, sy * cx, -sy * sx]


def _gravity(degrees: Sequence[float]) -> list[float]:
    """Return gravity in O [m/s^2] of a base with this tilt."""
    x, y = (math.radians(a) for a in degrees)
    down = (math.sin(y), -math.cos(y) * math.sin(x), -math.cos(y) * math.cos(x))
    # A quarter turn comes out exact: what is below 1e-15 is the rounding of pi.
    return [GRAVITY * (round(a) + 0.0 if abs(a - round(a)) < 1e-15 else a) for a in down]


def _named(config: Config, key: str, read: Callable[[str], T]) -> T:
    """Return what `read` makes of a name or a file; its objections become the option's."""
    try:
        return read(config.values[key])
    except ValueError as error:
        raise ConfigError(f"{config.name(key)}: {error}") from None


def engine(config: Config, host: str) -> Any:
    """Return a new engine, not started, whose UDP socket is bound to `host` (an IPv4 address).

    Raises:
        ConfigError: when `cpu` is none of this process's processors.
    """
    available = os.sched_getaffinity(0)
    if config.cpu >= 0 and config.cpu not in available:
        known = ", ".join(map(str, sorted(available)))
        raise ConfigError(
            f"{config.name('cpu')}: {config.cpu} is not a processor of this process; it has {known}"
        )
    from franka_sim import _engine, robots
    from franka_sim.plants.mujoco import make_plant

    tool = _named(config, "end_effector", robots.end_effector)

    settings = _engine.Settings(
        host=host,
        robot=config.robot,
        clock=config.clock,
        scale=config.scale,
        enforce_motion_limits=config.enforce_motion_limits,
        enforce_comm_constraints=config.enforce_comm_constraints,
        apply_late=config.late_commands == "apply",
        realtime=config.realtime,
        cpu=config.cpu,
        priority=config.priority,
        spin_us=config.spin,
        lockstep_timeout=config.lockstep_timeout,
        joint_discontinuity_scale=config.joint_discontinuity_scale,
        idle_run=config.idle == "run",
        history=config.history,
        locked=config.start == "locked",
        recovery_time=config.recovery_time,
        gravity=_gravity(config.base_tilt),
        m_ee=tool.mass,
        F_x_Cee=tool.F_x_Cee,
        I_ee=tool.I_ee,
        F_T_NE=tool.F_T_NE,
    )
    plant = make_plant(
        robots.mjcf(config.robot, end_effector=tool, base_quat=_tilt(config.base_tilt))
    )
    try:
        return _engine.Engine(settings, plant)
    except MemoryError:
        name, size = config.name("history"), config.history * _engine.history_dtype.itemsize / 1e9
        raise ConfigError(
            f"{name}: {config.history} cycles take {size:.1f} GB, more than there is"
        ) from None
