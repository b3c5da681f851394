"""Options of the field, and of the simulator people come from, that this server does not have yet.

They are refused by name, never ignored: a run that silently lacks what was asked for is worse than
none. A value that asks for nothing beyond what exists is accepted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from franka_sim.config.errors import ConfigError


@dataclass(frozen=True)
class Unbuilt:
    """One option that is known but not built.

    Attributes:
        key: its name, with underscores.
        takes_value: whether an argument follows on the command line.
        what: what is missing, as a noun phrase.
        harmless: tells the values that ask for nothing that is missing.
        short: one-letter name on the command line, if any.
    """

    key: str
    takes_value: bool
    what: str
    harmless: Callable[[str], bool] = lambda value: False
    short: str = ""

    @property
    def flag(self) -> str:
        """Name on the command line."""
        return "--" + self.key.replace("_", "-")

    @property
    def variable(self) -> str:
        """Name in the environment."""
        return "FRANKA_SIM_" + self.key.upper()

    def refuse_unless_harmless(self, value: Any, name: str) -> None:
        """Raise ConfigError when `value` asks for what is not built."""
        text = str(value).strip().lower()
        if not self.harmless(text):
            raise ConfigError(f"{name}: {self.what} is not built yet")


def _off(value: str) -> bool:
    return value in ("", "0", "false", "no", "off")


UNBUILT: tuple[Unbuilt, ...] = (
    Unbuilt("vis", False, "a viewer", _off, short="-v"),
    Unbuilt("viewer", False, "a viewer", _off),
    Unbuilt(
        "physics", True, "a physics backend other than mujoco", lambda value: value == "mujoco"
    ),
    Unbuilt("protocol_version", True, "an FCI version other than 10", lambda value: value == "10"),
    Unbuilt("physics_sim", True, "a physics backend of one's own", lambda value: value == ""),
    Unbuilt("gripper_backend", True, "a gripper of one's own", lambda value: value == ""),
    Unbuilt("mobile_base", False, "the mobile base", _off),
    Unbuilt("mobile_duo", False, "the mobile FR3 duo", _off),
    Unbuilt("scene_urdf", True, "a scene from a URDF", lambda value: value == ""),
    Unbuilt("mesh_root", True, "a scene from a URDF", lambda value: value == ""),
    Unbuilt("bind", True, "the mobile FR3 duo", lambda value: value == ""),
    Unbuilt("spine", False, "the spine of the mobile FR3 duo", _off),
    Unbuilt("spine_host", True, "the spine of the mobile FR3 duo", lambda value: value == ""),
    Unbuilt("spine_port", True, "the spine of the mobile FR3 duo", lambda value: value == ""),
    Unbuilt("spine_cert", True, "the spine of the mobile FR3 duo", lambda value: value == ""),
    Unbuilt("spine_key", True, "the spine of the mobile FR3 duo", lambda value: value == ""),
    Unbuilt("fault_plan", True, "a plan of faults", lambda value: value == ""),
    # Chooses the device of a physics engine that is not built.
    Unbuilt("backend", True, "the genesis backend", lambda value: value == ""),
)

BY_KEY: dict[str, Unbuilt] = {row.key: row for row in UNBUILT}
