"""Asynchronous joint position control: pylibfranka's handler, and every byte by hand (wire.md 5.9).

The server is a strict FR3 in lockstep; such motions run there at 1 kHz of their own.
"""

from __future__ import annotations

import math

import pytest
from fci_v10 import pack_move
from needs import needs
from raw_client import RawClient
from trajectories import COMMUNICATION, shifted

pylibfranka = needs("pylibfranka", "pylibfranka")

READY = [0.0, -math.pi / 4, 0.0, -3 * math.pi / 4, 0.0, math.pi / 2, math.pi / 4]
POSITION_LIMITS = "joint_motion_generator_position_limits_violation"
IDLE = {"robot_mode": "Idle", "current_errors": "[]", "last_motion_errors": "[]"}


def at_ease(state: dict) -> bool:
    return state.items() >= IDLE.items()


def start(raw, speed: float = 1.0):
    return raw.start(
        "kJointPosition",
        "kJointImpedance",
        use_async_motion_generator=True,
        maximum_velocity=[speed] * 7,
    )


# ---- pylibfranka ------------------------------------------------------------------------------


@pylibfranka
def test_the_handler_reports_every_target_reached_and_rests_without_an_error(server, run_client):
    """Two seconds without a command after each: the robot stays in Move, or the handler hangs."""
    offsets = [[0, 0.4], [3, -0.3], [6, 0.5]]
    report = run_client(
        "pylibfranka_async", server.host, "reach", offsets=offsets, speed=1.0, idle=2000
    )
    assert report["before_any"] == "kIdle"
    # 0.4 rad at 1 rad/s and 10 rad/s^2 take 0.5 s; a state a millisecond.
    assert 480 < report["took"][0] < 650
    assert report["at_rest"] == [["kTargetReached"]] * 3
    assert report["stopped"]["raised"] is None
    assert at_ease(report["after"])
    assert report["after"]["q_d"] == pytest.approx(report["goal"], abs=1e-6)
    assert report["after"]["q"] == pytest.approx(report["goal"], abs=1e-3)
    assert server.violations == ()


@pylibfranka
def test_a_new_target_on_the_way_replaces_the_old_one(server, run_client):
    """wire.md 5.9: every command is a new target."""
    report = run_client(
        "pylibfranka_async",
        server.host,
        "replace",
        joint=0,
        distances=[0.8, -0.5, 0.9, 0.3, -0.8],
        each=150,
        speed=1.5,
    )
    assert report["on_the_way"] == ["kExecuting"]
    assert report["stopped"]["raised"] is None
    assert report["after"]["q"] == pytest.approx(report["goal"], abs=1e-3)
    assert server.violations == ()


@pylibfranka
def test_stopping_on_the_way_brakes_and_does_not_go_where_the_zeros_say(server, run_client):
    """wire.md 5.9: the finishing command's q_c is all zeros; moving there is the bug to avoid."""
    report = run_client(
        "pylibfranka_async",
        server.host,
        "stop_midway",
        joint=0,
        distance=1.0,
        states=400,
        speed=1.0,
    )
    assert report["stopped"]["raised"] is None
    assert at_ease(report["after"])
    travelled = [b - a for a, b in zip(report["start"], report["after"]["q"], strict=True)]
    # 0.4 s under way, 0.05 rad of them lost to starting, 0.05 rad to braking; states may lag.
    assert 0.3 < travelled[0] < 0.55
    assert travelled[1:] == pytest.approx([0.0] * 6, abs=2e-3)
    assert report["back"]["q"] == pytest.approx(report["start"], abs=1e-3)


@pylibfranka
def test_after_a_client_that_vanished_the_next_one_moves(server, run_client):
    run_client(
        "pylibfranka_async", server.host, "vanish", joint=0, distance=1.0, states=300, speed=1.0
    )
    report = run_client("pylibfranka_async", server.host, "reach", offsets=[[0, -0.2]], speed=1.0)
    assert report["after"]["q"] == pytest.approx(report["goal"], abs=1e-3)
    assert at_ease(report["after"])


