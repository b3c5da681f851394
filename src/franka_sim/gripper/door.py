"""What the gripper's side needs of an engine, as types; `_engine.Engine` is the real one.

Types only, so that tests can stand in for a robot.
"""

from __future__ import annotations

from typing import Any, Protocol


class ToolDoor(Protocol):
    """The doors of one robot's tool."""

    @property
    def tool_event_fd(self) -> int: ...
    def tool_attach(self, connection: int, ip: str, udp_port: int) -> None: ...
    def tool_detach(self, connection: int) -> None: ...
    def tool_submit(
        self,
        kind: str,
        token: int,
        command: int,
        payload: bytes,
        when: str = "now",
        cycles: int = 0,
    ) -> None: ...
    def tool_input(
        self,
        kind: str,
        value: float,
        stiffness: float = 0.0,
        when: str = "now",
        cycles: int = 0,
    ) -> None: ...
    def poll_tool_events(self) -> list[tuple[int, int, int]]: ...
    def tool_snapshot(self) -> dict[str, Any]: ...
    def tool_hash(self) -> int: ...
