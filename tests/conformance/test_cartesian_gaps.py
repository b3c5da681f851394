"""Lost cycles under the Cartesian generators: what is extrapolated, and what resuming costs.

Issue 3; the laws are those of the reference's table "Missed cycle". `server.lose(n)` counts the
next n cycles as lost at once; the client reads past them.
"""

from __future__ import annotations

import numpy as np
import pytest
from cartesian import commands, matrix, path, rotation, twists
from trajectories import DT

POSE, TWIST = "kCartesianPosition", "kCartesianVelocity"
VELOCITY = "cartesian_motion_generator_velocity_discontinuity"
ACCELERATION = "cartesian_motion_generator_acceleration_discontinuity"
N = 60  # samples before a gap


def lose(server, raw, cycles: int):
    server.lose(cycles)
    return raw.skip_lost(cycles)


def recorded(server, before: int, cycles: int):
    """The states after `before`, in doubles; a state is recorded after it has been sent."""
    server.wait_for(lambda sim: sim.history(1)["message_id"][-1] >= before + cycles)
    rows = server.history(cycles + 200)
    rows = rows[(rows["message_id"] > before) & (rows["message_id"] <= before + cycles)]
    assert len(rows) == cycles
    return rows


def constant_acceleration(count: int, acceleration: float) -> np.ndarray:
    """Semi-implicit sums: v += a dt, then x += v dt."""
    k = np.arange(count)
    return acceleration * DT * DT * k * (k + 1) / 2


def turning(T: np.ndarray, count: int, alpha: np.ndarray) -> np.ndarray:
    """Poses that turn at a constant angular acceleration about axes of the end effector."""
    profile = constant_acceleration(count, 1.0)
    u, _, v = np.linalg.svd(T[:3, :3])  # the 32-bit state's matrix is no rotation to 1e-8
    T = T.copy()
    T[:3, :3] = u @ v
    poses = np.repeat(T[None], count, axis=0)
    poses[:, :3, :3] = T[:3, :3] @ rotation(np.outer(profile, alpha))
    return poses


@pytest.mark.parametrize("lost", [1, 7, 19])
def test_a_pose_is_extrapolated_per_axis_at_frozen_acceleration(server, raw, lost):
    """To 1e-12 m, and resuming on the true path is clean."""
    start = raw.start(POSE, "kJointImpedance")
    acceleration = np.array([0.5, -0.8, 0.3])
    profile = constant_acceleration(N + lost + 60, 1.0)
    samples = commands(path(start.O_T_EE_d, acceleration, (0, 0, 0), profile))
    raw.play(samples[: N + 1])
    before = raw.state.message_id
    lose(server, raw, lost)
    rows = recorded(server, before, lost)
    for field in ("O_T_EE_c", "O_T_EE_d"):
        wanted = [sample["O_T_EE_c"] for sample in samples[N + 1 : N + 1 + lost]]
        assert rows[field] == pytest.approx(np.array(wanted), abs=1e-12), field
    assert rows["O_ddP_EE_c"][:, :3] == pytest.approx(np.tile(acceleration, (lost, 1)), abs=1e-6)
    played = raw.play(samples[N + 1 + lost :])
    assert played.status is None, played.errors


@pytest.mark.parametrize("lost", [1, 7, 19])
def test_a_turn_is_extrapolated_on_the_right_by_its_frozen_angular_acceleration(server, raw, lost):
    """(omega + alpha dt) dt about the axes of the end effector; resuming on the turn is clean."""
    start = raw.start(POSE, "kJointImpedance")
    samples = commands(turning(matrix(start.O_T_EE_d), N + lost + 60, np.array([0.6, -0.4, 1.2])))
    raw.play(samples[: N + 1])
    before = raw.state.message_id
    lose(server, raw, lost)
    rows = recorded(server, before, lost)
    wanted = [sample["O_T_EE_c"] for sample in samples[N + 1 : N + 1 + lost]]
    assert rows["O_T_EE_c"] == pytest.approx(np.array(wanted), abs=1e-11)
    played = raw.play(samples[N + 1 + lost :])
    assert played.status is None, played.errors


@pytest.mark.parametrize("lost", [1, 7, 19])
def test_a_twist_is_extrapolated_at_frozen_twist_acceleration(server, raw, lost):
    raw.start(TWIST, "kJointImpedance")
    rate = np.array([0.3, 0.5, -0.4, 0.2, -0.3, 0.6])
    wanted = np.outer(np.arange(N + lost + 60) * DT, rate)
    raw.play({"O_dP_EE_c": row} for row in wanted[: N + 1].tolist())
    before = raw.state.message_id
    lose(server, raw, lost)
    rows = recorded(server, before, lost)
    for field in ("O_dP_EE_c", "O_dP_EE_d"):
        assert rows[field] == pytest.approx(wanted[N + 1 : N + 1 + lost], abs=1e-12), field
    # What the client commands no pose for stays where it started (reference 000, field table).
    assert np.ptp(rows["O_T_EE_c"], axis=0) == pytest.approx(np.zeros(16), abs=0)
    played = raw.play({"O_dP_EE_c": row} for row in wanted[N + 1 + lost :].tolist())
    assert played.status is None, played.errors


