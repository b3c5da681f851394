"""A robot as the URDF that GetRobotModel serves. Must stay loadable by every libfranka since 0.14.

The rules are those of wire.md section 10: seven movable joints, link8 (the flange) as the last
frame and without inertia, a `position_based_velocity_limits` element in each movable joint, and no
other joint whose name contains `joint1` to `joint7`.
"""

import xml.etree.ElementTree as ET
from collections.abc import Iterable
from typing import Any

from franka_sim.robots.data import joint_row, load


def _text(values: Iterable[float]) -> str:
    return " ".join(repr(float(v)) for v in values)


def _link(root: ET.Element, name: str, inertials: dict[str, Any] | None) -> None:
    link = ET.SubElement(root, "link", name=name)
    if inertials is None:
        return
    body = ET.SubElement(link, "inertial")
    ET.SubElement(body, "origin", xyz=_text(inertials["com"]), rpy="0 0 0")
    ET.SubElement(body, "mass", value=repr(inertials["mass"]))
    keys = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    ET.SubElement(body, "inertia", dict(zip(keys, map(repr, inertials["inertia"]), strict=True)))


def _joint(
    root: ET.Element, name: str, kind: str, frame: dict[str, Any], parent: str, child: str
) -> ET.Element:
    joint = ET.SubElement(root, "joint", name=name, type=kind)
    ET.SubElement(joint, "origin", xyz=_text(frame["xyz"]), rpy=_text(frame["rpy"]))
    ET.SubElement(joint, "parent", link=parent)
    ET.SubElement(joint, "child", link=child)
    return joint


def urdf(robot: str, *, limit_set: str | None = None) -> str:
    """Return the URDF of `robot`'s bare arm with the joint limits of one published set.

    Links are link0 to link8, joints `<robot>_joint1` to `<robot>_joint8`. Raises ValueError for an
    unknown robot, KeyError for an unknown set. Any thread.
    """
    data = load(robot)
    root = ET.Element("robot", name=robot)
    for name, inertials in data["inertials"]["links"].items():
        _link(root, name, inertials)
    _link(root, "link8", None)

    for i, frame in enumerate(data["frames"]["joints"]):
        name = f"{robot}_{frame['name']}"
        joint = _joint(root, name, "revolute", frame, f"link{i}", f"link{i + 1}")
        ET.SubElement(joint, "axis", xyz="0 0 1")
        row = joint_row(data, i, limit_set=limit_set)
        limit = {key: repr(row[key]) for key in ("lower", "upper", "velocity")}
        limit |= {"effort": repr(row["torque"])}
        limit |= {key: repr(row[key]) for key in ("acceleration", "jerk")}
        ET.SubElement(joint, "limit", limit)
        if "velocity_offset" in row:
            keys = ("velocity_offset", "deceleration_limit")
            envelope = {key: repr(row[key]) for key in keys}
            ET.SubElement(joint, "position_based_velocity_limits", envelope)
        dynamics = data["urdf_dynamics"]
        ET.SubElement(joint, "dynamics", {k: repr(v) for k, v in dynamics.items() if k != "source"})
    # joint8 is fixed: libfranka looks for joint1 to joint7 only.
    _joint(root, f"{robot}_joint8", "fixed", data["frames"]["flange"], "link7", "link8")
    ET.indent(root)
    # No encoding in the declaration: some parsers refuse one in text that is already decoded.
    return '<?xml version="1.0"?>\n' + ET.tostring(root, encoding="unicode") + "\n"
