"""What a pushed FR3 tells a libfranka client: wrench, torque, contact, collision, reflex, recovery.

The push is the truth; Jacobians come from pinocchio on the served URDF.
"""

from __future__ import annotations

import numpy as np
import pytest
from needs import needs

from franka_sim import robots

pytestmark = [needs("pylibfranka", "pylibfranka"), needs("pinocchio", "pin")]

FROZEN = 1 << 4  # history.hpp kFrozen
POSTURES = {
    "ready": None,
    "low": [0.5, 0.1, 0.3, -2.2, 0.3, 2.4, 0.2],
    "high": [-0.6, -0.5, -0.3, -1.6, -0.4, 1.9, 1.2],
}
AXES = {f"{kind}{axis}": np.eye(6)[k + 3 * (kind == "m")]
        for kind in "fm" for k, axis in enumerate("xyz")}  # fmt: skip


def settled(sim, after: int):
    """The first state after cycle `after` in which the world stands still."""

    def find(s):
        rows = s.history(1)
        row = rows[-1] if len(rows) else None
        still = row is not None and row["message_id"] > after + 60 and row["flags"] & FROZEN
        return row if still else None

    return sim.wait_for(find, timeout=30)


def jacobian(q, translation) -> np.ndarray:
    """Zero Jacobian of the point of the flange that lies at `translation` in O."""
    import pinocchio as pin

    model = pin.buildModelFromXML(robots.urdf("fr3"))
    data = model.createData()
    frame = model.getFrameId("link8")
    J = pin.computeFrameJacobian(model, data, np.asarray(q), frame, pin.LOCAL_WORLD_ALIGNED)
    pin.framesForwardKinematics(model, data, np.asarray(q))
    lever = np.asarray(translation) - data.oMf[frame].translation
    return np.vstack([J[:3] + np.cross(J[3:].T, lever).T, J[3:]])


@pytest.mark.parametrize("posture", POSTURES)
def test_a_push_along_each_axis_is_felt_as_what_it_is(server, run_client, posture):
    """issue 4, Shows 1: 0.3 N and 0.05 Nm of the truth, tau_ext = J^T F within 0.1 Nm."""
    if POSTURES[posture] is not None:
        run_client("pylibfranka_contact", server.host, "go_to", goal=POSTURES[posture], seconds=4.0)
    worst = np.zeros(3)
    for name, unit in AXES.items():
        wrench = unit * (10.0 if name[0] == "f" else 2.0)
        after = server.state.message_id
        server.push("EE", force=tuple(wrench[:3]), torque=tuple(wrench[3:]))
        row = settled(server, after)
        T = row["O_T_EE"].reshape(4, 4).T
        R, p = T[:3, :3], T[:3, 3]
        # The robot pushes back; the moment is about the origin of each frame.
        f, m = -wrench[:3], -wrench[3:]
        K_F = np.concatenate([R.T @ f, R.T @ m])
        O_F = np.concatenate([f, m + np.cross(p, f)])
        tau = jacobian(row["q"], p).T @ np.concatenate([f, m])
        off_K, off_O = abs(row["K_F_ext_hat_K"] - K_F), abs(row["O_F_ext_hat_K"] - O_F)
        off_joints = abs(row["tau_ext_hat_filtered"] - tau).max()
        off = [max(off_K[:3].max(), off_O[:3].max()), max(off_K[3:].max(), off_O[3:].max())]
        worst = np.maximum(worst, [*off, off_joints])
        if name == "fz":
            seen = run_client("pylibfranka_contact", server.host, "read")["state"]
            assert seen["O_F_ext_hat_K"] == pytest.approx(list(O_F), abs=0.05)
            assert seen["K_F_ext_hat_K"] == pytest.approx(list(K_F), abs=0.05)
            assert seen["tau_ext_hat_filtered"] == pytest.approx(list(tau), abs=0.1)
        server.release()
        settled(server, server.state.message_id)
    assert worst[0] < 0.3
    assert worst[1] < 0.05
    assert worst[2] < 0.1
    assert not server.violations


def test_free_motion_at_1_rad_per_s_feels_nothing(server, run_client):
    """issue 4, Shows 1: |tau_ext| under 0.3 Nm."""
    report = run_client("pylibfranka_contact", server.host, "swing",
                        amplitude=0.25, rate=4.0, seconds=4.0)  # fmt: skip
    assert report["speed"] > 0.95
    assert report["torque"] < 0.3
    assert not server.violations


@pytest.mark.parametrize("strict", [True, False])
def test_a_growing_push_is_a_contact_then_a_reflex_and_the_robot_recovers(
    serve, run_client, strict
):
    """issue 4, Shows 2: threshold 20 N, 5 N/s, reflex at 20 +- 1 N, named, recovery, motion."""
    server = serve(strict=strict)
    server.push("EE", force=(0, 0, -40), shape="ramp", rise=8.0, at_motion_cycle=100)
    report = run_client("pylibfranka_contact", server.host, "pressed", lower=10.0, upper=20.0)
    contact = 5e-3 * (report["contact_after"] - 100)
    reflex = 5e-3 * (report["aborted_after"] - 100)
    assert contact == pytest.approx(10.0, abs=0.5)
    assert reflex == pytest.approx(20.0, abs=1.0)
    # K is the flange, which hangs head down: its z is O's -z.
    assert report["contact"]["cartesian_contact"] == [0, 0, 1, 0, 0, 0]
    assert report["contact"]["cartesian_collision"] == [0] * 6

    assert report["aborted"]["raised"] == "ControlException"
    assert "cartesian_reflex" in report["aborted"]["text"]
    assert "joint_reflex" not in report["aborted"]["text"]
    assert report["reflex"]["robot_mode"] == "Reflex"
    assert report["reflex"]["current_errors"] == '["cartesian_reflex"]'
    assert report["reflex"]["last_motion_errors"] == '["cartesian_reflex"]'
    assert report["reflex"]["cartesian_collision"] == [0, 0, 1, 0, 0, 0]

    (event,) = server.violations
    assert event.data["error"] == "cartesian_reflex"
    assert event.data["axis"] == "z"
    assert event.data["limit"] == 20.0
    assert event.data["value"] == pytest.approx(-20.0, abs=0.1)
    assert event.data["unit"] == "N"
    assert event.data["enforced"]
    assert event.data["cause"] == "pushed"

    # Recovered while it is still pushed.
    assert report["recovered"]["raised"] is None
    assert report["idle"]["robot_mode"] == "Idle"
    assert report["idle"]["current_errors"] == "[]"
    assert report["idle"]["cartesian_collision"] == [0] * 6
    server.release()
    moved = run_client("pylibfranka", server.host, "motion", kind="position", controller="joint",
                       joint=0, distance=0.2, seconds=0.6)  # fmt: skip
    assert moved["after"]["q"] == pytest.approx(moved["goal"], abs=1e-3)
    assert moved["after"]["last_motion_errors"] == "[]"
