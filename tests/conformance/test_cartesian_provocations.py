"""What a strict FR3 refuses, one provocation a row: the error's name, and that the arm moves again.

Issue 3, Show 7. The provocations are in tests/support/provocations.py.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from cartesian import commands, elbow_of, matrix, path, pose_of
from fr3 import Q_MAX
from provocations import (
    JOINT,
    POSE,
    PROVOCATIONS,
    TWIST,
    C,
    J,
    go_to,
    label,
    pull_back,
    recovers,
    still,
)
from raw_client import RawClient, RejectedError


@pytest.mark.parametrize("row", PROVOCATIONS, ids=label)
def test_a_provocation_latches_its_errors_and_the_arm_moves_again(server, raw, row):
    """Show 7."""
    provoke, expected = row
    played = provoke(raw)
    assert played.status == "kReflexAborted", played.state
    assert set(played.state.reflex_reason) == expected
    assert set(played.state.errors) == expected
    assert played.state.robot_mode == "kReflex"
    told = server.wait_for_event("violation")
    assert told.data["error"] in expected
    assert {e.data["error"] for e in server.violations} <= expected
    if expected == {"joint_position_limits_violation"}:
        pull_back(raw)
    recovers(raw)


@pytest.mark.parametrize("generator", ["kJointPosition", "kJointVelocity", POSE, TWIST, "kNone"])
def test_twenty_lost_cycles_end_any_motion(server, raw, generator):
    """Show 7, error 25."""
    still(raw, generator, 20)
    server.lose(20)
    state = raw.read_until(lambda s: s.robot_mode != "kMove", "an abort")
    assert raw.terminal_status() == "kReflexAborted"
    assert state.reflex_reason == ("communication_constraints_violation",)
    recovers(raw)


NOT_FINITE = [
    ("kJointPosition", "q_c", 3, {J + "position_limits_violation"}),
    ("kJointVelocity", "dq_c", 3, {"joint_velocity_violation", J + "velocity_limits_violation"}),
    (POSE, "O_T_EE_c", 13, {C + "velocity_limits_violation"}),
    (POSE, "O_T_EE_c", 5, {C + "velocity_limits_violation"}),
    (TWIST, "O_dP_EE_c", 4, {C + "velocity_limits_violation"}),
    ("kNone", "tau_J_d", 6, {"tau_J_range_violation"}),
]


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize(("generator", "field", "at", "expected"), NOT_FINITE)
def test_a_value_that_is_not_finite_is_refused_whatever_the_switches(
    serve, generator, field, at, expected, strict, bad
):
    """reference: the limits violation of the generator it arrived in."""
    server = serve(strict=strict)
    with RawClient(server.host) as raw:
        _, hold = still(raw, generator)
        width = {"O_T_EE_c": 16, "O_dP_EE_c": 6}.get(field, 7)
        values = list(hold.get(field, [0.0] * width))
        values[at] = bad
        played = raw.play([{**hold, field: values}] * 3)
        assert played.status == "kReflexAborted"
        assert set(played.state.reflex_reason) == expected
        state = raw.newest_state()
        numbers = (*state.q_d, *state.dq_d, *state.O_T_EE_c, *state.O_dP_EE_c, *state.tau_J_d)
        assert all(map(math.isfinite, numbers))
        recovers(raw)


def test_a_pose_whose_joints_are_out_of_range_is_named_after_a_hold(serve):
    """27: in a running stream the envelope, zero before the stop, always speaks first (28)."""
    server = serve(strict=False, enforce_motion_limits=True)
    with RawClient(server.host) as raw:
        go_to(raw, [*raw.state.q_d[:6], Q_MAX[6] - 0.05])
        start, hold = still(raw, POSE, 20)
        server.lose(25)
        raw.skip_lost(25)
        T = matrix(start.O_T_EE_d)
        turned = commands(path(T, (0, 0, 0), 0.08 * T[:3, 2], np.ones(1)))
        played = raw.play(turned * 3)
        assert played.errors == (C + "joint_position_limits_violation",)
        assert hold != turned[0]
        recovers(raw)


@pytest.mark.parametrize("generator", [POSE, TWIST])
def test_a_cartesian_motion_does_not_start_at_a_stretched_arm(raw, generator):
    """kStartAtSingularPoseRejected; a joint motion leads out of it."""
    go_to(raw, [0.0, 0.0, 0.0, -0.16, 0.0, 1.6, 0.8], 3.0)
    with pytest.raises(RejectedError) as refused:
        raw.start(generator, JOINT)
    assert refused.value.status == "kStartAtSingularPoseRejected"
    assert raw.newest_state().robot_mode == "kIdle"
    go_to(raw, [0.0, -0.6, 0.0, -2.2, 0.0, 1.6, 0.8], 3.0)
    start = raw.start(generator, JOINT)
    hold = {"O_T_EE_c": start.O_T_EE_d} if generator == POSE else {}
    assert raw.play([hold] * 20).status is None
    assert raw.finish(**hold) == "kSuccess"


def test_the_fold_stops_before_joint_4_would_and_names_the_two_links(server, raw):
    """Show 4: joint 4 would reach its envelope 11.6 s after the start."""
    home = list(raw.state.q_d)
    # Where sqrt(2 a (q - low)) - offset is 0.1 rad/s, 11.6 s earlier.
    envelope = -3.0481 + (0.1 + 0.3) ** 2 / 8.0
    go_to(raw, [*home[:3], envelope + 1.16, *home[4:]])
    raw.start("kJointVelocity", JOINT)
    slow = [min(k * 5e-3, 1.0) for k in range(12000)]
    played = raw.play({"dq_c": [0, 0, 0, -0.1 * s, 0.2 * s, 0, 0]} for s in slow)
    assert played.errors == ("self_collision_avoidance_violation",)
    # The ramp costs a tenth of a second against a start at full speed.
    earlier = 11.6 + 0.1 - played.answered * 1e-3
    assert 0.3 < earlier < 1.5
    event = server.wait_for_event("violation")
    assert event.data["value"] < 0.05 < event.data["value"] + 1e-3
    assert len(event.data["links"]) == 2
    assert max(event.data["links"]) - min(event.data["links"]) >= 3
    recovers(raw)


def test_poses_of_the_published_kinematics_are_the_servers(raw):
    """The tests' own kinematics agree with what is served, so that they may judge it."""
    go_to(raw, [0.3, -0.5, 0.2, -2.0, 0.4, 1.9, 0.1])
    state = raw.newest_state()
    assert matrix(state.O_T_EE) == pytest.approx(pose_of(state.q), abs=1e-6)
    assert state.elbow == pytest.approx(elbow_of(state.q), abs=1e-7)