@pytest.mark.parametrize("lost", [1, 7, 19])
@pytest.mark.parametrize("generator", [POSE, TWIST])
def test_an_elbow_is_extrapolated_as_a_position_and_keeps_its_branch(server, raw, generator, lost):
    start = raw.start(generator, "kJointImpedance")
    q3, branch = start.elbow_d
    hold = {"O_T_EE_c": start.O_T_EE_d} if generator == POSE else {}
    profile = q3 + constant_acceleration(N + lost + 60, 1.5)
    samples = [{**hold, "elbow_c": (x, branch), "valid_elbow": True} for x in profile.tolist()]
    raw.play(samples[: N + 1])
    before = raw.state.message_id
    lose(server, raw, lost)
    rows = recorded(server, before, lost)
    for field in ("elbow_c", "elbow_d"):
        wanted = profile[N + 1 : N + 1 + lost]
        assert rows[field][:, 0] == pytest.approx(wanted, abs=1e-12), field
        assert set(rows[field][:, 1]) == {branch}
    assert rows["ddelbow_c"][:, 0] == pytest.approx(np.full(lost, 1.5), abs=1e-6)
    played = raw.play(samples[N + 1 + lost :])
    assert played.status is None, played.errors


@pytest.mark.parametrize("lost", range(1, 20))
def test_the_joints_follow_the_guesses_and_nothing_jumps(server, raw, lost):
    """q_d is the inverse kinematics of what was guessed; its acceleration stays within limits."""
    start = raw.start(POSE, "kJointImpedance")
    profile = constant_acceleration(N + lost + 60, 1.0)
    samples = commands(path(start.O_T_EE_d, (0.5, 0.5, -0.5), (0.2, 0, 0.4), profile))
    raw.play(samples[: N + 1])
    before = raw.state.message_id
    lose(server, raw, lost)
    played = raw.play(samples[N + 1 + lost :])
    assert played.status is None, played.errors
    rows = recorded(server, before - 2, lost + 40)
    jerk = np.diff(rows["ddq_d"], axis=0) / DT
    assert np.abs(rows["ddq_d"]).max() < 10.0
    assert np.abs(jerk).max() < 5000.0


@pytest.mark.parametrize("lost", [5, 15])
def test_resuming_a_pose_from_ones_own_last_waypoint_is_a_discontinuity(server, raw, lost):
    """The trap: the reference did not pause with the client."""
    start = raw.start(POSE, "kJointImpedance")
    profile = constant_acceleration(400, 1.0)
    samples = commands(path(start.O_T_EE_d, (0.0, 1.0, 0.0), (0, 0, 0), profile))
    raw.play(samples[:200])
    lose(server, raw, lost)
    played = raw.play(samples[200:])
    assert played.status == "kReflexAborted"
    assert played.answered == 1
    assert played.errors == (VELOCITY,)
    event = server.wait_for_event("violation")
    assert event.data["gap"] == lost


@pytest.mark.parametrize("lost", [5, 15])
def test_going_on_from_the_commanded_pose_and_twist_does_not(server, raw, lost):
    """The remedy: O_T_EE_c and O_dP_EE_c of the state."""
    start = raw.start(POSE, "kJointImpedance")
    profile = constant_acceleration(200, 1.0)
    raw.play(commands(path(start.O_T_EE_d, (0.0, 1.0, 0.0), (0, 0, 0), profile)))
    state = lose(server, raw, lost)
    assert state.O_T_EE_c[13] - start.O_T_EE_c[13] > profile[-1]
    speed, slow = state.O_dP_EE_c[1], np.linspace(0.0, 1.0, 400)
    speeds = speed * np.concatenate([np.ones(20), 1.0 - slow**3 * (10 - 15 * slow + 6 * slow**2)])
    samples = commands(path(state.O_T_EE_c, (0, 1, 0), (0, 0, 0), np.cumsum(speeds) * DT))
    played = raw.play(samples)
    assert played.status is None, played.errors
    assert raw.finish(**samples[-1]) == "kSuccess"


@pytest.mark.parametrize("lost", [5, 15])
def test_resuming_a_twist_where_it_was_left_is_a_discontinuity(server, raw, lost):
    """1.8 m/s^2 over the gap, taken back in one cycle."""
    raw.start(TWIST, "kJointImpedance")
    speeds = np.arange(400) * DT * 1.8
    raw.play(twists(1, speeds[:200]))
    lose(server, raw, lost)
    played = raw.play(twists(1, speeds[200:]))
    assert played.status == "kReflexAborted"
    assert played.answered == 1
    assert played.errors == (ACCELERATION,)


@pytest.mark.parametrize("generator", [POSE, TWIST])
def test_a_constant_signal_resumes_after_nineteen_and_ends_well(server, raw, generator):
    start = raw.start(generator, "kJointImpedance")
    hold = {"O_T_EE_c": start.O_T_EE_d} if generator == POSE else {}
    raw.play([hold] * 20)
    for _ in range(4):
        assert lose(server, raw, 19).robot_mode == "kMove"
        assert raw.play([hold] * 3).status is None
    assert raw.finish(**hold) == "kSuccess"


@pytest.mark.parametrize("generator", [POSE, TWIST])
def test_the_twentieth_lost_cycle_stops_a_moving_arm(server, raw, generator):
    """At 0.1 m/s: error 25 alone, and the arm brakes without a second error."""
    start = raw.start(generator, "kJointImpedance")
    speeds = np.concatenate([np.arange(200) * DT * 0.5, np.full(200, 0.1)])
    if generator == POSE:
        profile = np.cumsum(speeds) * DT
        raw.play(commands(path(start.O_T_EE_d, (0, 1, 0), (0, 0, 0), profile)))
    else:
        raw.play(twists(1, speeds))
    before = raw.state.message_id
    server.lose(20)
    state = raw.read_until(lambda s: s.robot_mode != "kMove", "an abort")
    assert state.message_id == before + 20
    assert raw.terminal_status() == "kReflexAborted"
    assert state.reflex_reason == ("communication_constraints_violation",)
    event = server.wait_for_event("violation")
    assert event.data["cause"] == "lost_commands"
    assert event.data["lost_in_last_20"] == 20
    assert raw.automatic_error_recovery() == "kSuccess"
    assert len(server.violations) == 1
