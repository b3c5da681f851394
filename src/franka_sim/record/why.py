"""Why did it stop: each motion of a recording that ended in an error, in sentences.

Reads what the core judged when it happened; must not judge anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from franka_sim.log.narrator import violation_text
from franka_sim.metrics.timing import sentence
from franka_sim.record.files import Recording

#: What `circumstances` are called for a reader.
_WORDS = {
    "generator": "generator",
    "over": "over the limit by",
    "lost_in_last_20": "cycles lost among the last 20",
    "gap": "lost right before",
    "links": "links",
}


def errors(recording: Recording) -> list[Mapping[str, Any]]:
    """Return the events of motions that ended in an error, oldest first."""
    return [event for event in recording.of_kind("motion_ended") if event["data"].get("errors")]


def explain(recording: Recording) -> list[str]:
    """Return the lines of the report; one says so when nothing stopped."""
    lines: list[str] = []
    for event in errors(recording):
        data = event["data"]
        lines.append(f"motion {data['motion']} ended at cycle {event['cycle']}: {_names(data)}")
        for violation in _violations(recording, data["motion"]):
            told = violation["data"]
            lines.append("  " + violation_text(_numbers(told)))
            if told.get("explanation"):
                lines.append(f"    cause: {told['explanation']}")
            facts = [f"{word} {told[key]}" for key, word in _WORDS.items() if told.get(key)]
            if told.get("extrapolated"):
                facts.append("judged on a guess: the cycle was lost")
            if facts:
                lines.append("    " + ", ".join(facts))
        if data.get("timing") and data["timing"]["cycles"]:
            lines.append(f"  {sentence(data['timing'])}")
    left = sum(event["data"]["ended"] == "kAborted" for event in recording.of_kind("motion_ended"))
    if left:
        lines.append(f"{left} motions ended kAborted: the client left, or the brakes closed")
    return lines or ["no motion of this recording ended in an error"]


def _names(data: Mapping[str, Any]) -> str:
    return ", ".join(data["errors"])


def _violations(recording: Recording, motion: int) -> list[Mapping[str, Any]]:
    """Return the enforced violations of a motion, one an error."""
    seen: dict[str, Mapping[str, Any]] = {}
    for event in recording.of_kind("violation"):
        data = event["data"]
        if data.get("motion") == motion and data.get("enforced"):
            seen.setdefault(data["error"], event)
    return list(seen.values())


def _numbers(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return `data` with what JSON could not hold as the number it was not."""
    return {
        k: float("nan") if v is None and k in ("value", "limit") else v for k, v in data.items()
    }
