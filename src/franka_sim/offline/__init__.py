"""The offline judge: whether Control would accept a file of commands, without a server.

The judging is the live server's compiled code; here live the file, the words and the picture.
"""

from franka_sim.offline.files import load
from franka_sim.offline.judging import Judged, judge
from franka_sim.offline.trajectory import GENERATORS, Trajectory

__all__ = ["GENERATORS", "Judged", "Trajectory", "judge", "load"]
