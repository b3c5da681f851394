"""Write tests/core/fr3_clearance.inc: what MuJoCo says of the distances between the FR3's links.

1000 random poses; the geoms are those of the MJCF the plant runs. `--check` compares to 1e-7
instead of writing (MuJoCo's convex solver stops at a tolerance).
"""

import json
import re
import sys
from pathlib import Path

import mujoco
import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))
from franka_sim.robots import load, mjcf  # noqa: E402

TARGET = ROOT / "tests/core/fr3_clearance.inc"
SEED = 20260102
CASES = 1000
PAIRS = [(a, b) for a in range(8) for b in range(a + 3, 8)]
FAR = 10.0  # [m], no two links are further apart


def clearances(model, data, geoms, protrusion):
    """Return the distance of each pair of links, each inflated by what its hull stands out."""
    out = []
    for a, b in PAIRS:
        cores = (
            mujoco.mj_geomDistance(model, data, g, h, FAR, None) for g in geoms[a] for h in geoms[b]
        )
        out.append(min(cores) - protrusion[a] - protrusion[b])
    return out


def generate():
    """Return the numbers: q and the 15 distances a row."""
    model = mujoco.MjModel.from_xml_string(mjcf("fr3"))
    # Tight, as numbers for a test may be.
    model.opt.ccd_tolerance, model.opt.ccd_iterations = 1e-12, 1000
    data = mujoco.MjData(model)
    # Joint rings are for the eye and touch nothing.
    solid = np.flatnonzero(model.geom_contype)
    geoms = [
        [g for g in solid if model.body(model.geom_bodyid[g]).name == f"link{i}"] for i in range(8)
    ]
    protrusion = load("fr3")["contact_primitives"]["protrusion"]
    rng = np.random.default_rng(SEED)
    rows = []
    for _ in range(CASES):
        # As printed, so that both sides see the same joints.
        q = np.round(rng.uniform(*model.jnt_range.T), 6)
        data.qpos[:] = q
        mujoco.mj_kinematics(model, data)
        rows.append([*q, *clearances(model, data, geoms, protrusion)])
    return np.array(rows)


def text(rows):
    """Return the table."""
    lines = [
        "// Generated from the FR3's MJCF by tools/generate_self_collision_golden.py with MuJoCo,",
        f"// seed {SEED}; checked by tests/unit/test_robot_description.py. One pose a row: q, then",
        f"// the distance of links {json.dumps([f'{a}-{b}' for a, b in PAIRS[:8]])[1:-1]},",
        f"// {json.dumps([f'{a}-{b}' for a, b in PAIRS[8:]])[1:-1]}. [m]",
        "// clang-format off",
    ]
    lines += ["{" + ",".join(format(x + 0.0, ".10g") for x in r) + "}," for r in rows]
    return "\n".join(lines) + "\n"


def committed():
    """Return the numbers of the committed table."""
    rows = re.findall(r"^\{(.*)\},$", TARGET.read_text(), flags=re.MULTILINE)
    return np.array([[float(x) for x in r.split(",")] for r in rows])


def main():
    """Write or check the table."""
    rows = generate()
    if "--check" in sys.argv[1:]:
        same = committed().shape == rows.shape and np.allclose(committed(), rows, 0, 1e-7)
        sys.exit(0 if same else f"{TARGET} is stale: run {sys.argv[0]}")
    TARGET.write_text(text(rows))


if __name__ == "__main__":
    main()
