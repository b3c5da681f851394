"""How evenly states leave on the realtime clock.

The reference is a bare C loop that has the scheduling class that the server obtained.
"""

from __future__ import annotations

import contextlib
from typing import Any

from franka_sim.bench import processes, programs
from franka_sim.bench.plan import Plan
from franka_sim.bench.report import Bound, Findings, Latency, Row

#: condition: whether the client moves the arm, whether everything is disturbed.
CONDITIONS = {"idle": (False, False), "moving": (True, False), "loaded": (True, True)}
#: A server may deviate by a quarter more than a loop that does nothing else.
BOUND = Bound("ratio", "<=", 1.25)


def measure(plan: Plan, into: Findings) -> None:
    """Add a row and a histogram for each condition."""
    with processes.host({}) as probe:
        scheduling = probe.scheduling
    for condition, (moving, loaded) in CONDITIONS.items():
        _condition(plan, into, condition, scheduling, moving, loaded)


def _condition(
    plan: Plan, into: Findings, condition: str, scheduling: str, moving: bool, loaded: bool
) -> None:
    live: list[dict[str, Any]] = []

    def reference() -> dict[str, Any]:
        # The same disturbance, in a process without a server.
        with processes.host(None, load=True) if loaded else contextlib.nullcontext():
            return programs.bare_loop_periods(scheduling, plan.states)

    def server() -> dict[str, Any]:
        # A history of the whole run; its size costs nothing while it runs.
        with processes.host({"history": plan.states + 1000}, load=loaded) as host:
            found = programs.server_periods(
                host.host, processes.PORT, moving=moving, count=plan.states
            )
            live.append(host.live_cycle())
            return found

    with processes.hogs() if loaded else contextlib.nullcontext():
        references, servers = plan.alternate(f"realtime {condition}", reference, server)
    load = "; 3 spinning threads, garbage collector, a hog on each core" if loaded else ""
    into.rows.append(
        Row(
            name=f"realtime.{condition}",
            what=f"p99 of |state period - 1 ms|, kernel timestamps{load}",
            unit="us",
            against=f"bare C loop, {scheduling}{', under the same load' if loaded else ''}",
            reference=[run["p99_us"] for run in references],
            server=[run["p99_us"] for run in servers],
            bounds=[BOUND],
            notes={
                "scheduling": scheduling,
                "states": plan.states,
                "reference_runs": references,
                "server_runs": servers,
                "live": live,
            },
        )
    )
    newest = live[-1]
    into.latencies.append(
        Latency(
            name=f"realtime.{condition}",
            what="state late by",
            figures=newest["figures"],
            cycles=newest["cycles"],
            slips=newest["slips"],
            policy=scheduling,
        )
    )
