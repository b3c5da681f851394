"""The robot descriptions of this package: one json a robot type. No format, no physics."""

import functools
import json
from importlib import resources
from typing import Any


def names() -> list[str]:
    """Return the robot types that have a description, sorted."""
    files = resources.files(__package__).iterdir()
    return sorted(f.name.removesuffix(".json") for f in files if f.name.endswith(".json"))


@functools.cache
def load(robot: str) -> dict[str, Any]:
    """Return the description of `robot`; its `sources` key names where the numbers come from.

    The dictionary is shared: do not change it. Raises ValueError for an unknown name. Any thread.
    """
    if robot not in names():
        raise ValueError(f"robot: no description of {robot!r}, there are {', '.join(names())}")
    text = resources.files(__package__).joinpath(f"{robot}.json").read_text()
    description: dict[str, Any] = json.loads(text)
    return description


def joint_row(
    description: dict[str, Any], i: int, *, limit_set: str | None = None
) -> dict[str, float]:
    """Return the limits of joint `i` (0-based) of one published set, the default set if None."""
    limits = description["joint_limits"]
    chosen = limits["sets"][limit_set or limits["default_set"]]
    row = {key: limits[key][i] for key in ("velocity", "acceleration", "jerk", "torque")}
    return row | {key: value[i] for key, value in chosen.items() if key != "source"}
