"""Cycles per second on the lockstep clock, beside two C processes that only exchange datagrams."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from typing import Any

import numpy as np

from franka_sim.bench import processes, programs
from franka_sim.bench.plan import Plan
from franka_sim.bench.report import Bound, Findings, Latency, Row

#: How long the spinning server polls for an answer before it sleeps [us]: as long as it may.
SPIN_US = 1000
#: Real time is 1000 cycles/s.
REAL_TIME = 1000
SHARE = Bound("ratio", ">=", 0.25)
SPINNING = Bound("server", ">=", 20 * REAL_TIME)
PYLIBFRANKA = Bound("server", ">=", 5 * REAL_TIME)
WAITING = {"spin": "spinning", "block": "blocking"}
_PERIOD = 2000  # cycles of one swing; chosen
_PEAK = 0.2  # rad/s; chosen, far inside every limit
_CLIENT_WATCHDOG_S = 300.0


def measure(plan: Plan, into: Findings) -> None:
    """Add a row for each way of waiting, one for pylibfranka, and histograms."""
    script = velocity_script(plan.rounds)
    for wait, spin in (("spin", SPIN_US), ("block", 0)):
        bounds = [SHARE, SPINNING] if wait == "spin" else [SHARE]
        name = f"lockstep.{wait}"

        def client(host: str, wait: str = wait) -> dict[str, Any]:
            return programs.lockstep_client(host, processes.PORT, wait=wait, script=script)

        what = f"cycles/s of a moving arm with a C client, both ends {WAITING[wait]}"
        _pairs(plan, into, name, what, wait, spin, plan.rounds, client, bounds)
    if importlib.util.find_spec("pylibfranka") is None:
        into.skipped["lockstep.pylibfranka"] = "pylibfranka is not installed"
        return

    def pylibfranka(host: str) -> dict[str, Any]:
        return _pylibfranka(host, plan.slow_rounds)

    what = "cycles/s of a moving arm with pylibfranka, the server spinning"
    name = "lockstep.pylibfranka"
    _pairs(plan, into, name, what, "block", SPIN_US, plan.slow_rounds, pylibfranka, [PYLIBFRANKA])


def velocity_script(cycles: int) -> bytes:
    """Return a script of raw_client: joint 1 back and forth, at rest at both ends.

    Args:
        cycles: at least as many samples; whole pairs of swings.
    """
    swings = max(2, 2 * -(-cycles // (2 * _PERIOD)))
    k = np.arange(swings * _PERIOD + 1)
    sign = np.where((k // _PERIOD) % 2 == 0, 1.0, -1.0)
    rows = np.zeros((len(k), 7))
    rows[:, 0] = sign * _PEAK * 0.5 * (1.0 - np.cos(2.0 * np.pi * k / _PERIOD))
    # One motion: joint velocity (1) under joint impedance (0).
    head = np.array([1, 1, 0, len(k)], dtype="<u4")
    return head.tobytes() + rows.astype("<f8").tobytes()


def _pairs(
    plan: Plan,
    into: Findings,
    name: str,
    what: str,
    wait: str,
    spin: int,
    rounds: int,
    client: Any,
    bounds: list[Bound],
) -> None:
    live: list[dict[str, Any]] = []
    cpu_us: list[float] = []

    def server() -> dict[str, Any]:
        with processes.host({"clock": "lockstep", "spin": spin}) as host:
            before = processes.cpu_seconds(host.process.pid)
            found: dict[str, Any] = client(host.host)
            used = processes.cpu_seconds(host.process.pid) - before
            # Says less of the scheduler's choice of a processor than the wall clock does.
            cpu_us.append(1e6 * used / found["cycles"])
            live.append(host.live_cycle())
            return found

    def reference() -> dict[str, Any]:
        return programs.ping_pong(wait, rounds)

    references, servers = plan.alternate(name.replace(".", " "), reference, server)
    into.rows.append(
        Row(
            name=name,
            what=what,
            unit="1/s",
            against=f"bare UDP ping-pong of 1377 and 371 bytes, both ends {WAITING[wait]}",
            reference=[run["cycles_per_s"] for run in references],
            server=[run["cycles_per_s"] for run in servers],
            bounds=bounds,
            notes={
                "spin_us": spin,
                "rounds": rounds,
                "server_cpu_us_per_cycle": cpu_us,
                "live": live,
            },
        )
    )
    newest = live[-1]
    into.latencies.append(
        Latency(
            name=name,
            what="answer seen to state sent",
            figures=newest["figures"],
            cycles=newest["cycles"],
            slips=newest["slips"],
            policy="other",
        )
    )


def _pylibfranka(host: str, cycles: int) -> dict[str, Any]:
    # A process of its own: its constructor holds the interpreter's lock while it connects.
    done = subprocess.run(
        [sys.executable, "-m", "franka_sim.bench.pylibfranka_client", host, str(cycles)],
        capture_output=True,
        text=True,
        timeout=_CLIENT_WATCHDOG_S,
    )
    if done.returncode != 0:
        raise RuntimeError(f"pylibfranka_client: {done.stderr.strip()}")
    return dict(json.loads(done.stdout.splitlines()[-1]))
