"""The Python face of a running robot, on a robot that only remembers (fake_engine)."""

import asyncio
import errno
import os
import signal
import socket
import subprocess
import sys
import threading

import pytest
from fake_engine import FakeEngine, FakeEvent

from franka_sim import assembly
from franka_sim.cli import serve as serve_command
from franka_sim.config import ConfigError, load
from franka_sim.simulation import Simulation
from franka_sim.state import RobotMode
from franka_sim.testing import free_loopback, probe


@pytest.fixture
def engine(monkeypatch):
    engine = FakeEngine()
    monkeypatch.setattr(assembly, "robot_model", lambda config: b"<robot name='fr3'/>")
    return engine


@pytest.fixture
def sim(engine):
    with Simulation(load({"port": 0}), lambda config, host: engine) as sim:
        yield sim


def test_a_simulation_serves_where_it_says(sim):
    assert sim.host == "127.0.0.1"
    assert probe(sim.host, sim.port, 10.0).version == 10


def test_the_engine_starts_before_the_port_opens_and_stops_after_it_closes(engine):
    with Simulation(load({"port": 0}), lambda config, host: engine) as sim:
        assert [call[0] for call in engine.calls] == ["start"]
        socket.create_connection((sim.host, sim.port)).close()
    assert engine.calls[-1] == ("stop",)
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((sim.host, sim.port))
    sim.stop()
    assert [call[0] for call in engine.calls].count("stop") == 1


def test_injected_inputs_reach_the_core(sim, engine):
    sim.lose(3)
    sim.user_stop(True)
    sim.guiding(True)
    sim.brakes(True)
    assert engine.calls[1:] == [
        ("lose", 3),
        ("user_stop", True),
        ("guiding", True),
        ("brakes", True),
    ]
    with pytest.raises(ValueError, match="n: -1 is not allowed"):
        sim.lose(-1)


def test_state_history_counters_and_hash_come_from_the_core(sim, engine):
    engine.record["robot_mode"] = 2
    assert sim.state.robot_mode is RobotMode.Move
    assert len(sim.history(5)) == 5
    assert sim.counters() == {"cycles": 1}
    assert sim.state_hash() == (7, 3)
    assert sim.realtime_report()["policy"] == "other"


def test_faults_of_peers_appear_among_the_counters(sim):
    with socket.create_connection((sim.host, sim.port)) as sock:
        sock.sendall(b"\xff" * 12)
        with pytest.raises(ConnectionResetError):
            sock.recv(1)
    assert sim.counters()["tcp_size_too_large"] == 1


def test_waiting_for_an_event_wakes_with_it_and_can_leave_out_the_past(sim, engine):
    violation = {
        "error": "joint_reflex",
        "signal": "q",
        "joint": -1,
        "unit": "",
        "value": 1.0,
        "limit": 0.0,
        "enforced": True,
    }
    engine.emit(FakeEvent("violation", cycle=5, data=violation))
    first = sim.wait_for_event("violation")
    assert (first.cycle, first.data["error"]) == (5, "joint_reflex")
    after = sim.event_count
    engine.emit(FakeEvent("motion_ended"), FakeEvent("violation", cycle=9, data=violation))
    assert sim.wait_for_event("violation", after=after).cycle == 9
    assert sim.wait_for_event("violation", where=lambda e: e.cycle > 5).cycle == 9
    assert [event.cycle for event in sim.violations] == [5, 9]


def test_waiting_ends_with_a_timeout(sim):
    with pytest.raises(TimeoutError):
        sim.wait_for_event("violation", timeout=0.01)
    with pytest.raises(TimeoutError):
        sim.wait_for(lambda sim: False, timeout=0.01)


def test_wait_for_returns_the_first_true_value(sim, engine):
    turns = iter([0, 0, 42])
    assert sim.wait_for(lambda sim: next(turns)) == 42


