"""Measures the gate itself: false alarms of equal programs, and power against a slowed one.

`python tools/gate_show.py --out FILE` runs what issue 6 asks for in Show 4: 200 comparisons of a
client with itself, 10 s of runs for each side, and 20 comparisons with one that is slowed by 60 us
a cycle, 30 s for each side. That takes some three hours on a quiet machine; --equal and --slowed
make it shorter. The clients are tests/support/gate_client.py. Results are written after each
comparison.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shlex
import sys
import time
from pathlib import Path
from typing import Any

from franka_sim.gate import Comparison, Plan, compare
from franka_sim.gate.runs import DEFAULT_RUNS

CLIENT = Path(__file__).resolve().parents[1] / "tests" / "support" / "gate_client.py"
SLOWED_US = 60
MOST_ALARMS, LEAST_FOUND = 2, 0.95  # issue 6, Shows 4


def client(seconds: float, delay_us: float = 0) -> str:
    """Return a command of one run: a motion of `seconds`."""
    cycles = round(1000 * seconds / DEFAULT_RUNS)
    program = shlex.join([sys.executable, str(CLIENT)])
    return f"{program} {{host}} {cycles} --delay {delay_us:g}"


def row(comparison: Comparison) -> dict[str, Any]:
    """Return what is kept of one comparison."""
    return {
        "seed": comparison.seed,
        "regressions": comparison.regressions,
        "advice": comparison.advice,
        "metrics": {
            name: {
                "base": comparison.median("base", name),
                "candidate": comparison.median("candidate", name),
                "p": verdict.p,
            }
            for name, verdict in comparison.verdicts.items()
        },
    }


def main() -> int:
    """Run all comparisons; 0 when both aims are met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--equal", type=int, default=200, help="comparisons of equal programs")
    parser.add_argument("--slowed", type=int, default=20, help="comparisons with a slowed one")
    given = parser.parse_args()
    report: dict[str, Any] = {
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "processors": len(os.sched_getaffinity(0)),
        "load_before": os.getloadavg(),
        "pairs": DEFAULT_RUNS,
        "slowed_by_us": SLOWED_US,
        "equal": [],
        "slowed": [],
    }
    plans = [("equal", given.equal, 10.0, 0.0), ("slowed", given.slowed, 30.0, SLOWED_US)]
    for kind, count, seconds, delay in plans:
        for number in range(count):
            began = time.monotonic()
            plan = Plan(client(seconds), client(seconds, delay))
            report[kind].append(row(compare(plan)))
            given.out.write_text(json.dumps(report, indent=1) + "\n")
            last = report[kind][-1]
            took = time.monotonic() - began
            print(
                f"{kind} {number + 1} of {count}: {last['regressions']} in {took:.0f} s", flush=True
            )
    alarms = sum(bool(one["regressions"]) for one in report["equal"])
    found = sum("reaction_p50" in one["regressions"] for one in report["slowed"])
    print(f"false alarms: {alarms} of {given.equal}; found: {found} of {given.slowed}")
    return 0 if alarms <= MOST_ALARMS and found >= LEAST_FOUND * given.slowed else 1


if __name__ == "__main__":
    sys.exit(main())
