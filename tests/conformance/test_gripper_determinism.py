"""The arm beside a busy hand: no cycle is lost, and lockstep repeats (issue 5, Show 3)."""

from __future__ import annotations

import itertools
import math
import threading

import pytest
from raw_client import RawClient
from raw_gripper import RawGripper

PORT = 1338
CYCLES = 4000


def swing(client: RawClient, cycles: int = CYCLES) -> None:
    """One joint-velocity motion of whole periods, at rest at both ends."""
    client.start("kJointVelocity", "kJointImpedance")
    for k in range(cycles + 1):
        s = math.sin(2 * math.pi * k / cycles) * math.sin(math.pi * k / cycles) ** 2
        command = {"dq_c": [0.2 * s * (-1) ** joint for joint in range(7)]}
        assert client.step(**command).robot_mode == "kMove", client.state
    assert client.finish(**command) == "kSuccess"


def pinned(sim) -> list:
    """Commands and events for the hand, each in one cycle of the motion."""
    hand = sim.hand
    orders = [
        hand.move(0.03, 0.1, at_motion_cycle=10),
        hand.move(0.08, 0.1, at_motion_cycle=300),
        hand.grasp(0.02, 0.1, 40.0, at_motion_cycle=1000),
        hand.stop(at_motion_cycle=2900),
        hand.move(0.07, 0.05, at_motion_cycle=3000),
    ]
    hand.place_object(0.02, at_motion_cycle=900)
    hand.remove_object(at_motion_cycle=2500)
    return orders


@pytest.mark.parametrize("physics", [False, True])
def test_commands_pinned_to_cycles_repeat_in_lockstep(serve, physics):
    runs = []
    for _ in range(3):
        sim = serve(gripper_physics=physics)
        orders = pinned(sim)
        with RawClient(sim.host) as client:
            swing(client)
        statuses = [order.wait() for order in orders]
        runs.append((sim.state_hash(), sim.hand.state_hash(), tuple(statuses)))
        sim.stop()
    assert runs[0] == runs[1] == runs[2]
    assert runs[0][2] == ("kAborted", "kSuccess", "kSuccess", "kSuccess", "kSuccess")


def test_another_cycle_gives_another_hash_of_the_hand(serve):
    """The hash hashes something."""
    hashes = set()
    for cycle in (100, 101):
        sim = serve()
        order = sim.hand.move(0.03, 0.1, at_motion_cycle=cycle)
        with RawClient(sim.host) as client:
            swing(client, 1000)
        assert order.wait() == "kSuccess"
        hashes.add(sim.hand.state_hash())
        sim.stop()
    assert len(hashes) == 2


def test_the_arm_does_not_see_when_a_client_commands_the_hand(serve):
    """No cycle is lost while calls are pending; the kinematic hand changes no byte of the arm."""
    hashes = set()
    for busy in (False, True):
        sim = serve()
        ended, calls = threading.Event(), []

        def keep_busy(sim=sim, ended=ended, calls=calls):
            with RawGripper(sim.host, PORT) as gripper:
                for width in itertools.cycle((0.02, 0.06)):
                    if ended.is_set():
                        return
                    calls.append(gripper.call("Move", width, 0.1))

        thread = threading.Thread(target=keep_busy)
        if busy:
            thread.start()
        with RawClient(sim.host) as client:
            swing(client)
        ended.set()
        if busy:
            thread.join(60)
            assert len(calls) > 3
            assert set(calls) == {"kSuccess"}
        assert sim.counters()["lost"] == 0
        hashes.add(sim.state_hash())
        sim.stop()
    assert len(hashes) == 1


def test_after_counts_simulated_time_from_now(serve):
    """A thing that slips a second after it was grasped is lost a second after it was grasped."""
    sim = serve(gripper_object_width=0.03)
    assert sim.hand.grasp(0.03, 0.1, 20.0).wait() == "kSuccess"
    sim.hand.remove_object(after=1.0)
    begin = sim.hand.state
    assert begin.is_grasped
    end = sim.wait_for(lambda sim: (s := sim.hand.state).doing == "Pressing" and s)
    assert 1000 <= end.cycle - begin.cycle <= 1150


def test_a_paused_arm_client_does_not_starve_who_reads_the_hand(serve):
    """Wire.md 4.1: readOnce of a gripper gives up after a second."""
    sim = serve(lockstep_timeout=math.inf)
    with RawClient(sim.host) as client, RawGripper(sim.host, PORT) as gripper:
        client.start("kJointVelocity", "kJointImpedance")
        client.step(dq_c=[0.0] * 7)
        gripper.fresh_state()
        ids = [gripper.state().message_id for _ in range(5)]
        assert len(set(ids)) == 1  # the world stands
        assert client.finish(dq_c=[0.0] * 7) == "kSuccess"
