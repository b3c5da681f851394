"""The FCI session without sockets: expectations from wire.md 1, 2 and 11."""

import itertools
import random
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from franka_sim.server.session import (
    MAX_MESSAGE,
    ConnectRequested,
    PeerFault,
    Phase,
    Send,
    Session,
    Submit,
    token_source,
)
from franka_sim.server.tables import command_table

URDF = b"<robot name='fr3'/>"


def message(command, command_id, payload=b""):
    return struct.pack("<III", command, command_id, 12 + len(payload)) + payload


def connect(version=10, udp_port=5000, command_id=0):
    return message(0, command_id, struct.pack("<HH", version, udp_port))


def new_session(tokens=None):
    return Session(tokens or token_source(), command_table(10), URDF)


def drain(session):
    """Return all events, accepting a Connect on the way as the owner of a free slot would."""
    events = []
    while (event := session.next_event()) is not None:
        events.append(event)
        if isinstance(event, ConnectRequested):
            events.append(Send(session.accept()))
    return events


def connected():
    session = new_session()
    session.receive(connect())
    drain(session)
    return session


def events_of(chunks):
    session = new_session()
    events = []
    for chunk in chunks:
        session.receive(chunk)
        events += drain(session)
    return events


CONVERSATION = b"".join(
    [
        connect(9, 5000, 0),
        connect(10, 5000, 1),
        message(11, 2),
        message(1, 3, bytes(113)),
        message(2, 4),
        message(10, 5),
        message(9, 6, bytes(104)),
        message(4, 7, bytes(3)),
        message(77, 8, bytes(30)),
    ]
)


def test_a_connect_of_our_version_is_put_on_the_desk_and_accepted_with_our_version():
    session = new_session()
    session.receive(connect(udp_port=4711))
    assert session.next_event() == ConnectRequested(10, 4711)
    assert session.next_event() is None
    assert session.accept() == message(0, 0, struct.pack("<BH", 0, 10))
    assert session.phase is Phase.CONNECTED


def test_a_connect_of_another_version_is_refused_with_ours_and_may_be_repeated():
    session = new_session()
    session.receive(connect(version=5))
    assert drain(session) == [Send(message(0, 0, struct.pack("<BH", 1, 10)))]
    session.receive(connect(command_id=1))
    assert drain(session)[0] == ConnectRequested(10, 5000)


def test_nothing_after_connect_is_looked_at_before_it_is_accepted():
    session = new_session()
    session.receive(connect() + message(2, 1))
    assert isinstance(session.next_event(), ConnectRequested)
    assert session.next_event() is None
    session.accept()
    assert isinstance(session.next_event(), Submit)


def test_the_robot_model_is_one_reply_with_status_and_text():
    session = connected()
    session.receive(message(11, 1))
    assert drain(session) == [Send(message(11, 1, b"\0" + URDF))]


def test_a_request_goes_to_the_core_and_its_answer_comes_back_under_its_id():
    session = connected()
    session.receive(message(9, 42, bytes(104)))
    (submit,) = drain(session)
    assert submit == Submit(submit.token, 10, 9, bytes(104))
    assert session.outstanding == 1
    assert session.answer(submit.token, 2) == message(9, 42, b"\2")
    assert session.outstanding == 0
    assert session.answer(submit.token, 2) is None


def test_a_move_is_answered_by_its_start_and_once_by_its_end():
    session = connected()
    session.receive(message(1, 7, bytes(113)))
    (move,) = drain(session)
    assert session.answer(move.token, 1) == message(1, 7, b"\1")
    assert session.answer(move.token, 1) is None
    assert session.answer(move.token, 8) == message(1, 7, b"\x08")
    assert session.answer(move.token, 0) is None


def test_a_rejected_move_has_one_answer():
    session = connected()
    session.receive(message(1, 7, bytes(113)))
    (move,) = drain(session)
    assert session.answer(move.token, 5) == message(1, 7, b"\5")
    assert session.outstanding == 0


def test_answers_may_come_in_any_order():
    session = connected()
    session.receive(message(10, 1) + message(2, 2))
    recovery, stop = drain(session)
    assert session.answer(stop.token, 0) == message(2, 2, b"\0")
    assert session.answer(recovery.token, 0) == message(10, 1, b"\0")


def test_tokens_of_two_connections_never_meet():
    source, tokens = token_source(), set()
    for _ in range(2):
        session = new_session(source)
        session.receive(connect() + message(2, 1) + message(2, 1))
        tokens |= {e.token for e in drain(session) if isinstance(e, Submit)}
    assert len(tokens) == 4
    assert 0 not in tokens


