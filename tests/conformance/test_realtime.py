"""The realtime clock with real clients.

Permissive servers are tested everywhere. A strict one aborts when a client is late, which on a
loaded machine is the machine's fault: those tests run where FRANKA_SIM_QUIET_MACHINE=1 says it is
quiet.
Nothing here measures time; benchmarks/ does.
"""

from __future__ import annotations

import os

import pytest
from needs import needs
from raw_client import RawClient
from trajectories import only, quintic, shifted

quiet = pytest.mark.skipif(
    os.environ.get("FRANKA_SIM_QUIET_MACHINE") != "1",
    reason="aborts late clients; runs on a quiet machine with FRANKA_SIM_QUIET_MACHINE=1",
)


def test_ids_rise_by_one_and_a_motion_arrives(serve):
    """Drop-in use: permissive, late commands applied."""
    server = serve(clock="realtime", strict=False)
    with RawClient(server.host) as raw:
        first = raw.read_state().message_id
        assert [raw.read_state().message_id for _ in range(300)] == list(
            range(first + 1, first + 301)
        )
        start = raw.start("kJointPosition", "kJointImpedance")
        assert (
            raw.play(
                {"q_c": shifted(start.q_d, 0, quintic(0.2, 0.6, k))} for k in range(601)
            ).status
            is None
        )
        assert raw.finish(q_c=shifted(start.q_d, 0, 0.2)) == "kSuccess"
        assert raw.state.q[0] - start.q[0] == pytest.approx(0.2, abs=0.02)


@needs("pylibfranka", "pylibfranka")
@pytest.mark.parametrize("kind", ["position", "velocity"])
def test_pylibfranka_moves_a_permissive_robot(serve, run_client, kind):
    """The README's second terminal."""
    server = serve(clock="realtime", strict=False)
    report = run_client(
        "pylibfranka",
        server.host,
        "motion",
        kind=kind,
        controller="joint",
        joint=0,
        distance=0.3,
        seconds=1.0,
    )
    assert report["after"]["robot_mode"] == "Idle"
    # A client that misses cycles of a velocity motion travels less or more than it summed up.
    assert report["after"]["q"] == pytest.approx(report["goal"], abs=0.1)


@quiet
def test_a_strict_robot_follows_a_velocity_motion(serve):
    """Issue 2, Show 2."""
    server = serve(clock="realtime")
    with RawClient(server.host) as raw:
        start = raw.start("kJointVelocity", "kJointImpedance")
        speeds = [(quintic(0.3, 1.0, k) - quintic(0.3, 1.0, k - 1)) * 1e3 for k in range(1, 1003)]
        assert raw.play({"dq_c": only(0, x)} for x in speeds).status is None
        assert raw.finish(dq_c=only(0, 0.0)) == "kSuccess"
        assert raw.newest_state().q[0] - start.q[0] == pytest.approx(0.3, abs=5e-3)


@quiet
@needs("pylibfranka", "pylibfranka")
@pytest.mark.parametrize("kind", ["position", "velocity"])
@pytest.mark.parametrize("controller", ["joint", "cartesian"])
def test_pylibfranka_moves_a_strict_robot(serve, run_client, kind, controller):
    """Issue 2, Show 2."""
    server = serve(clock="realtime")
    report = run_client(
        "pylibfranka",
        server.host,
        "motion",
        kind=kind,
        controller=controller,
        joint=0,
        distance=0.3,
        seconds=1.0,
    )
    assert report["after"]["last_motion_errors"] == "[]"


@quiet
@needs("franka", "franka-rs")
@pytest.mark.parametrize("backend", ["robot", "impedance"])
def test_franka_rs_moves_a_strict_robot(serve, run_client, backend):
    """Issue 2, Show 2."""
    server = serve(clock="realtime")
    report = run_client(
        "franka_rs", server.host, "targets", backend=backend, fraction=0.5, joint=0, distance=0.35
    )
    assert report["error"] is None, report["error"]
    assert report["reached"][0] - report["start"][0] == pytest.approx(0.35, abs=0.03)


@quiet
@needs("franky", "franky-control")
@pytest.mark.parametrize("factor", [0.2, 0.6, 1.0])
def test_franky_moves_a_strict_robot(serve, run_client, factor):
    """Issue 2, Show 2: with libfranka's filter and limiter."""
    server = serve(clock="realtime")
    report = run_client(
        "franky",
        server.host,
        "joint",
        factor=factor,
        distance=0.35,
        limit_rate=True,
        cutoff=100.0,
        moving=0,
        share=0.98,
    )
    assert report["errors"] == [None, None]


@quiet
@needs("franky", "franky-control")
def test_franky_pulls_a_strict_robot_by_torques(serve, run_client):
    """Issue 2, Show 2."""
    server = serve(clock="realtime")
    report = run_client("franky", server.host, "torque", distance=0.35, moving=0)
    assert report["error"] is None, report["error"]


@quiet
@needs("aiofranka", "aiofranka")
def test_aiofranka_moves_a_strict_robot(serve, run_client):
    """Issue 2, Show 2."""
    server = serve(clock="realtime")
    report = run_client("aiofranka", server.host, "torque", joint=0, distance=0.35)
    assert report["error"] is None, report["error"]
