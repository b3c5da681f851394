"""A judgement as text and as JSON values. Must not judge."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from franka_sim.offline import slower
from franka_sim.offline.judging import Broken, Judged


def as_text(judged: Judged, name: str) -> str:
    """Return what a person wants to know, a line for each answer."""
    trajectory = judged.trajectory
    what = f"{len(trajectory)} samples, {trajectory.generator}, {judged.robot}"
    lost = int(trajectory.lost.sum())
    if lost:
        what += f", {lost} lost"
    if judged.accepted:
        lines = [f"{name}: accepted ({what})"]
    else:
        first = judged.violations[0]
        also = "".join(f" and {error}" for error in judged.errors if error != first.error)
        lines = [
            f"{name}: refused at sample {first.sample}, {first.sample / 1e3:.3f} s: "
            f"{first.error}{also} ({what})",
            *(f"  limit   {_measure(broken)}" for broken in judged.violations),
            f"  lost    {_losses(first)}",
            f"  cause   {first.text}",
            f"  slower  {_slower(judged)}",
        ]
    for broken in judged.at_the_end[:1]:
        lines.append(
            f"  note    it ends in motion: finished there, it would raise {broken.error}"
            f" ({_measure(broken)})"
        )
    if judged.unsolved is not None:
        lines.append(
            f"  note    no joints reach the pose of sample {judged.unsolved}: "
            "its joint side is not judged"
        )
    return "\n".join(lines)


def as_json(judged: Judged, name: str) -> dict[str, Any]:
    """Return the same as values for ``json.dumps``; what is no number is None."""
    return {
        "file": name,
        "accepted": judged.accepted,
        "robot": judged.robot,
        "generator": judged.trajectory.generator,
        "samples": len(judged.trajectory),
        "lost": int(judged.trajectory.lost.sum()),
        "errors": list(judged.errors),
        "violations": [_values(broken) for broken in judged.violations],
        "slowdown": judged.slowdown,
        "slowdown_tried_up_to": slower.MOST,
        "at_the_end": [_values(broken) for broken in judged.at_the_end],
        "unsolved": judged.unsolved,
    }


def place(broken: Broken) -> str:
    """Return what broke the row: signal, joint or axis."""
    if broken.joint is not None:
        return f"{broken.signal} joint {broken.joint}"
    return f"{broken.signal} {broken.axis}" if broken.axis else broken.signal


def _values(broken: Broken) -> dict[str, Any]:
    values = dataclasses.asdict(broken)
    return {
        key: None if isinstance(value, float) and not math.isfinite(value) else value
        for key, value in values.items()
    }


def _measure(broken: Broken) -> str:
    unit = f" {broken.unit}" if broken.unit else ""
    text = f"{place(broken)}, {broken.condition}: {broken.value:.6g}{unit}"
    if broken.over > 0:
        text += f", limit {broken.limit:.6g}{unit}, over by {broken.over:.3g}{unit}"
        if broken.limit:
            text += f" ({100 * broken.over / abs(broken.limit):.3g} %)"
    elif math.isfinite(broken.value):
        text += f", limit {broken.limit:.6g}{unit}"
    return text


def _losses(broken: Broken) -> str:
    text = f"{broken.lost_in_last_20} of the last 20 cycles"
    if broken.gap:
        text += f", {broken.gap} in a row just before"
    if broken.extrapolated:
        text += "; this sample is lost too: the server's extrapolation was judged"
    elif broken.previous_extrapolated:
        text += "; differenced against the server's extrapolation"
    return text


def _slower(judged: Judged) -> str:
    if judged.slowdown is None:
        return f"no slower version passes (up to {slower.MOST:g} times slower)"
    before = len(judged.trajectory) - 1
    return (
        f"passes {judged.slowdown:.3f} times slower, in {before * judged.slowdown / 1e3:.3f} s "
        f"instead of {before / 1e3:.3f} s (same path on a cubic spline, judged again)"
    )
