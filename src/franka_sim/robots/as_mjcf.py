"""A robot as MJCF made of primitives: the plant's truth. Must not carry what a controller assumes.

Inertials are exact, so the same description gives the same physics as the URDF; geoms have no mass.
"""

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import cos, sin
from typing import Any

from franka_sim.robots.data import load
from franka_sim.robots.end_effector import NONE, EndEffector

# How far a joint's stop lies behind the widest published limits [rad]. Chosen: the hard stops are
# not published, and a limit violation must be seen before the stop is felt.
STOP_MARGIN = 0.02
# Actuators take the whole torque: what a client may command (87 or 12 Nm) plus gravity of arm, tool
# and load (102 Nm at joint 2, 17 Nm at joint 5 with 5 kg 0.2 m beyond the flange), friction and
# braking. Three times the rated torque is above all of that, so it only bounds a simulation that
# has already diverged.
ACTUATOR_FACTOR = 3.0
# MuJoCo's own defaults of torsional and rolling friction [m].
SPIN_AND_ROLL = "0.005 0.0001"
# Chosen: Franka's white shell with dark joint rings.
SHELL_RGBA = "0.93 0.94 0.95 1"
TRIM_RGBA = "0.22 0.23 0.25 1"


def text_of(values: Iterable[float]) -> str:
    return " ".join(repr(float(v)) for v in values)


def sub(parent: ET.Element, tag: str, **attributes: str) -> ET.Element:
    """Add an element; a trailing underscore keeps Python keywords apart."""
    return ET.SubElement(parent, tag, {k.rstrip("_"): v for k, v in attributes.items()})


@dataclass(frozen=True)
class Body:
    """A rigid body on the flange that the robot need not know of: the world's payload.

    Attributes:
        mass: [kg].
        com: (3,) in the flange frame [m].
        inertia: (9,) about that centre in flange axes, column-major [kg m^2].
    """

    mass: float = 0.0
    com: Sequence[float] = (0.0, 0.0, 0.0)
    inertia: Sequence[float] = (0.0,) * 9


def _inertial(body: ET.Element, row: dict[str, Any]) -> None:
    ixx, ixy, ixz, iyy, iyz, izz = row["inertia"]
    tensor = text_of([ixx, iyy, izz, ixy, ixz, iyz])  # MuJoCo's order
    sub(body, "inertial", pos=text_of(row["com"]), mass=repr(row["mass"]), fullinertia=tensor)


def _rpy_quaternion(rpy: Iterable[float]) -> str:
    """Return w x y z of Rz(yaw) Ry(pitch) Rx(roll)."""
    (cr, sr), (cp, sp), (cy, sy) = ((cos(a / 2), sin(a / 2)) for a in rpy)
    return text_of(
        [
            cr * cp * cy + sr * sp * sy,
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
        ]
    )


def _carry(flange: ET.Element, name: str, carried: Body, pose: dict[str, str]) -> ET.Element:
    """Add a body fixed to the flange; one without mass is there too, so that it may get one."""
    body = sub(flange, "body", name=name, **pose)
    if carried.mass > 0 and any(carried.inertia):
        xx, yx, zx, xy, yy, zy, xz, yz, zz = carried.inertia
        tensor = [xx, (xy + yx) / 2, (xz + zx) / 2, yy, (yz + zy) / 2, zz]
        _inertial(body, {"com": carried.com, "mass": carried.mass, "inertia": tensor})
    else:
        place = {"pos": text_of(carried.com), "diaginertia": "0 0 0"}
        sub(body, "inertial", mass=repr(carried.mass), **place)
    return body


def shape(body: ET.Element, primitives: Iterable[Mapping[str, Any]]) -> None:
    for row in primitives:
        if row["type"] == "box":
            place = {"pos": text_of(row["center"]), "size": text_of(row["half_size"])}
        elif row["type"] == "sphere":
            place = {"pos": text_of(row["center"]), "size": repr(row["radius"])}
        else:
            ends = text_of([*row["from"], *row["to"]])
            place = {"fromto": ends, "size": repr(row["radius"])}
        if "rpy" in row:
            place["quat"] = _rpy_quaternion(row["rpy"])
        if "friction" in row:
            # Sliding as given; torsion and rolling as the arm's shell.
            place["friction"] = f"{float(row['friction'])!r} {SPIN_AND_ROLL}"
        sub(body, "geom", class_="arm", type=row["type"], **place)


def _ring(body: ET.Element, rings: dict[str, Any], i: int) -> None:
    """Mark joint `i` by a dark ring about its axis; touches nothing and weighs nothing."""
    z, half = rings["z"][i], rings["half_thickness"]
    ends = text_of([0, 0, z - half, 0, 0, z + half])
    size = repr(rings["radius"][i])
    sub(body, "geom", class_="trim", type="cylinder", fromto=ends, size=size)


