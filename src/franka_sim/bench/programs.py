"""Runs the C programs that the package carries: bare loops to compare with, clients that measure.

Each function is one run and returns what the program printed. Must not compare anything.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import franka_sim.bench

STATE_PERIOD_S = 1e-3
_STARTING_S = 30.0  # chosen: what any program may take beside its own work


def program(name: str) -> Path:
    """Return the path of one of the package's C programs.

    Raises:
        RuntimeError: when this installation has none of that name.
    """
    # An editable install keeps what is compiled in another folder than the sources.
    for folder in franka_sim.bench.__path__:
        path = Path(folder) / "bin" / name
        if path.exists():
            return path
    raise RuntimeError(f"this installation has no program franka_sim/bench/bin/{name}")


def ping_pong(wait: str, rounds: int) -> dict[str, Any]:
    """Cycles per second of two processes that only exchange 1377 and 371 bytes.

    Args:
        wait: "spin" or "block", on both sides.
    """
    return _run("udp_ping_pong", wait, str(rounds), timeout_s=rounds * STATE_PERIOD_S)


def bare_loop_periods(scheduling: str, count: int) -> dict[str, Any]:
    """Deviation from 1 ms of a bare 1 kHz sender of 1377 bytes [us].

    Args:
        scheduling: "other" or "fifo:PRIORITY", of the sender.
    """
    with subprocess.Popen(
        [program("state_periods"), "listen", str(count)], stdout=subprocess.PIPE, text=True
    ) as listening:
        try:
            assert listening.stdout is not None
            port = json.loads(listening.stdout.readline())["port"]
            with bare_loop(port, scheduling, count + 300):
                line = listening.stdout.readline()
        finally:
            listening.kill()
    if not line:
        raise RuntimeError("state_periods: no state arrived from the bare loop")
    return dict(json.loads(line))


@contextlib.contextmanager
def bare_loop(port: int, scheduling: str, count: int) -> Iterator[subprocess.Popen[str]]:
    """Run a bare 1 kHz sender to a loopback port for as long as the block; at most `count` ms."""
    with subprocess.Popen(
        [program("periodic_sender"), "127.0.0.1", str(port), str(count), scheduling],
        stderr=subprocess.PIPE,
        text=True,
    ) as sender:
        try:
            yield sender
        finally:
            code = sender.poll()
            sender.kill()
            words = sender.stderr.read().strip() if sender.stderr else ""
    if code not in (None, 0):
        raise RuntimeError(f"periodic_sender: {words} ({code})")


def server_periods(host: str, port: int, *, moving: bool, count: int) -> dict[str, Any]:
    """Deviation from 1 ms of a server's states, read by a C client that may move joint 1 [us]."""
    what = "move" if moving else "idle"
    seconds = 2 * count * STATE_PERIOD_S
    return _run("state_periods", "connect", host, str(port), str(count), what, timeout_s=seconds)


@contextlib.contextmanager
def client(host: str, port: int, *, moving: bool, count: int) -> Iterator[subprocess.Popen[bytes]]:
    """Run the same C client beside the block."""
    what = "move" if moving else "idle"
    with subprocess.Popen(
        [program("state_periods"), "connect", host, str(port), str(count), what],
        stdout=subprocess.DEVNULL,
    ) as running:
        try:
            yield running
        finally:
            running.kill()


def lockstep_client(host: str, port: int, *, wait: str, script: bytes) -> dict[str, Any]:
    """Cycles per second of a lockstep server with a C client that plays `script`.

    Args:
        wait: "spin" or "block", of the client; the server has its own option.
    """
    with tempfile.NamedTemporaryFile(suffix=".script") as file:
        file.write(script)
        file.flush()
        cycles = len(script) / 56
        return _run(
            "raw_client", host, str(port), file.name, wait, timeout_s=2 * cycles * STATE_PERIOD_S
        )


def _run(name: str, *arguments: str, timeout_s: float) -> dict[str, Any]:
    done = subprocess.run(
        [program(name), *arguments],
        capture_output=True,
        text=True,
        timeout=_STARTING_S + timeout_s,
    )
    if done.returncode != 0:
        raise RuntimeError(f"{name}: {done.stderr.strip()} ({done.returncode})")
    return dict(json.loads(done.stdout.splitlines()[-1]))
