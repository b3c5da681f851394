"""Write tests/core/fr3_model.inc: what Pinocchio says of the FR3, for the C++ model's test.

100 random configurations; half of them carry a load and feel a tilted gravity. The URDF it reads is
the one the server hands out. `--check` compares to 1e-12 instead of writing (another Pinocchio may
round differently).
"""

import json
import re
import sys
from pathlib import Path

import numpy as np
import pinocchio as pin

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))
from franka_sim.robots import urdf  # noqa: E402

TARGET = ROOT / "tests/core/fr3_model.inc"
DESCRIPTION = json.loads((ROOT / "src/franka_sim/robots/fr3.json").read_text())
SENSORS = DESCRIPTION["accelerometers"]["links"]
SEED = 20260101
CASES = 100


def felt(model, data, side):
    """Return what the six accelerometers of `side` read, after forward kinematics: 6 x 3."""
    rows = []
    for link in range(6):
        sensor = SENSORS[f"link{link}"][side]
        rotation = pin.rpy.rpyToMatrix(*sensor["rpy"])
        placement = pin.SE3(rotation, np.array(sensor["xyz"]))
        # Link i moves with joint i; the universe is link 0.
        v, a = placement.actInv(data.v[link]), placement.actInv(data.a[link])
        turned = (data.oMi[link] * placement).rotation
        classical = a.linear + np.cross(v.angular, v.linear)
        rows.append(classical - turned.T @ model.gravity.linear)
    return np.ravel(rows)


def row(rng, loaded):
    """Return one case as a flat list: inputs, then expectations, column-major."""
    model = pin.buildModelFromXML(urdf("fr3"))
    q = rng.uniform(model.lowerPositionLimit, model.upperPositionLimit)
    dq, ddq = rng.uniform(-2, 2, 7), rng.uniform(-10, 10, 7)
    mass, centre, inertia, gravity = 0.0, np.zeros(3), np.zeros((3, 3)), np.array([0, 0, -9.81])
    if loaded:
        mass, centre = rng.uniform(0.2, 4), rng.uniform(-0.15, 0.15, 3)
        root = rng.uniform(-0.08, 0.08, (3, 3))
        inertia = root @ root.T + 1e-3 * np.eye(3)
        gravity = rng.uniform(-8, 8, 3)
        flange = model.frames[model.getFrameId("link8")]
        body = pin.Inertia(mass, centre, inertia)
        model.appendBodyToJoint(flange.parentJoint, body, flange.placement)
    model.gravity.linear = gravity
    data, frame = model.createData(), model.getFrameId("link8")
    upper = np.triu(pin.crba(model, data, q))
    M = upper + np.triu(upper, 1).T
    weight = pin.computeGeneralizedGravity(model, data, q)
    coriolis = pin.nonLinearEffects(model, data, q, dq) - weight
    tau = pin.rnea(model, data, q, dq, ddq)
    J = pin.computeFrameJacobian(model, data, q, frame, pin.LOCAL_WORLD_ALIGNED)
    pin.framesForwardKinematics(model, data, q)
    pose = data.oMf[frame].homogeneous
    parts = [q, dq, ddq, [mass], centre, inertia, gravity, pose, J, M, coriolis, weight, tau]
    pin.forwardKinematics(model, data, q, dq, ddq)
    parts += [felt(model, data, side) for side in ("top", "bottom")]
    return np.concatenate([np.ravel(np.asarray(p, float), order="F") for p in parts])


def generate():
    """Return the text of the table and its numbers."""
    rng = np.random.default_rng(SEED)
    rows = [row(rng, loaded=bool(k % 2)) for k in range(CASES)]
    lines = [
        "// Generated from the FR3's URDF by tools/generate_model_golden.py with Pinocchio, seed",
        f"// {SEED}; checked by tests/unit/test_robot_description.py. One case a row: q dq ddq",
        "// mass F_x_C I gravity O_T_F J M coriolis gravity_torque tau top bottom, column-major.",
        "// clang-format off",
    ]
    lines += ["{" + ",".join(format(x + 0.0, ".17g") for x in r) + "}," for r in rows]
    return "\n".join(lines) + "\n", np.array(rows)


def committed():
    """Return the numbers of the committed table."""
    rows = re.findall(r"^\{(.*)\},$", TARGET.read_text(), flags=re.MULTILINE)
    return np.array([[float(x) for x in r.split(",")] for r in rows])


def main():
    """Write or check the table."""
    text, rows = generate()
    if "--check" in sys.argv[1:]:
        same = committed().shape == rows.shape and np.allclose(committed(), rows, 1e-12, 1e-12)
        sys.exit(0 if same else f"{TARGET} is stale: run {sys.argv[0]}")
    TARGET.write_text(text)


if __name__ == "__main__":
    main()
