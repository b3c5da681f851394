"""Cartesian motions of a raw client on a strict FR3 in lockstep: what they publish, where they end.

Issue 3, Shows 3 and 5 as far as they are live, and the field table of reference 000 by regime.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from cartesian import (
    columns_of,
    commands,
    difference,
    elbow_of,
    matrix,
    minimum_jerk,
    path,
    pose_of,
    ramp,
    rotation,
    travelled,
)
from needs import needs
from raw_client import RawClient
from trajectories import DT, quintic, shifted

POSE, TWIST = "kCartesianPosition", "kCartesianVelocity"
CONTROLLERS = ["kJointImpedance", "kCartesianImpedance"]
WITHIN = {"kJointImpedance": (1e-3, 2e-3), "kCartesianImpedance": (3e-3, 6e-3)}
SHIFT, TURN = (0.1, 0.05, -0.08), (0.2, -0.1, 0.3)
JOINT_SIDE = {
    "cartesian_motion_generator_joint_velocity_discontinuity",
    "cartesian_motion_generator_joint_acceleration_discontinuity",
}


def near(actual, goal, within) -> None:
    distance, angle = difference(matrix(actual), goal)
    assert distance < within[0]
    assert angle < within[1]


def rates(profile: np.ndarray, direction) -> list[dict]:
    """Twists whose sum is the way that positions at `profile` take."""
    return [{"O_dP_EE_c": row} for row in np.outer(np.diff(profile) / DT, direction).tolist()]


def go_to(raw: RawClient, q, seconds: float = 2.0) -> None:
    start = np.array(raw.start("kJointPosition", "kJointImpedance").q_d)
    samples = start + np.outer(minimum_jerk(seconds), np.array(q) - start)
    played = raw.play({"q_c": row} for row in samples.tolist())
    assert played.status is None, played.errors
    assert raw.finish(q_c=samples[-1].tolist()) == "kSuccess"


# ---- they arrive -----------------------------------------------------------------------------


@pytest.mark.parametrize("controller", CONTROLLERS)
@pytest.mark.parametrize("elbow", [None, 0.25])
def test_a_pose_arrives_and_carries_its_elbow_along(server, raw, controller, elbow):
    start = raw.start(POSE, controller)
    poses, profile = path(start.O_T_EE_d, SHIFT, TURN, minimum_jerk(1.5)), minimum_jerk(1.5)
    samples = commands(poses)
    if elbow is not None:
        q3, branch = start.elbow_d
        for sample, s in zip(samples, profile.tolist(), strict=True):
            sample |= {"elbow_c": (q3 + elbow * s, branch), "valid_elbow": True}
    played = raw.play(samples)
    assert played.status is None, played.errors
    assert raw.finish(**samples[-1]) == "kSuccess"
    state = raw.newest_state()
    near(state.O_T_EE, poses[-1], WITHIN[controller])
    if elbow is not None:
        assert state.elbow[0] == pytest.approx(start.elbow[0] + elbow, abs=2e-3)
    assert state.elbow == pytest.approx(elbow_of(state.q), abs=1e-6)
    assert server.violations == ()


@pytest.mark.parametrize("controller", CONTROLLERS)
@pytest.mark.parametrize("elbow", [None, -0.25])
def test_a_twist_arrives_and_carries_its_elbow_along(server, raw, controller, elbow):
    start = raw.start(TWIST, controller)
    profile = minimum_jerk(1.5)
    samples = rates(profile, (*SHIFT, *TURN))
    if elbow is not None:
        q3, branch = start.elbow_d
        for sample, s in zip(samples, profile[:-1].tolist(), strict=True):
            sample |= {"elbow_c": (q3 + elbow * s, branch), "valid_elbow": True}
    played = raw.play(samples)
    assert played.status is None, played.errors
    last = {k: v for k, v in samples[-1].items() if k != "O_dP_EE_c"}
    raw.play([last] * 3)
    assert raw.finish(**last) == "kSuccess"
    state = raw.newest_state()
    near(state.O_T_EE, path(start.O_T_EE_d, SHIFT, TURN, profile[-1:])[0], WITHIN[controller])
    if elbow is not None:
        assert state.elbow[0] == pytest.approx(start.elbow[0] + elbow, abs=2e-3)
    assert server.violations == ()


@pytest.mark.parametrize("generator", [POSE, TWIST])
def test_a_cartesian_generator_beside_external_torques_leaves_the_arm_to_them(
    server, raw, generator
):
    """The generator is judged and published; the torques alone move the arm."""
    start = raw.start(generator, "kExternalController")
    profile = minimum_jerk(1.0)
    if generator == POSE:
        samples = commands(path(start.O_T_EE_d, (0, 0, 0.1), (0, 0, 0), profile))
    else:
        samples = rates(profile, (0, 0, 0.1, 0, 0, 0))
    played = raw.play(samples)
    assert played.status is None, played.errors
    near(played.state.O_T_EE, matrix(start.O_T_EE), (2e-3, 5e-3))
    assert played.state.tau_J_d == pytest.approx([0.0] * 7)
    assert played.state.q_d != pytest.approx(start.q_d, abs=1e-2)
    last = samples[-1] if generator == POSE else {}
    assert raw.finish(**last) == "kSuccess"


def test_a_tool_moves_as_it_is_told(server, raw):
    """NE_T_EE 0.2 m along and turned: the frame that is commanded is the tool's."""
    tool = path(np.eye(4), (0.05, 0.0, 0.2), (0.0, 0.0, -0.5), np.ones(1))
    assert raw.set_NE_to_EE(columns_of(tool)[0]) == "kSuccess"
    start = raw.start(POSE, "kJointImpedance")
    near(start.O_T_EE, pose_of(start.q) @ tool[0], (1e-6, 1e-6))
    # Only turning about the tool's tip: it stays where it is.
    samples = commands(path(start.O_T_EE_d, (0, 0, 0), (0.3, 0.2, 0.3), minimum_jerk(1.5)))
    tip = start.O_T_EE[12:15]
    away = []
    played = raw.play(samples, each=lambda _, s: away.append(np.subtract(s.O_T_EE[12:15], tip)))
    assert played.status is None, played.errors
    assert raw.finish(**samples[-1]) == "kSuccess"
    assert np.linalg.norm(away, axis=1).max() < 1e-3
    near(raw.newest_state().O_T_EE, matrix(samples[-1]["O_T_EE_c"]), WITHIN["kJointImpedance"])


