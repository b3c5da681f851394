"""A robot in another process: the whole of Simulation there, and nothing left behind."""

from __future__ import annotations

import contextlib
import inspect
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from raw_client import RawClient

from franka_sim.config import ConfigError
from franka_sim.errors import Errors
from franka_sim.gripper.hand import Hand
from franka_sim.gripper.pump import Pump
from franka_sim.simulation import Simulation
from franka_sim.testing import RemoteSimulation, ServerGoneError, free_loopback
from franka_sim.testing.remote import METHODS, VALUES

#: What a remote simulation has itself, and what only makes sense within one process.
OWN = {"config", "host", "port", "stop", "wait_for", "wait_for_event"}
LOCAL = {"on_failure"}


@pytest.fixture(scope="module")
def module_remote():
    with RemoteSimulation(clock="lockstep", enforce_motion_limits=True) as remote:
        yield remote


@pytest.fixture
def remote(module_remote):
    module_remote.reset()
    return module_remote


def ended(pid: int, watchdog_s: float = 30) -> bool:
    """Whether the process is gone, waiting for it."""
    try:
        fd = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([fd], [], [], watchdog_s)[0])
    finally:
        os.close(fd)


def test_everything_public_of_a_simulation_is_there_too():
    def names(kind: type) -> set[str]:
        return {name for name, _ in inspect.getmembers(kind) if not name.startswith("_")}

    public = names(Simulation)
    known = {name.partition(".")[0] for name in METHODS | VALUES}
    assert known | OWN | LOCAL == public | {"config"}
    assert {name for name in OWN if not hasattr(RemoteSimulation, name)} <= {
        "config", "host", "port",
    }  # fmt: skip
    for part, kind in (("hand", Hand), ("pump", Pump)):
        assert {n for n in METHODS | VALUES if n.startswith(part)} == {
            f"{part}.{name}" for name in names(kind)
        }
    assert {
        name for name, member in inspect.getmembers(Simulation)
        if isinstance(member, property) and name not in OWN | {"hand", "pump"}
    } <= VALUES  # fmt: skip


def test_a_name_that_is_no_method_is_no_attribute(remote):
    with pytest.raises(AttributeError, match="a remote simulation has no 'explode'"):
        _ = remote.explode
    assert "push" in dir(remote)


def test_values_come_as_they_are_there(remote):
    assert remote.state.robot_mode.name == "Idle"
    assert remote.state.q.shape == (7,)
    assert remote.config.clock == "lockstep"
    remote.wait_for(lambda sim: len(sim.history()) >= 20)
    rows = remote.history(5)
    assert rows["q"].shape == (5, 7)
    assert rows["command"]["q_c"].shape == (5, 7)
    assert remote.counters()["cycles"] >= 20
    assert remote.timing().connection.reaction.count == 0
    assert remote.realtime_report()["policy"] == "SCHED_OTHER"


def test_events_arrive_with_what_they_carry(remote):
    after = remote.event_count
    with RawClient(remote.host) as raw:
        q_d = list(raw.start("kJointPosition", "kJointImpedance").q_d)
        raw.step(q_c=q_d)
        raw.step(q_c=[q + 0.1 for q in q_d])
        event = remote.wait_for_event("violation", after=after, where=lambda e: e.data["enforced"])
        ended = remote.wait_for_event("motion_ended", after=after)
    assert event.data["error"] in ended.data["errors"]
    with pytest.raises(TypeError):
        event.data["error"] = "none"
    assert event in remote.violations
    assert isinstance(remote.state.current_errors, Errors)
    assert remote.state.current_errors.get(event.data["error"])


def test_what_raises_there_raises_here(remote):
    with pytest.raises(ValueError, match=r"^link: 'nose' is not allowed"):
        remote.push("nose")
    with pytest.raises(TypeError):
        remote.lose()
    with pytest.raises(TimeoutError, match="the event did not come"):
        remote.wait_for_event("violation", timeout=0.01)
    with pytest.raises(TimeoutError, match="the condition did not become true"):
        remote.wait_for(lambda sim: False, timeout=0.01)


