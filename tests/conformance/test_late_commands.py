"""Answers that arrive after their cycle: applied as the reference does, or dropped as the robot."""

from __future__ import annotations

import fci_v10 as fci
from raw_client import RawClient
from trajectories import ACCELERATION_DISCONTINUITY, quintic, shifted

LAST = 125  # the last sample answered in time; of 0.5 rad in 1 s, as in test_lost_cycles
LOST = 12  # 11 already trip a discontinuity


def sample(start: fci.State, k: int) -> list[float]:
    return shifted(start.q_d, 0, quintic(0.5, 1.0, k))


def drain_a_backlog(server, raw: RawClient):
    """Lose cycles, then answer all of them late and in order, then go on in time."""
    start = raw.start("kJointPosition", "kJointImpedance")
    raw.play({"q_c": sample(start, k)} for k in range(LAST + 1))
    unanswered = raw.state.message_id
    server.lose(LOST)
    raw.skip_lost(LOST)
    for n in range(LOST):
        raw.send(unanswered + n, q_c=sample(start, LAST + 1 + n))
    rest = range(LAST + 1 + LOST, 1001)
    return start, raw.play({"q_c": sample(start, k)} for k in rest)


def test_a_backlog_that_drains_in_order_replaces_the_guesses(serve):
    """reference: the extrapolations are thrown away, so a conforming signal has no fault."""
    server = serve(strict=False)
    with RawClient(server.host) as raw:
        start, played = drain_a_backlog(server, raw)
        assert played.status is None
        assert raw.finish(q_c=shifted(start.q_d, 0, 0.5)) == "kSuccess"
        assert server.violations == ()


def test_the_robots_way_drops_them_and_the_resumption_is_judged(server, raw):
    """architecture.md: `drop` goes with strict; eleven lost cycles of this signal are too many."""
    _, played = drain_a_backlog(server, raw)
    assert played.status == "kReflexAborted"
    assert played.errors == (ACCELERATION_DISCONTINUITY,)


def test_without_the_late_answers_the_same_gap_is_a_violation(serve):
    """The first test shows the rewind only if the gap alone would be reported."""
    server = serve(strict=False)
    with RawClient(server.host) as raw:
        start = raw.start("kJointPosition", "kJointImpedance")
        raw.play({"q_c": sample(start, k)} for k in range(LAST + 1))
        server.lose(LOST)
        raw.skip_lost(LOST)
        rest = range(LAST + 1 + LOST, 1001)
        assert raw.play({"q_c": sample(start, k)} for k in rest).status is None
        assert raw.finish(q_c=shifted(start.q_d, 0, 0.5)) == "kSuccess"
        assert ACCELERATION_DISCONTINUITY in str([v.data for v in server.violations])
