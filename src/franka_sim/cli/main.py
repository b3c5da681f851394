"""``franka-sim``: finds the command and hands over. A command is a row here and a module."""

from __future__ import annotations

import importlib
import sys

#: Command, module with `main(argv, prog) -> exit code`, one line of help. A module is imported only
#: when its command is called; one that is not there yet is refused by name.
COMMANDS: tuple[tuple[str, str, str], ...] = (
    ("serve", "franka_sim.cli.serve", "serve a robot until it is stopped"),
    ("check", "franka_sim.cli.check", "ask whether a server is ready"),
    ("bench", "franka_sim.cli.bench", "measure the speed of the server on this machine"),
    ("gate", "franka_sim.cli.gate", "say whether one client program is worse than another"),
    ("judge", "franka_sim.cli.judge", "say whether Control would accept a file of commands"),
    ("record", "franka_sim.cli.record", "say what a recording holds and why a motion stopped"),
)


def main(argv: list[str] | None = None) -> int:
    """Run one command; return the exit code."""
    arguments = sys.argv[1:] if argv is None else argv
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_usage())
        return 0 if arguments else 2
    first, rest = arguments[0], arguments[1:]
    if first == "--version":
        import franka_sim

        print(f"franka-sim {franka_sim.__version__}")
        return 0
    for name, module, _ in COMMANDS:
        if name == first:
            return _call(name, module, rest)
    known = ", ".join(name for name, _, _ in COMMANDS)
    print(
        f"franka-sim: {first}: there is no such command; it must be one of {known}", file=sys.stderr
    )
    return 2


def run() -> None:
    """Entry point ``franka-sim``."""
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        # Before a command has its own handling; 128 + SIGINT, as the commands end on Ctrl-C.
        sys.exit(130)


def _call(name: str, module: str, arguments: list[str]) -> int:
    try:
        command = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        print(f"franka-sim: {name} is not built yet", file=sys.stderr)
        return 2
    return int(command.main(arguments, f"franka-sim {name}"))


def _usage() -> str:
    lines = "\n".join(f"  {name:<8}{text}" for name, _, text in COMMANDS)
    return (
        "usage: franka-sim COMMAND [options]\n\n"
        f"A Franka FR3 that speaks FCI.\n\n{lines}\n\n"
        "franka-sim COMMAND --help says more; franka-sim --version names the version."
    )
