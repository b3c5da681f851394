"""Cartesian motions of the client libraries on a strict FR3 in lockstep: issue 3, Shows 1 and 7."""

from __future__ import annotations

import numpy as np
import pytest
from cartesian import difference, matrix, minimum_jerk, path, pose_of
from needs import needs

pylibfranka = needs("pylibfranka", "pylibfranka")
franka_rs = needs("franka", "franka-rs")
franky = needs("franky", "franky-control")

SHIFT, TURN = [0.1, 0.05, -0.08], [0.2, -0.1, 0.3]
# At rest under an internal controller, as for the joint motions (issue 2, Show 1).
WITHIN = {"joint": (1e-3, 2e-3), "cartesian": (3e-3, 6e-3)}


def near(actual, goal, within) -> None:
    distance, angle = difference(actual, goal)
    assert distance < within[0]
    assert angle < within[1]


@pylibfranka
@pytest.mark.parametrize("controller", ["joint", "cartesian"])
@pytest.mark.parametrize("kind", ["pose", "velocity"])
def test_pylibfranka_moves_along_a_line_and_about_an_axis(server, run_client, kind, controller):
    """Show 7."""
    report = run_client(
        "pylibfranka",
        server.host,
        "cartesian",
        kind=kind,
        controller=controller,
        shift=SHIFT,
        turn=TURN,
        seconds=1.5,
    )
    assert report["aborted"]["raised"] is None, report["aborted"]
    after = report["after"]
    goal = path(report["before"]["O_T_EE"], SHIFT, TURN, minimum_jerk(1.5)[-1:])[0]
    near(matrix(after["O_T_EE"]), goal, WITHIN[controller])
    near(matrix(after["O_T_EE"]), pose_of(after["q"]), (1e-6, 1e-6))
    assert after["robot_mode"] == "Idle"
    assert after["last_motion_errors"] == "[]"
    assert server.violations == ()


@franka_rs
@pytest.mark.parametrize(
    ("backend", "controller", "within"),
    [
        ("robot", "joint_impedance", WITHIN["joint"]),
        ("robot", "cartesian_impedance", WITHIN["cartesian"]),
        # Its law in torques has no integrator; the robot only carries it out.
        ("impedance", "", (5e-3, 1e-2)),
    ],
)
@pytest.mark.parametrize("limit_rate", [True, False])
def test_franka_rs_reaches_a_cartesian_target(
    server, run_client, backend, controller, within, limit_rate
):
    """Show 7."""
    report = run_client(
        "franka_rs",
        server.host,
        "cartesian",
        backend=backend,
        controller=controller,
        move=[0.05, 0.1, -0.1, 0.0, 0.0, 0.2],
        limit_rate=limit_rate,
    )
    assert report["error"] is None, report["error"]
    near(np.array(report["O_T_EE"]), np.array(report["goal"]), within)
    assert report["robot_mode"] == "idle"
    assert report["errors"] == []
    assert server.violations == ()


@franky
@pytest.mark.parametrize(
    ("limit_rate", "cutoff", "controller"),
    [
        (False, 1000.0, "joint"),
        (False, 100.0, "cartesian"),
        (True, 100.0, "joint"),
        (True, 1000.0, "cartesian"),
    ],
)
@pytest.mark.parametrize("elbow", [None, 0.2])
def test_franky_reaches_a_pose_with_and_without_an_elbow(
    server, run_client, elbow, limit_rate, cutoff, controller
):
    """Show 7: libfranka's control() loop, its filter and its limiter."""
    report = run_client(
        "franky",
        server.host,
        "pose",
        factor=0.3,
        shift=[0.1, 0.1, -0.1],
        turn=[0.0, 0.0, 0.3],
        elbow=elbow,
        limit_rate=limit_rate,
        cutoff=cutoff,
        controller=controller,
    )
    assert report["error"] is None, report["error"]
    near(np.array(report["after"]["O_T_EE"]), np.array(report["goal"]), WITHIN[controller])
    if elbow is not None:
        assert report["after"]["q"][2] - report["before"]["q"][2] == pytest.approx(elbow, abs=6e-3)
    assert report["after"]["robot_mode"] == "Idle"
    assert server.violations == ()


@franky
@pytest.mark.parametrize(
    ("limit_rate", "cutoff", "controller"),
    [
        (False, 1000.0, "cartesian"),
        (False, 100.0, "joint"),
        (True, 100.0, "cartesian"),
        (True, 1000.0, "joint"),
    ],
)
@pytest.mark.parametrize("elbow", [None, 0.1])
def test_franky_holds_a_twist_at_its_full_speed(
    server, run_client, elbow, limit_rate, cutoff, controller
):
    """Show 7, and the filter's reference: a stub in O_dP_EE_c would let 39 % of the speed through.

    The factor is low because an elbow's jerk adds to that of the pose in the joints.
    """
    report = run_client(
        "franky",
        server.host,
        "twist",
        factor=0.2,
        linear=[0.0, 0.1, 0.0],
        angular=[0.0, 0.0, 0.2],
        elbow=elbow,
        limit_rate=limit_rate,
        cutoff=cutoff,
        hold_ms=1000,
        controller=controller,
    )
    assert report["error"] is None, report["error"]
    before, after = np.array(report["before"]["O_T_EE"]), np.array(report["after"]["O_T_EE"])
    distance, angle = difference(before, after)
    assert 0.1 < distance < 0.12
    assert 0.2 < angle < 0.24
    if elbow is not None:
        assert 0.1 < report["after"]["q"][2] - report["before"]["q"][2] < 0.12
    assert report["after"]["robot_mode"] == "Idle"
    assert server.violations == ()
    speed = np.linalg.norm(server.history()["O_dP_EE_c"][:, :3], axis=1).max()
    assert speed == pytest.approx(0.1, rel=1e-3)


