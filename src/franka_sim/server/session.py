"""One session without I/O: bytes in, typed events out, replies matched to their requests.

Knows frames, the command table of the negotiated version, and which requests still wait for an
answer. Must not know sockets, clocks, or whether a command is possible now: the core decides that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from franka_sim.server.framing import Frame, Framer, FramingError
from franka_sim.server.tables import (
    ABORTED,
    CONNECT,
    CONNECT_ID,
    INCOMPATIBLE,
    INVALID_ARGUMENT,
    MOTION_STARTED,
    STOPS,
    SUCCESS,
    Command,
    CommandTable,
)

#: Largest message a connected client may send. Chosen: ten times the largest request there is
#: (SetCollisionBehavior, 428 bytes), so that an unknown command of another version still gets its
#: rejection instead of a reset.
MAX_MESSAGE = 4096

#: Requests that may wait for the core at once; chosen. libfranka has two (a Move and one more).
MAX_OUTSTANDING = 32


def token_source() -> Iterator[int]:
    """Yield names for requests: 32 bits wide as in the core, never 0, which names nobody there."""
    while True:
        yield from range(1, 1 << 32)


@dataclass(frozen=True)
class ConnectRequested:
    """A valid Connect: the owner of the slot answers with `Session.accept`, or resets the peer."""

    version: int
    udp_port: int


@dataclass(frozen=True)
class Send:
    """Bytes to write as they are, in one piece."""

    data: bytes


@dataclass(frozen=True)
class Submit:
    """A request for the core, which answers it by `token`."""

    token: int
    version: int
    command: int
    payload: bytes


@dataclass(frozen=True)
class PeerFault:
    """The peer broke the protocol. After a fatal one the connection must be reset.

    Reset, not closed: libfranka spins for ever on a FIN while it waits for a reply (wire.md 1.1).
    """

    kind: str
    detail: str
    fatal: bool


Event = ConnectRequested | Send | Submit | PeerFault


class Phase(Enum):
    """Where a session is.

    WAITING: entered at the start; left by `accept`, or by a fatal fault.
    CONNECTED: entered by `accept`; left by a fatal fault only (the end of the TCP connection ends
    the session object).
    BROKEN: entered by a fatal fault; final.
    """

    WAITING = auto()
    CONNECTED = auto()
    BROKEN = auto()


@dataclass
class _Pending:
    command: Command
    command_id: int
    started: bool = False


class Session:
    """The protocol state of one TCP connection.

    Args:
        tokens: names for requests, shared by all connections of a server, so that an answer for a
            connection that is gone can never reach the next one (see `token_source`).
        table: command table of the version this server speaks.
        robot_model: URDF text (UTF-8) that GetRobotModel returns.
    """

    def __init__(
        self, tokens: Iterator[int], table: CommandTable, robot_model: bytes = b""
    ) -> None:
        self.phase = Phase.WAITING
        self._table = table
        self._grammar = table.grammar
        self._robot_model = robot_model
        # Connect is the only message a peer without a session may send.
        self._framer = Framer(table.grammar.connect_size, table.grammar.header)
        self._pending: dict[int, _Pending] = {}
        self._tokens = tokens
        self._connect: tuple[int, int] | None = None  # command_id, version of a Connect on the desk
        self._queued: list[Event] = []

    @property
    def outstanding(self) -> int:
        """Number of requests the core has not answered yet."""
        return len(self._pending)

    @property
    def waiting_bytes(self) -> int:
        """Number of bytes received but not yet turned into events."""
        return len(self._framer)

    def receive(self, data: bytes) -> None:
        """Take bytes of the peer, cut anywhere. Cheap; `next_event` does the work."""
        if self.phase is not Phase.BROKEN:
            self._framer.feed(data)

    def next_event(self) -> Event | None:
        """Return what the received bytes mean, one event at a time, or None until more come.

        One at a time, so that the caller can stop in between when the core or the peer's socket
        takes no more; what is not asked for stays bytes.
        """
        if self._queued:
            return self._queued.pop(0)
        if self.phase is Phase.BROKEN or self._connect is not None:
            return None
        try:
            frame = self._framer.next_frame()
        except FramingError as error:
            return self._fatal(error.kind, str(error))
        if frame is None:
            return None
        return self._before_connect(frame) if self.phase is Phase.WAITING else self._request(frame)

    def accept(self) -> bytes:
        """Answer the Connect on the desk with kSuccess; the session is then connected.

        Raises:
            RuntimeError: when there is no Connect to answer.
        """
        if self._connect is None:
            raise RuntimeError("there is no Connect to accept")
        command_id, version = self._connect
        self._connect = None
        self.phase = Phase.CONNECTED
        self._framer.limit = MAX_MESSAGE
        return self._connect_reply(command_id, SUCCESS, version)

    def answer(self, token: int, status: int) -> bytes | None:
        """Return the reply that carries the core's answer to request `token`.

        A Move may be answered twice: kMotionStarted, then its end. None when nothing must be sent,
        because the request is not of this session or has had this answer.
        """
        pending = self._pending.get(token)
        if pending is None:
            return None
        if status == pending.command.statuses.get(MOTION_STARTED):
            if pending.started:
                return None
            pending.started = True
        else:
            del self._pending[token]
        return self._reply(pending.command, pending.command_id, status)

    def abandon(self) -> bytes:
        """Return replies to all requests that the core will not answer any more.

        For the end of the server: a client whose request stays unanswered waits for ever, one that
        reads an error to its StopMove may end in std::terminate (wire.md 5.6).
        """
        replies = b""
        for token, pending in list(self._pending.items()):
            command = pending.command
            stop = command.name in STOPS
            status = command.statuses[SUCCESS] if stop else command.rejection(ABORTED)
            replies += self.answer(token, status) or b""
        return replies

    def _before_connect(self, frame: Frame) -> Event:
        if frame.command != CONNECT_ID:
            return self._fatal("not_connected", f"command {frame.command} came before Connect")
        size = self._grammar.connect_size
        if frame.size != size:
            return self._fatal("connect_size", f"Connect has {frame.size} bytes, not {size}")
        version, udp_port = CONNECT.unpack(frame.payload)
        if version != self._table.version:
            # The connection stays open; the client closes it, or tries again (wire.md 2.2).
            return Send(self._connect_reply(frame.command_id, INCOMPATIBLE, self._table.version))
        if udp_port == 0:
            return self._fatal("connect_udp_port", "Connect names UDP port 0")
        self._connect = (frame.command_id, version)
        return ConnectRequested(version, udp_port)

    def _request(self, frame: Frame) -> Event:
        command = self._table.by_id.get(frame.command)
        if command is None:
            # wire.md 11.1: an unanswered request blocks its client for ever.
            header, body = self._grammar.header, self._grammar.status
            reply = header.pack(frame.command, frame.command_id, header.size + body.size)
            reply += body.pack(self._table.unknown_rejection)
            return self._answered_fault(
                "unknown_command", f"command {frame.command} is not in this version", reply
            )
        if command.id == CONNECT_ID:
            reply = self._connect_reply(frame.command_id, INCOMPATIBLE, self._table.version)
            return self._answered_fault("second_connect", "Connect came twice", reply)
        if frame.size != command.request_size:
            status = command.rejection(INVALID_ARGUMENT)
            return self._answered_fault(
                "request_size",
                f"{command.name} has {frame.size} bytes, not {command.request_size}",
                self._reply(command, frame.command_id, status),
            )
        if command.name == "GetRobotModel":
            status = command.statuses[SUCCESS]
            return Send(self._reply(command, frame.command_id, status, self._robot_model))
        token = next(self._tokens)
        self._pending[token] = _Pending(command, frame.command_id)
        return Submit(token, self._table.version, command.id, frame.payload)

    def _connect_reply(self, command_id: int, status: str, version: int) -> bytes:
        number = self._table.by_id[CONNECT_ID].statuses[status]
        header, reply = self._grammar.header, self._grammar.connect_reply
        size = header.size + reply.size
        return header.pack(CONNECT_ID, command_id, size) + reply.pack(number, version)

    def _answered_fault(self, kind: str, detail: str, reply: bytes) -> PeerFault:
        self._queued.append(Send(reply))
        return PeerFault(kind, detail, fatal=False)

    def _fatal(self, kind: str, detail: str) -> PeerFault:
        self.phase = Phase.BROKEN
        return PeerFault(kind, detail, fatal=True)

    def _reply(self, command: Command, command_id: int, status: int, tail: bytes = b"") -> bytes:
        """Return a whole reply: header, status, zeros up to the command's fixed size, tail."""
        header = self._grammar.header
        body = self._grammar.status.pack(status)
        body = body.ljust(command.reply_size - header.size, b"\0") + tail
        return header.pack(command.id, command_id, header.size + len(body)) + body
