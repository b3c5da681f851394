"""The pytest plugin, from outside: test runs that use it, and what they leave behind.

Most inner runs are processes of their own, as users run pytest.
"""

from __future__ import annotations

import importlib.util
import os
import re
import select
import signal
import subprocess
import sys

import pytest

pytest_plugins = ["pytester"]

#: Chosen: above any inner run on two busy cores, below the outer test's watchdog.
WATCHDOG_S = 300


@pytest.fixture
def inner(pytester, monkeypatch):
    """Runs pytest on given source; its last words are the result."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)

    def run(source: str, *args: str, ini: str = ""):
        pytester.makeini("[pytest]\n" + ini)
        pytester.makepyfile(source)
        return pytester.runpytest_subprocess("-q", *args, timeout=WATCHDOG_S)

    return run


def test_loading_the_plugin_imports_nothing_heavy():
    code = (
        "import sys, pytest, franka_sim.pytest_plugin;"
        "print([m for m in ('numpy', 'mujoco', 'structlog', 'asyncio', 'multiprocessing',"
        " 'franka_sim.simulation') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.stdout == "[]\n"


def test_a_test_gets_a_robot_in_another_process_and_each_finds_it_as_new(inner):
    done = inner(
        """
        import os, socket
        import pytest

        seen = set()

        def test_the_server_is_there(franka_sim_server):
            assert franka_sim_server.port == 1337
            assert franka_sim_server.host.startswith("127.")
            assert franka_sim_server.pid != os.getpid()
            assert franka_sim_server.config.clock == "lockstep"
            assert franka_sim_server.config.enforce_motion_limits
            socket.create_connection((franka_sim_server.host, 1337)).close()

        @pytest.mark.parametrize("turn", range(3))
        def test_what_one_does_the_next_does_not_find(franka_sim, franka_sim_server, turn):
            assert franka_sim is franka_sim_server
            state = franka_sim.state
            assert state.robot_mode.name == "Idle"
            assert abs(state.q[1] - -0.7853981633974483) < 1e-3
            assert not franka_sim.events
            assert len(franka_sim.history()) < 1000
            franka_sim.push("flange", (0, 0, 100))
            franka_sim.user_stop(True)
            franka_sim.wait_for(lambda sim: sim.state.robot_mode.name == "UserStopped")
            client = socket.create_connection((franka_sim.host, 1337))
            client.sendall(bytes.fromhex("000000000000000010000000 0a00 8813"))
            assert len(client.recv(15)) == 15
            seen.add(client)  # left open, on purpose

        def test_who_only_uses_the_server_finds_it_as_new_as_well(franka_sim_server):
            assert franka_sim_server.state.robot_mode.name == "Idle"
        """
    )
    done.assert_outcomes(passed=5)


def test_a_marker_asks_for_another_robot_which_is_kept_for_the_session(inner):
    done = inner(
        """
        import pytest

        pids = set()

        @pytest.mark.franka_sim(clock="realtime", strict=False)
        class TestMarked:
            @pytest.mark.parametrize("turn", range(2))
            def test_two_tests_share_it(self, franka_sim, franka_sim_server, turn):
                assert franka_sim.config.clock == "realtime"
                assert not franka_sim.config.enforce_motion_limits
                assert franka_sim.host != franka_sim_server.host
                pids.add(franka_sim.pid)
                assert len(pids) == 1

            @pytest.mark.franka_sim(clock="lockstep")
            def test_a_nearer_marker_wins(self, franka_sim):
                assert franka_sim.config.clock == "lockstep"
                assert not franka_sim.config.enforce_motion_limits

        @pytest.mark.franka_sim(clcok="realtime")
        def test_a_mistake(franka_sim):
            pass

        @pytest.mark.franka_sim("realtime")
        def test_a_mistake_of_another_kind(franka_sim):
            pass
        """,
        "--strict-markers",
    )
    done.assert_outcomes(passed=3, errors=2)
    done.stdout.fnmatch_lines(
        [
            "franka_sim: clcok: there is no such option; did you mean clock?",
            "the marker franka_sim takes options by name, not 'realtime'",
        ]
    )
    assert "Traceback" not in done.stdout.str()


def test_ini_and_command_line_set_options_and_the_command_line_wins(inner):
    source = """
        def test_options(franka_sim):
            config = franka_sim.config
            print(config.clock, config.strict, config.history, config.late_commands)
            assert False
        """
    ini = "franka_sim =\n    clock = realtime\n    history = 123\n    late-commands = apply\n"
    done = inner(source, "--franka-sim-clock=scaled", "--franka-sim-scale=2", ini=ini)
    done.stdout.fnmatch_lines(["scaled True 123 apply"])


@pytest.mark.parametrize(
    ("args", "ini", "sentence"),
    [
        (["--franka-sim-clock=sundial"], "", "*--franka-sim-clock: sundial is not allowed; it *"),
        ([], "franka_sim = clock", "*franka_sim: 'clock' is no 'key = value' of an option*"),
        ([], "franka_sim = host = 127.0.0.1", "*franka_sim: 'host = 127.0.0.1' is no 'key*"),
        ([], "franka_sim = seed = -1", "*franka_sim: seed: -1 is not allowed; it must be*"),
    ],
)
def test_what_cannot_be_used_is_one_sentence_before_any_test(inner, args, ini, sentence):
    done = inner("def test_nothing(): pass", *args, ini=ini)
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    done.stderr.fnmatch_lines([f"ERROR:{sentence}"])


def test_what_the_robot_said_stands_beside_the_test_that_failed(inner):
    done = inner(
        """
        import socket

        def test_a_client_that_babbles(franka_sim):
            with socket.create_connection((franka_sim.host, 1337)) as sock:
                sock.sendall(b"\\xff" * 12)
                try:
                    sock.recv(1)
                except ConnectionResetError:
                    pass
            assert franka_sim.counters()["tcp_size_too_large"] == 0
        """
    )
    done.assert_outcomes(failed=1)
    assert re.search(r"Captured stderr.*tcp|size_too_large", done.stdout.str(), re.DOTALL)


def test_a_server_that_dies_fails_its_test_and_the_next_gets_another(inner):
    done = inner(
        """
        import os, signal
        import pytest
        pids = set()

        @pytest.mark.franka_sim(seed=1)
        def test_kills_it(franka_sim):
            pids.add(franka_sim.pid)
            os.kill(franka_sim.pid, signal.SIGKILL)
            franka_sim.counters()

        @pytest.mark.franka_sim(seed=1)
        def test_goes_on(franka_sim):
            assert franka_sim.pid not in pids
            assert franka_sim.counters()["cycles"] > 0
        """
    )
    done.assert_outcomes(passed=1, failed=1, errors=1)
    done.stdout.fnmatch_lines(["*ServerGoneError: the server's process ended by itself*"])


def test_a_killed_run_takes_its_servers_along(inner, pytester, monkeypatch):
    pytester.makepyfile(
        """
        import os, signal

        def test_killed(franka_sim):
            with open("pid", "w") as file:
                file.write(str(franka_sim.pid))
            os.kill(os.getpid(), signal.SIGKILL)
        """
    )
    done = subprocess.run([sys.executable, "-m", "pytest", "-q"], cwd=pytester.path, timeout=120)
    assert done.returncode == -signal.SIGKILL
    pid = int((pytester.path / "pid").read_text())
    try:
        fd = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        assert select.select([fd], [], [], 60)[0]
    finally:
        os.close(fd)


@pytest.mark.skipif(
    importlib.util.find_spec("xdist") is None,
    reason="needs pytest-xdist (dependency group test); the project's test command installs it",
)
def test_parallel_workers_have_addresses_of_their_own(inner, pytester):
    """Issue 6, Shows 6."""
    done = inner(
        """
        import os
        import pytest

        @pytest.mark.parametrize("turn", range(12))
        def test_side_by_side(franka_sim, turn, worker_id):
            with open(f"{worker_id}.{turn}", "w") as file:
                file.write(f"{franka_sim.host} {franka_sim.pid}")
            franka_sim.push("flange", (0, 0, 10))
            franka_sim.wait_for(lambda sim: len(sim.history()) > 20)
        """,
        "-n4",
    )
    done.assert_outcomes(passed=12)
    servers: dict[str, set[str]] = {}
    for path in pytester.path.glob("gw*.*"):
        servers.setdefault(path.name.partition(".")[0], set()).add(path.read_text())
    assert len(servers) == 4
    assert all(len(one) == 1 for one in servers.values())
    hosts, pids = zip(*(next(iter(one)).split() for one in servers.values()), strict=True)
    assert len(set(hosts)) == 4
    for pid in pids:
        assert not os.path.exists(f"/proc/{pid}")
