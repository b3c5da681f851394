"""Builds a robot from a configuration: robot model, plant, engine.

The only place that knows which configuration key goes where in the core. Imports the heavy parts
when called, not before.
"""

from __future__ import annotations

import os
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from franka_sim.config import Config, ConfigError

#: libfranka's Model indexes seven joints, whatever the URDF has.
_ARM_JOINTS = 7
T = TypeVar("T")


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


def _named(config: Config, key: str, read: Callable[[str], T]) -> T:
    """Return what `read` makes of a name or a file; its objections become the option's."""
    try:
        return read(config.values[key])
    except ValueError as error:
        raise ConfigError(f"{config.name(key)}: {error}") from None


def _tool(config: Config) -> Any:
    """Return the end effector; a hand whose fingers move is mounted without saying so."""
    from franka_sim import robots

    if config.gripper_physics and config.end_effector in ("none", "hand"):
        return robots.end_effector("hand")
    if config.gripper_physics:
        raise ConfigError(
            f"{config.name('gripper_physics')}: it acts only with "
            f"{config.name('end_effector')} hand or none"
        )
    return _named(config, "end_effector", robots.end_effector)


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
    from franka_sim import _engine, scene, world
    from franka_sim.plants.mujoco import Plant

    tool = _tool(config)
    fingers = config.gripper_physics
    spec, mounting = _named(
        config,
        "scene",
        lambda which: scene.compose(
            config.robot,
            tool,
            None if which == "none" else which,
            config.base_tilt,
            config.friction,
            fingers,
        ),
    )
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
        gravity=mounting.gravity(),
        m_ee=tool.mass,
        F_x_Cee=tool.F_x_Cee,
        I_ee=tool.I_ee,
        F_T_NE=tool.F_T_NE,
        encoder_resolution=config.encoder_resolution,
        velocity_noise=config.velocity_noise,
        torque_bias=config.torque_bias,
        torque_noise=config.torque_noise,
        seed=config.seed,
        friction_known=config.friction * (1.0 - config.friction_compensation_error),
        tool=config.gripper,
        hand_homed=not config.unhomed,
        hand_object_width=config.gripper_object_width,
        hand_physics=fingers,
        vacuum_part=config.gripper_part,
    )
    # As far as the hand itself thinks at the start.
    width = _engine.hand_start_width(not config.unhomed)
    plant = Plant(spec, finger_start=width / 2 if fingers else None)
    plant.pushes = _named(
        config,
        "scene",
        lambda _: [world.scene_push(*push) for push in scene.pushes(spec, scene.PREFIX)],
    )
    try:
        engine = _engine.Engine(settings, plant)
    except MemoryError:
        name, size = config.name("history"), config.history * _engine.history_dtype.itemsize / 1e9
        raise ConfigError(
            f"{name}: {config.history} cycles take {size:.1f} GB, more than there is"
        ) from None
    # In the queue before the first cycle.
    for push in plant.pushes:
        engine.push(**push)
    return engine
