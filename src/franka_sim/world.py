"""What a script may do to the world around the arm, checked and put into the core's words.

Pure: values in, values out; the engine's thread carries it out at a cycle boundary.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

#: Frames a push may act on.
LINKS = (*(f"link{i}" for i in range(8)), "flange", "EE")
SHAPES = ("step", "ramp", "pulse")
#: Most a push may be, per component. Chosen: ten times what stops the arm in the air; beyond it the
#: simulation, not the robot, is tested.
FORCE_MAX = 10_000.0
TORQUE_MAX = 5_000.0
#: Farthest point of a frame that can be pushed [m]. Chosen: beyond any tool.
POINT_MAX = 10.0
#: Longest push [s]. Chosen: a day.
DURATION_MAX = 86_400.0


#: Heaviest payload [kg]. Chosen: several times what the arm can hold.
PAYLOAD_MAX = 20.0
#: Farthest centre of it [m] and largest moment of inertia. Chosen: beyond what the arm can hold.
PAYLOAD_LENGTH_MAX = 1.0
PAYLOAD_INERTIA_MAX = 10.0


def refusal(name: str, value: object, allowed: str) -> ValueError:
    """Return the one sentence that says why `value` cannot be used."""
    return ValueError(f"{name}: {value!r:.200} is not allowed; it must be {allowed}")


def vector(name: str, value: Sequence[float], limit: float, unit: str) -> list[float]:
    """Return `value` as three numbers within ±`limit`; ValueError says what is wrong."""
    allowed = f"three numbers from {-limit:g} to {limit:g} {unit}"
    try:
        numbers = [float(x) for x in value]
    except (TypeError, ValueError):
        raise refusal(name, value, allowed) from None
    if len(numbers) != 3 or not all(abs(x) <= limit for x in numbers):
        raise refusal(name, value, allowed)
    return numbers


def word(name: str, value: str, choices: Sequence[str]) -> str:
    """Return `value` when it is one of `choices`."""
    if value not in choices:
        raise refusal(name, value, "one of " + ", ".join(choices))
    return value


def cycles(name: str, seconds: float) -> int:
    """Return a time in whole cycles of 1 ms."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise refusal(name, seconds, f"a number from 0.001 to {DURATION_MAX:g} s")
    if not 0.001 <= seconds <= DURATION_MAX:
        raise refusal(name, seconds, f"a number from 0.001 to {DURATION_MAX:g} s")
    return round(seconds * 1000)


def payload_arguments(
    mass: float, com: Sequence[float], inertia: Sequence[float]
) -> tuple[float, list[float], list[float]]:
    """Return mass, centre and inertia of a payload; `Simulation.attach_payload` says of what.

    Raises:
        ValueError: names the argument, its value and what is allowed.
    """
    number = isinstance(mass, int | float) and not isinstance(mass, bool)
    if not number or not 0 < mass <= PAYLOAD_MAX:
        raise refusal("mass", mass, f"a number greater than 0 and at most {PAYLOAD_MAX:g} kg")
    centre = vector("com", com, PAYLOAD_LENGTH_MAX, "m")
    try:
        tensor = [float(x) for x in inertia]
    except (TypeError, ValueError):
        tensor = []
    if len(tensor) != 9 or not all(abs(x) <= PAYLOAD_INERTIA_MAX for x in tensor):
        raise refusal("inertia", inertia, f"nine numbers of at most {PAYLOAD_INERTIA_MAX:g} kg m^2")
    xx, yx, zx, xy, yy, zy, xz, yz, zz = tensor
    if any(tensor):
        if max(abs(xy - yx), abs(xz - zx), abs(yz - zy)) > 1e-9:
            raise refusal("inertia", inertia, "symmetric")
        low, middle, high = np.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        # 1e-9: rounding of a tensor that was typed in.
        if low <= 0 or low + middle < high * (1 - 1e-9):
            raise refusal(
                "inertia",
                inertia,
                "that of a body, each principal moment positive and at most the sum of the others",
            )
    return float(mass), centre, tensor


def _start(at_cycle: int | None, at_motion_cycle: int | None) -> tuple[str, int]:
    if at_cycle is not None and at_motion_cycle is not None:
        raise ValueError("at_cycle, at_motion_cycle: a push begins at one of them, not at both")
    for name, value in (("cycle", at_cycle), ("motion_cycle", at_motion_cycle)):
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise refusal(f"at_{name}", value, "a whole number of at least 0 cycles")
        return name, value
    return "now", 0


#: What `Simulation.push` takes when a scene's push does not say.
PUSH_DEFAULTS: dict[str, Any] = {
    "link": "flange",
    "force": (0.0, 0.0, 0.0),
    "torque": (0.0, 0.0, 0.0),
    "frame": "O",
    "point": (0.0, 0.0, 0.0),
    "shape": "step",
    "duration": None,
    "rise": None,
    "at_cycle": None,
    "at_motion_cycle": None,
}


def scene_push(name: str, keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Return the core's arguments of a scene's push called `name`.

    Raises:
        ValueError: names push, keyword, value and what is allowed.
    """
    for key in keywords:
        if key not in PUSH_DEFAULTS:
            raise ValueError(f"{name}: {key} is none of {', '.join(PUSH_DEFAULTS)}")
    try:
        return push_arguments(**(PUSH_DEFAULTS | dict(keywords)))
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def push_arguments(
    *,
    link: str,
    force: Sequence[float],
    torque: Sequence[float],
    frame: str,
    point: Sequence[float],
    shape: str,
    duration: float | None,
    rise: float | None,
    at_cycle: int | None,
    at_motion_cycle: int | None,
) -> dict[str, Any]:
    """Return the core's arguments of a push; `Simulation.push` says what they mean.

    Raises:
        ValueError: names the argument, its value and what is allowed.
    """
    word("link", link, LINKS)
    word("frame", frame, ("O", "link"))
    word("shape", shape, SHAPES)
    lasting = None if duration is None else cycles("duration", duration)
    if shape == "pulse" and lasting is None:
        raise ValueError("duration: a pulse needs one; it must be a number of at least 0.001 s")
    if rise is not None and shape != "ramp":
        raise ValueError("rise: it acts only with shape ramp")
    rising = 0
    if shape == "ramp":
        if rise is not None:
            rising = cycles("rise", rise)
        elif lasting is not None:
            rising = lasting
        else:
            raise ValueError("rise: a ramp without duration needs it; a number of at least 0.001 s")
        if lasting is not None and rising > lasting:
            raise ValueError(
                f"rise: {rise!r} is not allowed; it must be at most the duration of {duration} s"
            )
    start, cycle = _start(at_cycle, at_motion_cycle)
    number = int(link.removeprefix("link")) if link.startswith("link") else 7
    return {
        "link": number,
        "anchor": link if link in ("flange", "EE") else "link",
        "in_O": frame == "O",
        "force": vector("force", force, FORCE_MAX, "N"),
        "torque": vector("torque", torque, TORQUE_MAX, "Nm"),
        "point": vector("point", point, POINT_MAX, "m"),
        "shape": shape,
        "start": start,
        "cycle": cycle,
        "duration": lasting,
        "rise": rising,
    }
