"""franky-control on a strict FR3 in lockstep: issue 2, Show 2, libfranka's control() loop."""

from __future__ import annotations

import pytest
from needs import needs

pytestmark = needs("franky", "franky-control")


def test_it_connects_and_reads(server, run_client):
    report = run_client("franky", server.host, "read")
    assert report["robot_mode"] == "Idle"
    assert report["has_errors"] is False


@pytest.mark.parametrize("factor", [0.2, 0.4, 0.6, 0.8, 1.0])
@pytest.mark.parametrize(
    ("limit_rate", "cutoff"), [(False, 100.0), (True, 100.0), (True, 1000.0), (False, 1000.0)]
)
@pytest.mark.parametrize("joint", [0, 3, 6])
def test_a_joint_motion_goes_there_and_back(server, run_client, factor, limit_rate, cutoff, joint):
    """Show 2: with filter and limiter, dynamics factors 0.2 to 1.0.

    The f32 of the wire makes what libfranka's limiter reads up to 0.24 rad/s^2 wrong. A plan at
    exactly the limit leaves it no room: it falls behind and the motion ends on a moving command,
    which a strict robot refuses. So the plan keeps 2 % below the limits when the limiter is on.
    """
    report = run_client(
        "franky",
        server.host,
        "joint",
        factor=factor,
        distance=0.35,
        limit_rate=limit_rate,
        cutoff=cutoff,
        moving=joint,
        share=0.98 if limit_rate else 1.0,
    )
    assert report["errors"] == [None, None]
    there, back = report["reached"]
    assert there[joint] == pytest.approx(0.35, abs=5e-3)
    assert back[joint] == pytest.approx(0.0, abs=5e-3)
    assert report["robot_mode"] == "Idle"


@pytest.mark.parametrize("factor", [0.2, 0.4])
def test_a_joint_motion_with_frankys_own_limits_passes_at_low_factors(server, run_client, factor):
    """Out of the box, as most scripts use it."""
    report = run_client(
        "franky",
        server.host,
        "joint",
        factor=factor,
        distance=0.35,
        limit_rate=False,
        cutoff=100.0,
        moving=6,
        plan_for="FER",
    )
    assert report["errors"] == [None, None]


@pytest.mark.parametrize("joint", [0, 6])
def test_a_plan_with_the_limits_of_an_fer_is_refused_by_an_fr3(server, run_client, joint):
    """franky plans with 7500 to 10000 rad/s^3, an FR3 allows 5000: a strict robot says so."""
    report = run_client(
        "franky",
        server.host,
        "joint",
        factor=1.0,
        distance=0.35,
        limit_rate=False,
        cutoff=1000.0,
        moving=joint,
        plan_for="FER",
    )
    assert "joint_motion_generator_acceleration_discontinuity" in report["errors"][0]["text"]


@pytest.mark.parametrize("factor", [0.2, 0.5, 1.0])
def test_a_joint_velocity_is_held_and_ends_at_rest(server, run_client, factor):
    """Show 2: the velocity interface of control()."""
    report = run_client(
        "franky", server.host, "velocity", factor=factor, dq=0.4, hold_ms=1000, moving=0
    )
    assert report["error"] is None, report["error"]
    assert report["travelled"][0] > 0.3
    assert report["robot_mode"] == "Idle"


def test_a_torque_motion_pulls_the_arm_to_its_target(server, run_client):
    """Show 2: torques of at least 0.3 rad."""
    report = run_client("franky", server.host, "torque", distance=0.35, moving=0)
    assert report["error"] is None, report["error"]
    assert report["travelled"][0] == pytest.approx(0.35, abs=0.05)
    assert report["robot_mode"] == "Idle"


def test_an_abort_carries_the_error_and_recovers(server, run_client):
    """wire.md 9: the text of an abort in control(), with the success rate on its second line."""
    report = run_client("franky", server.host, "abort")
    assert report["error"]["type"] == "ControlException"
    assert report["error"]["text"].startswith(
        "libfranka: Move command aborted: motion aborted by reflex! "
        '["controller_torque_discontinuity"]'
    )
    assert report["broken"] == "Reflex"
    assert report["recovered"] is True
    assert report["robot_mode"] == "Idle"
