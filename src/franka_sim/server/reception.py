"""Who may be the one client: the slot, the connections that wait for it, and the core's answers.

A valid Connect takes the slot, nothing else does. Runs on the event loop; must not know bytes (the
session) or threads (tcp.py).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from franka_sim.log.limiter import OncePerScope, PerSecond
from franka_sim.log.setup import logger as package_logger
from franka_sim.server.connection import Connection
from franka_sim.server.door import EngineDoor, EngineEvent
from franka_sim.server.faults import FaultCounter
from franka_sim.server.session import (
    ConnectRequested,
    PeerFault,
    Phase,
    Session,
    Submit,
    token_source,
)
from franka_sim.server.tables import CommandTable

#: Connections that have not sent a valid Connect; the oldest gives way. Chosen: far below the usual
#: 1024 descriptors, far above what starting clients need.
MAX_PENDING = 64
#: Seconds from accept to Connect. Chosen; libfranka sends Connect at once.
CONNECT_DEADLINE = 5.0
#: The same while the slot is taken: a waiting peer learns within a second that it cannot have it.
BUSY_DEADLINE = 0.5


class Desk:
    """Gives the slot to at most one connection and carries requests and answers across.

    Args:
        engine: the robot's doors.
        table: command table of the version that is spoken.
        robot_model: URDF text (UTF-8).
        on_event: called on the loop for every event of the core, after its reply was written.
    """

    def __init__(
        self,
        engine: EngineDoor,
        table: CommandTable,
        robot_model: bytes,
        on_event: Callable[[EngineEvent], None],
    ) -> None:
        self.faults = FaultCounter()
        self.client: Connection | None = None
        self._engine = engine
        self._table = table
        self._robot_model = robot_model
        self._on_event = on_event
        self._log: Any = package_logger()
        self._said = OncePerScope()
        # chosen: a person's clients come and go far below this; a storm of them stays readable
        self._coming_and_going = PerSecond(20)
        self._tokens = token_source()
        # Insertion order is age, which is what eviction goes by.
        self._pending: dict[Connection, asyncio.TimerHandle] = {}

    def new_connection(self) -> Connection:
        """Return the protocol object of a connection that was just accepted."""
        return Connection(self, Session(self._tokens, self._table, self._robot_model))

    @property
    def pending(self) -> int:
        """Number of open connections without the slot."""
        return len(self._pending)

    def joined(self, connection: Connection) -> None:
        """Let a new connection wait for its Connect; the oldest one gives way if need be."""
        if len(self._pending) >= MAX_PENDING:
            self.make_room()
        self._pending[connection] = self._deadline(connection)

    def make_room(self) -> None:
        """Reset the connection that has waited longest, if any waits."""
        oldest = next(iter(self._pending), None)
        if oldest is not None:
            self.faults.count("too_many_pending", oldest.peer, "gave way to a newer connection")
            self._dismiss(oldest)

    def claim(self, connection: Connection, request: ConnectRequested) -> None:
        """Give the slot to `connection`, or reset it when the slot is taken.

        Who has left holds nothing: the loop may see a newcomer before it sees that end.
        """
        if connection.hung_up:
            self._dismiss(connection)
            return
        if self.client is not None and self.client.hung_up:
            self._dismiss_client()
        if self.client is not None:
            if self._said.first("busy"):
                self._log.info(
                    "slot taken; further clients of this session are turned away unsaid",
                    peer=connection.peer,
                    client=self.client.peer,
                )
            self._dismiss(connection)
            return
        try:
            self._engine.attach(connection.ip, request.udp_port, request.version)
        except (OSError, ValueError, RuntimeError) as error:
            self._log.error("client cannot be served", peer=connection.peer, error=str(error))
            self._dismiss(connection)
            return
        self._pending.pop(connection).cancel()
        self.client = connection
        connection.write(connection.session.accept())
        self._tell("client connected", peer=connection.peer, version=request.version)
        for other in self._pending:
            self._pending[other].cancel()
            self._pending[other] = self._deadline(other)

    def submit(self, connection: Connection, request: Submit) -> None:
        """Hand a request to the core; one that the core cannot take is answered here."""
        try:
            self._engine.submit(request.token, request.version, request.command, request.payload)
        except (ValueError, RuntimeError) as error:
            # Every request gets its answer, whatever happens.
            self._log.error("request not taken by the core", error=str(error))
            status = self._table.by_id[request.command].rejection()
            reply = connection.session.answer(request.token, status)
            if reply is not None:
                connection.write(reply)

    def fault(self, connection: Connection, fault: PeerFault) -> None:
        """Count what a peer did wrong."""
        self.faults.count(fault.kind, connection.peer, fault.detail)

    def left(self, connection: Connection) -> None:
        """Free what `connection` held; the next client may come at once."""
        timer = self._pending.pop(connection, None)
        if timer is not None:
            timer.cancel()
        if connection is self.client:
            self._release()

    def carry_events(self) -> None:
        """Write the replies that the core's new events stand for, in their order."""
        for event in self._engine.poll_events():
            client = self.client
            if client is not None and event.token:
                # A token of an earlier connection is unknown to this session: nothing leaks.
                reply = client.session.answer(event.token, event.status)
                if reply is not None:
                    client.write(reply)
            self._on_event(event)
        if self.client is not None:
            self.client.pump()

    def drop_client(self) -> None:
        """Reset the connected client, if there is one."""
        if self.client is not None:
            self.client.reset()

    def restart(self) -> None:
        """End the client's session, if there is one, and have the core begin anew.

        Who connects from now on finds the robot as it was when it started.
        """
        if self.client is not None:
            self.client.ending = "the robot was reset"
            self._dismiss_client()
        self._engine.restart()

    def close(self) -> None:
        """Let everybody go; for the end of the server."""
        for connection in list(self._pending):
            self._dismiss(connection)
        if self.client is not None:
            self.client.close()

    def _tell(self, text: str, **facts: Any) -> None:
        held_back = self._coming_and_going.take()
        if held_back is not None:
            self._log.info(text, **facts, **({"lines_held_back": held_back} if held_back else {}))

    def _release(self) -> None:
        assert self.client is not None
        self._tell("client gone", peer=self.client.peer, why=self.client.ending)
        self.client = None
        self._engine.detach()
        self._said.next_scope()

    def _dismiss_client(self) -> None:
        assert self.client is not None
        gone = self.client
        self._release()
        gone.reset()

    def _deadline(self, connection: Connection) -> asyncio.TimerHandle:
        seconds = CONNECT_DEADLINE if self.client is None else BUSY_DEADLINE
        return asyncio.get_running_loop().call_later(seconds, self._expire, connection)

    def _expire(self, connection: Connection) -> None:
        if self.client is None and connection.session.phase is Phase.WAITING:
            waited = f"no Connect within {CONNECT_DEADLINE:g} s"
            self.faults.count("silent_peer", connection.peer, waited)
        self._dismiss(connection)

    def _dismiss(self, connection: Connection) -> None:
        timer = self._pending.pop(connection, None)
        if timer is not None:
            timer.cancel()
        connection.reset()
