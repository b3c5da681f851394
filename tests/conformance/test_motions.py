"""Motions from start to end, by a client that shows every state: the story libfranka relies on."""

from __future__ import annotations

import fci_v10 as fci
import pytest
from fr3 import columns, flange, multiply, pose_error
from raw_client import RejectedError
from trajectories import (
    ACCELERATION_DISCONTINUITY,
    DT,
    START_POSE_INVALID,
    VELOCITY_DISCONTINUITY,
    only,
    quintic,
    quintic_velocity,
    shifted,
)

KP = (200.0, 200.0, 200.0, 200.0, 60.0, 50.0, 30.0)
KD = (20.0, 20.0, 20.0, 20.0, 6.0, 5.0, 3.0)


def pd(state: fci.State, goal, speed) -> list[float]:
    return [KP[i] * (goal[i] - state.q[i]) + KD[i] * (speed[i] - state.dq[i]) for i in range(7)]


def backward_speed(distance: float, seconds: float, k: int) -> float:
    """Backward difference of the quintic: these sum up to the distance exactly."""
    return (quintic(distance, seconds, k) - quintic(distance, seconds, k - 1)) / DT


@pytest.mark.parametrize("controller", ["kJointImpedance", "kCartesianImpedance"])
def test_a_joint_position_motion_ends_where_it_was_sent(raw, controller):
    """Issue 2, Show 1: within 1 mrad; under Cartesian impedance 3 mm and 6 mrad at the flange."""
    start = raw.start("kJointPosition", controller)
    for state in (start,):
        assert state.robot_mode == "kMove"
    samples = ({"q_c": shifted(start.q_d, 0, quintic(0.3, 0.8, k))} for k in range(801))
    played = raw.play(samples, keep=True)
    assert played.status is None
    # q_d is the last accepted command, one state later.
    for k, state in enumerate(played.states):
        assert state.q_d[0] == pytest.approx(start.q_d[0] + quintic(0.3, 0.8, k), abs=2e-6)
    goal = shifted(start.q_d, 0, 0.3)
    assert raw.finish(q_c=goal) == "kSuccess"
    assert raw.state.robot_mode == "kIdle"
    assert raw.state.motion_generator_mode == "kIdle"
    assert raw.state.controller_mode in ("kOther", "kJointImpedance")
    if controller == "kJointImpedance":
        assert raw.state.q == pytest.approx(goal, abs=1e-3)
    else:
        wanted = multiply(flange(goal), columns(raw.state.F_T_EE))
        distance, angle = pose_error(columns(raw.state.O_T_EE), wanted)
        assert distance < 3e-3
        assert angle < 6e-3


@pytest.mark.parametrize("controller", ["kJointImpedance", "kCartesianImpedance"])
def test_a_joint_velocity_motion_travels_what_was_commanded(raw, controller):
    """Issue 2, control: whatever the load on the machine."""
    start = raw.start("kJointVelocity", controller)
    samples = ({"dq_c": only(0, backward_speed(0.3, 0.8, k) if k else 0.0)} for k in range(801))
    assert raw.play(samples).status is None
    goal = shifted(start.q_d, 0, 0.3)
    raw.play([{"dq_c": only(0, 0.0)}] * 2)
    assert raw.state.q_d == pytest.approx(goal, abs=2e-6)
    assert raw.finish(dq_c=only(0, 0.0)) == "kSuccess"
    if controller == "kJointImpedance":
        assert raw.state.q == pytest.approx(goal, abs=1e-3)
    else:
        wanted = multiply(flange(goal), columns(raw.state.F_T_EE))
        distance, angle = pose_error(columns(raw.state.O_T_EE), wanted)
        assert distance < 3e-3
        assert angle < 6e-3


def test_a_torque_session_freezes_q_d_and_echoes_the_torque(raw):
    """reference: q_d stays at the hold setpoint, tau_J_d is the last command."""
    start = raw.start("kNone", "kExternalController")
    origin = start.q
    sent = None
    for k in range(1300):
        goal = shifted(origin, 0, quintic(0.35, 1.0, k))
        speed = only(0, quintic_velocity(0.35, 1.0, k))
        sent = pd(raw.state, goal, speed)
        state = raw.step(tau_J_d=sent)
        assert state.robot_mode == "kMove", state.errors
        assert state.tau_J_d == pytest.approx(sent, rel=1e-6, abs=1e-6)
    assert raw.state.q_d == pytest.approx(start.q_d, abs=1e-7)
    assert raw.state.dq_d == (0.0,) * 7
    assert raw.state.q[0] - origin[0] == pytest.approx(0.35, abs=0.03)
    assert raw.finish(tau_J_d=sent) == "kSuccess"
    assert raw.state.robot_mode == "kIdle"


