"""Puts the core's events into words: one line for each thing a user should hear about.

Knows event names and texts; must not know sockets or decide anything.
"""

from __future__ import annotations

import math
from typing import Any

from franka_sim.log.limiter import OncePerScope
from franka_sim.log.setup import RECORD
from franka_sim.log.setup import logger as package_logger
from franka_sim.metrics.timing import sentence

#: What the core's notices mean to a user.
NOTICES = {
    "unsolved_pose": "a commanded pose has no joint angles: its joint side is not judged",
    "malformed_command": "a datagram of the client is no command: wrong size",
    "foreign_datagram": "a datagram did not come from the client's address and port: not obeyed",
    "unpublished_id": "a command answers a state that was never published: counted as no answer",
    "too_many_pushes": "a push found no room among the others and does not act",
    "lockstep_timeout": "the client did not answer within the lockstep timeout: cycle lost",
}


class Narrator:
    """Logs violations and notices of the core, once per kind and motion. Loop thread only."""

    def __init__(self, logger: Any = None) -> None:
        self._log = package_logger() if logger is None else logger
        self._once = OncePerScope()

    def tell(self, event: Any) -> None:
        """Log what `event` (of the core) means to a user, if anything."""
        data = event.data
        if event.kind == "motion_started":
            self._close_scope()
            self._log.debug("motion started", cycle=event.cycle, **data)
        elif event.kind == "motion_ended":
            timing = data.get("timing")
            told = {key: value for key, value in data.items() if key != "timing"}
            if timing and timing["cycles"]:
                told["timing"] = sentence(timing)
            self._log.info("motion ended", cycle=event.cycle, **told)
            self._close_scope()
        elif event.kind == "violation":
            if self._once.first((event.kind, data.get("error"))):
                self._log.warning(
                    violation_text(data),
                    cycle=event.cycle,
                    **circumstances(data),
                    **{RECORD: record(data)},
                )
        elif event.kind == "notice":
            name = str(data.get("notice"))
            if self._once.first((event.kind, name)):
                self._log.warning(NOTICES.get(name, name.replace("_", " ")), cycle=event.cycle)

    def _close_scope(self) -> None:
        held_back = self._once.next_scope()
        for kind, count in held_back.items():
            name = kind[1] if isinstance(kind, tuple) else kind
            self._log.info("held back repeated lines of the motion", kind=name, count=count)


def circumstances(data: dict[str, Any]) -> dict[str, Any]:
    """Return what belongs to "why did it stop" beside the sentence, without what says nothing."""
    known = {
        "generator": data.get("generator"),
        "over": data.get("over"),
        "lost_in_last_20": data.get("lost_in_last_20"),
        "gap": data.get("gap"),
        "after_a_guess": data.get("previous_extrapolated"),
        "links": data.get("links"),
        "cause": data.get("explanation"),
    }
    return {key: value for key, value in known.items() if value}


def record(data: dict[str, Any]) -> dict[str, Any]:
    """Return all that is known of a violation as values for JSON; what is no number is None."""
    return {
        key: None if isinstance(value, float) and not math.isfinite(value) else value
        for key, value in data.items()
    }


def violation_text(data: dict[str, Any]) -> str:
    """Return the one sentence that says which limit was broken, where, by how much.

    The form is fixed so that people can search for it (reference 000, "Checking is always on").
    """
    # The core counts joints from 0, people from 1.
    where = f" joint {data['joint'] + 1}" if data["joint"] >= 0 else ""
    if data.get("links"):
        where = " of links {} and {}".format(*data["links"])
    elif data.get("axis") not in (None, "", "none"):
        where += f" {data['axis']}"
    unit = "" if data["unit"] in ("", "-") else f" {data['unit']}"
    sample = f"{data['signal']}{where} = {data['value']:.6g}{unit}, limit {data['limit']:.6g}{unit}"
    outcome = "motion aborted" if data["enforced"] else "not enforced"
    return f"motion limit violated: {data['error']}: {sample} ({outcome})"