def _compiler(root: ET.Element, gravity: Sequence[float], contacts: bool) -> None:
    # boundinertia 0 and no balancing: link7's tensor is nearly degenerate but right.
    sub(root, "compiler", angle="radian", autolimits="true", boundmass="0", boundinertia="0")
    # implicitfast: joint damping is integrated implicitly, stiff client loops stay stable at 1 kHz.
    # Elliptic cones: sliding friction without the pyramid's preferred directions.
    option = sub(
        root,
        "option",
        timestep="0.001",
        integrator="implicitfast",
        cone="elliptic",
        gravity=text_of(gravity),
    )
    if not contacts:
        # A bare arm touches nothing and its constraints are the seven joint frictions: looking for
        # contacts and for islands would take a third of the step.
        sub(option, "flag", contact="disable", island="disable")
    default = sub(root, "default")
    arm = sub(default, "default", class_="arm")
    # contype 2 against conaffinity 1: arm and world touch, links of arms never touch each other
    # (self-collision is the controller's business and ends in an error, not in a contact).
    sub(
        arm,
        "geom",
        group="2",
        contype="2",
        conaffinity="1",
        mass="0",
        rgba=SHELL_RGBA,
        condim="4",
        friction=f"0.6 {SPIN_AND_ROLL}",
    )
    trim = sub(default, "default", class_="trim")
    sub(trim, "geom", group="2", contype="0", conaffinity="0", mass="0", rgba=TRIM_RGBA)
    sub(default, "site", group="4", size="0.005")


def _scene(root: ET.Element, world: ET.Element) -> None:
    """Add what only a viewer needs: light, sky, and a floor that touches nothing."""
    visual = sub(root, "visual")
    sub(visual, "headlight", ambient="0.4 0.4 0.4", diffuse="0.5 0.5 0.5", specular="0.1 0.1 0.1")
    asset = sub(root, "asset")
    sub(
        asset,
        "texture",
        type="skybox",
        builtin="gradient",
        rgb1="0.85 0.9 0.95",
        rgb2="0.55 0.65 0.75",
        width="64",
        height="384",
    )
    sub(
        asset,
        "texture",
        name="floor",
        type="2d",
        builtin="checker",
        rgb1="0.75 0.77 0.8",
        rgb2="0.68 0.7 0.73",
        width="256",
        height="256",
    )
    sub(asset, "material", name="floor", texture="floor", texrepeat="8 8", texuniform="false")
    sub(world, "light", pos="1.5 -1.5 3", dir="-0.4 0.4 -1", directional="true")
    sub(
        world,
        "geom",
        name="floor",
        type="plane",
        size="2 2 0.1",
        material="floor",
        contype="0",
        conaffinity="0",
    )


def mjcf(
    robot: str,
    *,
    scene: bool = False,
    contacts: bool = False,
    gravity: Sequence[float] = (0.0, 0.0, -9.81),
    end_effector: EndEffector = NONE,
    payload: Body | None = None,
    friction: float = 1.0,
    base_pos: Sequence[float] = (0.0, 0.0, 0.0),
    base_quat: Sequence[float] = (1.0, 0.0, 0.0, 0.0),
) -> str:
    """Return the MJCF of `robot`'s arm, base frame O at `base_pos` and `base_quat` of the world.

    Bodies link0 to link7, joints, motors and joint sites joint1 to joint7, sensors torque1 to
    torque7, site `flange`. A torque sensor's third number is the link-side torque of that joint
    (link inertia, gravity and contact; no motor inertia, no motor friction). Bodies `end_effector`
    and `payload` are fixed to the flange, massless without one. `gravity` is in the world [m/s^2];
    `scene` adds light and floor for a viewer; `contacts` lets the arm touch what a world adds;
    `friction` scales dry and viscous joint friction. Raises ValueError for an unknown robot. Any
    thread.
    """
    data = load(robot)
    limits, dynamics = data["joint_limits"], data["joint_dynamics"]
    root = ET.Element("mujoco", model=robot)
    _compiler(root, gravity, contacts)
    world = sub(root, "worldbody")
    if scene:
        _scene(root, world)
    actuator, sensor = sub(root, "actuator"), sub(root, "sensor")

    links, shapes = data["inertials"]["links"], data["contact_primitives"]["links"]
    body = sub(world, "body", name="link0", pos=text_of(base_pos), quat=text_of(base_quat))
    _inertial(body, links["link0"])
    shape(body, shapes["link0"])
    for i, frame in enumerate(data["frames"]["joints"]):
        name, link = frame["name"], f"link{i + 1}"
        pose = {"pos": text_of(frame["xyz"]), "quat": _rpy_quaternion(frame["rpy"])}
        body = sub(body, "body", name=link, **pose)
        _inertial(body, links[link])
        lower = min(s["lower"][i] for s in limits["sets"].values()) - STOP_MARGIN
        upper = max(s["upper"][i] for s in limits["sets"].values()) + STOP_MARGIN
        per_joint = {
            "armature": repr(dynamics["armature"][i]),
            "frictionloss": repr(friction * dynamics["frictionloss"][i]),
            "damping": repr(friction * dynamics["damping"][i]),
        }
        sub(body, "joint", name=name, axis="0 0 1", range=text_of([lower, upper]), **per_joint)
        shape(body, shapes[link])
        _ring(body, data["joint_rings"], i)
        sub(body, "site", name=name)
        bound = ACTUATOR_FACTOR * limits["torque"][i]
        sub(actuator, "motor", name=name, joint=name, gear="1", ctrlrange=text_of([-bound, bound]))
        sub(sensor, "torque", name=f"torque{i + 1}", site=name)
    flange = data["frames"]["flange"]
    pose = {"pos": text_of(flange["xyz"]), "quat": _rpy_quaternion(flange["rpy"])}
    sub(body, "site", name="flange", **pose)
    tool = Body(end_effector.mass, end_effector.F_x_Cee, end_effector.I_ee)
    shape(_carry(body, "end_effector", tool, pose), end_effector.shapes)
    _carry(body, "payload", payload or Body(), pose)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode") + "\n"