def test_a_reset_lets_the_client_go_and_forgets_what_was(sim, engine):
    with socket.create_connection((sim.host, sim.port)) as sock:
        sock.sendall(bytes.fromhex("000000000000000010000000 0a00 8813"))
        assert len(sock.recv(15)) == 15
        with socket.create_connection((sim.host, sim.port)) as other:
            other.sendall(b"\xff" * 12)
            with pytest.raises(ConnectionResetError):
                other.recv(1)
        engine.emit(FakeEvent("motion_ended", data={"motion": 1, "errors": [], "timing": {}}))
        sim.wait_for(lambda sim: sim.events)
        sim.reset()
        with pytest.raises(ConnectionResetError):
            sock.recv(1)
    # The core lets its client go before it begins anew.
    assert [call[0] for call in engine.calls[1:]] == ["attach", "detach", "restart"]
    assert sim.events == ()
    assert sim.event_count == 1
    assert sim.counters() == {"cycles": 1, "tcp_size_too_large": 0}


def test_a_reset_takes_the_payload_off(sim, engine):
    engine.stir = lambda: None
    sim.attach_payload(1.0)
    sim.reset()
    sim.reset()
    assert engine.calls[1:] == [("carry", 1.0), ("carry", 0.0), ("restart",), ("restart",)]


def test_a_reset_that_no_cycle_carries_out_is_a_timeout(sim, engine):
    engine.restart = lambda: None
    with pytest.raises(TimeoutError):
        sim.reset(timeout=0.05)


def test_a_client_can_be_dropped(sim, engine):
    with socket.create_connection((sim.host, sim.port)) as sock:
        sock.sendall(bytes.fromhex("000000000000000010000000 0a00 8813"))
        assert len(sock.recv(15)) == 15
        sim.drop_client()
        engine.wait_for_call("detach")
        with pytest.raises(ConnectionResetError):
            sock.recv(1)


def test_a_port_in_use_is_one_sentence_and_nothing_is_started(engine):
    host = free_loopback(4000)
    with socket.create_server((host, 4000)):
        with pytest.raises(OSError, match=f"port: 4000 of {host} is in use") as error:
            Simulation(load({"host": host, "port": 4000}), lambda config, host: engine)
        assert error.value.errno == errno.EADDRINUSE
    assert engine.calls == []


def test_required_rights_that_are_refused_are_one_sentence_and_the_port_is_free_again(engine):
    def refuse():
        raise RuntimeError("real-time scheduling: Operation not permitted")

    engine.start = refuse
    host = free_loopback(4000)
    config = load({"host": host, "port": 4000, "realtime": "require"})
    with pytest.raises(RuntimeError, match=r"^realtime: require cannot be met: real-time"):
        Simulation(config, lambda config, host: engine)
    with socket.create_server((host, 4000)):
        pass


@pytest.mark.parametrize(
    ("host", "sentence"),
    [
        ("192.0.2.1", "host: 192.0.2.1 is not an address of this machine"),
        ("no-such-host.invalid", "host: no-such-host.invalid has no IPv4 address"),
    ],
)
def test_a_host_that_cannot_be_served_on_is_one_sentence(engine, host, sentence):
    with pytest.raises(OSError, match=sentence):
        Simulation(load({"host": host, "port": 0}), lambda config, host: engine)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, "^urdf: cannot read .*arm.urdf: No such file or directory$"),
        ("<robot", "^urdf: .*arm.urdf is not valid XML: "),
        ("<mujoco/>", "^urdf: .*arm.urdf has <mujoco> where a URDF has <robot>$"),
    ],
)
def test_a_urdf_that_is_none_is_one_sentence(tmp_path, text, sentence):
    path = tmp_path / "arm.urdf"
    if text is not None:
        path.write_text(text)
    with pytest.raises(ConfigError, match=sentence):
        assembly.robot_model(load({"urdf": str(path)}))


def test_a_urdf_is_served_as_it_is(tmp_path):
    path = tmp_path / "arm.urdf"
    text = b"<robot name='mine'>\n" + b"<joint type='revolute'/>" * 7 + b"</robot>\n"
    path.write_bytes(text)
    assert assembly.robot_model(load({"urdf": str(path)})) == text


