"""Why did it stop: every violation's record, its line and its JSON, and the likely cause.

Issue 3, "Why did it stop". The causes are computed from the command and the history it met.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from cartesian import commands, matrix, minimum_jerk, path, ramp, travelled, twists
from conftest import FCI_PORT, free_host
from raw_client import RawClient
from trajectories import DT, quintic, shifted

POSE, TWIST = "kCartesianPosition", "kCartesianVelocity"
RECORD = {
    "error", "generator", "joint", "axis", "cycle", "value", "limit", "over", "unit", "signal",
    "lost_in_last_20", "previous_extrapolated", "gap", "cause", "explanation", "enforced",
}  # fmt: skip


def record(server):
    """The first violation."""
    return server.wait_for_event("violation").data


def accelerating(count: int, acceleration: float = 1.0) -> np.ndarray:
    k = np.arange(count)
    return acceleration * DT * DT * k * (k + 1) / 2


def along_y(start, profile) -> list[dict]:
    return commands(path(start.O_T_EE_d, (0.0, 1.0, 0.0), (0.0, 0.0, 0.0), np.asarray(profile)))


def test_a_record_says_what_broke_where_when_and_by_how_much(server, raw):
    start = raw.start(POSE, "kJointImpedance")
    samples = along_y(start, [0.0] * 10 + [1e-3])
    played = raw.play(samples)
    data = record(server)
    assert set(data) >= RECORD
    assert data["error"] == "cartesian_motion_generator_velocity_discontinuity"
    assert (data["generator"], data["axis"]) == ("cartesian_position", "translation")
    assert data["joint"] == -1
    assert data["value"] == pytest.approx(1000.0, abs=0.5)
    assert data["limit"] == 9.0
    assert data["over"] == pytest.approx(data["value"] - 9.0)
    assert data["cycle"] == played.state.message_id - 1
    assert (data["lost_in_last_20"], data["previous_extrapolated"], data["gap"]) == (0, False, 0)
    assert data["cause"] == "own_signal"
    assert data["enforced"] is True


def test_the_joint_side_names_its_joint(server, raw):
    start = raw.start(POSE, "kJointImpedance")
    raw.play(along_y(start, np.concatenate([np.zeros(5), travelled(ramp(1.0, 8.0, 800.0, 400))])))
    data = record(server)
    assert data["error"] == "cartesian_motion_generator_joint_velocity_discontinuity"
    assert data["joint"] in range(7)
    assert data["unit"] == "rad/s^2"
    assert abs(data["value"]) > data["limit"] == 10.0


@pytest.mark.parametrize("kind", ["joint", "pose"])
def test_resuming_from_the_own_waypoint_after_seven_lost_cycles(server, raw, kind):
    """The issue's example, in joints and in poses."""
    if kind == "joint":
        start = raw.start("kJointPosition", "kJointImpedance")
        samples = [{"q_c": shifted(start.q_d, 0, x)} for x in accelerating(200, 2.0).tolist()]
    else:
        start = raw.start(POSE, "kJointImpedance")
        samples = along_y(start, accelerating(200))
    raw.play(samples)
    server.lose(7)
    raw.skip_lost(7)
    played = raw.play(samples[-1:] * 2)
    assert played.status == "kReflexAborted"
    data = record(server)
    assert data["cause"] == "resumed_from_own_waypoint"
    assert "your own last waypoint" in data["explanation"]
    assert (data["gap"], data["lost_in_last_20"], data["previous_extrapolated"]) == (7, 7, True)


