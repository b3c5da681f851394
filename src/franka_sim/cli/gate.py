"""``franka-sim gate``: says whether one client program is worse than another, and proves it.

Exit code 0 when no regression is proven, 1 when one is, 2 when it could not be measured.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from franka_sim.cli.arguments import Parser
from franka_sim.config import ConfigError, Option
from franka_sim.config.options import BY_KEY

SUMMARY = "run two client programs in turn and say whether the second is proven worse"

_RUNS = Option("runs", "int", None, "runs of each program", low=1, high=10_000)
_SECONDS = Option("seconds", "float", None, "value of {seconds}", unit="s", low=0.01, high=86_400)
_TIMEOUT = Option("timeout", "float", None, "longest run", unit="s", low=0.1, high=86_400)
_SEED = Option("seed", "int", None, "of the order of the runs", low=0, high=2**63 - 1)
_OPTIONS = (_RUNS, _SECONDS, _TIMEOUT, _SEED)
_EPILOG = (
    "In the commands {host}, {port} and {seconds} are filled in. Which program runs first is drawn "
    "for each pair; medians and lost cycles decide, tails advise. Two equal programs are told "
    "apart in 0.2 % of comparisons."
)


def main(argv: list[str], prog: str = "franka-sim gate") -> int:
    """Compare as `argv` says; return the exit code."""
    from franka_sim.gate import runs

    parser = Parser(prog=prog, description=SUMMARY, epilog=_EPILOG, allow_abbrev=False)
    parser.add_argument("--base", metavar="CMD", required=True, help="what it is compared with")
    parser.add_argument("--candidate", metavar="CMD", required=True, help="what is in question")
    parser.add_argument(
        "--metric",
        metavar="NAME,...",
        help=f"of {', '.join(runs.METRICS)} (default {','.join(runs.DEFAULT_METRICS)})",
    )
    defaults = (runs.DEFAULT_RUNS, runs.DEFAULT_SECONDS, runs.DEFAULT_TIMEOUT, "drawn")
    for option, default in zip(_OPTIONS, defaults, strict=True):
        text = f"{option.meaning} (default {default})"
        parser.add_argument(option.flag, dest=option.key, metavar=option.kind.upper(), help=text)
    parser.add_argument(
        "--server",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="option of the servers, as of franka-sim serve; may be repeated",
    )
    files = {
        "junit": "JUnit XML",
        "json": "everything, every run included",
        "benchmark-json": "customSmallerIsBetter of github-action-benchmark",
    }
    for name, what in files.items():
        parser.add_argument(f"--{name}", metavar="FILE", help=f"write {what} there")
    try:
        given = parser.parse_args(argv)
        plan = _plan(given)
        plan.check()
        for name in files:
            _check_writable(f"--{name}", getattr(given, name.replace("-", "_")))
    except ConfigError as error:
        return _refuse(prog, str(error))
    except ValueError as error:
        return _refuse(prog, f"--{error}")
    # Asked to end, it ends what it has started first.
    before = signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    try:
        comparison = runs.compare(
            plan, say=lambda text: print(f"{prog}: {text}", file=sys.stderr, flush=True)
        )
    except KeyboardInterrupt:
        return 130
    except (ConfigError, OSError, RuntimeError) as error:
        return _refuse(prog, str(error))
    finally:
        signal.signal(signal.SIGTERM, before)
    _tell(comparison, given)
    return 1 if comparison.regressed else 0


def _plan(given: Any) -> Any:
    from franka_sim.gate import runs

    chosen: dict[str, Any] = {
        option.key: option.parse(getattr(given, option.key), option.flag)
        for option in _OPTIONS
        if getattr(given, option.key) is not None
    }
    if given.metric is not None:
        chosen["metrics"] = tuple(dict.fromkeys(n.strip() for n in given.metric.split(",")))
    server = {}
    for text in given.server:
        key, separator, value = text.partition("=")
        key = key.strip().replace("-", "_")
        if not separator or key not in BY_KEY:
            raise ConfigError(f"--server: {text} is no KEY=VALUE of an option of the server")
        server[key] = BY_KEY[key].parse(value, f"--server {key}")
    return runs.Plan(given.base, given.candidate, server=server, **chosen)


def _tell(comparison: Any, given: Any) -> None:
    from franka_sim.gate import report

    print(report.table(comparison))
    if given.junit is not None:
        Path(given.junit).write_text(report.junit(comparison))
    if given.json is not None:
        Path(given.json).write_text(json.dumps(report.as_json(comparison), indent=1) + "\n")
    if given.benchmark_json is not None:
        rows = report.smaller_is_better(comparison)
        Path(given.benchmark_json).write_text(json.dumps(rows, indent=1) + "\n")


def _check_writable(flag: str, name: str | None) -> None:
    if name is None:
        return
    path = Path(name)
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise ConfigError(f"{flag}: cannot write {path}")


def _refuse(prog: str, sentence: str) -> int:
    print(f"{prog}: {sentence}", file=sys.stderr)
    return 2