def test_importing_the_package_imports_nothing_heavy():
    """It loads in every program that has a plugin of ours."""
    code = (
        "import sys, franka_sim; franka_sim.__version__;"
        "print([m for m in ('numpy', 'mujoco', 'structlog', 'asyncio') if m in sys.modules])"
    )
    paths = os.pathsep.join(path for path in sys.path if path)
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": paths},
    )
    assert done.stdout == "[]\n"


def test_free_loopback_addresses_can_be_bound_and_differ():
    addresses = {free_loopback() for _ in range(50)}
    assert len(addresses) == 50
    for address in addresses:
        with socket.create_server((address, 1337)):
            pass


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_serve_ends_cleanly_with_a_signal(engine, monkeypatch, number, code):
    before = {n: signal.getsignal(n) for n in (signal.SIGTERM, signal.SIGINT)}
    monkeypatch.setattr(assembly, "engine", None)
    built = []

    def simulation(config):
        built.append(Simulation(config, lambda config, host: engine))
        threading.Thread(target=os.kill, args=(os.getpid(), number)).start()
        return built[0]

    monkeypatch.setattr("franka_sim.simulation.Simulation", simulation)
    try:
        assert serve_command.run(load({"port": 0}), "franka-sim serve") == code
    finally:
        for n, handler in before.items():
            signal.signal(n, handler)
    assert engine.calls[-1] == ("stop",)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (
            OSError(98, "port: 1337 of 127.0.0.1 is in use by another program"),
            "port: 1337 of 127.0.0.1 is in use by another program",
        ),
        (ConfigError("urdf: cannot read x"), "urdf: cannot read x"),
        (RuntimeError("no real-time rights"), "no real-time rights"),
    ],
)
def test_a_server_that_cannot_start_is_one_sentence_and_2(monkeypatch, capsys, error, sentence):
    def simulation(config):
        raise error

    monkeypatch.setattr("franka_sim.simulation.Simulation", simulation)
    before = {n: signal.getsignal(n) for n in (signal.SIGTERM, signal.SIGINT)}
    try:
        assert serve_command.run(load(), "franka-sim serve") == 2
    finally:
        for n, handler in before.items():
            signal.signal(n, handler)
    assert capsys.readouterr().err == f"franka-sim serve: {sentence}\n"


def test_the_start_line_names_address_clock_rights_and_switches(sim):
    line = serve_command.start_line(sim)
    assert line["port"] == sim.port
    assert line["clock"] == "realtime"
    assert line["rt_policy"] == "other"
    assert line["enforce_motion_limits"] is False
    assert line["late_commands"] == "apply"


def test_a_failure_of_the_port_is_reported_and_leaves_a_simulation_that_stops(engine):
    failed = threading.Event()
    with Simulation(load({"port": 0}), lambda config, host: engine) as sim:
        sim.on_failure(failed.set)
        sim._server._call(lambda: [task.cancel() for task in asyncio.all_tasks()])
        assert failed.wait(10)
        assert isinstance(sim.failure, asyncio.CancelledError)
    assert engine.calls[-1] == ("stop",)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("<robot name='x'/>", "{file} has 0 moving joints; a client's model needs 7"),
        ("<mujoco/>", "{file} has <mujoco> where a URDF has <robot>"),
        ("<robot", "{file} is not valid XML: unclosed token: line 1, column 0"),
    ],
)
def test_a_urdf_no_client_could_use_is_refused_as_it_was_given(tmp_path, text, sentence):
    file = tmp_path / "arm.urdf"
    file.write_text(text)
    config = load({"urdf": str(file)}, name_of={"urdf": "--urdf"})
    with pytest.raises(ConfigError) as refusal:
        assembly.robot_model(config)
    assert str(refusal.value) == "--urdf: " + sentence.format(file=file)


@pytest.mark.parametrize("n", [-1, 1.5, True, 2**32, "3"])
def test_a_number_of_cycles_that_is_none_is_refused_in_a_sentence(sim, n):
    for call in (sim.lose, sim.history) if n != 2**32 else (sim.lose,):
        with pytest.raises(ValueError, match=r"^n: .* is not allowed; it must be a whole number"):
            call(n)
