"""The two fingers of a Franka Hand as moving bodies of the plant's MJCF.

The hand's total stays what Desk says of it (EndEffector): what the fingers weigh is taken off its
body. Must not know who drives them.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace
from math import sqrt

import numpy as np

from franka_sim.robots.as_mjcf import shape, sub, text_of
from franka_sim.robots.end_effector import EndEffector

#: Joints and motors, left and right.
FINGERS = ("finger1", "finger2")
#: Widest opening of each finger [m] (robot-model.md 11, finger joint).
TRAVEL = 0.04
# kg; franka_hand.xacro of franka_description.
MASS = 0.015
# kg; chosen: the drive as a finger feels it. The URDF has none; fingers as light as in it would
# bounce off what they meet at 1 kHz.
ARMATURE = 0.1
DAMPING = 0.3  # N s/m: robot-model.md 11, finger joint
# N; above the peak force of the drive, which is the core's business (robot-model.md 11, force).
BOUND = 200.0
# Shapes of the hand's description: its body, then four of each finger, closed.
_OF_BODY, _OF_FINGER = 1, 4
# Opening directions in the flange frame: y of a hand turned by -45 deg (robot-model.md 11).
_AXES = ((sqrt(0.5), sqrt(0.5), 0.0), (-sqrt(0.5), -sqrt(0.5), 0.0))
# Chosen: stiff enough that the fingers agree and stop within some hundredths of a millimetre.
_STIFF = {"solreflimit": "0.004 1", "solimplimit": "0.98 0.999 0.0005"}


def without_fingers(tool: EndEffector) -> EndEffector:
    """Return the hand's body alone: fingers off, mass and centre as they then are."""
    shapes = tool.shapes[:_OF_BODY]
    mass = tool.mass - 2 * MASS
    centre = np.mean([row["center"] for row in tool.shapes[_OF_BODY:]], axis=0)
    com = (tool.mass * np.array(tool.F_x_Cee) - 2 * MASS * centre) / mass
    return replace(tool, mass=mass, F_x_Cee=tuple(map(float, com)), shapes=shapes)


def add_fingers(text: str, tool: EndEffector) -> str:
    """Return the MJCF `text` of an arm, its hand `without_fingers`, with fingers of `tool`."""
    root = ET.fromstring(text)
    hand = root.find(".//body[@name='end_effector']")
    option, actuator = root.find("option"), root.find("actuator")
    if hand is None or option is None or actuator is None:
        raise ValueError("the model has no body end_effector, option or actuator")
    # Friction holds what is pinched: without this it creeps out. Chosen: MuJoCo's advice is 10.
    option.set("impratio", "10")
    for number, (name, axis) in enumerate(zip(FINGERS, _AXES, strict=True)):
        first = _OF_BODY + number * _OF_FINGER
        shapes = tool.shapes[first : first + _OF_FINGER]
        body = sub(hand, "body", name=name)
        centre = np.mean([row["center"] for row in shapes], axis=0)
        # Chosen: a block of 22 x 15 x 45 mm, about its shapes; the URDF has a tensor of that size.
        sub(body, "inertial", pos=text_of(centre), mass=repr(MASS), diaginertia="3e-6 3e-6 1e-6")
        sub(
            body,
            "joint",
            name=name,
            type="slide",
            axis=text_of(axis),
            range=text_of([0.0, TRAVEL]),
            armature=repr(ARMATURE),
            damping=repr(DAMPING),
            **_STIFF,
        )
        shape(body, shapes)
        sub(actuator, "motor", name=name, joint=name, ctrlrange=text_of([-BOUND, BOUND]))
    # One drive moves both.
    equality = sub(root, "equality")
    sub(
        equality,
        "joint",
        joint1=FINGERS[0],
        joint2=FINGERS[1],
        polycoef="0 1 0 0 0",
        solref="0.004 1",
        solimp="0.98 0.999 0.0005",
    )
    return ET.tostring(root, encoding="unicode") + "\n"
