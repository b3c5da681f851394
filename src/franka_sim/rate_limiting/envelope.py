"""Joint velocity limits that depend on the position: from a URDF, and evaluated."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from franka_sim import _limiting
from franka_sim.rate_limiting.arguments import Array, row, samples
from franka_sim.rate_limiting.constants import LIMIT_EPS

#: Where a coefficient stands in a joint of the URDF: element, attribute (wire.md 10.2).
#: libfranka looks for the position-based element first.
_SOURCES = {
    "lower": ("limit", "lower"),
    "upper": ("limit", "upper"),
    "velocity": ("limit", "velocity"),
    "velocity_offset": ("position_based_velocity_limits", "velocity_offset"),
    "deceleration_limit": ("position_based_velocity_limits", "deceleration_limit"),
}


@dataclass(frozen=True)
class JointVelocityLimits:
    """The envelope of seven joints: full speed, and the braking parabola towards each stop."""

    #: Stops [rad].
    lower: Sequence[float]
    upper: Sequence[float]
    #: Full speed [rad/s].
    velocity: Sequence[float]
    #: Subtracted from the parabola [rad/s].
    velocity_offset: Sequence[float]
    #: Of the parabola [rad/s^2].
    deceleration_limit: Sequence[float]
    #: Kept below the limits [rad/s]; libfranka kJointVelocityLimitsTolerance of an FR3.
    tolerance: float = LIMIT_EPS
    core: _limiting.Envelope = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        arrays = [row(getattr(self, name), 7, name) for name in _SOURCES]
        lower, upper, velocity, offset, deceleration = arrays
        core = _limiting.Envelope(lower, upper, velocity, offset, deceleration, self.tolerance)
        object.__setattr__(self, "core", core)

    @classmethod
    def from_urdf(cls, text: str) -> JointVelocityLimits:
        """Read joint1 to joint7 of the URDF that a robot serves.

        Raises:
            ValueError: it does not parse, or lacks a joint, an element or an attribute; the text is
                libfranka's.
        """
        try:
            root = ET.fromstring(text)
        except ET.ParseError as error:
            raise ValueError("Failed to parse URDF for joint velocity limits") from error
        if root.tag != "robot":
            raise ValueError(
                "Failed to parse URDF: no <robot> element exists for joint velocity limits"
            )
        rows: dict[int, dict[str, float]] = {}
        for joint in root.findall("joint"):
            index = _index(joint.get("name", ""))
            if index is not None:
                rows[index] = {key: _number(joint, *_SOURCES[key]) for key in reversed(_SOURCES)}
        missing = [f"joint{i}" for i in range(1, 8) if i not in rows]
        if missing:
            raise ValueError(f"Missing required joints: {' '.join(missing)} ")
        columns = (tuple(rows[i][key] for i in range(1, 8)) for key in _SOURCES)
        lower, upper, velocity, offset, deceleration = columns
        return cls(lower, upper, velocity, offset, deceleration)

    def upper_limits(self, q: ArrayLike) -> Array:
        """Greatest velocities at positions `q`, 7 or N x 7 [rad] -> [rad/s]."""
        rows, shape = samples(q, 7, "q")
        out = np.empty_like(rows)
        self.core.upper_limits(rows, out)
        return out.reshape(shape)

    def lower_limits(self, q: ArrayLike) -> Array:
        """Least velocities at positions `q`, 7 or N x 7 [rad] -> [rad/s]."""
        rows, shape = samples(q, 7, "q")
        out = np.empty_like(rows)
        self.core.lower_limits(rows, out)
        return out.reshape(shape)


def _index(name: str) -> int | None:
    """Which of joint1 to joint7 the name contains; a number of two digits counts by its first."""
    return next((i for i in range(1, 8) if f"joint{i}" in name), None)


def _number(joint: ET.Element, element: str, attribute: str) -> float:
    name = joint.get("name")
    found = joint.find(element)
    if found is None:
        raise ValueError(f"Missing <{element}> element for joint: {name}")
    text = found.get(attribute)
    if text is None:
        raise ValueError(f"Missing '{attribute}' attribute in <{element}> for joint: {name}")
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"'{attribute}' of joint {name}: {text!r} is not a number") from None
