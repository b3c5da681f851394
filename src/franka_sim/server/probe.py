"""Asks a server whether it is an FCI server that is ready, without becoming its client.

The question is a Connect with a version that no robot has ever had. An FCI server refuses it with
its own version: proof that the session code behind the port lives. It takes no slot, so neither the
connected client nor the next one notices, and it works while a client is connected. Our server
listens only after its cycle runs, so an answer also means that states flow.
"""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass

from franka_sim.server.tables import CONNECT, CONNECT_ID, CONNECT_REPLY, CONNECT_SIZE, HEADER

#: Robots have versions from 1 (wire.md 0.1).
_NO_VERSION = 0
#: Nothing is sent to a refused client. Not 0, which a server may take for malformed.
_UDP_PORT = 9
_COMMAND_ID = 0

_REPLY_SIZE = HEADER.size + CONNECT_REPLY.size
_RETRY_AFTER = 0.05  # seconds between two attempts while a server boots; chosen


@dataclass(frozen=True)
class Probe:
    """What a probe found.

    Attributes:
        ready: whether an FCI server answered.
        detail: one sentence for a person.
        version: FCI version the server speaks, when it said so.
        final: whether asking again is useless.
    """

    ready: bool
    detail: str
    version: int | None = None
    final: bool = False


def probe(
    host: str,
    port: int,
    timeout: float,
    clock: Callable[[], float] = time.monotonic,
    pause: Callable[[float], None] = time.sleep,
) -> Probe:
    """Ask until a server is ready, it is clear that none will be, or `timeout` seconds are over."""
    deadline = clock() + timeout
    while True:
        left = deadline - clock()
        found = _ask(host, port, max(left, 0.001))
        if found.ready or found.final or deadline - clock() <= _RETRY_AFTER:
            return found
        pause(_RETRY_AFTER)


def _ask(host: str, port: int, timeout: float) -> Probe:
    where = f"{host} port {port}"
    try:
        sock = socket.create_connection((host, port), timeout)
    except TimeoutError:
        return Probe(False, f"{where} does not answer")
    except OSError as error:
        return Probe(False, f"{where} cannot be reached: {error.strerror or error}")
    with contextlib.closing(sock):
        sock.settimeout(timeout)
        try:
            header = HEADER.pack(CONNECT_ID, _COMMAND_ID, CONNECT_SIZE)
            sock.sendall(header + CONNECT.pack(_NO_VERSION, _UDP_PORT))
            reply = _read(sock, _REPLY_SIZE)
        except TimeoutError:
            return Probe(False, f"{where} accepts connections but does not answer Connect")
        except (ConnectionResetError, BrokenPipeError):
            # How a robot with a client turns others away.
            return Probe(True, f"{where} is alive and has a client already")
        except OSError as error:
            return Probe(False, f"{where} failed: {error.strerror or error}")
    if not reply:
        return Probe(False, f"{where} closed the connection without an answer")
    if len(reply) == _REPLY_SIZE:
        command, command_id, size = HEADER.unpack_from(reply)
        if (command, command_id, size) == (CONNECT_ID, _COMMAND_ID, _REPLY_SIZE):
            _, version = CONNECT_REPLY.unpack_from(reply, HEADER.size)
            return Probe(True, f"{where} is ready and speaks FCI version {version}", version)
    return Probe(False, f"{where} is not an FCI server", final=True)


def _read(sock: socket.socket, size: int) -> bytes:
    """Return `size` bytes, or fewer when the peer closes."""
    data = b""
    while len(data) < size:
        part = sock.recv(size - len(data))
        if not part:
            break
        data += part
    return data
