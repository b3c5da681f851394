"""Writes the tables of docs/reference/ from the tables of the code.

`python tools/generate_docs.py` writes, `--check` compares and exits 1 on a difference. The
installed package is the source, so build before.
"""

from __future__ import annotations

import sys
from pathlib import Path

from franka_sim import _engine
from franka_sim.config.options import OPTIONS

REFERENCE = Path(__file__).resolve().parent.parent / "docs" / "reference"
VERSION = 10
NOTE = (
    "<!-- Generated from the code's tables by tools/generate_docs.py; "
    "checked by tests/meta/test_generated_docs.py. -->\n"
)


def _table(header: list[str], rows: list[list[object]]) -> str:
    lines = ["| " + " | ".join(header) + " |", "|" + " --- |" * len(header)]
    for row in rows:
        cells = [str(cell).replace("|", "\\|").replace("\n", " ") for cell in row]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def fields() -> str:
    wire = {name: (kind, count) for name, kind, count, _ in _engine.wire_fields(VERSION)}
    rows = [
        [f"`{name}`", " x ".join(map(str, wire[name][::-1])), unit, frame, origin, meaning, source]
        for name, unit, frame, origin, meaning, source in _engine.field_meanings()
    ]
    return (
        "# Fields of RobotState\n\n"
        "Where each number comes from. *physics*: the simulated world or a measurement of it. "
        "*model*: computed with the robot's own model. *command*: the commanded reference. "
        "*configuration*: what setters or options said. *state*: the motion state machine. "
        "*constant*: never changes. "
        "No field is a stub: a test moves every element of each, or the row says constant.\n\n"
        + _table(["field", "wire", "unit", "frame", "origin", "meaning", "source"], rows)
    )


def checks() -> str:
    rows = [list(row) for row in _engine.checks()]
    return (
        "# What is judged\n\n"
        "In order of precedence within a signal: the first row that fails names the error. Limits "
        "are the nominal numbers; see [judging](../explanation/judging.md).\n\n"
        + _table(["signal", "condition", "unit", "error", "source"], rows)
        + "\n## Errors that are never raised\n\n"
        + _unraised()
    )


def _unraised() -> str:
    number = {name: i for i, name in enumerate(_engine.error_names())}
    rows = [[number[name], f"`{name}`", reason] for name, reason in _engine.unraised()]
    return _table(["", "error", "why"], rows)


def commands() -> str:
    rows = [
        [
            name,
            row["id"],
            row["request_size"],
            row["reply_size"],
            ", ".join(f"{number} {status}" for status, number in row["statuses"].items()),
        ]
        for name, row in _engine.commands(VERSION).items()
    ]
    return "# TCP commands (FCI v10)\n\nSizes are whole messages in bytes.\n\n" + _table(
        ["command", "id", "request", "reply", "statuses"], rows
    )


def state_machine() -> str:
    rows = [
        [
            row["state"],
            row["input"],
            row["to"] if row["to"] != row["state"] else "(stays)",
            row["answer"].replace("_", " "),
            row["source"],
        ]
        for row in _engine.transitions()
        if row["to"] != row["state"] or row["answer"] != "none"
    ]
    return (
        "# Motion state machine\n\nPairs that change nothing and answer nothing are left out.\n\n"
        + _table(["state", "input", "next", "answer", "source"], rows)
    )


#: What every field of the gripper's states means here: name, unit, meaning, source.
_GRIPPER_FIELDS = {
    "hand": [
        ("message_id", "ms", "of the simulated world", "G7"),
        ("width", "m", "between the fingertips: joint travel in the physics hand", "wire.md 4.1"),
        ("max_width", "m", "stroke found by homing, 0 before", "robot-model.md 11"),
        ("is_grasped", "", "held within the tolerances of its grasp, until lost", "reference 000"),
        ("temperature", "degC", "of the case: rises with force and motion, cools", "G5"),
    ],
    "vacuum": [
        ("message_id", "ms", "of the simulated world", "G7"),
        ("in_control_range", "", "vacuum within 10 mbar of the setpoint", "robot-model.md 11"),
        ("part_detached", "", "let go or lost after the last suction", "robot-model.md 11"),
        ("part_present", "", "vacuum above H2, not yet below H2 - h2", "robot-model.md 11"),
        ("device_status", "", "green 0, yellow, orange, red 3 (no power)", "wire.md 4.2"),
        ("actual_power", "%", "100 evacuating, 20 holding, else 0", "chosen"),
        ("vacuum", "mbar", "below the pressure around", "wire.md 4.2"),
    ],
}
_GRIPPER_TITLES = {"hand": "Franka Hand", "vacuum": "Vacuum gripper"}


def gripper() -> str:
    text = (
        "# The gripper's protocol\n\nHeader 10 bytes: command u16, command_id u32, size u32. Sizes "
        "are whole messages in bytes. Up to eight clients get states at 60 Hz. A width, speed "
        "or force out of range, an unknown command and a wrong size are kFail; broken framing is a "
        "reset, as on [the robot's port](tcp.md). Of the state machines, pairs that change nothing "
        "and answer nothing are left out; *later*: when the command ends.\n"
    )
    for kind, title in _GRIPPER_TITLES.items():
        protocol = _engine.tool_protocol(kind)
        commands = [
            [
                name,
                row["id"],
                row["request_size"],
                row["reply_size"],
                ", ".join(f"{number} {status}" for status, number in row["statuses"].items()),
            ]
            for name, row in protocol["commands"].items()
        ]
        transitions = [
            [
                row["state"],
                row["input"],
                row["to"] if row["to"] != row["state"] else "(stays)",
                row["answer"],
                row["source"],
            ]
            for row in _engine.tool_transitions(kind)
            if row["to"] != row["state"] or row["answer"] != "none"
        ]
        text += (
            f"\n## {title}\n\nTCP port {protocol['port']}, version {protocol['version']}.\n\n"
            + _table(["command", "id", "request", "reply", "statuses"], commands)
            + "\n"
            + _table(
                ["field", "unit", "meaning", "source"],
                [[f"`{name}`", *rest] for name, *rest in _GRIPPER_FIELDS[kind]],
            )
            + "\n"
            + _table(["state", "input", "next", "answer", "source"], transitions)
        )
    return text


def assumed() -> str:
    rows = [list(row) for row in _engine.assumed()]
    return (
        "# Assumptions\n\nWhat no document settles, what this server does, and what would show it "
        "wrong.\n\n" + _table(["id", "what", "why", "wrong if", "test"], rows)
    )


def options() -> str:
    rows = [
        [
            f"`{o.flag}`",
            f"`{o.variable}`",
            "" if o.command_line_only else f"`{o.key}`",
            o.allowed,
            "" if o.default is None else o.default_text,
            o.meaning,
        ]
        for o in OPTIONS
    ]
    return (
        "# Options of `franka-sim serve`\n\n"
        "Command line over environment over `--config` file (TOML) over default. Durations take "
        "seconds.\n\n"
        + _table(["command line", "environment", "file key", "allowed", "default", "meaning"], rows)
    )


PAGES = {
    "fields": fields,
    "checks": checks,
    "commands": commands,
    "state-machine": state_machine,
    "gripper": gripper,
    "assumed": assumed,
    "options": options,
}


def main(check: bool) -> int:
    """Write or compare all pages; return the exit code."""
    stale = []
    for name, page in PAGES.items():
        path = REFERENCE / f"{name}.md"
        text = NOTE + "\n" + page()
        if not check:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            stale.append(path.name)
    if stale:
        print(f"stale: {', '.join(stale)}; run tools/generate_docs.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
