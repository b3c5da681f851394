"""Codecs, tables and replies against bytes and layouts a compiler made from the published headers.

tests/golden/wire_layout_v10.json and robot_v10.json are the only source of an expectation here.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from franka_sim import _engine
from franka_sim.server.session import ConnectRequested, Send, Session, Submit, token_source
from franka_sim.server.tables import command_table

if not hasattr(_engine, "encode_state"):
    pytest.skip(
        "needs the compiled core; the project's test command builds it", allow_module_level=True
    )

GOLDEN = Path(__file__).parents[1] / "golden"
LAYOUT = json.loads((GOLDEN / "wire_layout_v10.json").read_text())
VECTORS = json.loads((GOLDEN / "robot_v10.json").read_text())["vectors"]
COMMANDS = {c["name"]: c for c in LAYOUT["commands"]}
URDF = b'<robot name="fr3"/>'

STATE = next(v for v in VECTORS if v.get("struct") == "RobotState")
COMMAND_VECTORS = [v for v in VECTORS if v.get("struct") == "RobotCommand"]
RESPONSES = [v for v in VECTORS if v["kind"] == "response"]


def record(dtype: np.dtype[Any], values: dict[str, Any]) -> np.ndarray:
    """Fill one message by the wire's names."""
    message = np.zeros((), dtype)
    for name, value in values.items():
        message[name.rpartition(".")[2]] = value
    return message


def test_the_golden_state_encodes_to_the_golden_bytes():
    data = _engine.encode_state(10, record(_engine.state_dtype, STATE["values"]))
    assert data == bytes.fromhex(STATE["hex"])
    assert len(data) == STATE["size"] == 1377


def test_the_golden_bytes_decode_to_the_golden_state():
    state = _engine.decode_state(10, bytes.fromhex(STATE["hex"]))
    for name, value in STATE["values"].items():
        np.testing.assert_array_equal(state[name], value, err_msg=name)


@pytest.mark.parametrize("vector", COMMAND_VECTORS, ids=["first", "second"])
def test_a_golden_command_goes_both_ways(vector):
    data = bytes.fromhex(vector["hex"])
    assert _engine.encode_command(10, record(_engine.command_dtype, vector["values"])) == data
    command = _engine.decode_command(10, data)
    for name, value in vector["values"].items():
        np.testing.assert_array_equal(command[name.rpartition(".")[2]], value, err_msg=name)


@pytest.mark.parametrize(
    ("struct", "table"),
    [("RobotState", _engine.wire_fields), ("RobotCommand", _engine.command_fields)],
)
def test_names_types_counts_and_offsets_are_the_compilers(struct, table):
    golden = [
        (f["field"], f["type"], int(np.prod(f["count"])), f["offset"])
        for f in LAYOUT["structs"][struct]["fields"]
    ]
    assert [tuple(row) for row in table(10)] == golden


def test_a_datagram_of_any_other_size_is_refused():
    data = bytes.fromhex(STATE["hex"]) + bytes(1000)
    for size in range(len(data)):
        if size != 1377:
            with pytest.raises(ValueError, match="size"):
                _engine.decode_state(10, data[:size])
        if size != 371:
            with pytest.raises(ValueError, match="size"):
                _engine.decode_command(10, data[:size])


@pytest.mark.parametrize("version", [0, 3, 5, 9, 11])
def test_a_version_that_is_not_built_in_is_refused_by_name(version):
    for call in (_engine.wire_fields, _engine.command_fields, _engine.commands):
        with pytest.raises(ValueError, match=f"FCI version {version} is not built in"):
            call(version)


def test_command_ids_sizes_and_statuses_are_the_compilers():
    table = _engine.commands(10)
    assert set(table) == set(COMMANDS)
    for name, golden in COMMANDS.items():
        row = table[name]
        assert row["id"] == golden["id"], name
        assert row["request_size"] == golden["request_total_size"], name
        assert row["statuses"] == golden["status"], name
        if isinstance(golden["response_total_size"], int):
            assert row["reply_size"] == golden["response_total_size"], name
    assert table["GetRobotModel"]["reply_size"] == 13  # header and status; the text follows


def test_the_errors_are_in_libfrankas_order():
    assert list(_engine.error_names()) == LAYOUT["error_names"]
    assert len(LAYOUT["error_names"]) == 41


def test_a_golden_request_has_the_size_of_its_table_row():
    for vector in VECTORS:
        if vector["kind"] == "request":
            row = _engine.commands(10)[vector["command"]]
            assert len(bytes.fromhex(vector["hex"])) == vector["size"] == row["request_size"]
            assert vector["header"]["command"] == row["id"]


def connected() -> Session:
    """Return a session that has answered a Connect."""
    session = Session(token_source(), command_table(10), URDF)
    session.receive(request("Connect"))
    assert isinstance(session.next_event(), ConnectRequested)
    session.accept()
    return session


def request(command: str) -> bytes:
    """Return the golden request of `command`."""
    return bytes.fromhex(
        next(v for v in VECTORS if v["kind"] == "request" and v["command"] == command)["hex"]
    )


@pytest.mark.parametrize("vector", RESPONSES, ids=lambda v: f"{v['command']}-{v['status']}")
def test_a_reply_is_byte_equal_to_the_golden_one(vector):
    command, status = vector["command"], vector["status"]
    if command == "Connect":
        session = Session(token_source(), command_table(10), URDF)
        data = request(command)
        if status == "kSuccess":
            session.receive(data)
            assert isinstance(session.next_event(), ConnectRequested)
            reply = session.accept()
        else:
            session.receive(data[:12] + b"\x05\x00" + data[14:])  # a v5 client
            event = session.next_event()
            assert isinstance(event, Send)
            reply = event.data
    elif command == "GetRobotModel":
        session = connected()
        session.receive(request(command))
        event = session.next_event()
        assert isinstance(event, Send)
        if status != "kSuccess":
            assert event.data[12] == 0  # answered kSuccess in every mode (wire.md 5.11)
            return
        reply = event.data
    else:
        session = connected()
        session.receive(request(command))
        event = session.next_event()
        assert isinstance(event, Submit)
        assert event.payload == request(command)[12:]
        answer = session.answer(event.token, vector["values"]["status"])
        assert answer is not None
        reply = answer
    assert reply == bytes.fromhex(vector["hex"])