@pytest.mark.parametrize("kind", ["joint", "pose", "twist"])
def test_advancing_by_a_millisecond_after_seven_lost_cycles(server, raw, kind):
    """A client that counts its own calls goes on where it left off."""
    if kind == "joint":
        start = raw.start("kJointPosition", "kJointImpedance")
        samples = [{"q_c": shifted(start.q_d, 0, x)} for x in accelerating(210, 2.0).tolist()]
    elif kind == "pose":
        start = raw.start(POSE, "kJointImpedance")
        samples = along_y(start, accelerating(210))
    else:
        raw.start(TWIST, "kJointImpedance")
        samples = twists(1, np.arange(210) * DT * 0.9)
    raw.play(samples[:200])
    server.lose(7)
    raw.skip_lost(7)
    played = raw.play(samples[200:])
    assert played.status == "kReflexAborted"
    data = record(server)
    assert data["cause"] == "assumed_one_millisecond"
    assert data["gap"] == 7


def test_stopping_dead_at_the_reference_after_a_gap(server, raw):
    """It went on from q_d, but forgot dq_d."""
    start = raw.start(POSE, "kJointImpedance")
    raw.play(along_y(start, accelerating(200)))
    server.lose(7)
    state = raw.skip_lost(7)
    played = raw.play([{"O_T_EE_c": state.O_T_EE_c}] * 3)
    assert played.status == "kReflexAborted"
    assert record(server)["cause"] == "stopped_in_one_cycle"


@pytest.mark.parametrize("kind", ["joint", "pose"])
def test_a_measured_seed_instead_of_the_desired_one(server, raw, kind):
    """Mid-motion the client copies what the arm, compliant, measures."""
    if kind == "joint":
        start = raw.start("kJointPosition", "kCartesianImpedance")
        raw.play({"q_c": shifted(start.q_d, 0, quintic(0.5, 1.0, k))} for k in range(500))
        seed = {"q_c": raw.state.q}
    else:
        start = raw.start(POSE, "kCartesianImpedance")
        raw.play(along_y(start, 0.2 * minimum_jerk(1.0)[:500]))
        seed = {"O_T_EE_c": raw.state.O_T_EE}
    played = raw.play([seed] * 2)
    assert played.status == "kReflexAborted"
    data = record(server)
    assert data["cause"] == "seeded_from_measured"
    assert "desired" in data["explanation"]


def test_a_first_command_at_the_measured_joints_is_named_as_one(server, raw):
    """After a compliant motion the arm rests a little beside its desired joints."""
    start = raw.start("kJointPosition", "kCartesianImpedance")
    samples = [{"q_c": shifted(start.q_d, 0, quintic(0.4, 0.8, k))} for k in range(801)]
    assert raw.play(samples).status is None
    assert raw.finish(**samples[-1]) == "kSuccess"
    start = raw.start("kJointPosition", "kJointImpedance")
    # 5 microradians in one cycle are 5000 rad/s^3.
    assert max(abs(a - b) for a, b in zip(start.q, start.q_d, strict=True)) > 5.1e-6
    played = raw.play([{"q_c": start.q}] * 3)
    assert played.status == "kReflexAborted"
    assert record(server)["cause"] == "seeded_from_measured"


@pytest.mark.parametrize("kind", ["joint", "pose", "twist"])
def test_finishing_on_a_moving_command(server, raw, kind):
    """libfranka: "Motion finished commanded, but the robot is still moving!"."""
    if kind == "joint":
        start = raw.start("kJointPosition", "kJointImpedance")
        samples = [{"q_c": shifted(start.q_d, 0, quintic(0.5, 1.0, k))} for k in range(500)]
    elif kind == "pose":
        start = raw.start(POSE, "kJointImpedance")
        samples = along_y(start, 0.2 * minimum_jerk(1.0)[:500])
    else:
        raw.start(TWIST, "kJointImpedance")
        samples = twists(1, 0.2 * minimum_jerk(1.0)[:500])
    raw.play(samples[:-1])
    assert raw.finish(**samples[-1]) == "kReflexAborted"
    data = record(server)
    assert data["cause"] == "finished_moving"
    assert raw.newest_state().robot_mode == "kReflex"