# ---- what is published -----------------------------------------------------------------------


def during(raw, samples) -> list:
    played = raw.play(samples, keep=True)
    assert played.status is None, played.errors
    return played.states


def test_idle_and_under_joints_the_commanded_pose_is_the_measured_one(raw):
    """reference, field table: regime one. No twist, no elbow rates."""
    start = raw.start("kJointPosition", "kJointImpedance")
    samples = [{"q_c": shifted(start.q_d, 0, quintic(0.3, 0.6, k))} for k in range(601)]
    states = during(raw, samples)
    assert raw.finish(**samples[-1]) == "kSuccess"
    for state in (*states, raw.newest_state()):
        assert state.O_T_EE_d == state.O_T_EE == state.O_T_EE_c
        assert state.elbow_d == state.elbow == state.elbow_c
        assert state.elbow[1] in (-1.0, 1.0)
        assert state.O_dP_EE_d == state.O_dP_EE_c == state.O_ddP_EE_c == (0.0,) * 6
        assert state.delbow_c == state.ddelbow_c == (0.0, 0.0)


def test_under_poses_the_commanded_fields_are_the_commands_and_their_differences(raw):
    """Regime two: O_T_EE_c, O_T_EE_d the command; O_dP_EE_c, O_ddP_EE_c its differences in O."""
    start = raw.start(POSE, "kJointImpedance")
    profile = minimum_jerk(1.0)
    poses = path(start.O_T_EE_d, SHIFT, TURN, profile)
    samples = commands(poses)
    states = during(raw, samples)
    speed = np.diff(profile, prepend=0.0) / DT
    rate = np.diff(speed, prepend=0.0) / DT
    for k in range(5, len(states)):
        state = states[k]
        assert state.O_T_EE_c == state.O_T_EE_d == pytest.approx(samples[k]["O_T_EE_c"], abs=1e-7)
        assert state.O_dP_EE_c == pytest.approx(speed[k] * np.array([*SHIFT, *TURN]), abs=2e-5)
        assert state.O_ddP_EE_c == pytest.approx(rate[k] * np.array([*SHIFT, *TURN]), abs=2e-3)
        assert state.O_dP_EE_d == (0.0,) * 6
        # No elbow is commanded, so it is the measured one (reference, field table).
        assert state.elbow_c == state.elbow_d == state.elbow
        # q_d carries what inverse kinematics makes of it.
        near(columns_of(pose_of(state.q_d)[None])[0], poses[k], (2e-6, 2e-6))
    assert raw.finish(**samples[-1]) == "kSuccess"
    after = raw.newest_state()
    assert after.O_T_EE_c == after.O_T_EE_d == after.O_T_EE
    assert after.O_dP_EE_c == (0.0,) * 6


