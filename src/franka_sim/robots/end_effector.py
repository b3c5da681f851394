"""What is mounted on the flange, in the words Desk uses for it. No physics, no bytes.

A file is JSON or TOML with `params` as `GET /api/configuration` of Desk gives them for the end
effector (mass, centerOfMass, inertia, transformation), bare, or wrapped as Desk wraps it; a profile
of the older admin API (inertial, tcp) will do as well. `shapes` may add what it touches with.
"""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

#: Tools of this package: one JSON each in tools/.
BUILT_IN = ("hand", "pump")
# Desk's limits for a profile (desk-api.md 5.3, as aiofranka knows them).
MASS_MAX = 3.0
LENGTH_MAX = 0.3
# chosen: rounding of a tensor that was typed in.
_TRIANGLE_SLACK = 1e-9

_ZERO3 = (0.0, 0.0, 0.0)
_IDENTITY = (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True)
class EndEffector:
    """A rigid body on the flange and the nominal end effector frame.

    Attributes:
        name: what the user calls it.
        mass: m_ee [kg].
        F_x_Cee: (3,) centre of mass in the flange frame [m].
        I_ee: (9,) inertia about that centre in flange axes, column-major [kg m^2].
        F_T_NE: (16,) nominal end effector frame in the flange frame, column-major.
        shapes: what it touches with, in the flange frame: boxes, capsules, cylinders, spheres.
    """

    name: str = "none"
    mass: float = 0.0
    F_x_Cee: tuple[float, ...] = _ZERO3
    I_ee: tuple[float, ...] = (0.0,) * 9
    F_T_NE: tuple[float, ...] = _IDENTITY
    shapes: tuple[Mapping[str, Any], ...] = ()


NONE = EndEffector()


def end_effector(which: str) -> EndEffector:
    """Return the tool of that name (`none`, `hand`, `pump`) or of that file.

    Raises:
        ValueError: one sentence naming the file, the key and what is allowed.
    """
    if which == "none":
        return NONE
    if which in BUILT_IN:
        text = resources.files(__package__).joinpath("tools", f"{which}.json").read_text()
        return _parse(json.loads(text), which)
    path = Path(which)
    return _parse(_read(path), str(path))


def _read(path: Path) -> Any:
    try:
        text = path.read_text()
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not a text file") from None
    kind = "TOML" if path.suffix == ".toml" else "JSON"
    try:
        return tomllib.loads(text) if kind == "TOML" else json.loads(text)
    except ValueError as error:
        raise ValueError(f"{path} is not valid {kind}: {error}") from None


def _parse(root: Any, where: str) -> EndEffector:
    """Return the tool that `root` describes; `where` begins every message."""
    root = _table(root, where, "the file")
    for wrapping in ("endEffectorConfiguration", "endEffector"):
        if wrapping in root:
            root = _table(root[wrapping], where, wrapping)
    if "inertial" in root and "tcp" in root:  # a profile of the older API
        inertial = _table(root["inertial"], where, "inertial")
        params: Mapping[str, Any] = {**inertial, "transformation": root["tcp"]}
    else:
        params = _table(root.get("params", root), where, "params")
    mass = _number(params, "mass", where, 0.0, MASS_MAX, "kg")
    com = _triple(params, "centerOfMass", "xyz", where, LENGTH_MAX, "m")
    tensor = _tensor(params, mass, where)
    pose = _table(params.get("transformation", {}), where, "transformation")
    translation = _triple(pose, "translation", "xyz", where, LENGTH_MAX, "m")
    rpy = _triple(pose, "rotation", ("roll", "pitch", "yaw"), where, math.pi, "rad")
    T = np.eye(4)
    T[:3, :3] = rotation(rpy)
    T[:3, 3] = translation
    T += 0.0  # no negative zeros on the wire
    return EndEffector(
        name=str(root.get("name", where)),
        mass=mass,
        F_x_Cee=com,
        I_ee=tuple(float(x) for x in tensor.T.ravel()),
        F_T_NE=tuple(float(x) for x in T.T.ravel()),
        shapes=_shapes(root, where),
    )


