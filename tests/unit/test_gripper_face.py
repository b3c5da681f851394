"""The Python face of hand and pump, and their port, on a robot that only remembers."""

import errno
import socket
import struct

import pytest
from fake_engine import FakeEngine

from franka_sim import assembly
from franka_sim.config import load
from franka_sim.gripper.serving import port_for
from franka_sim.simulation import Simulation
from franka_sim.testing import free_loopback

NOW = ("now", 0)
HAND_STATE = {
    "cycle": 9,
    "waiting": 0,
    "width": 0.03,
    "max_width": 0.08,
    "is_grasped": True,
    "temperature": 31.5,
    "force": 20.0,
    "hand_state": "Holding",
}
PUMP_STATE = {
    "cycle": 9,
    "in_control_range": True,
    "part_detached": False,
    "part_present": True,
    "device_status": 2,
    "actual_power": 20,
    "vacuum": 600.0,
    "pump_state": "Holding",
}


@pytest.fixture
def engine(monkeypatch):
    monkeypatch.setattr(assembly, "robot_model", lambda config: b"<robot name='fr3'/>")
    return FakeEngine()


@pytest.fixture
def sim(engine):
    with Simulation(load({"port": 0}), lambda config, host: engine) as sim:
        yield sim


@pytest.fixture
def vacuum(engine):
    config = load({"port": 0, "gripper": "vacuum"})
    with Simulation(config, lambda config, host: engine) as sim:
        yield sim


def test_commands_of_the_hand_reach_the_core_as_the_wire_has_them(sim, engine):
    """Numbers and payloads: wire.md 4.1."""
    sim.hand.homing()
    sim.hand.grasp(0.02, 0.1, 30.0, 0.001, 0.002, at_motion_cycle=7)
    sim.hand.move(0.04, 0.05, after=0.25)
    sim.hand.stop()
    calls = [call for call in engine.calls if call[0] == "tool_submit"]
    assert [(call[1], call[3], call[5], call[6]) for call in calls] == [
        ("hand", 1, *NOW),
        ("hand", 2, "motion", 7),
        ("hand", 3, "after", 250),
        ("hand", 4, *NOW),
    ]
    assert [struct.unpack(f"<{len(call[4]) // 8}d", call[4]) for call in calls] == [
        (),
        (0.02, 0.001, 0.002, 0.1, 30.0),
        (0.04, 0.05),
        (),
    ]
    assert len({call[2] for call in calls}) == 4


def test_commands_of_the_pump_reach_the_core_as_the_wire_has_them(vacuum, engine):
    """Numbers and payloads: wire.md 4.2; its unit is 10 mbar, timeouts are in ms."""
    vacuum.pump.vacuum(60, 2.5, profile=3)
    vacuum.pump.drop_off(1.0, after=1.0)
    vacuum.pump.stop()
    calls = [call for call in engine.calls if call[0] == "tool_submit"]
    assert [(call[1], call[3], call[5], call[6]) for call in calls] == [
        ("vacuum", 1, *NOW),
        ("vacuum", 2, "after", 1000),
        ("vacuum", 3, *NOW),
    ]
    assert struct.unpack("<BBq", calls[0][4]) == (60, 3, 2500)
    assert struct.unpack("<q", calls[1][4]) == (1000,)


@pytest.mark.parametrize(
    ("number", "status"), [(0, "kSuccess"), (1, "kFail"), (2, "kUnsuccessful"), (3, "kAborted")]
)
def test_an_order_ends_with_its_status_and_cycle(sim, engine, number, status):
    order = sim.hand.homing()
    assert not order.done
    with pytest.raises(TimeoutError):
        order.wait(0.01)
    token = engine.wait_for_call("tool_submit")[2]
    engine.emit_tool((token + 1, 0, 1), (token, number, 77))
    assert order.wait(10) == status
    assert (order.done, order.cycle) == (True, 77)


