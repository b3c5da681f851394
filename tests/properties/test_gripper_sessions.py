"""The gripper's TCP parser: any bytes, cut anywhere, give the same events, no exception."""

from __future__ import annotations

import struct
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from franka_sim.gripper.tables import tool_table
from franka_sim.server.session import (
    ConnectRequested,
    PeerFault,
    Phase,
    Send,
    Session,
    Submit,
    token_source,
)

#: wire.md 1.1 and 4: header, then the payload sizes of Connect and the commands.
HEADER = struct.Struct("<HII")
SIZES = {"hand": (4, 0, 40, 16, 0), "vacuum": (4, 10, 8, 0)}
KFAIL = 1


def message(command: int, command_id: int, payload: bytes) -> bytes:
    return HEADER.pack(command, command_id, HEADER.size + len(payload)) + payload


def events_of(kind: str, chunks: list[bytes]) -> list:
    """Every event of a session, a Connect accepted as the desk would."""
    session = Session(token_source(), tool_table(kind))
    events = []
    for chunk in chunks:
        session.receive(chunk)
        while (event := session.next_event()) is not None:
            events.append(event)
            if isinstance(event, ConnectRequested):
                events.append(Send(session.accept()))
    events.append(session.phase)
    return events


kinds = st.sampled_from(["hand", "vacuum"])


@st.composite
def streams(draw):
    """A kind and bytes that are mostly messages, begun by a good Connect most of the time."""
    kind = draw(kinds)
    version = {"hand": 3, "vacuum": 1}[kind]
    data = b""
    if draw(st.integers(0, 4)):
        data += message(0, 0, struct.pack("<HH", version, 5000))
    for command_id in range(draw(st.integers(0, 6))):
        command = draw(st.one_of(st.integers(0, 5), st.integers(0, 65535)))
        sizes = SIZES[kind]
        size = sizes[command] if command < len(sizes) else draw(st.integers(0, 50))
        payload = draw(st.binary(min_size=size, max_size=size))
        data += message(command, command_id, payload)
    return kind, data + draw(st.binary(max_size=30))


@settings(max_examples=300, deadline=None)
@given(streams(), st.lists(st.integers(0, 400), max_size=8))
def test_events_do_not_depend_on_how_the_stream_is_cut(stream, cuts):
    """Style.md 7, rule 9: whole, byte by byte, and cut at random."""
    kind, data = stream
    whole = events_of(kind, [data])
    assert events_of(kind, [data[i : i + 1] for i in range(len(data))]) == whole
    places = sorted({0, len(data), *(cut for cut in cuts if cut <= len(data))})
    assert events_of(kind, [data[a:b] for a, b in pairwise(places)]) == whole


@settings(max_examples=300, deadline=None)
@given(kinds, st.binary(max_size=300))
def test_no_bytes_raise_and_a_broken_stream_stays_broken(kind, data):
    events = events_of(kind, [data])
    fatal = [i for i, e in enumerate(events) if isinstance(e, PeerFault) and e.fatal]
    assert len(fatal) <= 1
    if fatal:
        assert events[-1] is Phase.BROKEN
        assert fatal[0] == len(events) - 2


@settings(max_examples=200, deadline=None)
@given(kinds, st.integers(0, 65535), st.integers(0, 2**32 - 1), st.binary(max_size=60))
def test_every_message_after_connect_is_submitted_or_answered_at_once(
    kind, command, command_id, payload
):
    """Wire.md 1.1: an unanswered request blocks its client for ever."""
    session = Session(token_source(), tool_table(kind))
    session.receive(message(0, 0, struct.pack("<HH", {"hand": 3, "vacuum": 1}[kind], 5000)))
    session.next_event()
    session.accept()
    session.receive(message(command, command_id, payload))
    events = []
    while (event := session.next_event()) is not None:
        events.append(event)
    if isinstance(events[0], Submit):
        assert (events[0].command, events[0].payload) == (command, payload)
        assert len(payload) == SIZES[kind][command]
        replies = [session.answer(events[0].token, KFAIL)]
        assert session.answer(events[0].token, KFAIL) is None
    else:
        assert isinstance(events[0], PeerFault)
        assert not events[0].fatal
        replies = [event.data for event in events[1:]]
    (reply,) = replies
    assert HEADER.unpack_from(reply) == (command, command_id, len(reply))
    if command != 0:
        assert struct.unpack_from("<H", reply, HEADER.size) == (KFAIL,)


def test_an_abandoned_session_answers_stops_with_success_and_the_rest_with_aborted():
    """For the end of the server: wire.md 4.1's numbers."""
    session = Session(token_source(), tool_table("hand"))
    session.receive(message(0, 0, struct.pack("<HH", 3, 5000)))
    session.next_event()
    session.accept()
    session.receive(message(3, 7, struct.pack("<2d", 0.04, 0.1)) + message(4, 8, b""))
    assert isinstance(session.next_event(), Submit)
    assert isinstance(session.next_event(), Submit)
    expected = HEADER.pack(3, 7, 12) + b"\x03\x00" + HEADER.pack(4, 8, 12) + b"\x00\x00"
    assert session.abandon() == expected
