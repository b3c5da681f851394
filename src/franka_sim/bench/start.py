"""How long after the start of its process a server sends its first state."""

from __future__ import annotations

import contextlib
import socket
import struct
import subprocess
import sys
import time

from franka_sim.bench import processes
from franka_sim.bench.plan import Plan
from franka_sim.bench.report import Bound, Findings, Row

BOUND = Bound("server", "<=", 1.0)
VERSION = 10
_GIVE_UP_S = 30.0
_RETRY_S = 0.002  # chosen: small beside what is measured, and no busy loop on the server's core
#: wire.md 1: command, running number, size; then version and UDP port of the client.
_CONNECT = struct.Struct("<IIIHH")


def measure(plan: Plan, into: Findings) -> None:
    """Add the row."""
    references, servers = plan.alternate("start", importing, first_state)
    into.rows.append(
        Row(
            name="start.first_state",
            what="from the start of the process to the first state at a client",
            unit="s",
            against="an interpreter that imports numpy and mujoco and ends",
            reference=references,
            server=servers,
            bounds=[BOUND],
        )
    )


def importing() -> float:
    """Run an interpreter that imports what the server needs [s]."""
    begin = time.monotonic()
    subprocess.run([sys.executable, "-c", "import numpy, mujoco"], check=True)
    return time.monotonic() - begin


def first_state() -> float:
    """Start ``franka-sim serve``, connect as soon as it lets us, wait for a datagram [s]."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        udp.bind(("127.0.0.1", 0))
        udp.settimeout(_GIVE_UP_S)
        hello = _CONNECT.pack(0, 0, _CONNECT.size, VERSION, udp.getsockname()[1])
        begin = time.monotonic()
        with (
            processes.command_line_server() as (process, host),
            contextlib.closing(_connected(host, process, begin + _GIVE_UP_S)) as tcp,
        ):
            tcp.sendall(hello)
            try:
                udp.recv(2048)
            except TimeoutError:
                raise RuntimeError("the server that was started sends no state") from None
            return time.monotonic() - begin


def _connected(host: str, process: subprocess.Popen[bytes], deadline: float) -> socket.socket:
    while time.monotonic() < deadline and process.poll() is None:
        tcp = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            # The client's UDP port is looked for at the address that its TCP side has.
            tcp.bind(("127.0.0.1", 0))
            tcp.connect((host, processes.PORT))
        except OSError:
            tcp.close()
            time.sleep(_RETRY_S)
            continue
        return tcp
    raise RuntimeError("the server that was started does not listen")
