"""A client for the gate: holds the arm, reacts late or not at all when told to.

``gate_client.py HOST CYCLES [--skip N] [--delay US]``: skips N answers, waits busily before each.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from raw_client import RawClient


def main() -> None:
    """Play one motion."""
    parser = argparse.ArgumentParser()
    parser.add_argument("host")
    parser.add_argument("cycles", type=int)
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--delay", type=float, default=0.0)
    given = parser.parse_args()
    with RawClient(given.host) as raw:
        q_d = list(raw.start("kJointPosition", "kJointImpedance").q_d)
        raw.step(q_c=q_d)
        for cycle in range(given.cycles):
            if cycle % 10 == 9 and cycle // 10 < given.skip:
                raw.read_state()
                continue
            until = time.perf_counter() + given.delay * 1e-6
            while time.perf_counter() < until:
                pass
            raw.step(q_c=q_d)
        raw.finish(q_c=q_d)


if __name__ == "__main__":
    main()
