"""A process that serves a robot, or keeps a processor busy as an unkind program would, or both.

``python -m franka_sim.bench.host JSON``: the object's ``serve`` holds options of the server (null:
no server), ``load`` whether three threads spin and the garbage collector runs all the time. Prints
one JSON line when all runs; then one more for each line on its input; ends with the input.
"""

from __future__ import annotations

import gc
import json
import logging
import sys
import threading
from typing import Any

import numpy as np

SPINNING_THREADS = 3
_CLIENT_ATTACHED = 1 << 6  # flags of a cycle, src/_core/engine/history.hpp
_ANSWERED = 1 << 0
#: Ring-up of a run that no figure should hold [cycles]; chosen.
_LEFT_OUT = 200


def main(argument: str) -> None:
    """Run until the input ends."""
    wish = json.loads(argument)
    if wish["load"]:
        _disturb()
    if wish["serve"] is None:
        _tell({})
        for _ in sys.stdin:
            _tell({})
        return

    from franka_sim.simulation import serve

    logging.getLogger("franka_sim").setLevel(logging.ERROR)
    with serve(**wish["serve"]) as sim:
        _tell({"host": sim.host, "port": sim.port, "realtime": sim.realtime_report()})
        for _ in sys.stdin:
            _tell(live_cycle(sim))


def live_cycle(sim: Any) -> dict[str, Any]:
    """Return histograms of the remembered cycles with a client, slips, and lost commands [us]."""
    rows = sim.history()
    rows = rows[(rows["flags"] & _CLIENT_ATTACHED) != 0][_LEFT_OUT:]
    counters = sim.counters()
    report: dict[str, Any] = {
        "slips": counters["slips"],
        "lost": counters["lost"],
        "late": counters["late"],
    }
    if sim.config.clock == "lockstep":
        rows = rows[(rows["flags"] & _ANSWERED) != 0]
        times = (rows["sent_ns"] - rows["boundary_ns"]) * 1e-3
    else:
        times = (rows["sent_ns"] - rows["deadline_ns"]) * 1e-3
    report["cycles"] = len(times)
    if len(times):
        report["figures"] = histogram(times)
    return report


def histogram(times: Any) -> dict[str, float]:
    """Return min, mean, p50, p99, p99.9 and max of an array, in its unit."""
    p50, p99, p999 = np.percentile(times, (50, 99, 99.9))
    return {
        "min": float(times.min()),
        "mean": float(times.mean()),
        "p50": float(p50),
        "p99": float(p99),
        "p99.9": float(p999),
        "max": float(times.max()),
    }


def _disturb() -> None:
    def spin() -> None:
        while True:
            pass

    def collect() -> None:
        while True:
            gc.collect()

    for work in (*[spin] * SPINNING_THREADS, collect):
        threading.Thread(target=work, daemon=True).start()


def _tell(report: dict[str, Any]) -> None:
    print(json.dumps(report), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
