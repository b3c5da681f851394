"""What the parts of a cycle and a whole one cost, each beside plain code, without any waiting."""

from __future__ import annotations

from typing import Any

import numpy as np

from franka_sim.bench.plan import Plan
from franka_sim.bench.report import Bound, Findings, Row

ENCODE = Bound("server", "<=", 200, aim=True)
JUDGE = Bound("server", "<=", 500, aim=True)
CYCLE = Bound("server", "<=", 40_000, aim=True)
#: Calls in one sample of a function; chosen: some 20 us, a thousand times a reading of the clock.
PER_BATCH = 100


def measure(plan: Plan, into: Findings) -> None:
    """Add rows for encoding, judging and whole cycles."""
    from franka_sim import robots
    from franka_sim.bench import _timing
    from franka_sim.plants.mujoco import make_plant

    batches = max(50, plan.calls // 20)
    for name, function, what, against, bound in (
        ("encode", _timing.encode, "encode one state", "copy of 1377 bytes", ENCODE),
        (
            "judge",
            _timing.judge,
            "judge one joint position command",
            "three differences of seven joints, compared",
            JUDGE,
        ),
    ):
        plan.say(f"inside {name}")
        runs = [function(batches, PER_BATCH) for _ in range(plan.pairs)]
        into.rows.append(
            Row(
                name=f"inside.{name}",
                what=f"p50 of a call: {what}",
                unit="ns",
                against=against,
                reference=[_p50(plain) for _, plain in runs],
                server=[_p50(core) for core, _ in runs],
                bounds=[bound],
            )
        )
    for name, moving in (("cycle_moving", True), ("cycle_idle", False)):
        plan.say(f"inside {name}")
        cycles = [
            _timing.cycle(make_plant(robots.mjcf("fr3")), plan.calls, moving)
            for _ in range(plan.pairs)
        ]
        into.rows.append(
            Row(
                name=f"inside.{name}",
                what="p50 of a whole cycle without sleep: receive to history, "
                + ("a joint velocity motion in lockstep" if moving else "holding the arm"),
                unit="ns",
                against="the physics step (mj_step) in it",
                reference=[_p50(physics) for _, physics, _ in cycles],
                server=[_p50(whole) for whole, _, _ in cycles],
                bounds=[CYCLE],
                notes=_parts(_timing, cycles, batches, moving),
            )
        )


def _parts(timing: Any, cycles: Any, batches: int, moving: bool) -> dict[str, Any]:
    """Where the time goes, p50 in ns; what is not timed apart is `rest`."""
    middle = len(cycles) // 2
    whole, physics, sockets = (_p50(times) for times in cycles[middle])
    parts = {
        "physics": physics,
        "receive and send": sockets,
        "robot model": _p50(timing.model(batches, PER_BATCH)),
        "encode": _p50(timing.encode(batches, PER_BATCH)[0]),
        "history": _p50(timing.record(batches, PER_BATCH)),
    }
    if moving:
        parts["judge"] = _p50(timing.judge(batches, PER_BATCH)[0])
        parts["stream hash"] = _p50(timing.hash(batches, PER_BATCH))
    parts["rest"] = whole - sum(parts.values())
    return {
        "parts_ns": {name: round(value) for name, value in parts.items()},
        "p99_ns": float(np.percentile(cycles[middle][0], 99)),
    }


def _p50(samples: Any) -> float:
    return float(np.median(samples))
