"""What a user can set, where it may be set, and what is said when it is wrong.

One table (`options`) feeds command line, environment and file; nothing here starts anything.
"""

from franka_sim.config.errors import ConfigError
from franka_sim.config.layers import Config, load
from franka_sim.config.options import OPTIONS, Option

__all__ = ["OPTIONS", "Config", "ConfigError", "Option", "load"]