@pytest.mark.parametrize("command", [12, 13, 999, 0xFFFFFFFF])
def test_an_unknown_command_is_counted_and_still_answered_with_13_bytes(command):
    session = connected()
    session.receive(message(command, 5, b"whatever"))
    fault, send = drain(session)
    assert fault == PeerFault("unknown_command", fault.detail, fatal=False)
    assert send == Send(message(command, 5, b"\1"))
    assert session.phase is Phase.CONNECTED


@pytest.mark.parametrize(
    ("command", "size", "status"),
    [(1, 10, 7), (1, 112, 7), (2, 1, 1), (3, 415, 2), (9, 0, 2), (10, 4, 1), (11, 1, 1)],
)
def test_a_request_of_the_wrong_size_is_counted_and_answered_with_a_rejection(
    command, size, status
):
    session = connected()
    session.receive(message(command, 5, bytes(size)))
    fault, send = drain(session)
    assert (fault.kind, fault.fatal) == ("request_size", False)
    assert send == Send(message(command, 5, bytes([status])))


def test_a_second_connect_is_counted_and_refused():
    session = connected()
    session.receive(connect(command_id=9))
    fault, send = drain(session)
    assert (fault.kind, fault.fatal) == ("second_connect", False)
    assert send == Send(message(0, 9, struct.pack("<BH", 1, 10)))


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (message(2, 0), "not_connected"),
        (message(11, 0), "not_connected"),
        (message(0, 0), "connect_size"),
        (struct.pack("<III", 0, 0, 11), "size_too_small"),
        (struct.pack("<III", 0, 0, 0), "size_too_small"),
        (struct.pack("<III", 0, 0, 17), "size_too_large"),
        (struct.pack("<III", 0, 0, 0xFFFFFFFF), "size_too_large"),
        (b"GET / HTTP/1.1\r\n\r\n", "size_too_large"),
        (connect(udp_port=0), "connect_udp_port"),
    ],
)
def test_what_cannot_begin_a_session_breaks_it_for_good(data, kind):
    session = new_session()
    session.receive(data + connect())
    (fault,) = drain(session)
    assert (fault.kind, fault.fatal) == (kind, True)
    assert session.phase is Phase.BROKEN
    session.receive(connect())
    assert session.next_event() is None


def test_a_connected_peer_may_send_messages_up_to_the_limit_only():
    session = connected()
    session.receive(message(500, 1, bytes(MAX_MESSAGE - 12)))
    assert [e.kind for e in drain(session) if isinstance(e, PeerFault)] == ["unknown_command"]
    session.receive(struct.pack("<III", 3, 2, MAX_MESSAGE + 1))
    assert [(e.kind, e.fatal) for e in drain(session)] == [("size_too_large", True)]


def test_accept_without_a_connect_is_a_mistake_of_the_caller():
    with pytest.raises(RuntimeError):
        new_session().accept()


def test_whole_and_byte_by_byte_give_the_same_events():
    whole = events_of([CONVERSATION])
    assert whole == events_of(bytes([b]) for b in CONVERSATION)
    assert len(whole) == 12  # 9 messages, one accept, two faults with their reply


@given(st.lists(st.integers(0, len(CONVERSATION)), max_size=40))
@settings(max_examples=200, deadline=None)
def test_any_cuts_give_the_same_events(cuts):
    edges = [0, *sorted(cuts), len(CONVERSATION)]
    chunks = [CONVERSATION[a:b] for a, b in itertools.pairwise(edges)]
    assert events_of(chunks) == events_of([CONVERSATION])


messages = st.one_of(
    st.builds(message, st.integers(0, 20), st.integers(0, 2**32 - 1), st.binary(max_size=130)),
    st.builds(lambda a, b, c: struct.pack("<III", a, b, c), *[st.integers(0, 2**32 - 1)] * 3),
    st.binary(max_size=40),
)


@given(st.lists(messages, max_size=12), st.randoms(use_true_random=False))
@settings(max_examples=300, deadline=None)
def test_no_bytes_whatever_break_more_than_their_own_session(parts, rng):
    """Every event is of a known kind, cuts do not matter, and what is kept stays bounded."""
    data = connect() + b"".join(parts)
    whole = events_of([data])
    assert whole == events_of(cut(data, rng))
    assert all(isinstance(e, ConnectRequested | Send | Submit | PeerFault) for e in whole)
    fatal = [e for e in whole if isinstance(e, PeerFault) and e.fatal]
    assert len(fatal) <= 1
    assert not fatal or whole[-1] is fatal[0]


def cut(data: bytes, rng: random.Random):
    while data:
        n = rng.randint(1, 60)
        yield data[:n]
        data = data[n:]