@pytest.mark.parametrize("generator", ["kJointPosition", "kJointVelocity"])
def test_a_generator_with_external_torques_moves_by_the_torques(raw, generator):
    """wire.md 5.2: the pair (generator, external controller); q_d follows the generator."""
    start = raw.start(generator, "kExternalController")
    origin = start.q_d
    for k in range(1300):
        goal = shifted(origin, 0, quintic(0.35, 1.0, k))
        speed = only(0, quintic_velocity(0.35, 1.0, k))
        tau = pd(raw.state, goal, speed)
        if generator == "kJointPosition":
            command = {"q_c": goal}
        else:
            command = {"dq_c": only(0, backward_speed(0.35, 1.0, k) if k else 0.0)}
        state = raw.step(**command, tau_J_d=tau)
        assert state.robot_mode == "kMove", state.errors
    assert raw.state.q_d[0] - origin[0] == pytest.approx(0.35, abs=1e-5)
    assert raw.state.q[0] - origin[0] == pytest.approx(0.35, abs=0.03)
    assert raw.finish(**command, tau_J_d=tau) == "kSuccess"


def test_joint_impedance_gains_change_how_far_an_arm_sags(raw):
    """SetJointImpedance is acted on: a load that is not there pushes a soft arm further away."""
    assert (
        raw.set_load(1.0, [0.0, 0.0, 0.05], [0.001, 0, 0, 0, 0.001, 0, 0, 0, 0.001]) == "kSuccess"
    )
    offsets = []
    for stiffness in (3000.0, 300.0):
        assert raw.set_joint_impedance([stiffness] * 7) == "kSuccess"
        start = raw.start("kJointPosition", "kJointImpedance")
        assert raw.play([{"q_c": start.q_d}] * 1500).status is None
        state = raw.state
        offsets.append(max(abs(a - b) for a, b in zip(state.q, state.q_d, strict=False)))
        assert raw.finish(q_c=start.q_d) == "kSuccess"
    assert offsets[1] > 3.0 * offsets[0]
    assert offsets[0] > 1e-4


def test_the_state_before_every_move_reply_shows_the_motion(raw):
    """wire.md 5.2: never a matching mode pair without kMove."""
    for generator, controller in (
        ("kJointPosition", "kJointImpedance"),
        ("kJointVelocity", "kCartesianImpedance"),
        ("kNone", "kExternalController"),
    ):
        raw.start(generator, controller)
        command = {"q_c": raw.state.q_d} if generator == "kJointPosition" else {}
        assert raw.play([command] * 5).status is None
        assert raw.finish(**command) == "kSuccess"
        assert raw.state.motion_generator_mode == "kIdle"


def test_stop_move_preempts_the_motion_and_the_arm_comes_to_rest(raw):
    """wire.md 5.6."""
    raw.start("kJointVelocity", "kJointImpedance")
    raw.play({"dq_c": only(0, 0.002 * min(k, 100))} for k in range(200))
    assert raw.stop_move() == "kSuccess"
    assert raw.terminal_status() == "kPreempted"
    state = raw.read_until(lambda s: s.robot_mode == "kIdle", "kIdle")
    assert state.motion_generator_mode == "kIdle"
    assert state.errors == ()
    raw.read_until(lambda s: max(map(abs, s.dq)) < 1e-3, "rest")
    start = raw.start("kJointPosition", "kJointImpedance")
    assert raw.play([{"q_c": start.q_d}] * 20).status is None
    assert raw.finish(q_c=start.q_d) == "kSuccess"


def test_a_move_during_a_motion_preempts_it(raw):
    """reference, one Move at a time: kPreempted first, the second starts from standstill."""
    start = raw.start("kJointPosition", "kJointImpedance")
    raw.play([{"q_c": start.q_d}] * 20)
    first = raw._move_id
    start = raw.start("kJointPosition", "kJointImpedance")
    assert raw.reply(first).status == "kPreempted"
    assert raw.play([{"q_c": start.q_d}] * 20).status is None
    assert raw.finish(q_c=start.q_d) == "kSuccess"


