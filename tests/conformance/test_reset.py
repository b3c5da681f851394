"""Reset: whatever a test did to a robot, the next one finds it as it was when it started."""

from __future__ import annotations

import math

import numpy as np
import pytest
from raw_client import ClosedError, RawClient

FROZEN = 1 << 4  # history.hpp kFrozen


@pytest.fixture
def server(serve):
    """Noisy, so that a generator that was not wound back would show."""
    return serve(realism="lab", seed=3, enforce_motion_limits=True)


def play(server) -> tuple[int, int]:
    """A motion of half a second there and back; the hash of the states so far."""
    with RawClient(server.host) as raw:
        q_d = list(raw.start("kJointPosition", "kJointImpedance").q_d)
        for k in range(501):
            share = (1 - math.cos(2 * math.pi * k / 500)) / 2
            raw.step(q_c=[q + 0.02 * share for q in q_d])
        assert raw.finish(q_c=q_d) == "kSuccess"
    return server.state_hash()


def test_a_run_after_a_reset_is_the_run_on_a_new_server_to_the_bit(server):
    first = play(server)
    assert first[1] > 500
    server.push("flange", (0, 0, -20))
    server.attach_payload(1.0, com=(0, 0, 0.05))
    with RawClient(server.host) as raw:
        raw.set_load(0.5, (0, 0, 0.02), (0,) * 9)
        raw.set_joint_impedance([500] * 7)
    server.reset()
    assert play(server) == first
    server.reset()
    assert play(server) == first


def test_a_latched_error_a_stop_and_a_client_are_gone_after_a_reset(server):
    with RawClient(server.host) as raw:
        q_d = list(raw.start("kJointPosition", "kJointImpedance").q_d)
        raw.step(q_c=q_d)
        raw.step(q_c=[q + 0.1 for q in q_d])
        server.wait_for(lambda sim: sim.state.current_errors.any())
        server.user_stop(True)
        server.wait_for(lambda sim: sim.state.robot_mode.name == "UserStopped")
        server.reset()
        with pytest.raises(ClosedError):
            raw.read_until(lambda state: False, "the end of the connection")
    state = server.state
    assert state.robot_mode.name == "Idle"
    assert not state.current_errors.any()
    assert server.events == ()
    assert len(server.history()) < 1000
    assert server.counters()["lost"] == 0
    assert play(server)[1] > 500


def test_a_reset_in_real_time_puts_the_arm_back(serve):
    server = serve(clock="realtime", strict=False)
    start = server.state.q
    server.push("flange", (0, 60, 0))
    server.wait_for(lambda sim: np.abs(sim.state.q - start).max() > 1e-3)
    server.reset()
    server.wait_for(lambda sim: len(sim.history()) > 50)
    rows = server.history()
    assert np.abs(rows["q"] - start).max() < 1e-3
    assert np.diff(rows["message_id"]).max() == 1


def test_a_reset_ends_a_lockstep_motion_that_waits_for_its_client(serve):
    server = serve(lockstep_timeout=float("inf"))
    with RawClient(server.host) as raw:
        q_d = list(raw.start("kJointPosition", "kJointImpedance").q_d)
        raw.step(q_c=q_d)
        assert server.state.robot_mode.name == "Move"
        server.reset()
        assert server.state.robot_mode.name == "Idle"
    assert play(server)[1] > 500


@pytest.mark.parametrize("physics", [False, True])
def test_a_reset_opens_the_hand_and_ends_its_clients_orders(serve, physics):
    server = serve(gripper_physics=physics)
    width = server.hand.state.width
    assert server.hand.move(0.02, 0.1).wait() == "kSuccess"
    order = server.hand.move(0.05, 0.1, at_motion_cycle=10)
    assert abs(server.hand.state.width - 0.02) < 2e-3
    server.reset()
    assert order.wait() == "kFail"
    server.wait_for(lambda sim: len(sim.history()) > 20)
    assert abs(server.hand.state.width - width) < 1e-3


def test_a_thing_of_the_scene_is_back_where_it_was(serve, tmp_path):
    path = tmp_path / "scene.xml"
    path.write_text(
        "<mujoco><worldbody><geom type='plane' size='2 2 .1'/>"
        "<body name='ball' pos='1 0 1'><freejoint/><geom type='sphere' size='.05'/></body>"
        "</worldbody></mujoco>"
    )
    server = serve(scene=str(path))

    def until_it_lies() -> int:
        """Cycles in which the world moved before it stood still."""
        server.wait_for(lambda sim: sim.history(1)["flags"][0] & FROZEN, timeout=60)
        return int((server.history()["flags"] & FROZEN == 0).sum())

    fell = until_it_lies()
    assert fell > 400  # from 1 m to 0.05 m: sqrt(2 h / g) is 0.44 s
    server.reset()
    assert until_it_lies() == fell
