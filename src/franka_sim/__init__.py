"""franka_sim: a server that speaks the Franka Control Interface as an FR3 does.

Names only, imported when first used, so that importing the package costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from franka_sim.config import ConfigError
    from franka_sim.errors import ERROR_NAMES, Errors
    from franka_sim.events import SimEvent
    from franka_sim.peer import FrankaSimServer
    from franka_sim.simulation import Simulation, serve
    from franka_sim.state import Duration, RobotMode, RobotState

    __version__: str

_HOME = {
    "ConfigError": "franka_sim.config",
    "ERROR_NAMES": "franka_sim.errors",
    "Errors": "franka_sim.errors",
    "SimEvent": "franka_sim.events",
    "FrankaSimServer": "franka_sim.peer",
    "Simulation": "franka_sim.simulation",
    "serve": "franka_sim.simulation",
    "Duration": "franka_sim.state",
    "RobotMode": "franka_sim.state",
    "RobotState": "franka_sim.state",
}

__all__ = [
    "ERROR_NAMES",
    "ConfigError",
    "Duration",
    "Errors",
    "FrankaSimServer",
    "RobotMode",
    "RobotState",
    "SimEvent",
    "Simulation",
    "__version__",
    "serve",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("franka-sim-rt")
        except PackageNotFoundError:  # a source tree that nobody installed
            return "0+unknown"
    if name in _HOME:
        return getattr(importlib.import_module(_HOME[name]), name)
    raise AttributeError(f"module 'franka_sim' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
