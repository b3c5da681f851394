"""The timing certificate as a client sees it: who lost which cycle, and what is measured at all.

Lockstep makes the culprits exact: a cycle waits until its answer comes or its time is up.
"""

from __future__ import annotations

import json

import pytest
from raw_client import RawClient

CLIENT_ATTACHED = 64  # flag of a row of the history


@pytest.fixture
def server(serve):
    """Permissive, so that losses do not end the motion; a missing answer costs 50 ms."""
    return serve(strict=False, lockstep_timeout=0.05)


def hold(raw: RawClient, q_d, cycles: int = 20) -> None:
    """Answer every state of `cycles`."""
    assert raw.play([{"q_c": q_d}] * cycles).status is None


@pytest.fixture
def held(raw) -> list[float]:
    """q_d of a motion that runs and whose states are answered so far."""
    q_d = raw.start("kJointPosition", "kJointImpedance").q_d
    hold(raw, q_d)
    return q_d


def lost(server) -> dict[str, int]:
    """Lost cycles of the newest motion by culprit, those with a culprit only."""
    certificate = server.timing().motion
    found = {name: count for name, count in certificate.culprits.items() if count}
    assert sum(found.values()) == certificate.lost
    return found


def test_answers_that_never_come_are_told_from_late_and_planned_ones(server, raw, held):
    for _ in range(5):  # no datagram at all
        raw.read_state()
        hold(raw, held, 3)
    server.lose(7)
    hold(raw, held, 20)
    assert raw.finish(q_c=held) == "kSuccess"
    assert lost(server) == {"never arrived": 5, "planned": 7}


def test_a_client_that_answers_too_late_is_named(server, raw, held):
    for _ in range(4):
        missed = raw.state.message_id
        raw.read_state()  # its time is up
        raw.send(message_id=missed, q_c=held)
        hold(raw, held, 3)
    assert raw.finish(q_c=held) == "kSuccess"
    assert lost(server) == {"client late": 4}
    assert server.timing().motion.late == 4


def test_a_wrong_echo_is_named(server, raw, held):
    for _ in range(3):
        raw.send(message_id=raw.state.message_id + 10**6, q_c=held)
        raw.read_state()
        hold(raw, held, 3)
    assert raw.finish(q_c=held) == "kSuccess"
    assert lost(server) == {"wrong echo": 3}
    assert server.timing().motion.unpublished == 3


def test_a_motion_begins_anew_and_the_connection_goes_on(server, raw, held):
    raw.read_state()
    hold(raw, held, 3)
    assert raw.finish(q_c=held) == "kSuccess"
    first = server.timing()
    q_d = raw.start("kJointPosition", "kJointImpedance").q_d
    hold(raw, q_d)
    assert raw.finish(q_c=q_d) == "kSuccess"
    second = server.timing()
    assert (first.motion.lost, second.motion.lost, second.connection.lost) == (1, 0, 1)
    assert second.number == first.number + 1
    assert second.connection.fresh > first.connection.fresh
    raw.close()
    server.wait_for(lambda sim: not sim.history(1)["flags"][0] & CLIENT_ATTACHED)
    with RawClient(server.host) as after:
        after.newest_state()
        assert server.timing().connection.fresh == 0


def test_in_real_time_reactions_are_measured_between_the_kernels_stamps(serve):
    server = serve(clock="realtime", strict=False)
    with RawClient(server.host) as raw:
        q_d = raw.start("kJointPosition", "kJointImpedance").q_d
        hold(raw, q_d, 200)
        raw.finish(q_c=q_d)
        motion = server.timing().motion
    assert motion.reaction.count > 100
    assert 0 < motion.reaction.lowest_ns <= motion.reaction.quantile_ns(0.5)
    assert motion.server_late.count >= motion.cycles
    assert motion.round_trip.quantile_ns(1.0) == motion.round_trip.highest_ns


def test_the_report_of_a_run_has_every_motion_and_the_connection(serve, tmp_path):
    path = tmp_path / "timing.json"
    server = serve(strict=False, lockstep_timeout=0.05, timing_report=str(path))
    with RawClient(server.host) as raw:
        for missing in (0, 2):
            q_d = raw.start("kJointPosition", "kJointImpedance").q_d
            hold(raw, q_d)
            for _ in range(missing):
                raw.read_state()
            hold(raw, q_d)
            assert raw.finish(q_c=q_d) == "kSuccess"
    assert not path.exists()
    server.stop()
    report = json.loads(path.read_text())
    assert [motion["lost"] for motion in report["motions"]] == [0, 2]
    assert report["motions"][1]["culprits"]["never arrived"] == 2
    assert report["connection"]["lost"] == 2
    assert (
        sum(n for _, n in report["connection"]["round_trip"]["bins"])
        == report["connection"]["round_trip"]["count"]
    )


def test_the_end_of_a_motion_is_told_with_its_timing(server, raw, held, caplog):
    raw.read_state()
    hold(raw, held, 3)
    with caplog.at_level("INFO", logger="franka_sim"):
        assert raw.finish(q_c=held) == "kSuccess"
        server.wait_for_event("motion_ended")
    told = [
        record.getMessage() for record in caplog.records if "motion ended" in record.getMessage()
    ]
    assert len(told) == 1
    assert "cycles lost (never arrived 1)" in told[0]