def test_under_twists_the_pose_stays_where_it_started_and_the_twist_is_echoed(raw):
    """Regime three: frozen poses, O_dP_EE_c and O_dP_EE_d the command, O_ddP_EE_c its rate."""
    start = raw.start(TWIST, "kJointImpedance")
    direction = np.array([*SHIFT, *TURN])
    profile = minimum_jerk(1.0)
    states = during(raw, rates(profile, direction))
    speed = np.diff(profile) / DT
    rate = np.diff(speed, prepend=0.0) / DT
    for k, state in enumerate(states):
        assert state.O_T_EE_c == state.O_T_EE_d == states[0].O_T_EE_c
        assert state.O_dP_EE_c == state.O_dP_EE_d
        assert state.O_dP_EE_c == pytest.approx(speed[k] * direction, abs=1e-6)
        assert state.O_ddP_EE_c == pytest.approx(rate[k] * direction, abs=1e-4)
        assert state.elbow_c == state.elbow_d == state.elbow
    near(states[0].O_T_EE_c, matrix(start.O_T_EE_d), (1e-4, 1e-4))
    assert raw.finish() == "kSuccess"
    after = raw.newest_state()
    assert after.O_T_EE_c == after.O_T_EE_d == after.O_T_EE
    assert after.O_dP_EE_c == (0.0,) * 6


@pytest.mark.parametrize("generator", [POSE, TWIST])
def test_a_commanded_elbow_is_echoed_with_its_rates_until_the_motion_ends(raw, generator):
    start = raw.start(generator, "kJointImpedance")
    q3, branch = start.elbow_d
    hold = {"O_T_EE_c": start.O_T_EE_d} if generator == POSE else {}
    profile = 0.2 * minimum_jerk(1.0)
    samples = [{**hold, "elbow_c": (q3 + x, branch), "valid_elbow": True} for x in profile.tolist()]
    states = during(raw, samples)
    speed = np.diff(profile, prepend=0.0) / DT
    rate = np.diff(speed, prepend=0.0) / DT
    for k in range(3, len(states)):
        state = states[k]
        assert state.elbow_c == state.elbow_d == pytest.approx((q3 + profile[k], branch), abs=1e-7)
        assert state.delbow_c == pytest.approx((speed[k], 0.0), abs=1e-6)
        assert state.ddelbow_c == pytest.approx((rate[k], 0.0), abs=1e-3)
        assert state.q_d[2] == pytest.approx(q3 + profile[k], abs=1e-6)
    assert raw.finish(**samples[-1]) == "kSuccess"
    after = raw.newest_state()
    assert after.elbow_c == after.elbow_d == after.elbow
    assert after.delbow_c == (0.0, 0.0)


@pytest.mark.parametrize("generator", [POSE, TWIST])
@pytest.mark.parametrize("from_measured", [False, True])
def test_an_elbow_may_begin_and_be_left_off_where_the_arm_stands(raw, generator, from_measured):
    """At elbow_c, which is the measured elbow until then, or at the desired joint 3 beside it."""
    start = raw.start(generator, "kJointImpedance")
    hold = {"O_T_EE_c": start.O_T_EE_d} if generator == POSE else {}
    profile, branch = 0.1 * minimum_jerk(0.6), start.elbow_d[1]
    assert raw.play([hold] * 30).status is None
    for _ in range(3):
        q3 = raw.state.elbow_c[0] if from_measured else raw.state.q_d[2]
        samples = [{**hold, "elbow_c": (q3 + x, branch), "valid_elbow": True} for x in profile]
        played = raw.play([samples[0]] * 5 + samples + [samples[-1]] * 5 + [hold] * 30)
        assert played.status is None, played.errors
        assert played.state.q_d[2] == pytest.approx(q3 + 0.1, abs=1e-6)
        assert played.state.elbow_c == played.state.elbow
    assert raw.finish(**hold) == "kSuccess"


