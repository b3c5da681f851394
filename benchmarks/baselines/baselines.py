"""Runs the bare C loops that the server is measured against, and the C clients that measure it.

Each function is one run and returns what the program printed. Pairs, medians and reports are the
caller's: a ratio means something only if both halves ran alternately on the same machine.
Run as a program, it prints the baselines of this machine as JSON.
"""

from __future__ import annotations

import json
import math
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SUPPORT = HERE.parent.parent / "tests" / "support"
sys.path.insert(0, str(SUPPORT))

from native import build  # noqa: E402  (needs the path above)

STATE_PERIOD_S = 1e-3


def _run(arguments: list[str], timeout_s: float) -> dict:
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=timeout_s)
    if done.returncode != 0:
        raise RuntimeError(f"{Path(arguments[0]).name}: {done.stderr.strip()} ({done.returncode})")
    return json.loads(done.stdout.splitlines()[-1])


def ping_pong(wait: str = "spin", rounds: int = 100_000) -> dict:
    """Cycles per second of two processes that only exchange 1377 and 371 bytes.

    Args:
        wait: "spin" or "block", on both sides.
    """
    program = build(HERE / "udp_ping_pong.c")
    return _run([str(program), wait, str(rounds)], timeout_s=30 + rounds * 1e-3)


def bare_loop_periods(scheduling: str = "other", count: int = 5000, cpu: int | None = None) -> dict:
    """Deviation from 1 ms of a bare 1 kHz sender.

    Args:
        scheduling: "other", "fifo:80" or "rr:80", of the sender.
        cpu: core the sender is pinned to, or None.
    """
    sender, receiver = build(HERE / "periodic_sender.c"), build(HERE / "state_periods.c")
    with subprocess.Popen(
        [str(receiver), "listen", str(count)], stdout=subprocess.PIPE, text=True
    ) as listening:
        try:
            port = json.loads(listening.stdout.readline())["port"]
            extra = [] if cpu is None else [str(cpu)]
            subprocess.run(
                [str(sender), "127.0.0.1", str(port), str(count + 300), scheduling, *extra],
                check=True,
                capture_output=True,
                text=True,
                timeout=30 + 2 * count * STATE_PERIOD_S,
            )
            return json.loads(listening.stdout.readline())
        finally:
            listening.kill()


def server_periods(host: str, port: int = 1337, *, moving: bool, count: int = 5000) -> dict:
    """Deviation from 1 ms of a running server's states, read by a C client."""
    program = build(HERE / "state_periods.c")
    what = "move" if moving else "idle"
    arguments = [str(program), "connect", host, str(port), str(count), what]
    return _run(arguments, timeout_s=30 + 2 * count * STATE_PERIOD_S)


def lockstep_client(
    host: str, port: int = 1337, *, wait: str = "spin", cycles: int = 100_000
) -> dict:
    """Cycles per second of a running lockstep server with a C client that moves joint 1.

    Args:
        wait: "spin" or "block", of the client; the server has its own option.
    """
    program = build(SUPPORT / "raw_client.c")
    with tempfile.NamedTemporaryFile(suffix=".script") as script:
        script.write(velocity_script(cycles))
        script.flush()
        return _run(
            [str(program), host, str(port), script.name, wait], timeout_s=60 + cycles * 2e-3
        )


def velocity_script(cycles: int, period_s: float = 2.0, peak: float = 0.2) -> bytes:
    """One velocity motion of whole periods back and forth on joint 1, at rest at both ends."""
    per_period = round(period_s / STATE_PERIOD_S)
    periods = max(2, 2 * math.ceil(cycles / per_period / 2))
    rows = bytearray()
    for k in range(periods * per_period + 1):
        sign = -1.0 if (k // per_period) % 2 else 1.0
        dq = sign * peak * 0.5 * (1.0 - math.cos(2.0 * math.pi * k / per_period))
        rows += struct.pack("<7d", dq, 0, 0, 0, 0, 0, 0)
    return struct.pack("<IIII", 1, 1, 0, periods * per_period + 1) + bytes(rows)


def main() -> None:
    report = {
        "ping_pong": {wait: ping_pong(wait) for wait in ("spin", "block")},
        "bare_loop": {},
    }
    for scheduling in ("other", "fifo:80"):
        try:
            report["bare_loop"][scheduling] = bare_loop_periods(scheduling)
        except subprocess.CalledProcessError as error:
            report["bare_loop"][scheduling] = {"refused": error.stderr.strip()}
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
