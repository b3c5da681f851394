"""The compiled half of the bench: it runs and returns what it says. No figure is an expectation."""

from __future__ import annotations

import numpy as np
import pytest

timing = pytest.importorskip(
    "franka_sim.bench._timing", reason="the extension module is not built in this environment"
)
from franka_sim import robots  # noqa: E402
from franka_sim.bench import lockstep, processes, programs  # noqa: E402
from franka_sim.plants.mujoco import make_plant  # noqa: E402


@pytest.mark.parametrize("name", ["encode", "judge"])
def test_a_kernel_is_timed_beside_plain_code(name):
    core, plain = getattr(timing, name)(20, 10)
    assert core.shape == plain.shape == (20,)
    assert (core > 0).all()
    assert (plain > 0).all()


@pytest.mark.parametrize("name", ["hash", "record", "model"])
def test_a_part_of_the_cycle_is_timed(name):
    assert (getattr(timing, name)(20, 10) > 0).all()


@pytest.mark.parametrize("moving", [False, True])
def test_a_whole_cycle_holds_a_step_of_physics(moving):
    whole, physics, sockets = timing.cycle(make_plant(robots.mjcf("fr3")), 200, moving)
    assert whole.shape == physics.shape == sockets.shape == (200,)
    assert (physics > 0).all()
    assert (physics < whole).all()


def test_a_program_that_is_not_there_is_named():
    with pytest.raises(RuntimeError, match=r"no program franka_sim/bench/bin/nothing"):
        programs.program("nothing")


@pytest.mark.parametrize("wait", ["spin", "block"])
def test_the_ping_pong_counts_its_rounds(wait):
    assert programs.ping_pong(wait, 50)["rounds"] == 50


def test_a_program_that_refuses_is_quoted():
    with pytest.raises(RuntimeError, match=r"raw_client: usage: .* \(2\)"):
        programs._run("raw_client", timeout_s=1.0)


def test_the_bare_loop_is_measured():
    found = programs.bare_loop_periods("other", 20)
    assert found["count"] == 20
    assert found["p50_us"] <= found["p99_us"] <= found["max_us"]


def test_a_lockstep_server_in_a_process_of_its_own_reports_its_cycles():
    with processes.host({"clock": "lockstep"}) as host:
        script = lockstep.velocity_script(100)
        found = programs.lockstep_client(host.host, processes.PORT, wait="block", script=script)
        assert found["status"] == [0]
        live = host.live_cycle()
    assert live["cycles"] > 3000
    assert live["figures"]["min"] > 0
    assert host.process.returncode == 0


def test_the_scheduling_class_is_the_one_obtained():
    with processes.host({"realtime": "off"}) as host:
        assert host.scheduling == "other"


def test_memory_and_processor_time_of_a_process_are_read():
    import os

    assert processes.cpu_seconds(os.getpid()) > 0
    assert 1 < processes.resident_mb(os.getpid()) < 1e5
    assert np.isfinite(processes.interpreter_mb("pass"))
