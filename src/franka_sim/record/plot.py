"""Pictures of a recording: reference against measured, limits, and the moment of each error.

Needs matplotlib. Must not judge.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from franka_sim import _engine
from franka_sim.config import ConfigError
from franka_sim.record.files import Recording
from franka_sim.record.schema import units
from franka_sim.record.why import errors

#: Okabe and Ito's colours, which the colour-blind can tell apart.
_MEASURED, _REFERENCE, _LIMIT, _ERROR = "#0072B2", "#E69F00", "#999999", "#D55E00"
#: A panel spans at least this, so that rounding does not look like motion; by unit.
_LEAST_SPAN = {"rad": 2e-3, "m": 1e-3, "rad/s": 1e-2, "m/s": 1e-2, "Nm": 0.1, "N": 0.1}
#: What is drawn beside a measured field.
REFERENCES = {
    "q": "q_d",
    "dq": "dq_d",
    "tau_J": "tau_J_d",
    "O_T_EE": "O_T_EE_c",
    "elbow": "elbow_c",
}
#: Elements of a transform that are drawn: the position.
_POSITION = {12: "x", 13: "y", 14: "z"}
#: Limits of a field: name in the table of joint limits, whether it has two ends.
_LIMITS = {"dq": "velocity", "ddq_d": "acceleration", "tau_J_d": "torque"}


def draw(recording: Recording, signal: str, path: Path) -> None:
    """Write the picture of `signal` to `path`; its ending says the format.

    Raises:
        ConfigError: for an unknown signal, a missing package, or a file that cannot be written.
    """
    rows = recording.rows
    if signal not in (rows.dtype.names or ()):
        raise ConfigError(f"--signal: {signal} is no field of a recording; see record info")
    if not len(rows):
        raise ConfigError(f"{recording.path}: holds events but no cycle to draw")
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ConfigError("drawing needs matplotlib; install franka-sim-rt[plot]") from None
    elements = _elements(rows[signal])
    figure = Figure(figsize=(10, 1.2 + 1.7 * len(elements)), layout="constrained")
    panels: Any = figure.subplots(len(elements), 1, sharex=True, squeeze=False)[:, 0]
    time = (rows["message_id"] - rows["message_id"][0]) * 1e-3
    unit = units()[signal]
    for panel, (element, label) in zip(panels, elements, strict=True):
        _panel(panel, recording, signal, element, time)
        panel.set_ylabel(f"{label} [{unit.split(',')[0]}]" if unit else label)
        panel.grid(alpha=0.3)
        panel.margins(x=0)
    panels[0].legend(loc="upper right", fontsize="small", ncols=4)
    panels[-1].set_xlabel(f"time since cycle {int(rows['message_id'][0])} [s]")
    ended = errors(recording)
    told = "; ".join(", ".join(event["data"]["errors"]) for event in ended[:2])
    figure.suptitle(f"{signal}  {recording.path.name}" + (f"\n{told}" if told else ""), fontsize=10)
    try:
        figure.savefig(path, dpi=110)
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: cannot be written: {error}") from None


def _elements(values: npt.NDArray[Any]) -> list[tuple[int | None, str]]:
    if values.ndim == 1:
        return [(None, "")]
    if values.shape[1] == 16:
        return list(_POSITION.items())
    if values.shape[1] == 7:
        return [(i, f"joint {i + 1}") for i in range(7)]
    return [(i, f"[{i}]") for i in range(values.shape[1])]


def _panel(
    panel: Any, recording: Recording, signal: str, element: int | None, time: npt.NDArray[Any]
) -> None:
    rows = recording.rows

    def pick(name: str) -> npt.NDArray[Any]:
        values = rows[name]
        return values if element is None else values[:, element]

    measured = pick(signal)
    reference = REFERENCES.get(signal)
    panel.plot(time, measured, color=_MEASURED, lw=1.2, label=signal)
    if reference is not None:
        panel.plot(time, pick(reference), color=_REFERENCE, lw=1.0, ls="--", label=reference)
    bottom, top = panel.get_ylim()
    least = _LEAST_SPAN.get(units()[signal].split(",")[0], 0.0)
    if top - bottom < least:
        middle = (bottom + top) / 2
        bottom, top = middle - least / 2, middle + least / 2
        panel.set_ylim(bottom, top)
    for value in _limits(recording, signal, element):
        # A limit far away would flatten the curve.
        if bottom - (top - bottom) <= value <= top + (top - bottom):
            panel.axhline(value, color=_LIMIT, lw=0.8, ls=":", label="_limit")
    for event in errors(recording):
        at = (event["cycle"] - int(rows["message_id"][0])) * 1e-3
        panel.axvline(at, color=_ERROR, lw=1.2, label="error")


def _limits(recording: Recording, signal: str, element: int | None) -> list[float]:
    if element is None or element > 6:
        return []
    table = _engine.joint_limits(recording.about.get("robot", "fr3"))
    if signal == "q":
        return [float(table["lower"][element]), float(table["upper"][element])]
    if signal in _LIMITS:
        limit = float(np.asarray(table[_LIMITS[signal]])[element])
        return [-limit, limit]
    return []
