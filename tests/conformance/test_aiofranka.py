"""aiofranka on a strict FR3 in lockstep: issue 2, Show 2, an impedance loop in torques."""

from __future__ import annotations

import pytest
from needs import needs

pytestmark = needs("aiofranka", "aiofranka")


def test_two_moves_of_its_impedance_controller_arrive(server, run_client):
    """Show 2: torques, at least 0.3 rad; friction leaves its soft gains up to 0.03 rad short."""
    report = run_client("aiofranka", server.host, "torque", joint=0, distance=0.35)
    assert report["error"] is None, report["error"]
    assert report["loop_error"] is None
    there, back = report["travelled"]
    assert there[0] == pytest.approx(0.35, abs=0.05)
    assert back[0] == pytest.approx(0.0, abs=0.05)
    assert report["robot_mode"] == "Idle"
    assert report["errors"] == "[]"
