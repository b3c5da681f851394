"""franka-rs on a strict FR3 in lockstep: issue 2, Show 2. Its wire code and model are its own."""

from __future__ import annotations

import pytest
from fr3 import flange
from needs import needs

pytestmark = needs("franka", "franka-rs")


def test_it_negotiates_version_10_and_reads(server, run_client):
    report = run_client("franka_rs", server.host, "read")
    assert (report["fci_version"], report["robot_mode"]) == (10, "idle")
    assert report["current_errors"] == []


def test_its_model_agrees_with_the_state_at_rest(server, run_client):
    """Issue 2, arm: pose(flange) F_T_EE equals O_T_EE, gravity equals the static tau_J."""
    report = run_client("franka_rs", server.host, "model")
    assert report["pose_minus_O_T_EE"] < 1e-6
    assert report["gravity_minus_tau_J"] < 1e-2
    for row, wanted in zip(report["flange"], flange(report["q"]), strict=False):
        assert row == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("fraction", [0.2, 0.6, 1.0])
@pytest.mark.parametrize("backend", ["robot", "impedance"])
def test_a_joint_target_is_reached(server, run_client, backend, fraction):
    """Show 2: joint positions with the robot's controller, and torques from its impedance law."""
    report = run_client(
        "franka_rs",
        server.host,
        "targets",
        backend=backend,
        fraction=fraction,
        joint=0,
        distance=0.35,
    )
    assert report["error"] is None, report["error"]
    assert report["reached"][0] - report["start"][0] == pytest.approx(0.35, abs=0.03)
    assert report["robot_mode"] == "idle"
    assert report["errors"] == []
