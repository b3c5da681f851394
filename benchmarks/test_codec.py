"""States to datagrams and back, beside ``struct``: one state a call, and arrays of them."""

from __future__ import annotations

import struct

import numpy as np

from franka_sim import _engine, _kernels

VERSION, SIZE = 10, 1377
#: The wire's types for struct and for NumPy; little endian, packed (wire.md 3).
STRUCT = {"uint8": "B", "bool8": "?", "uint64": "Q", "float32": "f"}
NUMPY = {"uint8": "u1", "bool8": "?", "uint64": "<u8", "float32": "<f4"}
STATES = 1000
FIELDS = _engine.wire_fields(VERSION)  # name, type, count, offset
PLAIN = struct.Struct("<" + "".join(f"{count}{STRUCT[kind]}" for _, kind, count, _ in FIELDS))
PACKED = np.dtype(
    [(name, NUMPY[kind], (count,) if count > 1 else ()) for name, kind, count, _ in FIELDS]
)


def states(n: int) -> np.ndarray:
    """States whose numbers differ."""
    rows = np.zeros(n, _engine.state_dtype)
    rng = np.random.default_rng(1)
    for name in ("q", "dq", "q_d", "tau_J", "O_T_EE"):
        rows[name] = rng.normal(size=rows[name].shape)
    rows["message_id"] = np.arange(n)
    return rows


def numbers(row: np.ndarray) -> list[float]:
    """The numbers of one state in the wire's order."""
    return [x for name, *_ in FIELDS for x in np.ravel(row[name]).tolist()]


def test_the_plain_struct_makes_the_same_datagram():
    row = states(2)[1:]
    assert PLAIN.size == SIZE
    assert PLAIN.pack(*numbers(row)) == _engine.encode_state(VERSION, row)


def test_encode_one_state(compare):
    row = states(2)[1:]
    values = numbers(row)
    sent = compare(lambda: _engine.encode_state(VERSION, row), lambda: PLAIN.pack(*values))
    assert len(sent) == SIZE


def test_decode_one_state(compare):
    data = _engine.encode_state(VERSION, states(2)[1:])
    row = compare(lambda: _engine.decode_state(VERSION, data), lambda: PLAIN.unpack(data))
    assert row["message_id"] == 1


def test_encode_many_states(compare):
    """The plain way to make many: NumPy casts each field into a packed record."""
    rows = states(STATES)
    out = np.empty((STATES, SIZE), np.uint8)
    packed = np.empty(STATES, PACKED)
    assert packed.itemsize == SIZE

    def plain() -> None:
        for name, *_ in FIELDS:
            packed[name] = rows[name]

    compare(lambda: _kernels.encode_states(VERSION, rows, out=out), plain)
    plain()
    assert out.tobytes() == packed.tobytes()


def test_decode_many_states(compare):
    data = _kernels.encode_states(VERSION, states(STATES))
    out = np.empty(STATES, _engine.state_dtype)
    plain_out = np.empty(STATES, _engine.state_dtype)
    packed = data.view(PACKED).reshape(STATES)

    def plain() -> None:
        for name, *_ in FIELDS:
            plain_out[name] = packed[name]

    compare(lambda: _kernels.decode_states(VERSION, data, out=out), plain)
    plain()
    for name, *_ in FIELDS:
        np.testing.assert_array_equal(out[name], plain_out[name])