def test_a_row_major_frame_is_named_as_one(server, raw):
    start = raw.start(POSE, "kJointImpedance")
    raw.play([{"O_T_EE_c": start.O_T_EE_d}] * 5)
    raw.play([{"O_T_EE_c": matrix(start.O_T_EE_d).reshape(16).tolist()}] * 2)
    data = record(server)
    assert data["error"] == "cartesian_position_motion_generator_invalid_frame_flag"
    assert data["cause"] == "row_major"


def test_a_signal_that_straddles_a_gap_is_said_to(server, raw):
    """A quintic of large jerk, on along its true path after 19 lost cycles."""
    start = raw.start("kJointPosition", "kJointImpedance")
    path_of = [{"q_c": shifted(start.q_d, 0, quintic(0.5, 1.0, k))} for k in range(1001)]
    raw.play(path_of[:126])
    server.lose(15)
    raw.skip_lost(15)
    assert raw.play(path_of[141:]).status == "kReflexAborted"
    data = record(server)
    assert data["cause"] == "straddles_gap"
    assert data["lost_in_last_20"] >= 14


def test_a_guess_that_runs_over_a_limit_is_the_servers_own(serve):
    """The velocity envelope reached while the client is quiet."""
    server = serve()
    with RawClient(server.host) as raw:
        start = raw.start("kJointPosition", "kJointImpedance")
        speeds = ramp(5.0, 9.0, 4000.0, 1000)
        stop = int(np.argmax(speeds > 2.55))
        raw.play({"q_c": shifted(start.q_d, 0, x)} for x in travelled(speeds)[:stop].tolist())
        server.lose(19)
        state = raw.read_until(lambda s: s.robot_mode != "kMove", "an abort")
        assert "joint_motion_generator_velocity_limits_violation" in state.reflex_reason
        data = record(server)
        assert data["cause"] == "extrapolation"
        assert data["extrapolated"] is True


def test_a_warning_without_enforcement_has_the_same_record(serve):
    server = serve(strict=False)
    with RawClient(server.host) as raw:
        start = raw.start(POSE, "kJointImpedance")
        played = raw.play(along_y(start, [0.0] * 10 + [1e-5] * 40))
        assert played.status is None
        data = record(server)
        assert set(data) >= RECORD
        assert data["enforced"] is False
        assert raw.finish(**along_y(start, [1e-5])[0]) == "kSuccess"


def test_a_line_of_json_logs_carries_the_record():
    """`franka-sim serve --json-logs`: one object a line on standard error."""
    host = free_host()
    program = "from franka_sim.cli.main import run; run()"
    options = ["--host", host, "--clock", "lockstep", "--strict", "--json-logs"]
    server = subprocess.Popen(
        [sys.executable, "-c", program, "serve", *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )
    try:
        ready = server.stderr.readline()
        assert json.loads(ready), ready
        with RawClient(host, FCI_PORT) as raw:
            start = raw.start(POSE, "kJointImpedance")
            raw.play(along_y(start, accelerating(200)))
            for _ in range(7):
                raw.read_state()  # the server times out on each of these
            raw.play(along_y(start, accelerating(200))[-1:] * 2)
            line = next(
                found
                for found in map(json.loads, server.stderr)
                if "motion limit violated" in found["event"]
            )
    finally:
        server.terminate()
        server.communicate(timeout=30)
    assert line["level"] == "warning"
    assert line["generator"] == "cartesian_position"
    assert line["cycle"] > 0
    assert line["over"] > 0
    assert line["lost_in_last_20"] == 7
    assert line["gap"] == 7
    assert line["after_a_guess"] is True
    assert "your own last waypoint" in line["cause"]
    # The whole record, as values.
    assert set(line["record"]) >= RECORD
    assert line["record"]["error"] == "cartesian_motion_generator_velocity_discontinuity"
    assert line["record"]["cause"] == "resumed_from_own_waypoint"
    assert line["record"]["value"] > line["record"]["limit"] == 9.0
