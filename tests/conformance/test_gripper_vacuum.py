"""The vacuum gripper as a raw client built from wire.md 4.2 sees it (no PyPI client has one)."""

from __future__ import annotations

import pytest
from raw_gripper import RawGripper

PORT = 1339  # wire.md 0.2


@pytest.fixture
def sim(serve):
    return serve(gripper="vacuum", gripper_part=True)


@pytest.fixture
def client(sim):
    with RawGripper(sim.host, PORT, "vacuum") as client:
        yield client


def test_it_is_version_1_and_idle(client):
    assert (client.status, client.server_version) == (0, 1)
    state = client.state()
    assert (state.in_control_range, state.part_detached, state.part_present) == (False,) * 3
    assert (state.device_status, state.actual_power, state.vacuum) == (0, 0, 0)


def test_a_part_is_sucked_on_held_and_dropped(client):
    """Every flag of the state in time; robot-model.md 11: reach 750 mbar, H2 550, h2 10."""
    vacuum = client.send("Vacuum", 60, 0, 5000)
    seen = [client.state()]
    while not seen[-1].in_control_range:
        seen.append(client.state())
    assert client.status_of(vacuum) == "kSuccess"
    levels = [state.vacuum for state in seen]
    assert levels == sorted(levels)
    assert seen[0].actual_power == 100
    assert all(state.part_present == (state.vacuum > 550) for state in seen if state.vacuum != 550)
    assert seen[-1].vacuum == pytest.approx(600, abs=10)
    assert client.call("DropOff", 1000) == "kSuccess"
    state = client.fresh_state()
    assert (state.part_detached, state.part_present, state.in_control_range) == (True, False, False)
    assert state.vacuum <= 10


def test_without_a_part_the_vacuum_runs_into_its_timeout(sim, client):
    sim.pump.place_part(False)
    before = client.fresh_state().message_id
    assert client.call("Vacuum", 60, 1, 1500) == "kUnsuccessful"
    assert client.fresh_state().message_id - before == pytest.approx(1500, abs=100)


def test_a_stop_aborts_what_runs(sim, client):
    sim.pump.place_part(False)
    vacuum = client.send("Vacuum", 60, 2, 60000)
    assert client.call("Stop") == "kSuccess"
    assert client.status_of(vacuum) == "kAborted"


def test_a_new_command_aborts_the_running_one(sim, client):
    sim.pump.place_part(False)
    vacuum = client.send("Vacuum", 60, 3, 60000)
    assert client.call("DropOff", 1000) == "kSuccess"
    assert client.status_of(vacuum) == "kAborted"


@pytest.mark.parametrize("values", [(0, 0, 1000), (60, 4, 1000), (60, 0, -1)])
def test_a_vacuum_that_cannot_be_asked_for_fails(client, values):
    assert client.call("Vacuum", *values) == "kFail"


def test_a_part_that_falls_off_is_told(sim, client):
    assert client.call("Vacuum", 70, 0, 5000) == "kSuccess"
    sim.pump.place_part(False)
    state = sim.wait_for(lambda _: (s := client.state()).part_detached and s)
    assert (state.part_present, state.in_control_range) == (False, False)


def test_a_stuck_valve_a_lost_supply_and_a_bad_device_are_told(sim, client):
    assert client.call("Vacuum", 70, 0, 5000) == "kSuccess"
    sim.pump.stall(1.0)
    assert client.call("DropOff", 300) == "kUnsuccessful"
    sim.pump.set_device_status("orange")
    sim.wait_for(lambda _: client.state().device_status == 2)
    sim.pump.power(False)
    sim.wait_for(lambda _: client.state().device_status == 3)
    assert client.call("Vacuum", 60, 0, 1000) == "kFail"
    assert client.call("Stop") == "kSuccess"
    sim.pump.power(True)
    assert client.call("Vacuum", 60, 0, 5000) == "kSuccess"


def test_a_hand_is_not_where_a_pump_is(sim):
    with pytest.raises(RuntimeError, match="gripper: vacuum has no hand"):
        _ = sim.hand
