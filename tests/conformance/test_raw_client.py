"""The raw client against published bytes: what the other tests rely on must not be ours alone."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import fci_v10 as fci
import pytest

VECTORS = json.loads(
    (Path(__file__).parents[1] / "golden" / "robot_v10.json").read_text(encoding="utf-8")
)["vectors"]


def _vectors(kind: str, **match) -> list:
    chosen = [
        v for v in VECTORS if v["kind"] == kind and all(v.get(k) == m for k, m in match.items())
    ]
    assert chosen, f"no golden vector for {kind} {match}"
    return chosen


def test_commands_are_packed_as_published():
    """golden/robot_v10.json, RobotCommand vectors."""
    for vector in _vectors("udp", struct="RobotCommand"):
        values = dict(vector["values"])
        message_id = values.pop("message_id")
        fields = {name.split(".", 1)[1]: value for name, value in values.items()}
        assert fci.pack_command(message_id, **fields).hex() == vector["hex"]


def test_states_are_read_as_published():
    """golden/robot_v10.json, RobotState vectors: every field, the modes and both error lists."""
    for vector in _vectors("udp", struct="RobotState"):
        state, values = fci.State(bytes.fromhex(vector["hex"])), vector["values"]
        for name, value in values.items():
            if name in ("errors", "reflex_reason"):
                names = tuple(n for n, on in zip(fci.ERROR_NAMES, value, strict=True) if on)
                assert getattr(state, name) == names
            elif name == "motion_generator_mode":
                assert fci.GENERATOR_MODES.index(state.motion_generator_mode) == value
            elif name == "controller_mode":
                assert fci.CONTROLLER_MODES.index(state.controller_mode) == value
            elif name == "robot_mode":
                assert fci.ROBOT_MODES.index(state.robot_mode) == value
            else:
                flat = _flat(value)
                seen = getattr(state, name)
                assert list(seen) == flat if isinstance(value, list) else seen == value, name


def _flat(value) -> list:
    if not isinstance(value, list):
        return [value]
    return [x for part in value for x in _flat(part)]


@pytest.mark.parametrize("command", sorted(fci.COMMANDS))
def test_requests_are_framed_as_published(command):
    """golden/robot_v10.json, request vectors: header, id and total size."""
    for vector in _vectors("request", command=command):
        header = vector["header"]
        message = bytes.fromhex(vector["hex"])
        payload = message[fci.HEADER.size :]
        assert fci.COMMANDS[command] == header["command"]
        assert fci.pack_request(command, header["command_id"], payload) == message


def test_move_and_connect_payloads_are_packed_as_published():
    """golden/robot_v10.json, the two requests with more than one array."""
    (move,) = _vectors("request", command="Move")[:1]
    values = move["values"]
    generator = next(
        n for n, i in fci._MOVE_GENERATORS.items() if i == values["motion_generator_mode"]
    )
    controller = next(n for n, i in fci._MOVE_CONTROLLERS.items() if i == values["controller_mode"])
    parts = ("translation", "rotation", "elbow")
    payload = fci.pack_move(
        generator,
        controller,
        maximum_path_deviation=[values[f"maximum_path_deviation.{p}"] for p in parts],
        maximum_goal_pose_deviation=[values[f"maximum_goal_pose_deviation.{p}"] for p in parts],
        use_async_motion_generator=bool(values["use_async_motion_generator"]),
        maximum_velocity=values["maximum_velocity"],
    )
    assert payload == bytes.fromhex(move["hex"])[fci.HEADER.size :]
    connect = _vectors("request", command="Connect")[0]
    packed = fci.pack_connect(connect["values"]["version"], connect["values"]["udp_port"])
    assert packed == bytes.fromhex(connect["hex"])[fci.HEADER.size :]


@pytest.mark.parametrize("command", sorted(fci.STATUSES))
def test_statuses_are_named_as_published(command):
    """golden/robot_v10.json, response vectors."""
    for vector in _vectors("response", command=command):
        number = bytes.fromhex(vector["hex"])[fci.HEADER.size]
        assert fci.STATUSES[command][number] == vector["status"]
    assert struct.calcsize("<III") == fci.HEADER.size
