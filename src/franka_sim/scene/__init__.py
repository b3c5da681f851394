"""The world around the arm: a MuJoCo model of arm, tool, payload and what a scene adds.

Nothing here runs in a cycle.
"""

from franka_sim.scene.pushes import pushes
from franka_sim.scene.world import PREFIX, Mounting, compose

__all__ = ["PREFIX", "Mounting", "compose", "pushes"]