def rotation(rpy: Sequence[float]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return Rz(yaw) Ry(pitch) Rx(roll)."""
    (cr, cp, cy), (sr, sp, sy) = np.cos(rpy), np.sin(rpy)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def _table(value: Any, where: str, key: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError(f"{where}: {key} must be an object with keys, not {value!r:.80}")
    return value


def _number(
    table: Mapping[str, Any], key: str, where: str, low: float, high: float, unit: str
) -> float:
    value = table.get(key)
    fits = isinstance(value, int | float) and not isinstance(value, bool)
    if value is None or not fits or not low <= value <= high:
        shown = "missing" if value is None else f"{value!r:.80} is not allowed"
        raise ValueError(f"{where}: {key} {shown}; it must be from {low:g} to {high:g} {unit}")
    return float(value)


def _triple(
    table: Mapping[str, Any], key: str, names: Sequence[str], where: str, high: float, unit: str
) -> tuple[float, ...]:
    """Return the three numbers of object `key`; all zero when there is none."""
    if key not in table:
        return _ZERO3
    inner = _table(table[key], where, key)
    return tuple(_number(inner, name, f"{where}: {key}", -high, high, unit) for name in names)


def _tensor(params: Mapping[str, Any], mass: float, where: str) -> Any:
    """Return the 3x3 inertia about the centre of mass; zero when the file has none."""
    names = ("x11", "x12", "x13", "x22", "x23", "x33")
    if "inertia" not in params:
        values: tuple[float, ...] = (0.0,) * 6
    else:
        inner = _table(params["inertia"], where, "inertia")
        # chosen: 3 kg at 0.3 m have 0.27 kg m^2
        values = tuple(_number(inner, n, f"{where}: inertia", -1.0, 1.0, "kg m^2") for n in names)
    a, b, c, d, e, f = values
    tensor = np.array([[a, b, c], [b, d, e], [c, e, f]])
    if mass > 0 and np.any(tensor):
        low, middle, high = np.linalg.eigvalsh(tensor)
        if low <= 0:
            raise ValueError(f"{where}: inertia must be positive definite when there is a mass")
        if low + middle < high * (1 - _TRIANGLE_SLACK):
            raise ValueError(
                f"{where}: inertia belongs to no body: its largest principal moment, {high:.6g}, "
                f"must be at most the sum of the others, {low + middle:.6g} kg m^2"
            )
    return tensor


#: Numbers a shape has: key and how many.
_SHAPES = {
    "box": (("center", 3), ("half_size", 3)),
    "sphere": (("center", 3), ("radius", 1)),
    "capsule": (("from", 3), ("to", 3), ("radius", 1)),
    "cylinder": (("from", 3), ("to", 3), ("radius", 1)),
}


def _shapes(root: Mapping[str, Any], where: str) -> tuple[Mapping[str, Any], ...]:
    rows = root.get("shapes", ())
    if not isinstance(rows, list | tuple):
        raise ValueError(f"{where}: shapes must be a list")
    for n, row in enumerate(rows, 1):
        name = f"shapes {n}"
        kind = _table(row, where, name).get("type")
        if kind not in _SHAPES:
            raise ValueError(f"{where}: {name}: type must be one of {', '.join(_SHAPES)}")
        optional = [(key, count) for key, count in (("rpy", 3), ("friction", 1)) if key in row]
        for key, count in (*_SHAPES[kind], *optional):
            given = row.get(key)
            numbers = given if isinstance(given, list) else [given]
            finite = all(
                isinstance(x, int | float) and not isinstance(x, bool) and math.isfinite(x)
                for x in numbers
            )
            if len(numbers) != count or not finite:
                what = "a number" if count == 1 else f"{count} numbers"
                raise ValueError(f"{where}: {name}: {key} must be {what}, not {given!r:.80}")
            if key in ("radius", "half_size") and not all(x > 0 for x in numbers):
                raise ValueError(f"{where}: {name}: {key} must be greater than 0")
    return tuple(rows)
