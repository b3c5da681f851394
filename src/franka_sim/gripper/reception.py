"""The gripper's clients: several at once, each with states of its own, all commanding one tool.

Runs on the event loop; must not know bytes (server/session.py) or threads (server/tcp.py).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from franka_sim.gripper.door import ToolDoor
from franka_sim.gripper.tables import tool_table
from franka_sim.log.limiter import PerSecond
from franka_sim.log.setup import logger as package_logger
from franka_sim.server.connection import Connection
from franka_sim.server.faults import FaultCounter
from franka_sim.server.session import (
    ConnectRequested,
    PeerFault,
    Phase,
    Session,
    Submit,
    token_source,
)

#: Connected clients; the core keeps as many addresses. Chosen: a program, its helpers, a person.
MAX_CLIENTS = 8
#: Connections that have not sent a valid Connect, and seconds they have for it; chosen as for the
#: robot (server/reception.py).
MAX_PENDING = 64
CONNECT_DEADLINE = 5.0


class ToolDesk:
    """Lets clients in and carries requests and answers across.

    Args:
        engine: the doors of the robot whose tool it is.
        kind: ``hand`` or ``vacuum``.
        on_answer: called on the loop with token, status number and cycle of every answer.
    """

    def __init__(
        self, engine: ToolDoor, kind: str, on_answer: Callable[[int, int, int], None]
    ) -> None:
        self.faults = FaultCounter()
        self._engine = engine
        self._kind = kind
        self._table = tool_table(kind)
        self._on_answer = on_answer
        self._log: Any = package_logger()
        self._coming_and_going = PerSecond(20)
        self._tokens = token_source()
        self._names = token_source()
        self._clients: dict[Connection, int] = {}
        # Insertion order is age, which is what eviction goes by.
        self._pending: dict[Connection, asyncio.TimerHandle] = {}

    def new_connection(self) -> Connection:
        """Return the protocol object of a connection that was just accepted."""
        return Connection(self, Session(self._tokens, self._table))

    def joined(self, connection: Connection) -> None:
        """Let a new connection wait for its Connect; the oldest one gives way if need be."""
        if len(self._pending) >= MAX_PENDING:
            self.make_room()
        loop = asyncio.get_running_loop()
        self._pending[connection] = loop.call_later(CONNECT_DEADLINE, self._expire, connection)

    def make_room(self) -> None:
        """Reset the connection that has waited longest, if any waits."""
        oldest = next(iter(self._pending), None)
        if oldest is not None:
            self.faults.count("too_many_pending", oldest.peer, "gave way to a newer connection")
            self._dismiss(oldest)

    def claim(self, connection: Connection, request: ConnectRequested) -> None:
        """Make `connection` a client, or reset it when there are too many."""
        for gone in [other for other in self._clients if other.hung_up]:
            self._dismiss_client(gone)
        if connection.hung_up or len(self._clients) >= MAX_CLIENTS:
            self._dismiss(connection)
            return
        name = next(self._names)
        try:
            self._engine.tool_attach(name, connection.ip, request.udp_port)
        except (OSError, ValueError, RuntimeError) as error:
            self._log.error("client cannot be served", peer=connection.peer, error=str(error))
            self._dismiss(connection)
            return
        self._pending.pop(connection).cancel()
        self._clients[connection] = name
        connection.write(connection.session.accept())
        self._tell("gripper client connected", connection, version=request.version)

    def submit(self, connection: Connection, request: Submit) -> None:
        """Hand a request to the core; one that the core cannot take is answered here."""
        try:
            self._engine.tool_submit(self._kind, request.token, request.command, request.payload)
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
        """Forget `connection`; what it has commanded runs on."""
        timer = self._pending.pop(connection, None)
        if timer is not None:
            timer.cancel()
        self._release(connection)

    def carry_events(self) -> None:
        """Write the replies that the core's new answers stand for, in their order."""
        for token, status, cycle in self._engine.poll_tool_events():
            for client in self._clients:
                # A token of another connection is unknown to this session.
                reply = client.session.answer(token, status)
                if reply is not None:
                    client.write(reply)
            self._on_answer(token, status, cycle)
        for client in list(self._clients):
            client.pump()

    def drop_client(self) -> None:
        """Reset all connected clients."""
        for client in list(self._clients):
            client.reset()

    def let_go(self) -> None:
        """End all sessions now: the core knows when this returns."""
        for client in list(self._clients):
            self._dismiss_client(client)

    def close(self) -> None:
        """Let everybody go; for the end of the server."""
        for connection in list(self._pending):
            self._dismiss(connection)
        for client in list(self._clients):
            client.close()

    def _release(self, connection: Connection) -> None:
        name = self._clients.pop(connection, None)
        if name is not None:
            self._engine.tool_detach(name)
            self._tell("gripper client gone", connection)

    def _dismiss_client(self, client: Connection) -> None:
        self._release(client)
        client.reset()

    def _expire(self, connection: Connection) -> None:
        if connection.session.phase is Phase.WAITING:
            waited = f"no Connect within {CONNECT_DEADLINE:g} s"
            self.faults.count("silent_peer", connection.peer, waited)
        self._dismiss(connection)

    def _dismiss(self, connection: Connection) -> None:
        timer = self._pending.pop(connection, None)
        if timer is not None:
            timer.cancel()
        connection.reset()

    def _tell(self, text: str, connection: Connection, **facts: Any) -> None:
        held_back = self._coming_and_going.take()
        if held_back is not None:
            more = {"lines_held_back": held_back} if held_back else {}
            self._log.info(text, peer=connection.peer, **facts, **more)
