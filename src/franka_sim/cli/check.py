"""``franka-sim check``: is an FCI server ready? Exit code 0 yes, 1 no, 2 wrongly asked."""

from __future__ import annotations

import sys

from franka_sim.cli.arguments import Parser
from franka_sim.config import ConfigError, Option
from franka_sim.config.options import BY_KEY

SUMMARY = "ask whether a server is ready, leaving its client and the next one undisturbed"

#: Rows of the same kind as the server's; not settings of a server, hence not in its table.
_OPTIONS = (
    Option("host", "str", "127.0.0.1", "address or name of the server"),
    Option("port", "int", BY_KEY["port"].default, "its TCP port", low=1, high=65535),
    Option(
        "timeout",
        "float",
        30.0,
        "how long to wait for a server that is still starting",
        unit="s",
        low=0.0,
        high=86400.0,
    ),
)


def main(argv: list[str], prog: str = "franka-sim check") -> int:
    """Probe as `argv` says; return the exit code."""
    parser = Parser(prog=prog, description=SUMMARY)
    for option in _OPTIONS:
        parser.add_argument(
            option.flag,
            default=str(option.default),
            help=f"{option.meaning} (default {option.default})",
        )
    try:
        given = vars(parser.parse_args(argv))
        host, port, timeout = (o.parse(given[o.key], o.flag) for o in _OPTIONS)
    except ConfigError as error:
        print(f"{prog}: {error}", file=sys.stderr)
        return 2

    from franka_sim.server.probe import probe

    try:
        found = probe(host, port, timeout)
    except KeyboardInterrupt:
        return 130
    print(found.detail, file=sys.stdout if found.ready else sys.stderr)
    return 0 if found.ready else 1
