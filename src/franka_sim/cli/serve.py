"""``franka-sim serve``: configuration, one running robot, a clean end.

Ends with 0 after SIGTERM (a supervisor's ordinary stop), 130 after Ctrl-C (so that a shell script
around it stops too), 1 when the server failed by itself, 2 when it could not start.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Mapping
from types import FrameType
from typing import Any

from franka_sim.cli.arguments import Parser, add_options, read
from franka_sim.config import OPTIONS, Config, ConfigError, load

SUMMARY = "serve a robot until it is stopped"

_EPILOG = (
    "Every option is also an environment variable (--late-commands: FRANKA_SIM_LATE_COMMANDS) and "
    "a key of the file (late_commands). The command line wins over the environment, the "
    "environment over the file."
)


def main(argv: list[str], prog: str = "franka-sim serve") -> int:
    """Serve as `argv` says; return the exit code."""
    try:
        config = configuration(argv, prog, os.environ)
    except ConfigError as error:
        print(f"{prog}: {error}", file=sys.stderr)
        return 2
    return run(config, prog)


def configuration(
    argv: list[str],
    prog: str,
    environment: Mapping[str, str],
    *,
    abbreviations: bool = False,
    defaults: Mapping[str, Any] | None = None,
) -> Config:
    """Return the configuration of a server program.

    Args:
        abbreviations: whether unique beginnings of options are understood.
        defaults: defaults of this program that differ from the table's.

    Raises:
        ConfigError: when something given cannot be used.
    """
    parser = Parser(prog=prog, description=SUMMARY, epilog=_EPILOG, allow_abbrev=abbreviations)
    add_options(parser, OPTIONS)
    values, names = read(parser, OPTIONS, argv)
    return load(values, environment, name_of=names, defaults=defaults)


def run(config: Config, prog: str) -> int:
    """Serve until a signal or a failure; return the exit code. Main thread only."""
    from franka_sim.log.setup import configure, logger

    configure(config.log_level, config.json_logs)
    log = logger()
    for note in config.notes:
        log.warning(note)

    stopped = threading.Event()
    signals: list[int] = []

    def on_signal(number: int, frame: FrameType | None) -> None:
        signals.append(number)
        # Should stopping ever hang, the same signal again ends the process at once.
        signal.signal(number, signal.SIG_DFL)
        stopped.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, on_signal)

    from franka_sim.simulation import Simulation

    try:
        simulation = Simulation(config)
    except OSError as error:
        print(f"{prog}: {error.strerror or error}", file=sys.stderr)
        return 2
    except (ConfigError, RuntimeError) as error:
        print(f"{prog}: {error}", file=sys.stderr)
        return 2
    simulation.on_failure(stopped.set)
    log.info("serving", **start_line(simulation))
    stopped.wait()
    simulation.stop()
    if simulation.failure is not None:
        return 1
    log.info("stopped")
    return 130 if signals[:1] == [signal.SIGINT] else 0


def start_line(simulation: Any) -> dict[str, Any]:
    """Return what the one line at the start says: address, clock, rights obtained, switches."""
    from franka_sim.simulation import FCI_VERSION

    config = simulation.config
    clock = f"scaled {config.scale:g}" if config.clock == "scaled" else config.clock
    return {
        "robot": config.robot,
        "fci": FCI_VERSION,
        "host": simulation.host,
        "port": simulation.port,
        "clock": clock,
        **{f"rt_{key}": value for key, value in simulation.realtime_report().items()},
        "enforce_motion_limits": config.enforce_motion_limits,
        "enforce_comm_constraints": config.enforce_comm_constraints,
        "late_commands": config.late_commands,
        **({"metrics_port": config.metrics_port} if config.metrics_port else {}),
        "gripper": config.gripper,
        **({"gripper_port": simulation.gripper_port} if simulation.gripper_port else {}),
    }
