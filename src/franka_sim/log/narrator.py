"""Puts the core's events into words: one line for each thing a user should hear about.

Knows event names and texts; must not know sockets or decide anything.
"""

from __future__ import annotations

from typing import Any

from franka_sim.log.limiter import OncePerScope
from franka_sim.log.setup import logger as package_logger


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
            self._log.debug("motion ended", cycle=event.cycle, status=event.status, **data)
            self._close_scope()
        elif event.kind == "violation":
            if self._once.first((event.kind, data.get("name"))):
                self._log.warning(violation_text(data), cycle=event.cycle)
        elif event.kind == "log":
            name = str(data.get("name", "notice"))
            if self._once.first((event.kind, name)):
                rest = {key: value for key, value in data.items() if key != "name"}
                self._log.warning(name.replace("_", " "), cycle=event.cycle, **rest)

    def _close_scope(self) -> None:
        held_back = self._once.next_scope()
        for kind, count in held_back.items():
            name = kind[1] if isinstance(kind, tuple) else kind
            self._log.info("held back repeated lines of the motion", kind=name, count=count)


def violation_text(data: dict[str, Any]) -> str:
    """Return the one sentence that says which limit was broken, where, by how much.

    The form is fixed so that people can search for it (reference 000, "Checking is always on").
    """
    where = str(data.get("signal", "command"))
    if data.get("joint") is not None:
        where += f" joint {data['joint']}"
    text = f"motion limit violated: {data.get('name')}: {where}"
    if data.get("value") is not None:
        unit = f" {data['unit']}" if data.get("unit") else ""
        text += f" = {data['value']:.6g}{unit}"
        if data.get("limit") is not None:
            text += f", limit {data['limit']:.6g}{unit}"
    return text + (" (motion aborted)" if data.get("enforced") else " (not enforced)")
