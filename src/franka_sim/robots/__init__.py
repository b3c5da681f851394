"""What the program knows of each robot type, as data and as the two formats others read.

Nothing here runs in a cycle; the core has its own table, generated from the same json.
"""

from franka_sim.robots.as_mjcf import Body, mjcf
from franka_sim.robots.as_urdf import urdf
from franka_sim.robots.data import load, names
from franka_sim.robots.end_effector import EndEffector, end_effector
from franka_sim.robots.fingers import add_fingers, without_fingers

__all__ = [
    "Body",
    "EndEffector",
    "add_fingers",
    "end_effector",
    "load",
    "mjcf",
    "names",
    "urdf",
    "without_fingers",
]