def moving(server) -> set[str]:
    """Errors that the stream raised; how its motion was finished is another matter."""
    return {e.data["error"] for e in server.violations if e.data["cause"] != "finished_moving"}


@franky
@pytest.mark.parametrize(
    ("cutoff", "share", "factor"), [(1000.0, 0.98, 0.5), (100.0, 0.98, 0.5), (100.0, 1.0, 0.5)]
)
def test_a_plan_within_the_limits_passes_libfrankas_limiter_whole(
    serve, run_client, cutoff, share, factor
):
    """Show 1: the joints' side is judged thirty times wider, as neither plan nor limiter know it.

    A plan at exactly the limit leaves the limiter no room to catch up, as in test_franky.py.
    """
    server = serve(joint_discontinuity_scale=30.0)
    report = run_client(
        "franky",
        server.host,
        "pose",
        factor=factor,
        shift=[0.0, 0.1, -0.05],
        turn=[0.0, 0.0, 0.1],
        elbow=None,
        limit_rate=True,
        cutoff=cutoff,
        share=share,
    )
    assert server.violations == ()
    assert report["error"] is None, report["error"]
    near(np.array(report["after"]["O_T_EE"]), np.array(report["goal"]), WITHIN["joint"])


@franky
@pytest.mark.parametrize("cutoff", [100.0, 1000.0])
@pytest.mark.parametrize("motion", ["pose", "twist"])
def test_what_libfrankas_limiter_lets_through_breaks_no_cartesian_limit(
    serve, run_client, motion, cutoff
):
    """Show 1: plans far beyond the limits, so that the limiter makes every sample."""
    server = serve(joint_discontinuity_scale=30.0)
    common = {"elbow": None, "limit_rate": True, "cutoff": cutoff, "share": 10.0, "factor": 1.0}
    if motion == "pose":
        arguments = {"shift": [0.0, 0.1, -0.05], "turn": [0.0, 0.0, 0.1]}
    else:
        arguments = {"linear": [0.0, 0.3, 0.0], "angular": [0.0, 0.0, 0.2], "hold_ms": 300}
    run_client("franky", server.host, motion, **common, **arguments)
    assert moving(server) == set(), [dict(e.data) for e in server.violations]
    speeds = np.linalg.norm(server.history()["O_dP_EE_c"][:, :3], axis=1)
    # The limiter overshoots a little where it has to turn its acceleration round.
    assert 0.3 - 1e-3 < speeds.max() < (1.7 if motion == "pose" else 0.31)


ERRORS = {
    "pose_jump": "cartesian_position_motion_generator_start_pose_invalid",
    "pose_step": "cartesian_motion_generator_velocity_discontinuity",
    "twist_step": "cartesian_motion_generator_acceleration_discontinuity",
    "joint_step": "joint_motion_generator_velocity_discontinuity",
    "torque_step": "controller_torque_discontinuity",
    "torque_range": "tau_J_range_violation",
}


@pylibfranka
def test_pylibfranka_is_told_each_error_and_moves_again_after_recovery(server, run_client):
    """Show 7: the text of wire.md 9, six times in one session."""
    report = run_client("pylibfranka", server.host, "provoke", names=list(ERRORS))
    for name, error in ERRORS.items():
        outcome = report[name]
        assert outcome["aborted"]["raised"] == "ControlException", name
        assert outcome["aborted"]["text"] == (
            f'libfranka: Move command aborted: motion aborted by reflex! ["{error}"]'
        )
        assert outcome["recovered"]["raised"] is None, name
        near(matrix(outcome["after"]["O_T_EE"]), matrix(outcome["goal"]), WITHIN["joint"])
        assert outcome["after"]["robot_mode"] == "Idle", name


@franky
def test_franky_at_the_cartesian_limits_is_refused_by_the_joint_side(server, run_client):
    """Show 1: the published Cartesian jerk is more than the joints' own."""
    report = run_client(
        "franky",
        server.host,
        "pose",
        factor=1.0,
        shift=[0.0, 0.0, -0.2],
        turn=[0.0, 0.0, 0.0],
        elbow=None,
        limit_rate=True,
        cutoff=1000.0,
        share=0.98,
    )
    assert report["error"]["type"] == "ControlException"
    assert "cartesian_motion_generator_joint_acceleration_discontinuity" in report["error"]["text"]
    broken = {event.data["error"] for event in server.violations}
    assert broken <= {
        "cartesian_motion_generator_joint_velocity_discontinuity",
        "cartesian_motion_generator_joint_acceleration_discontinuity",
    }
