"""pylibfranka (libfranka's active control) on a strict FR3 in lockstep: issue 2, Show 1."""

from __future__ import annotations

import pytest
from fr3 import columns, flange, multiply, pose_error
from needs import needs

pytestmark = needs("pylibfranka", "pylibfranka")

CONTROLLERS = ["joint", "cartesian"]


def flange_pose(q, F_T_EE):
    return multiply(flange(q), columns(F_T_EE))


def arrived(end: dict, goal: list, controller: str, F_T_EE) -> None:
    """Show 1's tolerances: 1 mrad, or 3 mm and 6 mrad at the end effector."""
    if controller == "joint":
        assert end["q"] == pytest.approx(goal, abs=1e-3)
    else:
        distance, angle = pose_error(columns(end["O_T_EE"]), flange_pose(goal, F_T_EE))
        assert distance < 3e-3
        assert angle < 6e-3


def test_it_connects_and_reads_states_whose_time_advances(server, run_client):
    """Show 1: connect, read."""
    report = run_client("pylibfranka", server.host, "read")
    state = report["state"]
    assert state["robot_mode"] == "Idle"
    assert state["current_errors"] == "[]"
    steps = [b - a for a, b in zip(report["times"], report["times"][1:], strict=False)]
    assert min(steps) > 0.0
    assert state["q"] == pytest.approx(list(server.state.q), abs=1e-4)


def test_its_model_agrees_with_the_state_at_rest(server, run_client):
    """Show 1: pose(flange) F_T_EE is O_T_EE, gravity is the static tau_J, so O_ddP_O is set.

    pylibfranka's Model has no pose; the chain is the published one, franka-rs' is tested beside it.
    """
    report = run_client("pylibfranka", server.host, "model")
    state = report["state"]
    assert state["O_ddP_O"] == pytest.approx([0.0, 0.0, -9.81], abs=1e-6)
    distance, angle = pose_error(columns(state["O_T_EE"]), flange_pose(state["q"], state["F_T_EE"]))
    assert distance < 1e-6
    assert angle < 1e-6
    assert report["gravity"] == pytest.approx(state["tau_J"], abs=1e-2)
    assert max(map(abs, report["gravity"])) > 5.0
    assert max(map(abs, report["coriolis"])) < 1e-3


def test_every_setter_takes_effect_in_the_state_and_refuses_what_is_out_of_range(
    server, run_client
):
    """Show 1: every setter; wire.md 7 for ranges."""
    report = run_client("pylibfranka", server.host, "setters")
    assert {name: r["raised"] for name, r in report["good"].items()} == dict.fromkeys(
        report["good"]
    )
    for name, value in report["sent"].items():
        assert report["state"][name] == pytest.approx(value, abs=1e-6), name
        assert report["unchanged"][name] == report["state"][name], name
    expected = multiply(columns(report["state"]["F_T_NE"]), columns(report["sent"]["NE_T_EE"]))
    for row, wanted in zip(columns(report["state"]["F_T_EE"]), expected, strict=False):
        assert row == pytest.approx(wanted, abs=1e-6)
    for name, refusal in report["bad"].items():
        assert refusal["raised"] == "CommandException", name
        assert refusal["text"].endswith("command rejected: invalid argument!"), name


@pytest.mark.parametrize("controller", CONTROLLERS)
@pytest.mark.parametrize("kind", ["position", "velocity"])
def test_a_joint_motion_under_an_internal_controller_arrives(server, run_client, kind, controller):
    """Show 1: both joint motions under both internal controllers."""
    report = run_client(
        "pylibfranka",
        server.host,
        "motion",
        kind=kind,
        controller=controller,
        joint=0,
        distance=0.3,
        seconds=0.8,
    )
    assert report["after"]["robot_mode"] == "Idle"
    assert report["after"]["last_motion_errors"] == "[]"
    arrived(report["after"], report["goal"], controller, report["after"]["F_T_EE"])


@pytest.mark.parametrize("controller", CONTROLLERS)
def test_200_motions_in_a_row_all_arrive(server, run_client, controller):
    """Show 1: 200 of 200, position and velocity in turn, every joint."""
    report = run_client(
        "pylibfranka",
        server.host,
        "many",
        count=200,
        kinds=["position", "velocity"],
        controller=controller,
        distance=0.12,
        seconds=0.4,
    )
    assert len(report["ends"]) == 200
    identity = [1.0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    F_T_EE = getattr(server.state, "F_T_EE", identity)
    for end in report["ends"]:
        assert end["robot_mode"] == "Idle"
        arrived(end, end["goal"], controller, F_T_EE)


def test_torque_control_moves_the_arm_and_holds_q_d(server, run_client):
    """Show 1: torque control."""
    report = run_client("pylibfranka", server.host, "torque", joint=0, distance=0.35, seconds=1.2)
    assert report["during"]["q"][0] - report["start"][0] == pytest.approx(0.35, abs=0.03)
    assert report["during"]["q_d"] == pytest.approx(report["q_d"], abs=1e-7)
    assert report["during"]["tau_J_d"] == pytest.approx(report["tau"], abs=1.0)
    assert report["after"]["robot_mode"] == "Idle"


def test_a_start_jump_is_reported_recovered_and_followed_by_a_motion(server, run_client):
    """Show 1: 0.2 rad, the error's name, what is refused meanwhile, recovery, a new motion."""
    report = run_client("pylibfranka", server.host, "start_jump", jump=0.2)
    assert report["aborted"]["raised"] == "ControlException"
    assert report["aborted"]["text"] == (
        "libfranka: Move command aborted: motion aborted by reflex! "
        '["joint_position_motion_generator_start_pose_invalid"]'
    )
    assert report["reflex"]["robot_mode"] == "Reflex"
    not_possible = "command rejected: command not possible in the current mode"
    assert not_possible in report["refused"]["text"]
    assert not_possible in report["refused_setter"]["text"]
    assert report["recovered"]["raised"] is None
    assert report["idle"]["robot_mode"] == "Idle"
    assert report["idle"]["current_errors"] == "[]"
    assert report["after"]["q"] == pytest.approx(report["goal"], abs=1e-3)


def test_stop_from_another_thread_preempts_the_motion(server, run_client):
    """Show 1: stop; wire.md 5.6 for the text."""
    report = run_client("pylibfranka", server.host, "stop", cycles=300)
    assert report["loop"] == {
        "raised": "ControlException",
        "text": "libfranka: Move command preempted!",
    }
    assert report["stop"]["raised"] is None
    assert not report["alive"]
    assert report["after"]["robot_mode"] == "Idle"


def test_a_control_that_is_dropped_is_cancelled_and_the_next_motion_works(server, run_client):
    """wire.md 5.6: the destructor of an unfinished control sends StopMove."""
    report = run_client("pylibfranka", server.host, "abandon")
    assert report["after"]["q"] == pytest.approx(report["goal"], abs=1e-3)


def test_a_second_client_gets_an_exception_and_the_first_keeps_its_session(server, raw, run_client):
    """Issue 2, commands: later connections are reset, so that their library raises."""
    report = run_client("pylibfranka", server.host, "refused_connection")
    assert report["raised"] is not None
    before = raw.newest_state().message_id
    assert raw.newest_state().message_id > before
