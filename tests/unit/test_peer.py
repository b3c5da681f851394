"""The class FrankaSimServer: names and defaults of franka-sim 1.1.7, on a robot that remembers."""

import inspect
import threading

import pytest
from fake_engine import FakeEngine

from franka_sim import assembly, simulation
from franka_sim.config import ConfigError
from franka_sim.peer import FrankaSimServer
from franka_sim.testing import free_loopback, probe

# Printed by inspect.signature of that release's class, less what is refused here by default.
THEIR_ARGUMENTS = [
    "host", "port", "enable_vis", "physics_sim", "urdf_path", "enable_gripper", "gripper_backend",
    "gripper_physics", "gripper_object_width", "mobile_base", "protocol_version", "physics",
    "enforce_comm_constraints", "enforce_motion_limits", "joint_discontinuity_scale",
]  # fmt: skip


@pytest.fixture
def engine(monkeypatch):
    engine = FakeEngine()
    monkeypatch.setattr(assembly, "robot_model", lambda config: b"<robot name='fr3'/>")
    build = inspect.signature(simulation.Simulation).parameters["build_engine"]
    assert build.default is assembly.engine
    monkeypatch.setattr(
        simulation.Simulation.__init__, "__defaults__", (lambda config, host: engine,)
    )
    return engine


def test_the_constructor_takes_their_arguments_in_their_order():
    assert list(inspect.signature(FrankaSimServer).parameters)[:-1] == THEIR_ARGUMENTS


def test_start_serves_until_stop_and_may_be_repeated(engine):
    server = FrankaSimServer(host=free_loopback(4001), port=4001)
    for turn in (1, 2):
        thread = threading.Thread(target=server.start, daemon=True)
        thread.start()
        assert probe(server.host, server.port, 10.0).ready
        assert server.running
        server.stop()
        thread.join(10)
        assert not thread.is_alive()
        assert not server.running
        assert [call[0] for call in engine.calls].count("stop") == turn
    server.cleanup()


def test_starting_twice_at_once_is_refused(engine):
    server = FrankaSimServer(host=free_loopback(4001), port=4001)
    thread = threading.Thread(target=server.run_server, daemon=True)
    thread.start()
    assert probe(server.host, server.port, 10.0).ready
    with pytest.raises(RuntimeError, match="running already"):
        server.start()
    server.stop()
    thread.join(10)


def test_switches_left_open_are_read_from_the_environment(monkeypatch):
    monkeypatch.setenv("FRANKA_SIM_ENFORCE_MOTION_LIMITS", "1")
    monkeypatch.setenv("FRANKA_SIM_ENFORCE_COMM_CONSTRAINTS", "1")
    server = FrankaSimServer(enforce_comm_constraints=False)
    assert server._config.enforce_motion_limits
    assert not server._config.enforce_comm_constraints


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        ({"enable_vis": True}, "enable_vis: a viewer is not built yet"),
        ({"gripper_object_width": 0.4}, "gripper_object_width: 0.4 is not allowed"),
        ({"gripper_backend": object()}, "gripper_backend: a gripper of one's own is not built yet"),
        ({"physics_sim": object()}, "physics_sim: a physics backend of one's own is not built yet"),
        ({"physics": "genesis"}, "physics: a physics backend other than mujoco is not built yet"),
        ({"mobile_base": True}, "mobile_base: the mobile base is not built yet"),
        ({"protocol_version": 5}, "protocol_version: an FCI version other than 10 is not built"),
        ({"joint_discontinuity_scale": 0.0}, "joint_discontinuity_scale: 0.0 is not allowed"),
        ({"colour": "red"}, "colour: there is no such option"),
        ({"port": -1}, "port: -1 is not allowed"),
    ],
)
def test_what_cannot_be_granted_is_refused_by_name_when_asked_for(wish, sentence):
    with pytest.raises(ConfigError) as error:
        FrankaSimServer(**wish)
    assert str(error.value).startswith(sentence)


def test_their_defaults_spelled_out_are_accepted():
    server = FrankaSimServer(
        "0.0.0.0", 1337, False, None, None, False, None, False, None, False, 10, "mujoco",
        None, None, None,
    )  # fmt: skip
    assert (server.host, server.port, server.running) == ("0.0.0.0", 1337, False)
