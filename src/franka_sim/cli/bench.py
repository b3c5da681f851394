"""``franka-sim bench``: measures the server on this machine and prints a table, or JSON.

Exit code 0 when all was measured, whatever the figures say; 1 when something failed to run; 2 when
wrongly asked.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import os
import platform
import signal
import sys
from pathlib import Path
from typing import Any

from franka_sim.cli.arguments import Parser
from franka_sim.config import ConfigError, Option

SUMMARY = "measure the speed of the server on this machine, beside plain C loops"

#: name, what it measures; a module of franka_sim.bench each, with measure(plan, findings).
MEASUREMENTS = {
    "realtime": "how evenly states leave: idle, moving, loaded",
    "lockstep": "cycles per second with a C client and with pylibfranka",
    "inside": "parts of a cycle and a whole one, without waiting",
    "start": "time from process start to the first state",
    "footprint": "processor time and memory",
}
_PAIRS = Option("pairs", "int", 5, "runs of reference and server, alternately", low=1, high=1000)
_ONLY = Option("only", "str", None, "one measurement", choices=tuple(MEASUREMENTS))


def main(argv: list[str], prog: str = "franka-sim bench") -> int:
    """Measure as `argv` says; return the exit code."""
    names = "; ".join(f"{name}: {what}" for name, what in MEASUREMENTS.items())
    parser = Parser(prog=prog, description=SUMMARY, epilog=names, allow_abbrev=False)
    parser.add_argument("--quick", action="store_true", help="short runs and 3 pairs, in a minute")
    parser.add_argument("--pairs", metavar="N", help=f"{_PAIRS.meaning} (default {_PAIRS.default})")
    parser.add_argument("--json", metavar="FILE", help="write everything measured there")
    parser.add_argument(
        "--only", metavar="NAME", action="append", help="measure only this; may be repeated"
    )
    try:
        given = parser.parse_args(argv)
        pairs = None if given.pairs is None else _PAIRS.parse(given.pairs, "--pairs")
        chosen = [_ONLY.parse(name, "--only") for name in given.only or MEASUREMENTS]
        if given.json is not None:
            _check_writable(Path(given.json))
    except ConfigError as error:
        print(f"{prog}: {error}", file=sys.stderr)
        return 2

    from franka_sim.bench.plan import QUICK, Plan
    from franka_sim.bench.report import Findings, table

    plan = QUICK if given.quick else Plan()
    plan = dataclasses.replace(plan, pairs=pairs or plan.pairs, say=_progress(prog))
    findings = Findings()
    failures: dict[str, str] = {}
    before = os.getloadavg()
    # Asked to end, it ends what it has started first.
    before_us = signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    try:
        for name in dict.fromkeys(chosen):
            try:
                importlib.import_module(f"franka_sim.bench.{name}").measure(plan, findings)
            except Exception as error:  # one that fails must not hide the others
                failures[name] = f"{type(error).__name__}: {error}"
    except KeyboardInterrupt:
        return 130
    finally:
        signal.signal(signal.SIGTERM, before_us)
    print(table(findings, plan.pairs))
    for name, why in failures.items():
        print(f"{prog}: {name} failed to run: {why}", file=sys.stderr)
    if given.json is not None:
        report: dict[str, Any] = {
            "about": about(before),
            "pairs": plan.pairs,
            "quick": given.quick,
            "rows": [row.as_json() for row in findings.rows],
            "live_cycle": [entry.as_json() for entry in findings.latencies],
            "skipped": findings.skipped,
            "failures": failures,
        }
        Path(given.json).write_text(json.dumps(report, indent=2) + "\n")
    return 1 if failures else 0


def about(load_before: tuple[float, float, float]) -> dict[str, Any]:
    """Return what a reader needs to judge the figures: versions, processors, load."""
    import franka_sim

    return {
        "franka_sim": franka_sim.__version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "processors": len(os.sched_getaffinity(0)),
        "load_average": {"before": load_before, "after": os.getloadavg()},
    }


def _check_writable(path: Path) -> None:
    folder = path.parent
    if path.is_dir() or not os.access(path if path.exists() else folder, os.W_OK):
        raise ConfigError(f"--json: cannot write {path}")


def _progress(prog: str) -> Any:
    def say(text: str) -> None:
        print(f"{prog}: {text}", file=sys.stderr, flush=True)

    return say