def test_the_user_stop_aborts_and_blocks_until_released(server, raw):
    """wire.md 5.4: kEmergencyAborted, UserStopped; then everything works again."""
    start = raw.start("kJointPosition", "kJointImpedance")
    raw.play([{"q_c": start.q_d}] * 20)
    server.user_stop(True)
    raw.read_until(lambda s: s.robot_mode == "kUserStopped", "user stop")
    assert raw.terminal_status() == "kEmergencyAborted"
    with pytest.raises(RejectedError) as refusal:
        raw.start("kJointPosition", "kJointImpedance")
    assert refusal.value.status == "kCommandNotPossibleRejected"
    server.user_stop(False)
    raw.read_until(lambda s: s.robot_mode == "kIdle", "kIdle")
    start = raw.start("kJointPosition", "kJointImpedance")
    assert raw.play([{"q_c": start.q_d}] * 20).status is None
    assert raw.finish(q_c=start.q_d) == "kSuccess"


def test_a_start_away_from_q_d_is_refused_recovered_and_forgotten(raw):
    """Issue 2, Show 1, the whole story of a reflex."""
    start = raw.start("kJointPosition", "kJointImpedance")
    played = raw.play([{"q_c": shifted(start.q_d, 0, 0.2)}] * 5)
    assert played.status == "kReflexAborted"
    assert played.answered == 1
    assert played.state.robot_mode == "kReflex"
    assert played.state.motion_generator_mode == "kIdle"
    assert played.state.errors == played.state.reflex_reason == (START_POSE_INVALID,)
    with pytest.raises(RejectedError) as refusal:
        raw.start("kJointPosition", "kJointImpedance")
    assert refusal.value.status == "kCommandNotPossibleRejected"
    assert raw.automatic_error_recovery() == "kSuccess"
    state = raw.newest_state()
    assert state.robot_mode == "kIdle"
    assert state.errors == ()
    assert state.reflex_reason == (START_POSE_INVALID,)  # history, until the next motion starts
    start = raw.start("kJointPosition", "kJointImpedance")
    assert start.reflex_reason == ()
    samples = ({"q_c": shifted(start.q_d, 0, quintic(0.2, 0.6, k))} for k in range(601))
    assert raw.play(samples).status is None
    assert raw.finish(q_c=shifted(start.q_d, 0, 0.2)) == "kSuccess"


@pytest.mark.parametrize(
    ("generator", "error"),
    [("kJointPosition", VELOCITY_DISCONTINUITY), ("kJointVelocity", ACCELERATION_DISCONTINUITY)],
)
def test_finishing_on_a_moving_command_is_judged_as_a_hold(raw, generator, error):
    """architecture.md, last section: 0.2 rad/s to nothing in a millisecond is a discontinuity."""
    start = raw.start(generator, "kJointImpedance")
    command, travelled = {}, 0.0
    for k in range(300):
        speed = 0.002 * min(k, 100)
        travelled += speed * DT
        position = {"q_c": shifted(start.q_d, 0, travelled)}
        command = position if generator == "kJointPosition" else {"dq_c": only(0, speed)}
        assert raw.step(**command).robot_mode == "kMove"
    assert raw.finish(**command) == "kReflexAborted"
    state = raw.newest_state()
    assert state.robot_mode == "kReflex"
    assert error in state.reflex_reason
    assert raw.automatic_error_recovery() == "kSuccess"


def test_a_torque_step_above_the_rate_limit_is_a_torque_discontinuity(raw):
    """reference: 1000 Nm/s, so 0.9 Nm in a cycle pass and 1.1 Nm do not."""
    raw.start("kNone", "kExternalController")
    assert raw.play({"tau_J_d": only(0, 0.9 * (k > 0))} for k in range(5)).status is None
    played = raw.play([{"tau_J_d": only(0, 0.9 + 1.1)}] * 3)
    assert played.status == "kReflexAborted"
    assert played.answered == 1
    assert played.errors == ("controller_torque_discontinuity",)
    assert raw.automatic_error_recovery() == "kSuccess"


def test_the_measured_position_never_jumps_between_two_states(raw):
    """Issue 2, control: physics, cycle and message_id advance together."""
    start = raw.start("kJointVelocity", "kJointImpedance")
    last, largest = start, 0.0
    for k in range(600):
        state = raw.step(dq_c=only(0, 0.3 * min(k * 0.01, 1.0)))
        assert state.message_id == last.message_id + 1 or k == 0
        if k:
            largest = max(largest, abs(state.q[0] - last.q[0]))
        last = state
    # 0.3 rad/s is 0.3 mrad a cycle; two cycles' worth would be 0.6.
    assert largest < 0.45e-3
