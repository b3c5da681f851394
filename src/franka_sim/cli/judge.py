"""``franka-sim judge``: would Control accept this file of commands?

Exit code 0 accepted, 1 refused, 2 wrongly asked.
"""

from __future__ import annotations

import json
import math
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from franka_sim.cli.arguments import Parser
from franka_sim.config import ConfigError, Option
from franka_sim.config.options import BY_KEY

if TYPE_CHECKING:
    from franka_sim.offline import Trajectory

SUMMARY = "say whether Control would accept a file of commands, and why not"

_ROBOT = BY_KEY["robot"]
_SCALE = BY_KEY["joint_discontinuity_scale"]
#: The names of franka_sim.offline.GENERATORS, which is imported only when a file is judged.
_GENERATORS = ("joint-position", "joint-velocity", "torque", "cartesian-pose", "cartesian-velocity")
_GENERATOR = Option("generator", "str", None, "what a sample is", choices=_GENERATORS)


def main(argv: list[str], prog: str = "franka-sim judge") -> int:
    """Judge as `argv` says; return the exit code."""
    parser = Parser(prog=prog, description=SUMMARY, allow_abbrev=False)
    parser.add_argument("file", metavar="FILE", help="CSV, NPZ or Parquet, a row a millisecond")
    parser.add_argument("--robot", default=_ROBOT.default, help="which arm (default fr3)")
    parser.add_argument(
        "--generator",
        metavar="|".join(_GENERATORS),
        help="what a row is (default: what the columns say; 7 are joint positions)",
    )
    parser.add_argument(
        "--lost",
        metavar="A:B",
        action="append",
        default=[],
        help="samples A to B-1 never arrive, counted from 0; may be repeated",
    )
    parser.add_argument(
        "--start", metavar="Q1,...,Q7", help="joints it starts from [rad] (default: its first row)"
    )
    parser.add_argument(
        "--ee", metavar="N1,...,N16", help="F_T_EE, column by column (default: the flange)"
    )
    parser.add_argument(
        _SCALE.flag,
        dest="scale",
        metavar="FACTOR",
        default=str(_SCALE.default),
        help=f"{_SCALE.meaning} (default {_SCALE.default})",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--plot", metavar="FILE", help="draw it against its limits (PNG, PDF, SVG)")
    try:
        given = parser.parse_args(argv)
        robot = _ROBOT.parse(given.robot, "--robot")
        if given.generator is not None:
            _GENERATOR.parse(given.generator, "--generator")
        scale = _SCALE.parse(given.scale, _SCALE.flag)
        start = None if given.start is None else _numbers(given.start, "--start", 7)
        ee = None if given.ee is None else _numbers(given.ee, "--ee", 16)
        spans = [span for text in given.lost for span in _spans(text)]

        from franka_sim import offline
        from franka_sim.offline import words

        if given.plot is not None:
            _check_drawable(Path(given.plot))
        trajectory = offline.load(given.file, given.generator)
        _lose(trajectory, spans)
        judged = offline.judge(
            trajectory, robot=robot, start=start, F_T_EE=ee, joint_discontinuity_scale=scale
        )
    except ConfigError as error:
        print(f"{prog}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    if given.plot is not None:
        from franka_sim.offline import plot

        plot.draw(judged, given.file, given.plot)
    if given.json:
        print(json.dumps(words.as_json(judged, given.file), indent=2, allow_nan=False))
    else:
        print(words.as_text(judged, given.file))
    return 0 if judged.accepted else 1


def _numbers(text: str, name: str, count: int) -> list[float]:
    try:
        values = [float(word) for word in text.split(",")]
    except ValueError:
        values = []
    if len(values) != count or not all(map(math.isfinite, values)):
        raise ConfigError(
            f"{name}: {text:.200} is not allowed; it must be {count} numbers with commas between"
        )
    return values


def _spans(text: str) -> list[tuple[int, int]]:
    spans = []
    for word in text.split(","):
        match = re.fullmatch(r"\s*(\d{1,9})(?::(\d{1,9}))?\s*", word)
        begin, end = (int(match[1]), int(match[2] or int(match[1]) + 1)) if match else (0, 0)
        if end <= begin:
            raise ConfigError(
                f"--lost: {word:.200} is not allowed; it must be FIRST:END with FIRST below END, "
                "or one sample"
            )
        spans.append((begin, end))
    return spans


def _lose(trajectory: Trajectory, spans: list[tuple[int, int]]) -> None:
    for begin, end in spans:
        if end > len(trajectory):
            raise ConfigError(
                f"--lost: {begin}:{end} is not allowed; there are {len(trajectory)} samples, "
                "counted from 0"
            )
        trajectory.lost[begin:end] = True


def _check_drawable(path: Path) -> None:
    if path.suffix.lower() not in (".png", ".pdf", ".svg"):
        raise ConfigError(f"--plot: {path} is not allowed; its ending must be .png, .pdf or .svg")
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise ConfigError(f"--plot: cannot write {path}")
    try:
        import matplotlib  # noqa: F401
    except ModuleNotFoundError:
        raise ConfigError("--plot: drawing needs matplotlib; install franka-sim-rt[plot]") from None