@pytest.mark.parametrize("generator", [POSE, TWIST])
@pytest.mark.parametrize("how", ["user stop", "client gone"])
def test_an_interrupted_cartesian_motion_is_followed_by_another(server, generator, how):
    """The arm brakes, the commanded fields follow it, and the next motion starts from there."""
    with RawClient(server.host) as raw:
        start = raw.start(generator, "kCartesianImpedance")
        profile = minimum_jerk(1.0)[:500]
        if generator == POSE:
            samples = commands(path(start.O_T_EE_d, SHIFT, (0, 0, 0), profile))
        else:
            samples = rates(profile, (*SHIFT, 0, 0, 0))
        assert raw.play(samples).status is None
        if how == "user stop":
            server.user_stop(True)
            raw.read_until(lambda s: s.robot_mode == "kUserStopped", "a user stop")
            assert raw.terminal_status() == "kEmergencyAborted"
            server.user_stop(False)
            raw.read_until(lambda s: s.robot_mode == "kIdle", "idle again")
            next_motion_runs(raw)
    if how == "client gone":
        with RawClient(server.host) as raw:
            raw.read_until(lambda s: max(map(abs, s.dq)) < 1e-3, "rest")
            next_motion_runs(raw)
    assert server.violations == ()


def next_motion_runs(raw: RawClient) -> None:
    state = raw.state
    assert state.O_T_EE_c == state.O_T_EE_d == state.O_T_EE
    start = raw.start(POSE, "kJointImpedance")
    samples = commands(path(start.O_T_EE_d, (0, 0, 0.05), (0, 0, 0.2), minimum_jerk(0.8)))
    played = raw.play(samples)
    assert played.status is None, played.errors
    assert raw.finish(**samples[-1]) == "kSuccess"
    near(raw.newest_state().O_T_EE, matrix(samples[-1]["O_T_EE_c"]), WITHIN["kJointImpedance"])


@pytest.mark.parametrize("generator", [POSE, TWIST])
def test_after_a_stop_the_commanded_fields_follow_the_arm_again(raw, generator):
    """StopMove in the middle: braked, idle, regime one."""
    start = raw.start(generator, "kJointImpedance")
    profile = minimum_jerk(1.0)[:500]
    if generator == POSE:
        samples = commands(path(start.O_T_EE_d, SHIFT, (0, 0, 0), profile))
    else:
        samples = rates(profile, (*SHIFT, 0, 0, 0))
    assert raw.play(samples).status is None
    assert raw.stop_move() == "kSuccess"
    assert raw.terminal_status() == "kPreempted"
    state = raw.newest_state()
    assert state.robot_mode == "kIdle"
    assert state.O_T_EE_c == state.O_T_EE_d == state.O_T_EE
    assert state.O_dP_EE_c == state.O_ddP_EE_c == (0.0,) * 6


def test_joints_and_poses_take_turns(server, raw):
    """Ten motions in one session, each from where the last one ended."""
    for k in range(5):
        start = raw.start("kJointPosition", CONTROLLERS[k % 2])
        samples = [{"q_c": shifted(start.q_d, k, quintic(0.1, 0.4, i))} for i in range(401)]
        assert raw.play(samples).status is None
        assert raw.finish(**samples[-1]) == "kSuccess"
        start = raw.start(POSE if k % 2 else TWIST, CONTROLLERS[k % 2])
        profile = minimum_jerk(0.5)
        if k % 2:
            samples = commands(path(start.O_T_EE_d, (0.02, 0.02, 0.02), (0, 0, 0), profile))
        else:
            samples = [*rates(profile, (0.02, 0, 0.02, 0, 0, 0.05)), {}]
        assert raw.play(samples).status is None
        assert raw.finish(**samples[-1]) == "kSuccess"
    assert server.violations == ()


# ---- Show 3: the reference's ramps, live, as an FR3 ------------------------------------------

RECORDED_Q = [-0.046, -0.873, -0.104, -2.437, -0.051, 1.617, 0.748]


