"""Cycles without an answer: what the reference does meanwhile, and what resuming costs.

`server.lose(n)` counts the next n cycles as lost at once; the client reads past them.
"""

from __future__ import annotations

import fci_v10 as fci
import pytest
from raw_client import RawClient
from trajectories import (
    ACCELERATION_DISCONTINUITY,
    COMMUNICATION,
    DT,
    VELOCITY_DISCONTINUITY,
    only,
    quintic,
    shifted,
)


def lose(server, raw: RawClient, cycles: int) -> fci.State:
    server.lose(cycles)
    return raw.skip_lost(cycles)


def recorded(server, before: int, cycles: int):
    """The states after `before`, in doubles; a state is recorded after it has been sent."""
    server.wait_for(lambda sim: sim.history(1)["message_id"][-1] >= before + cycles)
    rows = server.history(cycles + 5)
    return rows[(rows["message_id"] > before) & (rows["message_id"] <= before + cycles)]


def constant_acceleration(k: int, acceleration: float = 1.0) -> float:
    """Semi-implicit sum: v += a dt, then q += v dt, k times."""
    return acceleration * DT * DT * k * (k + 1) / 2


@pytest.mark.parametrize("lost", [1, 10, 19])
@pytest.mark.parametrize("generator", ["kJointPosition", "kJointVelocity", "kNone"])
def test_up_to_19_lost_cycles_survive(server, raw, generator, lost):
    """Issue 2, Show 3."""
    controller = "kExternalController" if generator == "kNone" else "kJointImpedance"
    start = raw.start(generator, controller)
    command = {"q_c": start.q_d} if generator == "kJointPosition" else {}
    raw.play([command] * 20)
    assert lose(server, raw, lost).robot_mode == "kMove"
    assert raw.play([command] * 20).status is None
    assert raw.finish(**command) == "kSuccess"


@pytest.mark.parametrize("generator", ["kJointPosition", "kJointVelocity", "kNone"])
def test_the_20th_lost_cycle_in_a_row_aborts(server, raw, generator):
    """Issue 2, Show 3."""
    controller = "kExternalController" if generator == "kNone" else "kJointImpedance"
    start = raw.start(generator, controller)
    command = {"q_c": start.q_d} if generator == "kJointPosition" else {}
    raw.play([command] * 20)
    before = raw.state.message_id
    server.lose(20)
    state = raw.read_until(lambda s: s.robot_mode != "kMove", "an abort")
    assert state.message_id == before + 20
    assert raw.terminal_status() == "kReflexAborted"
    assert state.robot_mode == "kReflex"
    assert state.reflex_reason == (COMMUNICATION,)
    assert raw.automatic_error_recovery() == "kSuccess"


def test_losses_count_in_a_row_only(server, raw):
    """Nineteen, one answer, nineteen again."""
    start = raw.start("kJointPosition", "kJointImpedance")
    raw.play([{"q_c": start.q_d}] * 20)
    for _ in range(5):
        assert lose(server, raw, 19).robot_mode == "kMove"
        assert raw.step(q_c=start.q_d).robot_mode == "kMove"
    assert raw.finish(q_c=start.q_d) == "kSuccess"


def test_the_success_rate_is_the_share_of_the_last_hundred(server, raw):
    """reference: 1.0 while the window fills, then answered over 100."""
    start = raw.start("kJointPosition", "kJointImpedance")
    raw.play([{"q_c": start.q_d}] * 3)
    assert raw.state.control_command_success_rate == pytest.approx(1.0)
    raw.play([{"q_c": start.q_d}] * 120)
    assert raw.state.control_command_success_rate == pytest.approx(1.0)
    assert lose(server, raw, 7).control_command_success_rate == pytest.approx(0.93)
    raw.play([{"q_c": start.q_d}] * 92)
    assert raw.state.control_command_success_rate == pytest.approx(0.93)
    raw.play([{"q_c": start.q_d}] * 8)
    assert raw.state.control_command_success_rate == pytest.approx(1.0)
    assert raw.finish(q_c=start.q_d) == "kSuccess"
    assert raw.newest_state().control_command_success_rate == 0.0


