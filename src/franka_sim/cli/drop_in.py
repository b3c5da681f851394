"""``run-franka-sim-server`` and ``franka-sim-check``: the command lines of franka-sim 1.1.7.

Same options, variables and defaults; what is not built here is refused by name. Everything else is
`serve` and `check`.
"""

from __future__ import annotations

import os
import sys

from franka_sim.cli import check, serve
from franka_sim.config import ConfigError

_PROG = "run-franka-sim-server"

#: That server listens on all addresses unless told otherwise.
DEFAULTS = {"host": "0.0.0.0"}


def main(argv: list[str] | None = None) -> int:
    """Serve as `argv` says; return the exit code."""
    arguments = sys.argv[1:] if argv is None else argv
    try:
        config = serve.configuration(
            arguments, _PROG, os.environ, abbreviations=True, defaults=DEFAULTS
        )
    except ConfigError as error:
        print(f"{_PROG}: {error}", file=sys.stderr)
        return 2
    return serve.run(config, _PROG)


def run_server() -> None:
    """Entry point ``run-franka-sim-server``."""
    sys.exit(main())


def run_check() -> None:
    """Entry point ``franka-sim-check``."""
    sys.exit(check.main(sys.argv[1:], "franka-sim-check"))
