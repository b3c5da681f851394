"""Write tests/core/fr3_wrench.inc: Pinocchio's external wrench for joint torques of the FR3.

Random poses, stiffness frames and torques, and poses brought to just inside and just outside the
smallest singular value below which no wrench is published (robot-model.md section 5). `--check`
compares instead of writing.
"""

import re
import sys
from pathlib import Path

import numpy as np
import pinocchio as pin

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))
from franka_sim.robots import urdf  # noqa: E402

TARGET = ROOT / "tests/core/fr3_wrench.inc"
SEED = 20260202
CASES = 40
SINGULAR = 0.02


def jacobian(model, data, q, F_T_K):
    """Return the body Jacobian at K and the pose of K in O."""
    frame = model.getFrameId("link8")
    J_F = pin.computeFrameJacobian(model, data, q, frame, pin.LOCAL)
    pin.framesForwardKinematics(model, data, q)
    return F_T_K.inverse().action @ J_F, data.oMf[frame] * F_T_K


def row(model, data, q, F_T_K, tau):
    """Return one case as a flat list: inputs, then expectations."""
    J, O_T_K = jacobian(model, data, q, F_T_K)
    singular = np.linalg.svd(J, compute_uv=False)[-1] < SINGULAR
    K_F = np.zeros(6) if singular else np.linalg.pinv(J.T) @ tau
    # A pose acts on a force as on every spatial force: rotated, its moment about the new origin.
    O_F = O_T_K.act(pin.Force(K_F)).vector
    parts = [q, F_T_K.homogeneous, tau, K_F, O_F]
    return np.concatenate([np.ravel(np.asarray(p, float), order="F") for p in parts])


def with_singular_value(model, data, q, F_T_K, wanted):
    """Return `q` with joint 4 straightened until the smallest singular value is `wanted`."""
    bent, straight = -1.0, model.upperPositionLimit[3]
    for _ in range(60):
        q[3] = 0.5 * (bent + straight)
        value = np.linalg.svd(jacobian(model, data, q, F_T_K)[0], compute_uv=False)[-1]
        bent, straight = (q[3], straight) if value > wanted else (bent, q[3])
    return q


def generate():
    """Return the text of the table and its numbers."""
    rng = np.random.default_rng(SEED)
    model = pin.buildModelFromXML(urdf("fr3"))
    data = model.createData()
    rows = []
    for k in range(CASES):
        q = rng.uniform(model.lowerPositionLimit, model.upperPositionLimit)
        F_T_K = pin.SE3.Identity()
        if k % 4 != 0:
            F_T_K = pin.SE3(pin.exp3(rng.uniform(-2, 2, 3)), rng.uniform(-0.2, 0.2, 3))
        rows.append(row(model, data, q, F_T_K, rng.uniform(-20, 20, 7)))
    for wanted in (0.0199, 0.0201):
        q = np.array([0.3, 0.4, -0.2, -0.5, 0.2, 1.6, 0.1])
        q = with_singular_value(model, data, q, pin.SE3.Identity(), wanted)
        rows.append(row(model, data, q, pin.SE3.Identity(), rng.uniform(-20, 20, 7)))
    lines = [
        "// Generated from the FR3's URDF by tools/generate_wrench_golden.py with Pinocchio, seed",
        f"// {SEED}; checked by tests/unit/test_robot_description.py. One case a row: q F_T_K",
        "// tau_ext K_F O_F, matrices column-major. The last two: singular value 0.0199, 0.0201.",
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
        # Near a singularity rounding grows by the inverse of the singular value.
        same = committed().shape == rows.shape and np.allclose(committed(), rows, 1e-9, 1e-9)
        sys.exit(0 if same else f"{TARGET} is stale: run {sys.argv[0]}")
    TARGET.write_text(text)


if __name__ == "__main__":
    main()