def recorded_ramp(raw: RawClient, speed: float, acceleration: float, jerk: float) -> tuple:
    """The calibration's pose and hand, then +x from rest with these budgets, 0.15 m at most."""
    hand = np.eye(4)
    hand[:3, :3], hand[2, 3] = rotation(np.array([0.0, 0.0, np.pi / 4]))[0], 0.1034
    assert raw.set_NE_to_EE(columns_of(hand[None])[0]) == "kSuccess"
    go_to(raw, RECORDED_Q)
    start = raw.start(POSE, "kJointImpedance")
    # The recorded end effector; the recording's angles are rounded to a milliradian.
    assert start.O_T_EE[12:15] == pytest.approx((0.2895, -0.0550, 0.4769), abs=1e-3)
    up = ramp(speed, acceleration, jerk, 2000)
    up = up[: np.searchsorted(np.cumsum(up) * DT, 0.075)]
    way = travelled(np.concatenate([np.zeros(500), up, up[::-1]]))
    return start, raw.play(commands(path(start.O_T_EE_d, (1.0, 0.0, 0.0), (0, 0, 0), way)))


@pytest.mark.parametrize(
    "budget",
    [(0.5, 2.5, 500.0), (0.3, 1.5, 200.0), (0.4, 1.0, 100.0), (0.3, 0.5, 20.0)],
    ids=lambda budget: "/".join(f"{x:g}" for x in budget),
)
def test_an_fr3_passes_the_recorded_ramps_up_to_2_5_metres_a_second_squared(server, raw, budget):
    """Show 3: on the FR3 tables 8.0 of 10 rad/s^2 on joint 2."""
    _, played = recorded_ramp(raw, *budget)
    assert played.status is None, played.errors
    assert raw.finish(**{"O_T_EE_c": played.state.O_T_EE_c}) in ("kSuccess", "kReflexAborted")
    told = [e.data for e in server.violations if e.data["cause"] != "finished_moving"]
    assert told == []


def test_an_fr3_refuses_the_recorded_ramp_at_3_5_metres_a_second_squared(server, raw):
    """Show 3: 29 alone, 11.2 rad/s^2 on joint 2 with the last increments."""
    _, played = recorded_ramp(raw, 0.5, 3.5, 500.0)
    assert played.errors == ("cartesian_motion_generator_joint_velocity_discontinuity",)
    # Increments grow by 0.5 mm/s a cycle: 3.0 passes at 9.6 rad/s^2, 3.5 does not.
    assert played.answered == 500 + 7
    data = server.wait_for_event("violation").data
    assert data["joint"] == 1
    assert abs(data["value"]) == pytest.approx(11.2, abs=0.2)


def test_the_published_cartesian_limits_break_both_sides_of_the_joints(server, raw):
    """Show 3's first row, as an FR3: 9 m/s^2 and 4500 m/s^3 are refused with 29 and 30, or 30."""
    _, played = recorded_ramp(raw, 3.0, 9.0, 4400.0)
    assert played.status == "kReflexAborted"
    assert set(played.errors) <= JOINT_SIDE
    assert "cartesian_motion_generator_joint_acceleration_discontinuity" in played.errors


# ---- Show 5: random smooth poses -------------------------------------------------------------


@needs("frankik", "frankik")
@pytest.mark.parametrize("part", range(4))
def test_a_hundred_random_smooth_poses_of_ten_seconds_run_through(serve, part):
    """Show 5; tools/cartesian_campaign.py plays a thousand."""
    from random_poses import SECONDS, inside, motions

    # A busy machine's client is slow, no packet is lost.
    server = serve(history=12_000, lockstep_timeout=math.inf)
    with RawClient(server.host) as raw:
        for motion in itertools.islice(motions(20261 + part), 25):
            assert np.linalg.norm(motion.shift) >= 0.2
            assert np.linalg.norm(motion.turn) >= 0.5
            assert all(inside(q, 0.1) for q in motion.joints)
            go_to(raw, motion.q, 2.5)
            start = raw.start(POSE, "kJointImpedance")
            poses = motion.poses(start.O_T_EE_d)
            samples = commands(poses)
            assert len(samples) == round(SECONDS / DT) + 1
            played = raw.play(samples)
            assert played.status is None, played.errors
            assert raw.finish(**samples[-1]) == "kSuccess"
            state = raw.newest_state()
            near(state.O_T_EE, poses[-1], (1e-3, 2e-3))
            rows = server.history(len(samples))
            assert np.abs(np.diff(rows["q_d"][:, 2])).max() < 2e-3
            assert set(rows["elbow"][:, 1]) == {start.elbow[1]}
    assert server.violations == ()