@pytest.mark.parametrize("lost", range(1, 20))
def test_constant_acceleration_is_extrapolated_exactly_in_position(server, raw, lost):
    """Issue 2, Show 3: to 1e-12 rad, and resuming on the true trajectory is clean."""
    start = raw.start("kJointPosition", "kJointImpedance")
    n = 60
    origin = start.q_d[0]
    raw.play({"q_c": shifted(start.q_d, 0, constant_acceleration(k))} for k in range(n + 1))
    before = raw.state.message_id  # shows the command for sample n
    lose(server, raw, lost)
    rows = recorded(server, before, lost)
    assert len(rows) == lost
    for j, row in enumerate(rows, 1):
        assert float(row["q_d"][0]) - origin == pytest.approx(
            constant_acceleration(n + j), abs=1e-12
        )
        assert float(row["ddq_d"][0]) == pytest.approx(1.0, abs=1e-6)
    rest = range(n + lost + 1, n + lost + 60)
    played = raw.play({"q_c": shifted(start.q_d, 0, constant_acceleration(k))} for k in rest)
    assert played.status is None, played.errors


@pytest.mark.parametrize("lost", [1, 7, 19])
def test_constant_acceleration_is_extrapolated_exactly_in_velocity(server, raw, lost):
    """reference: dq += a dt, no jerk term."""
    raw.start("kJointVelocity", "kJointImpedance")
    n = 60
    raw.play({"dq_c": only(0, 2.0 * DT * k)} for k in range(n + 1))
    before = raw.state.message_id
    lose(server, raw, lost)
    rows = recorded(server, before, lost)
    for j, row in enumerate(rows, 1):
        assert float(row["dq_d"][0]) == pytest.approx(2.0 * DT * (n + j), abs=1e-12)
    played = raw.play({"dq_c": only(0, 2.0 * DT * (n + lost + k))} for k in range(1, 60))
    assert played.status is None, played.errors


def test_a_lost_torque_is_held(server, raw):
    """reference: the torques of the last received packet are used again."""
    raw.start("kNone", "kExternalController")
    raw.play({"tau_J_d": only(6, min(0.02 * k, 0.5))} for k in range(40))
    state = lose(server, raw, 10)
    assert state.tau_J_d[6] == pytest.approx(0.5)
    assert raw.play([{"tau_J_d": only(6, 0.5)}] * 5).status is None
    assert raw.finish(tau_J_d=only(6, 0.5)) == "kSuccess"


@pytest.mark.parametrize("lost", [5, 15])
def test_resuming_from_ones_own_last_waypoint_trips_a_discontinuity(server, raw, lost):
    """Issue 2, Show 3: the reference did not pause with the client."""
    start = raw.start("kJointPosition", "kJointImpedance")
    raw.play({"q_c": shifted(start.q_d, 0, constant_acceleration(k, 2.0))} for k in range(200))
    lose(server, raw, lost)
    last = constant_acceleration(199, 2.0)
    played = raw.play({"q_c": shifted(start.q_d, 0, last + k * 0.4e-3)} for k in range(1, 5))
    assert played.status == "kReflexAborted"
    assert played.answered == 1
    assert set(played.errors) <= {VELOCITY_DISCONTINUITY, ACCELERATION_DISCONTINUITY}


@pytest.mark.parametrize("lost", [5, 15])
def test_going_on_from_q_d_and_dq_d_does_not(server, raw, lost):
    """Issue 2, Show 3: the remedy."""
    start = raw.start("kJointPosition", "kJointImpedance")
    raw.play({"q_c": shifted(start.q_d, 0, constant_acceleration(k, 2.0))} for k in range(200))
    state = lose(server, raw, lost)
    q, dq = state.q_d[0], state.dq_d[0]
    samples = []
    # On with the same speed, then gently to rest.
    speeds = [dq] * 20 + [dq * (1.0 - quintic(1.0, 0.3, k)) for k in range(1, 302)]
    for speed in speeds:
        q += speed * DT
        samples.append({"q_c": [q, *start.q_d[1:]]})
    played = raw.play(samples)
    assert played.status is None, played.errors
    assert raw.finish(**samples[-1]) == "kSuccess"


