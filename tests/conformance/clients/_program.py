"""The frame of a client program: HOST ACTION JSON in, one JSON object on the last line out.

    python NAME_client.py 127.0.0.1 ACTION '{"argument": 1}'

Programs drive a client library and report what it saw; judging that is the tests' business.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "support"))


def run(actions: dict[str, Callable[..., dict]]) -> None:
    """Call the action named on the command line with the host and its arguments."""
    host, action, arguments = sys.argv[1], sys.argv[2], json.loads((sys.argv[3:] or ["{}"])[0])
    report = actions[action](host, **arguments)
    sys.stdout.write("\n" + json.dumps(report) + "\n")
    sys.stdout.flush()
