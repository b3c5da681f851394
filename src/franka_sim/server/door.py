"""What the TCP side needs of an engine, as types; the real one is `franka_sim._engine.Engine`.

Types only, so that tests can stand in for a robot.
"""

from __future__ import annotations

from typing import Any, Protocol


class EngineEvent(Protocol):
    """One event of the core; see `_engine.pyi`."""

    @property
    def kind(self) -> str: ...
    @property
    def token(self) -> int: ...
    @property
    def status(self) -> int: ...
    @property
    def cycle(self) -> int: ...
    @property
    def data(self) -> dict[str, Any]: ...


class EngineDoor(Protocol):
    """The requests and events doors of one robot."""

    @property
    def event_fd(self) -> int: ...
    def attach(self, ip: str, udp_port: int, version: int) -> None: ...
    def detach(self) -> None: ...
    def submit(self, token: int, version: int, command: int, payload: bytes) -> None: ...
    def poll_events(self) -> list[Any]: ...