@pytest.mark.parametrize(("lost", "survives"), [(9, True), (11, False)])
def test_a_quintic_survives_9_lost_cycles_and_fails_after_11(server, raw, lost, survives):
    """Issue 2, Show 3: 0.5 rad in 1 s, 125 the last answered, on along its true trajectory."""
    start = raw.start("kJointPosition", "kJointImpedance")
    raw.play({"q_c": shifted(start.q_d, 0, quintic(0.5, 1.0, k))} for k in range(126))
    lose(server, raw, lost)
    rest = range(126 + lost, 1001)
    played = raw.play({"q_c": shifted(start.q_d, 0, quintic(0.5, 1.0, k))} for k in rest)
    if survives:
        assert played.status is None, played.errors
        assert raw.finish(q_c=shifted(start.q_d, 0, 0.5)) == "kSuccess"
    else:
        assert played.status == "kReflexAborted"
        assert played.errors == (ACCELERATION_DISCONTINUITY,)


def test_a_client_that_falls_silent_is_aborted_after_20_timeouts(serve):
    """architecture.md, lockstep: a missing answer becomes one lost cycle after the timeout."""
    server = serve(lockstep_timeout=0.02)
    with RawClient(server.host) as raw:
        start = raw.start("kJointPosition", "kJointImpedance")
        raw.play([{"q_c": start.q_d}] * 20)
        state = raw.read_until(lambda s: s.robot_mode != "kMove", "an abort")
        assert raw.terminal_status() == "kReflexAborted"
        assert state.reflex_reason == (COMMUNICATION,)


def test_an_identical_duplicate_is_nobodys_fault(server, raw):
    """Issue 2, cycle accounting."""
    start = raw.start("kJointPosition", "kJointImpedance")
    for k in range(300):
        q_c = shifted(start.q_d, 0, quintic(0.1, 0.3, k))
        raw.send(q_c=q_c)
        state = raw.step(q_c=q_c)
        assert state.robot_mode == "kMove", state.errors
    assert raw.state.control_command_success_rate == pytest.approx(1.0)
    assert raw.finish(q_c=shifted(start.q_d, 0, 0.1)) == "kSuccess"


def test_a_command_for_a_state_never_published_is_not_an_answer(server, raw):
    """reference: a future id must not suppress the accounting."""
    start = raw.start("kJointPosition", "kJointImpedance")
    raw.play([{"q_c": start.q_d}] * 20)
    raw.send(raw.state.message_id + 1000, q_c=shifted(start.q_d, 0, 0.5))
    assert raw.play([{"q_c": start.q_d}] * 20).status is None
    assert raw.state.q_d == pytest.approx(start.q_d, abs=1e-6)
    assert raw.finish(q_c=start.q_d) == "kSuccess"


def test_an_old_command_replayed_is_not_obeyed(server, raw):
    """Issue 2, hostile input: replayed datagrams."""
    start = raw.start("kJointPosition", "kJointImpedance")
    replay = fci.pack_command(raw.state.message_id, q_c=start.q_d)
    for k in range(300):
        if k % 10 == 5:
            raw.send_datagram(replay)
        state = raw.step(q_c=shifted(start.q_d, 0, quintic(0.1, 0.3, k)))
        assert state.robot_mode == "kMove", state.errors
    assert raw.state.q_d[0] - start.q_d[0] == pytest.approx(0.1, abs=1e-5)
    assert raw.finish(q_c=shifted(start.q_d, 0, 0.1)) == "kSuccess"
