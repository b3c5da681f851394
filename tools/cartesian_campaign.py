"""Plays random smooth Cartesian pose motions against a strict FR3 in lockstep and reports.

    python tools/cartesian_campaign.py --motions 1000 --seed 1

Prints one line of JSON: how many ended well, the worst tracking error at the end and the largest
step of the elbow. Exit code 1 when any bound of issue 3, Show 5 is missed. Needs frankik, and port
1337 of the address of --host.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))

import numpy as np
from cartesian import columns_of, difference, matrix, minimum_jerk
from random_poses import PoseMotion, motions
from raw_client import RawClient

import franka_sim

METRES, RADIANS = 1e-3, 2e-3  # tracking at the end
ELBOW_STEP = 2e-3  # rad in one cycle; chosen: four times the haste that motions are kept to


def go_to(raw: RawClient, q: np.ndarray) -> None:
    """A joint motion at half a radian a second at most."""
    start = np.array(raw.start("kJointPosition", "kJointImpedance").q_d)
    seconds = max(0.5, 1.875 * float(np.abs(q - start).max()) / 0.8)
    samples = start + np.outer(minimum_jerk(seconds), q - start)
    played = raw.play({"q_c": row} for row in samples.tolist())
    if played.status is not None or raw.finish(q_c=samples[-1].tolist()) != "kSuccess":
        raise RuntimeError(f"the way to the start of a motion was refused: {played}")


def play(server, raw: RawClient, motion: PoseMotion) -> dict:
    """One motion: how it ended, how near, how smooth the elbow was."""
    go_to(raw, motion.q)
    start = raw.start("kCartesianPosition", "kJointImpedance")
    poses = motion.poses(start.O_T_EE_d)
    columns = columns_of(poses)
    first = raw.state.message_id
    played = raw.play({"O_T_EE_c": c} for c in columns)
    status = played.status or raw.finish(O_T_EE_c=columns[-1])
    state = raw.newest_state()
    distance, angle = difference(matrix(state.O_T_EE), poses[-1])
    rows = server.history()
    rows = rows[(rows["message_id"] >= first) & (rows["robot_mode"] == 2)]
    return {
        "status": status,
        "errors": list(played.errors),
        "distance": distance,
        "angle": angle,
        "elbow_step": float(np.abs(np.diff(rows["q_d"][:, 2])).max()),
        "flips": int(np.count_nonzero(np.diff(rows["elbow"][:, 1]))),
    }


def campaign(server, count: int, seed: int) -> dict:
    """Play `count` motions; what was worst."""
    results, source = [], motions(seed)
    with RawClient(server.host, server.port) as raw:
        for motion in (next(source) for _ in range(count)):
            results.append(play(server, raw, motion))
            if results[-1]["status"] != "kSuccess":
                raw.automatic_error_recovery()
    failed = [r | {"motion": n} for n, r in enumerate(results) if r["status"] != "kSuccess"]
    ended = [r for r in results if r["status"] == "kSuccess"]
    return {
        "motions": count,
        "seed": seed,
        "ended_well": count - len(failed),
        "worst_distance": max((r["distance"] for r in ended), default=None),
        "worst_angle": max((r["angle"] for r in ended), default=None),
        "largest_elbow_step": max((r["elbow_step"] for r in ended), default=None),
        "flips": sum(r["flips"] for r in ended),
        "failed": failed[:10],
    }


def holds(report: dict) -> bool:
    """Whether all bounds were kept."""
    return (
        report["ended_well"] == report["motions"]
        and report["worst_distance"] < METRES
        and report["worst_angle"] < RADIANS
        and report["largest_elbow_step"] < ELBOW_STEP
        and report["flips"] == 0
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--motions", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--host", default="127.0.0.1")
    chosen = parser.parse_args()
    # A slow client is no lost packet: the server waits for it.
    options = {"clock": "lockstep", "strict": True, "lockstep_timeout": math.inf}
    with franka_sim.serve(host=chosen.host, history=20_000, **options) as server:
        report = campaign(server, chosen.motions, chosen.seed)
    sys.stdout.write(json.dumps(report) + "\n")
    return 0 if holds(report) else 1


if __name__ == "__main__":
    sys.exit(main())