def test_an_order_of_the_hand_is_waited_for_from_here(remote):
    order = remote.hand.move(0.02, 0.1)
    assert order.wait() == "kSuccess"
    assert order.done
    assert order.cycle > 0
    assert remote.hand.state.width == pytest.approx(0.02, abs=1e-3)
    with pytest.raises(RuntimeError, match="has no pump"):
        remote.pump.stop()
    with pytest.raises(TimeoutError):
        remote.hand.move(0.08, 0.1, at_motion_cycle=5).wait(0.01)
    remote.reset()
    assert remote.hand.state.width > 0.07


def test_calls_from_threads_do_not_wait_for_each_other(remote):
    waiting = threading.Event()
    found = []

    def wait():
        waiting.set()
        found.append(remote.wait_for_event("motion_started", timeout=60))

    thread = threading.Thread(target=wait)
    thread.start()
    waiting.wait()
    # The other thread waits on the far side; these calls go by it.
    for _ in range(20):
        remote.push("flange", (0, 0, 1))
        remote.release()
    with RawClient(remote.host) as raw:
        raw.start("kJointPosition", "kJointImpedance")
        thread.join(60)
    assert [event.kind for event in found] == ["motion_started"]


def test_a_server_that_cannot_start_says_why():
    with pytest.raises(ConfigError, match=r"^scale: -1.0 is not allowed"):
        RemoteSimulation(scale=-1)
    host = free_loopback()
    with (
        socket.create_server((host, 1337)),
        pytest.raises(OSError, match=f"port: 1337 of {host} is in use"),
    ):
        RemoteSimulation(host)


def test_a_server_that_was_killed_is_a_sentence():
    with RemoteSimulation(clock="lockstep") as remote:
        assert remote.running
        os.kill(remote.pid, signal.SIGKILL)
        with pytest.raises(ServerGoneError, match="ended by itself, with exit code -9"):
            remote.counters()
        assert not remote.running
    with pytest.raises(ServerGoneError, match="was stopped"):
        remote.counters()


def test_the_server_ends_with_its_parent_even_when_a_fork_holds_the_socket():
    code = (
        "import os, sys, signal\n"
        "from franka_sim.testing import RemoteSimulation\n"
        "remote = RemoteSimulation(clock='lockstep')\n"
        "held = os.fork()\n"
        "if held == 0: signal.pause()\n"
        "print(remote.pid, held, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment
    ) as parent:
        assert parent.stdout is not None
        server, held = map(int, parent.stdout.readline().split())
        try:
            assert parent.wait() == -signal.SIGKILL
            assert ended(server)
        finally:
            os.kill(held, signal.SIGKILL)


def left_behind() -> dict[str, Any]:
    """Threads, open files, children and temporary files of this process."""
    fds = {}
    for fd in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            fds[fd] = os.readlink(f"/proc/self/fd/{fd}")
    tasks = Path(f"/proc/self/task/{os.getpid()}/children")
    return {
        "threads": sorted(thread.name for thread in threading.enumerate()),
        "kernel threads": len(os.listdir("/proc/self/task")),
        "files": {fd: what for fd, what in fds.items() if "/proc/" not in what},
        "children": sorted(tasks.read_text().split()) if tasks.exists() else [],
        "segments": sorted(os.listdir("/dev/shm")),
    }


def cycle_remote() -> None:
    with RemoteSimulation(clock="lockstep") as remote, RawClient(remote.host):
        assert remote.counters()["cycles"] > 0


def cycle_here() -> None:
    import franka_sim

    with franka_sim.serve(host=free_loopback(), clock="lockstep") as sim, RawClient(sim.host):
        assert sim.counters()["cycles"] > 0


@pytest.mark.parametrize(("cycle", "count"), [(cycle_here, 100), (cycle_remote, 100)])
def test_a_hundred_starts_and_stops_leave_nothing(cycle, count, tmp_path, monkeypatch):
    """Issue 6, Shows 6."""
    monkeypatch.chdir(tmp_path)
    cycle()  # imports and the like happen once
    before = left_behind()
    for _ in range(count):
        cycle()
    after = left_behind()
    # Pools of other libraries may end meanwhile; what matters is that none is left over.
    assert after.pop("kernel threads") <= before.pop("kernel threads")
    assert after == before
    assert list(tmp_path.iterdir()) == []
