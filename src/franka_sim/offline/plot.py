"""A judged trajectory drawn against its limits. Must not judge; needs matplotlib."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from franka_sim import _engine, _kernels
from franka_sim.offline.judging import Broken, Judged
from franka_sim.offline.trajectory import DT
from franka_sim.offline.words import place

Numbers = NDArray[np.float64]
#: Okabe and Ito's colours, which the colour-blind can tell apart.
_LINE, _LIMIT, _BAD = ("#0072B2", "#56B4E9", "#009E73"), "#999999", "#D55E00"
#: Unit of a row: which derivative it is about.
_ORDERS = ("m rad Nm", "m/s rad/s Nm/s", "m/s^2 rad/s^2", "m/s^3 rad/s^3")


@dataclass
class _Panel:
    label: str
    lines: list[tuple[str, Numbers]]
    low: Numbers | float | None = None
    high: Numbers | float | None = None
    broken: list[Broken] = field(default_factory=list)


def draw(judged: Judged, name: str, path: str) -> None:
    """Write the picture of a judgement; its ending says the format."""
    from matplotlib.figure import Figure

    # Samples may be so large that their differences are not: such a curve leaves its panel.
    with np.errstate(all="ignore"):
        columns = _columns(judged)
    rows = max(len(panels) for _, panels in columns)
    figure = Figure(figsize=(1.5 + 6.5 * len(columns), 1.4 + 2.1 * rows), layout="constrained")
    grid = figure.subplots(rows, len(columns), sharex=True, squeeze=False)
    for column, (title, panels) in enumerate(columns):
        for row, panel in enumerate(panels):
            _draw_panel(grid[row][column], panel, judged)
        grid[0][column].set_title(title, fontsize=10)
        grid[-1][column].set_xlabel("time [s]")
    figure.suptitle(_headline(judged, name), fontsize=11)
    figure.savefig(path, dpi=110)


def _headline(judged: Judged, name: str) -> str:
    if judged.accepted:
        return f"{name}: accepted"
    first = judged.violations[0]
    unit = f" {first.unit}" if first.unit else ""
    return (
        f"{name}: {first.error} at sample {first.sample}\n"
        f"{place(first)}, {first.condition}: {first.value:.6g}{unit}, limit {first.limit:.6g}{unit}"
    )


def _draw_panel(axes: Any, panel: _Panel, judged: Judged) -> None:
    count = len(judged.trajectory)
    time = np.arange(count) * DT
    # Drawn up to three times the limits: a wild sample must not flatten the rest.
    reach = [float(x) for bound in (panel.low, panel.high) if bound is not None
             for x in (np.min(bound), np.max(bound))]  # fmt: skip
    if reach:
        low, high = min(reach), max(reach)
        middle, half = 0.5 * (low + high), 0.5 * (high - low)
        drawn = [*(values for _, values in panel.lines), *([b.value] for b in panel.broken)]
        away = np.abs(np.concatenate([np.asarray(x) for x in drawn]) - middle)
        far = float(np.max(away, where=np.isfinite(away), initial=0.0))
        half = max(1.15 * half, min(1.1 * far, 3.0 * half))
        axes.set_ylim(-0.05 * half if low == 0 else middle - half, middle + half)
    for bound in (panel.low, panel.high):
        if bound is not None and np.any(bound):
            axes.plot(time, np.broadcast_to(bound, count), color=_LIMIT, linewidth=1.2,
                      linestyle="--", label="limit" if bound is panel.high else None)  # fmt: skip
    for (label, values), colour in zip(panel.lines, _LINE, strict=False):
        axes.plot(time, values, color=colour, linewidth=1.3, label=label)
    for k, (begin, end) in enumerate(_runs(judged.trajectory.lost)):
        axes.axvspan((begin - 0.5) * DT, (end - 0.5) * DT, color="#E69F00", alpha=0.25,
                     linewidth=0, label=None if k else "lost")  # fmt: skip
    if judged.violations:
        axes.axvline(judged.violations[0].sample * DT, color=_BAD, linewidth=0.9, linestyle=":")
    for broken in panel.broken:
        value = np.clip(broken.value, *axes.get_ylim()) if np.isfinite(broken.value) else 0.0
        axes.plot([broken.sample * DT], [value], "o", color=_BAD, markersize=7, zorder=5,
                  label=f"violation: {broken.value:.5g}")  # fmt: skip
    axes.set_ylabel(panel.label)
    axes.grid(alpha=0.3)
    axes.margins(x=0.01)
    # Beside the panel: inside it would hide what happens there.
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=8, frameon=False)


def _columns(judged: Judged) -> list[tuple[str, list[_Panel]]]:
    if judged.trajectory.generator == "torque":
        columns = [_torque(judged)]
    elif judged.trajectory.cartesian:
        columns = [_translation(judged), _rotation(judged), _joint(judged)]
    else:
        columns = [_joint(judged)]
    for broken in judged.violations:
        order = next((k for k, units in enumerate(_ORDERS) if broken.unit in units.split()), None)
        at = 0
        if judged.trajectory.cartesian:
            at = {"translation": 0, "rotation": 1, "elbow": 2}.get(broken.axis, 2)
        if order is not None and order < len(columns[at][1]):
            columns[at][1][order].broken.append(broken)
    return columns


def _joint(judged: Judged) -> tuple[str, list[_Panel]]:
    """Return the joint that is refused, or that comes nearest to a limit."""
    r = judged.references
    limits = {k: np.asarray(v) for k, v in _engine.joint_limits(judged.robot).items()}
    q, dq, ddq = (np.nan_to_num(r[key]) for key in ("q_d", "dq_d", "ddq_d"))
    jerk = np.diff(ddq, axis=0, prepend=np.zeros((1, 7))) / DT
    # The envelope stands at the position before.
    low, high = _kernels.velocity_envelope(np.vstack([q[:1], q[:-1]]), judged.robot)
    shares = np.abs(ddq) / limits["acceleration"], np.abs(jerk) / limits["jerk"]
    speed = np.abs(dq) / np.maximum(np.where(dq > 0, high, -low), 1e-9)
    nearest = int(np.argmax(np.max([*(s.max(axis=0) for s in shares), speed.max(axis=0)], axis=0)))
    j = nearest
    title = f"joint {j + 1}, the nearest to a limit"
    for broken in judged.violations[:1]:
        if broken.joint is not None or broken.axis == "elbow":
            j = broken.joint - 1 if broken.joint is not None else 2
            title = f"joint {j + 1}"
    bounds = [(key, limits[key][j]) for key in ("acceleration", "jerk")]
    return title, [
        _Panel("position [rad]", [("q_d", q[:, j])], limits["lower"][j], limits["upper"][j]),
        _Panel("velocity [rad/s]", [("dq_d", dq[:, j])], low[:, j], high[:, j]),
        _Panel("acceleration [rad/s²]", [("ddq_d", ddq[:, j])], -bounds[0][1], bounds[0][1]),
        _Panel("jerk [rad/s³]", [("jerk", jerk[:, j])], -bounds[1][1], bounds[1][1]),
    ]


def _torque(judged: Judged) -> tuple[str, list[_Panel]]:
    limits = _engine.joint_limits(judged.robot)
    tau = np.nan_to_num(judged.references["tau_J_d"])
    rate = np.diff(tau, axis=0, prepend=np.zeros((1, 7))) / DT
    shares = np.maximum(np.abs(tau) / limits["torque"], np.abs(rate) / limits["torque_rate"])
    j = int(np.argmax(shares.max(axis=0)))
    title = f"joint {j + 1}, the nearest to a limit"
    if judged.violations and judged.violations[0].joint is not None:
        j = judged.violations[0].joint - 1
        title = f"joint {j + 1}"
    most, fastest = limits["torque"][j], limits["torque_rate"][j]
    return title, [
        _Panel("torque [Nm]", [("tau_J_d", tau[:, j])], -most, most),
        _Panel("torque rate [Nm/s]", [("rate", rate[:, j])], -fastest, fastest),
    ]


def _translation(judged: Judged) -> tuple[str, list[_Panel]]:
    moved = judged.references["O_T_EE"][:, 12:15] - judged.references["O_T_EE"][:1, 12:15]
    lines = [(axis, moved[:, k]) for k, axis in enumerate("xyz")]
    return "translation of EE", _norms(judged, "translation", slice(0, 3), "m", lines)


def _rotation(judged: Judged) -> tuple[str, list[_Panel]]:
    frames = np.nan_to_num(judged.references["O_T_EE"]).reshape(-1, 4, 4)[:, :3, :3]
    cosine = 0.5 * (np.einsum("kij,ij->k", frames, frames[0]) - 1.0)
    lines = [("angle from the start", np.arccos(np.clip(cosine, -1.0, 1.0)))]
    return "rotation of EE", _norms(judged, "rotation", slice(3, 6), "rad", lines)


def _norms(
    judged: Judged, axis: str, part: slice, unit: str, position: list[tuple[str, Numbers]]
) -> list[_Panel]:
    limits = _kernels.cartesian_limits(judged.robot)[axis]
    velocity = np.nan_to_num(judged.references["O_dP_EE_c"][:, part])
    acceleration = np.nan_to_num(judged.references["O_ddP_EE_c"][:, part])
    jerk = np.diff(acceleration, axis=0, prepend=np.zeros((1, 3))) / DT
    panels = [_Panel(f"position [{unit}]", position)]
    for label, values, limit in zip(
        (f"speed [{unit}/s]", f"acceleration [{unit}/s²]", f"jerk [{unit}/s³]"),
        (velocity, acceleration, jerk),
        limits,
        strict=True,
    ):
        panels.append(_Panel(label, [("norm", np.linalg.norm(values, axis=1))], 0.0, limit))
    return panels


def _runs(flags: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return begin and end of each run of set flags."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(int), [0]])))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))