def test_inputs_reach_the_core(sim, engine):
    sim.hand.place_object(0.02, 1e4)
    sim.hand.remove_object(after=0.5)
    sim.hand.stall(3.0, at_motion_cycle=9)
    sim.hand.set_temperature(85.0)
    sim.hand.power(False)
    assert [call[1:] for call in engine.calls if call[0] == "tool_input"] == [
        ("object", 0.02, 1e4, *NOW),
        ("object", 0.0, 0.0, "after", 500),
        ("stall", 3000, 0.0, "motion", 9),
        ("temperature", 85.0, 0.0, *NOW),
        ("power", 0.0, 0.0, *NOW),
    ]


def test_inputs_of_the_pump_reach_the_core(vacuum, engine):
    vacuum.pump.place_part()
    vacuum.pump.place_part(False, after=2.0)
    vacuum.pump.stall(1.0)
    vacuum.pump.set_device_status("orange")
    vacuum.pump.power(True)
    assert [call[1:] for call in engine.calls if call[0] == "tool_input"] == [
        ("object", 1.0, 0.0, *NOW),
        ("object", 0.0, 0.0, "after", 2000),
        ("stall", 1000, 0.0, *NOW),
        ("device_status", 2.0, 0.0, *NOW),
        ("power", 1.0, 0.0, *NOW),
    ]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda hand: hand.place_object(0.0), "width: 0.0 is not allowed"),
        (lambda hand: hand.place_object(0.02, -1.0), "stiffness: -1.0 is not allowed"),
        (lambda hand: hand.stall(-1.0), "seconds: -1.0 is not allowed"),
        (lambda hand: hand.set_temperature(float("nan")), "celsius: nan is not allowed"),
        (lambda hand: hand.stop(after=-1.0), "after: -1.0 is not allowed"),
        (lambda hand: hand.stop(at_motion_cycle=-1), "at_motion_cycle: -1 is not allowed"),
        (lambda hand: hand.stop(after=1.0, at_motion_cycle=1), "only one of them can say when"),
    ],
)
def test_what_cannot_be_is_one_sentence(sim, call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call(sim.hand)


def test_states_and_hash_come_from_the_core(sim, vacuum, engine):
    engine.tool_state = HAND_STATE | PUMP_STATE
    hand, pump = sim.hand.state, vacuum.pump.state
    assert (hand.cycle, hand.width, hand.max_width, hand.is_grasped) == (9, 0.03, 0.08, True)
    assert (hand.temperature, hand.force, hand.doing) == (31.5, 20.0, "Holding")
    assert (pump.in_control_range, pump.part_detached, pump.part_present) == (True, False, True)
    assert (pump.device_status, pump.actual_power, pump.vacuum) == ("orange", 20, 600.0)
    assert sim.hand.state_hash() == vacuum.pump.state_hash() == 11


def test_a_hand_is_no_pump_and_without_a_gripper_there_is_neither(sim, vacuum, engine):
    with pytest.raises(RuntimeError, match="gripper: hand has no pump"):
        _ = sim.pump
    with pytest.raises(RuntimeError, match="gripper: vacuum has no hand"):
        _ = vacuum.hand
    config = load({"port": 0, "gripper": "none"})
    with Simulation(config, lambda config, host: engine) as bare:
        assert bare.gripper_port is None
        with pytest.raises(RuntimeError, match="gripper: none has no hand"):
            _ = bare.hand


@pytest.mark.parametrize(
    ("kind", "asked", "fci_port", "port"),
    [
        ("hand", None, 1337, 1338),
        ("vacuum", None, 1337, 1339),
        ("hand", None, 0, 0),
        ("hand", None, 4711, 0),
        ("hand", 5000, 1337, 5000),
        ("hand", 0, 1337, 0),
    ],
)
def test_the_port_is_the_one_clients_know_where_the_robots_is(kind, asked, fci_port, port):
    """Wire.md 0.2."""
    assert port_for(kind, asked, fci_port) == port


def test_a_gripper_port_in_use_is_one_sentence_and_nothing_is_started(engine):
    host = free_loopback(4001)
    config = load({"host": host, "port": 0, "gripper_port": 4001})
    with socket.create_server((host, 4001)):
        sentence = f"gripper_port: 4001 of {host} is in use"
        with pytest.raises(OSError, match=sentence) as error:
            Simulation(config, lambda config, host: engine)
        assert error.value.errno == errno.EADDRINUSE
    assert engine.calls == []
