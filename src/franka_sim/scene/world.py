"""Puts arm and scene into one MuJoCo model. Must not step it, nor know the FCI.

A scene is MJCF. It may hold anything but what belongs to the arm's physics: options (time step,
integrator, gravity ...) are refused, never overruled silently. Its names get the prefix `scene/`.
A site `robot_base` of it says where the arm stands; without one the arm stands at the origin.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from franka_sim import robots

#: Scenes of this package.
BUILT_IN = ("table",)
BASE_SITE = "robot_base"
PREFIX = "scene/"
#: Of a table-mounted arm [m/s^2] (robot-model.md 5).
GRAVITY = 9.81


@dataclass(frozen=True)
class Mounting:
    """Where the base stands.

    Attributes:
        pos: (3,) base frame O in the world [m].
        quat: (4,) its turn, w x y z.
    """

    pos: tuple[float, ...] = (0.0, 0.0, 0.0)
    quat: tuple[float, ...] = (1.0, 0.0, 0.0, 0.0)

    def gravity(self) -> list[float]:
        """Return gravity in O [m/s^2]."""
        R = np.zeros(9)
        mujoco.mju_quat2Mat(R, np.array(self.quat))
        down = -R.reshape(3, 3)[2]
        # A quarter turn comes out exact: what is below 1e-15 is the rounding of pi.
        return [GRAVITY * (round(a) + 0.0 if abs(a - round(a)) < 1e-15 else float(a)) for a in down]


def compose(
    robot: str,
    tool: robots.EndEffector,
    scene: str | None,
    tilt: Sequence[float],
    friction: float,
    fingers: bool = False,
) -> tuple[Any, Mounting]:
    """Return the spec of the whole world (a mujoco.MjSpec) and where the arm stands in it.

    Args:
        robot: a robot's name.
        tool: what is on its flange.
        scene: name of a built-in scene, path of an MJCF file, or None.
        tilt: (2,) turn of the base about its x, then about the world's y axis [deg].
        friction: factor on the joints' friction.
        fingers: whether the tool is a hand whose fingers move.

    Raises:
        ValueError: one sentence that says what is wrong with the scene.
    """
    extra = None if scene is None else _read(scene)
    pos: Sequence[float] = (0.0, 0.0, 0.0)
    quat = np.array([1.0, 0.0, 0.0, 0.0])
    if extra is not None:
        pos, quat = _base_site(extra, str(scene))
    turned = np.zeros(4)
    mujoco.mju_mulQuat(turned, quat, np.array(_tilt(tilt)))
    mounting = Mounting(tuple(map(float, pos)), tuple(map(float, turned)))
    text = robots.mjcf(
        robot,
        contacts=extra is not None or fingers,
        end_effector=robots.without_fingers(tool) if fingers else tool,
        friction=friction,
        base_pos=mounting.pos,
        base_quat=mounting.quat,
    )
    if fingers:
        text = robots.add_fingers(text, tool)
    spec = mujoco.MjSpec.from_string(text)
    if extra is not None:
        spec.attach(extra, prefix=PREFIX, frame=spec.worldbody.add_frame())
        try:
            spec.compile()
        except ValueError as error:
            raise ValueError(f"{scene} does not fit the arm: {_one_line(error)}") from None
    return spec, mounting


def _tilt(degrees: Sequence[float]) -> list[float]:
    """Return w, x, y, z: turned about x, then about the world's y."""
    about_x, about_y = (math.radians(a) / 2 for a in degrees)
    (cx, sx), (cy, sy) = ((math.cos(a), math.sin(a)) for a in (about_x, about_y))
    return [cy * cx, cy * sx, sy * cx, -sy * sx]


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())


def _read(scene: str) -> Any:
    """Return the scene's spec, its options checked."""
    if scene in BUILT_IN:
        text = resources.files(__package__).joinpath(f"{scene}.xml").read_text()
        return mujoco.MjSpec.from_string(text)
    path = Path(scene)
    try:
        text = path.read_text()
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not a text file") from None
    try:
        root = ET.fromstring(text)
    except ET.ParseError as error:
        raise ValueError(f"{path} is not valid XML: {error}") from None
    if root.tag != "mujoco":
        raise ValueError(f"{path} has <{root.tag}> where MJCF has <mujoco>")
    for option in root.iter("option"):
        for element in (option, *option):
            for key, value in element.attrib.items():
                _refuse(path, key, value)
    try:
        spec = mujoco.MjSpec.from_file(str(path))
        spec.compile()
    except ValueError as error:
        raise ValueError(f"{path} is no scene: {_one_line(error)}") from None
    # An included file may have options too.
    default = mujoco.MjSpec().option
    for key in (k for k in dir(default) if not k.startswith("_")):
        theirs, ours = getattr(spec.option, key), getattr(default, key)
        if not callable(theirs) and not np.array_equal(theirs, ours):
            _refuse(path, key, theirs)
    return spec


def _refuse(path: Path, key: str, value: object) -> None:
    raise ValueError(
        f"{path} sets option {key} = {value}, which belongs to the arm's physics; remove it"
    )


def _base_site(spec: Any, scene: str) -> tuple[Sequence[float], Any]:
    """Return position and quaternion of the scene's site for the base; the origin without one."""
    if spec.site(BASE_SITE) is None:
        return (0.0, 0.0, 0.0), np.array([1.0, 0.0, 0.0, 0.0])
    model: Any = spec.compile()
    data: Any = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    site = model.site(BASE_SITE).id
    if model.body_weldid[model.site_bodyid[site]] != 0:
        raise ValueError(f"{scene}: site {BASE_SITE} is on a body that moves; the base is bolted")
    quat = np.zeros(4)
    mujoco.mju_mat2Quat(quat, data.site_xmat[site])
    return data.site_xpos[site], quat
