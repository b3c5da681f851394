"""``franka-sim record``: what is in a recording, why did it stop, pictures, tables.

Exit code 0 done, 1 (`why`) no error is in the recording, 2 wrongly asked.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from franka_sim.cli.arguments import Parser
from franka_sim.config import ConfigError

if TYPE_CHECKING:
    from franka_sim.record.files import Recording

SUMMARY = "say what a recording holds and why a motion stopped, draw it, export it"


def main(argv: list[str], prog: str = "franka-sim record") -> int:
    """Do what `argv` says; return the exit code."""
    parser = Parser(prog=prog, description=SUMMARY)
    actions = parser.add_subparsers(dest="action", required=True, metavar="info|why|plot|export")
    info = actions.add_parser("info", help="what the file holds")
    why = actions.add_parser("why", help="each error, where it came from and what it means")
    plot = actions.add_parser("plot", help="reference against measured, with limits and errors")
    export = actions.add_parser("export", help="a table: .csv, .npz or .parquet, a row a cycle")
    for action in (info, why, plot, export):
        action.add_argument("file", metavar="FILE", help="a recording (.mcap)")
    plot.add_argument("--signal", default="q", help="field that is drawn (default q)")
    plot.add_argument("--out", metavar="PNG", help="picture (default: beside the recording)")
    export.add_argument("out", metavar="TABLE", help="file to write; its ending says the format")
    try:
        given = parser.parse_args(argv)
        from franka_sim.record.files import read

        recording = read(Path(given.file))
        if given.action == "plot":
            return _plot(recording, given.signal, given.out)
        if given.action == "export":
            return _export(recording, given.out)
        return _SAY[given.action](recording)
    except ConfigError as error:
        print(f"{prog}: {error}", file=sys.stderr)
        return 2


def _info(recording: Recording) -> int:
    rows, about = recording.rows, recording.about
    print(f"{recording.path}: {len(rows)} cycles, robot {about.get('robot', 'unknown')}")
    if len(rows):
        first, last = int(rows["message_id"][0]), int(rows["message_id"][-1])
        print(f"  cycles {first} to {last}, {last - first + 1 - len(rows)} missing between")
        lost, motions = int((rows["flags"] & 2 != 0).sum()), {int(m) for m in rows["motion"]}
        print(f"  {len(motions - {0})} motions, {lost} cycles lost")
    for event in recording.of_kind("motion_ended"):
        data = event["data"]
        ended = ", ".join(data["errors"]) or _ENDINGS.get(data["ended"], "")
        print(
            f"  motion {data['motion']} ended at cycle {event['cycle']}: {data['ended']}, {ended}"
        )
    return 0


def _why(recording: Recording) -> int:
    from franka_sim.record.why import errors, explain

    print("\n".join(explain(recording)))
    return 0 if errors(recording) else 1


#: How a motion without an error ended, in words.
_ENDINGS = {
    "kSuccess": "as commanded",
    "kPreempted": "stopped, or another motion began",
    "kEmergencyAborted": "user stop",
    "kAborted": "its client left, or the brakes closed",
}
_SAY: dict[str, Callable[[Recording], int]] = {"info": _info, "why": _why}


def _plot(recording: Recording, signal: str, out: str | None) -> int:
    from franka_sim.record.plot import draw

    path = Path(out) if out else recording.path.with_name(f"{recording.path.stem}-{signal}.png")
    draw(recording, signal, path)
    print(path)
    return 0


def _export(recording: Recording, out: str) -> int:
    from franka_sim.record.export import export

    export(recording, Path(out))
    print(out)
    return 0
