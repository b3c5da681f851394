"""One TCP connection on the event loop: moves bytes between a socket and its `Session`.

Knows transports and flow control; what bytes mean is the session's, who holds the slot is the
reception's.
"""

from __future__ import annotations

import asyncio
import contextlib
import select
import socket
import struct
from typing import Protocol

from franka_sim.server.session import (
    MAX_OUTSTANDING,
    ConnectRequested,
    PeerFault,
    Send,
    Session,
    Submit,
)

#: A client that vanished without a word is noticed after idle + count * interval = 4 s, the same
#: as libfranka notices a server (wire.md 1.1).
_KEEPALIVE = ((socket.TCP_KEEPIDLE, 1), (socket.TCP_KEEPINTVL, 1), (socket.TCP_KEEPCNT, 3))
_USER_TIMEOUT_MS = 4000

_LINGER_RESET = struct.pack("ii", 1, 0)


class Reception(Protocol):
    """Who connections report to: the owner of the one client slot."""

    def joined(self, connection: Connection) -> None: ...
    def claim(self, connection: Connection, request: ConnectRequested) -> None: ...
    def submit(self, connection: Connection, request: Submit) -> None: ...
    def fault(self, connection: Connection, fault: PeerFault) -> None: ...
    def left(self, connection: Connection) -> None: ...


class Connection(asyncio.Protocol):
    """Feeds one session and obeys it. Loop thread only."""

    def __init__(self, reception: Reception, session: Session) -> None:
        self.session = session
        self.peer = "?"
        #: Why the connection ended, for the log.
        self.ending = "closed by the client"
        self._reception = reception
        self._transport: asyncio.Transport | None = None
        self._socket_full = False
        self._reading = True

    @property
    def ip(self) -> str:
        """Address of the peer, without port."""
        return self.peer.rpartition(":")[0]

    @property
    def open(self) -> bool:
        """Whether bytes may still be exchanged."""
        return self._transport is not None and not self._transport.is_closing()

    @property
    def hung_up(self) -> bool:
        """Whether the peer has left, as the kernel knows it: also with bytes still to be read."""
        if self._transport is None or self._transport.is_closing():
            return True
        poll = select.poll()
        poll.register(self._transport.get_extra_info("socket"), select.POLLRDHUP)
        return bool(poll.poll(0))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        name = transport.get_extra_info("peername")
        if name is not None:
            self.peer = f"{name[0]}:{name[1]}"
        sock = transport.get_extra_info("socket")
        # The peer may be gone already; the transport will say so by itself.
        with contextlib.suppress(OSError):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for option, value in _KEEPALIVE:
                sock.setsockopt(socket.IPPROTO_TCP, option, value)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _USER_TIMEOUT_MS)
        self._reception.joined(self)

    def data_received(self, data: bytes) -> None:
        self.session.receive(data)
        self.pump()

    def eof_received(self) -> None:
        # Clients say nothing when they leave (wire.md 2.1); returning None closes the transport.
        return None

    def connection_lost(self, exc: Exception | None) -> None:
        if isinstance(exc, TimeoutError):
            self.ending = f"nothing was read or confirmed for {_USER_TIMEOUT_MS / 1000:g} s"
        elif exc is not None:
            self.ending = "reset by the client"
        self._reception.left(self)

    def pause_writing(self) -> None:
        self._socket_full = True
        self._throttle()

    def resume_writing(self) -> None:
        self._socket_full = False
        self.pump()

    def pump(self) -> None:
        """Act on received bytes until they, the core's room or the socket's is used up."""
        while self.open and not self._blocked:
            event = self.session.next_event()
            match event:
                case None:
                    break
                case Send(data):
                    self.write(data)
                case Submit():
                    self._reception.submit(self, event)
                case ConnectRequested():
                    self._reception.claim(self, event)
                case PeerFault():
                    self._reception.fault(self, event)
                    if event.fatal:
                        self.reset()
        self._throttle()

    def write(self, data: bytes) -> None:
        """Send `data` in one piece."""
        if self.open:
            assert self._transport is not None
            self._transport.write(data)

    def reset(self) -> None:
        """Drop the connection with a RST, so that a peer inside a TCP wait notices at once."""
        if self._transport is None:
            return
        self.ending = "reset by the server"
        with contextlib.suppress(OSError):
            sock = self._transport.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER_RESET)
        self._transport.abort()

    def close(self) -> None:
        """End the connection with all requests answered, so that its peer can survive a FIN."""
        if self._transport is None:
            return
        self.write(self.session.abandon())
        if self._transport.get_write_buffer_size():
            self.reset()  # the peer reads nothing; there is no waiting for it
        else:
            self._transport.close()

    @property
    def _blocked(self) -> bool:
        return self._socket_full or self.session.outstanding >= MAX_OUTSTANDING

    def _throttle(self) -> None:
        # A peer that does not read its replies, or asks faster than the core answers, is not read.
        if not self.open:
            return
        assert self._transport is not None
        if self._blocked and self._reading:
            self._reading = False
            self._transport.pause_reading()
        elif not self._blocked and not self._reading:
            self._reading = True
            self._transport.resume_reading()