@pylibfranka
def test_a_target_out_of_range_is_a_reflex_and_the_handler_says_aborted(server, run_client):
    """12, the row of q_c; recovery, and the next handler moves."""
    report = run_client("pylibfranka_async", server.host, "refused", joint=0, target=3.5, speed=1.0)
    assert report["sent"]
    assert "reflex" in report["text"]
    assert report["reflex"]["robot_mode"] == "Reflex"
    assert POSITION_LIMITS in report["reflex"]["current_errors"]
    assert report["recovered"]["raised"] is None
    assert report["took"] > 0


@pylibfranka
def test_in_real_time_it_is_the_same(serve, run_client):
    server = serve(clock="realtime")
    report = run_client("pylibfranka_async", server.host, "reach", offsets=[[0, 0.3]], speed=1.0)
    assert at_ease(report["after"])
    assert report["after"]["q"] == pytest.approx(report["goal"], abs=1e-3)


# ---- by hand ----------------------------------------------------------------------------------


def rests_at(raw, goal: list[float]):
    return raw.read_until(
        lambda s: (
            max(abs(a - b) for a, b in zip(s.q_d, goal, strict=True)) < 1e-6 and not any(s.dq_d)
        ),
        f"q_d at rest at {goal}",
    )


def test_an_old_id_is_as_good_as_a_new_one_and_silence_is_no_loss(server, raw):
    """wire.md 5.9: id 5 was answered at 235. Of other motions 20 lost cycles are the end."""
    opened = start(raw).message_id
    raw.read_until(lambda s: s.message_id >= opened + 300, "300 silent cycles")
    goal = shifted(READY, 0, 0.3)
    raw.send(message_id=opened, q_c=goal)
    state = rests_at(raw, goal)
    assert state.robot_mode == "kMove"
    assert state.control_command_success_rate == 1.0
    raw.send(message_id=opened, q_c=READY)
    state = rests_at(raw, READY)
    state = raw.read_until(lambda s: s.message_id > state.message_id + 2000, "2 s of rest")
    assert state.robot_mode == "kMove"
    assert not any(state.errors)
    assert raw.finish(q_c=[0.0] * 7) == "kSuccess"
    assert raw.newest_state().q_d == pytest.approx(READY, abs=1e-6)
    assert COMMUNICATION not in str([v.data for v in server.violations])


def test_stop_preempts_it(raw):
    start(raw)
    raw.send(q_c=shifted(READY, 0, 1.0))
    raw.read_until(lambda s: s.dq_d[0] > 0.5, "speed")
    assert raw.stop_move() == "kSuccess"
    assert raw.terminal_status() == "kPreempted"
    assert raw.newest_state().robot_mode == "kIdle"


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_target_that_is_no_number_is_refused_though_nothing_is_enforced(serve, value):
    with RawClient(serve(strict=False).host) as raw:
        start(raw)
        raw.send(q_c=[value] * 7)
        assert raw.terminal_status() == "kReflexAborted"
        assert raw.newest_state().robot_mode == "kReflex"
        assert raw.automatic_error_recovery() == "kSuccess"
        assert start(raw).robot_mode == "kMove"


@pytest.mark.parametrize(
    ("generator", "controller", "velocity"),
    [
        ("kJointPosition", "kJointImpedance", 0.0),
        ("kJointPosition", "kJointImpedance", -1.0),
        ("kJointPosition", "kJointImpedance", math.nan),
        ("kJointPosition", "kExternalController", 1.0),
        ("kJointVelocity", "kJointImpedance", 1.0),
        ("kCartesianPosition", "kCartesianImpedance", 1.0),
    ],
)
def test_what_is_no_asynchronous_motion_is_an_invalid_argument(
    raw, generator, controller, velocity
):
    """Joint positions under a controller of the robot, with a velocity for each joint."""
    payload = pack_move(
        generator,
        controller,
        use_async_motion_generator=True,
        maximum_velocity=[1.0] * 6 + [velocity],
    )
    assert raw.request("Move", payload).status == "kInvalidArgumentRejected"
    assert raw.newest_state().robot_mode == "kIdle"
    start(raw)
