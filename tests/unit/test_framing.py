"""The framer against a slow plain version of itself."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from franka_sim.server.framing import Framer, FramingError

frames = st.lists(
    st.tuples(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1), st.binary(max_size=88))
)


@given(frames, st.data())
def test_what_was_packed_comes_out_whatever_the_cuts(parts, data):
    stream = b"".join(struct.pack("<III", c, i, 12 + len(p)) + p for c, i, p in parts)
    framer = Framer(limit=100)
    got = []
    at = 0
    while at < len(stream):
        step = data.draw(st.integers(1, len(stream) - at))
        framer.feed(stream[at : at + step])
        at += step
        while (frame := framer.next_frame()) is not None:
            got.append((frame.command, frame.command_id, frame.payload))
    assert got == parts
    assert len(framer) == 0


@pytest.mark.parametrize("size", [0, 1, 11])
def test_a_size_below_the_header_is_refused(size):
    framer = Framer(limit=100)
    framer.feed(struct.pack("<III", 1, 2, size))
    with pytest.raises(FramingError, match="smaller"):
        framer.next_frame()


def test_a_size_above_the_limit_is_refused_before_its_payload_comes():
    framer = Framer(limit=100)
    framer.feed(struct.pack("<III", 1, 2, 101))
    with pytest.raises(FramingError, match="larger"):
        framer.next_frame()


def test_a_header_in_pieces_is_waited_for():
    framer = Framer(limit=100)
    framer.feed(struct.pack("<III", 1, 2, 12)[:11])
    assert framer.next_frame() is None
    framer.feed(b"\0")
    frame = framer.next_frame()
    assert frame is not None
    assert frame.size == 12
