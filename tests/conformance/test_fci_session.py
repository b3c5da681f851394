"""Connections: who gets the one client slot, what each request is answered, who is not obeyed."""

from __future__ import annotations

import socket
import struct

import fci_v10 as fci
import pytest
import raw_client as rc
from raw_client import ClosedError, RawClient, RejectedError
from trajectories import quintic, shifted


def hold(state: fci.State) -> dict:
    return {"q_c": state.q_d}


def test_states_flow_from_connect_with_ids_that_rise_by_one(raw):
    """wire.md 2.1 and 3.3: small ids, +1 a state."""
    first = raw.read_state()
    assert 1 <= first.message_id < 1000
    ids = [raw.read_state().message_id for _ in range(200)]
    assert ids == list(range(first.message_id + 1, first.message_id + 201))


def test_an_idle_robot_shows_idle_modes_and_no_error(raw):
    """wire.md 5.1."""
    state = raw.newest_state()
    assert (state.robot_mode, state.motion_generator_mode) == ("kIdle", "kIdle")
    assert state.controller_mode in ("kOther", "kJointImpedance")
    assert state.errors == ()
    assert state.control_command_success_rate == 0.0


def test_a_client_of_another_version_is_refused_at_once_with_ours(server):
    """wire.md 2.2; the next connection is welcome immediately."""
    for version in (1, 5, 9, 11, 65535):
        with RawClient(server.host, connect=False) as old:
            with pytest.raises(RejectedError) as refusal:
                old.connect(version)
            assert refusal.value.status == "kIncompatibleLibraryVersion"
            assert old.server_version == 10
    with RawClient(server.host) as client:
        assert client.server_version == 10


def test_a_second_client_is_reset_and_the_first_is_undisturbed(server, raw):
    """Issue 2, commands: one client slot; its owner keeps a running motion."""
    start = raw.start("kJointPosition", "kJointImpedance")
    goal = 0.2

    def intrude(k: int, state: fci.State) -> None:
        if k not in (50, 100, 150):
            return
        second = RawClient(server.host, connect=False)
        try:
            second.send_request("Connect", fci.pack_connect(10, second.udp.getsockname()[1]))
            second.expect_closed()
        except ClosedError:
            pass
        finally:
            second.close()

    samples = ({"q_c": shifted(start.q_d, 0, quintic(goal, 0.6, k))} for k in range(601))
    assert raw.play(samples, each=intrude).status is None
    assert raw.finish(q_c=shifted(start.q_d, 0, goal)) == "kSuccess"


def test_a_silent_connection_keeps_nobody_out(server):
    """Issue 2: a silent or slow TCP peer blocks nobody."""
    with (
        socket.create_connection((server.host, fci.PORT)),
        socket.create_connection((server.host, fci.PORT)) as slow,
    ):
        slow.sendall(fci.pack_request("Connect", 0, fci.pack_connect(10, 9))[:7])
        with RawClient(server.host) as client:
            assert client.read_state().robot_mode == "kIdle"


def test_a_client_that_left_before_its_answer_keeps_nobody_out(server):
    """Issue 2, Show 7: served at once; who has hung up no longer owns the slot."""
    for _ in range(100):
        with socket.create_connection((server.host, fci.PORT)) as hasty:
            hasty.sendall(fci.pack_request("Connect", 0, fci.pack_connect(10, 50001)))
        with RawClient(server.host) as client:
            assert client.read_state().robot_mode == "kIdle"


def test_a_request_that_arrives_byte_by_byte_is_understood(server):
    """Framing must not depend on how TCP cuts the stream."""
    with RawClient(server.host, connect=False) as client:
        client._names[0], client._next_id = "Connect", 1
        message = fci.pack_request("Connect", 0, fci.pack_connect(10, client.udp.getsockname()[1]))
        for byte in message:
            client.send_bytes(bytes([byte]))
        assert client.reply(0).status == "kSuccess"
        client.read_state()


def test_requests_sent_in_one_piece_are_each_answered(raw):
    """wire.md 1.1: answers are matched by id."""
    ids = [raw._next_id + i for i in range(10)]
    pile = b""
    for command_id in ids:
        raw._names[command_id] = "SetJointImpedance"
        pile += fci.pack_request("SetJointImpedance", command_id, fci.pack_doubles([3000.0] * 7))
    raw._next_id += len(ids)
    raw.send_bytes(pile)
    assert [raw.reply(command_id).status for command_id in ids] == ["kSuccess"] * 10


def test_an_unknown_command_is_still_answered(server):
    """wire.md 11.1: a request without an answer hangs a client for ever."""
    with RawClient(server.host) as client:
        client.send_bytes(fci.HEADER.pack(77, client._next_id, fci.HEADER.size))
        client.tcp.settimeout(rc.WATCHDOG_S)
        try:
            answer = client.tcp.recv(64)
        except ConnectionError:
            answer = b""
        # Either a rejection of 13 bytes, or an end that libfranka notices.
        if answer:
            _, command_id, size = fci.HEADER.unpack_from(answer)
            assert (command_id, size) == (client._next_id, 13)
            assert answer[12] != 0
    with RawClient(server.host) as client:
        assert client.read_state().robot_mode == "kIdle"


def test_a_client_that_vanishes_in_motion_frees_the_slot_and_the_arm_stops(server):
    """wire.md 2.1: TCP end of stream is a controlled stop."""
    with RawClient(server.host) as client:
        client.start("kJointVelocity", "kJointImpedance")
        client.play({"dq_c": [0.002 * min(k, 100), 0, 0, 0, 0, 0, 0]} for k in range(150))
    with RawClient(server.host) as client:
        client.read_until(lambda s: s.robot_mode == "kIdle" and max(map(abs, s.dq)) < 0.01, "rest")
        start = client.start("kJointPosition", "kJointImpedance")
        assert client.play([hold(start)] * 20).status is None
        assert client.finish(**hold(start)) == "kSuccess"


def test_a_latched_reflex_survives_a_reconnect(server):
    """Issue 2, commands."""
    with RawClient(server.host) as client:
        start = client.start("kJointPosition", "kJointImpedance")
        jump = client.play([{"q_c": shifted(start.q_d, 0, 0.2)}] * 5)
        assert jump.status == "kReflexAborted"
    with RawClient(server.host) as client:
        state = client.newest_state()
        assert state.robot_mode == "kReflex"
        assert state.errors
        with pytest.raises(RejectedError):
            client.start("kJointPosition", "kJointImpedance")
        assert client.automatic_error_recovery() == "kSuccess"
        assert client.newest_state().robot_mode == "kIdle"


def test_datagrams_from_elsewhere_are_not_obeyed(server, raw):
    """Issue 2, hostile input: only the client's own address and port command."""
    start = raw.start("kJointPosition", "kJointImpedance")
    stranger = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    stranger.bind(("127.0.0.1", 0))

    def forge(k: int, state: fci.State) -> None:
        away = shifted(start.q_d, 3, 0.5)
        for echo in (state.message_id, state.message_id + 1):
            stranger.sendto(fci.pack_command(echo, q_c=away), raw._state_source)
            stranger.sendto(
                fci.pack_command(echo, q_c=away, motion_generation_finished=True), raw._state_source
            )

    with stranger:
        played = raw.play([hold(start)] * 300, each=forge)
    assert played.status is None
    assert played.state.q_d == pytest.approx(start.q_d, abs=1e-6)
    assert raw.finish(**hold(start)) == "kSuccess"


SETTERS = {
    "SetCollisionBehavior": fci.pack_doubles([20.0] * 14, [20.0] * 14, [20.0] * 12, [20.0] * 12),
    "SetJointImpedance": fci.pack_doubles([3000.0] * 7),
    "SetCartesianImpedance": fci.pack_doubles([3000.0] * 3 + [300.0] * 3),
    "SetGuidingMode": struct.pack("<7?", *[True] * 7),
    "SetEEToK": fci.pack_doubles([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
    "SetNEToEE": fci.pack_doubles([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
    "SetLoad": fci.pack_doubles([0.0] * 13),
}


@pytest.mark.parametrize("command", sorted(SETTERS))
def test_a_setter_succeeds_idle_and_is_refused_while_moving_and_in_a_reflex(raw, command):
    """wire.md 5.11."""
    assert raw.request(command, SETTERS[command]).status == "kSuccess"
    start = raw.start("kJointPosition", "kJointImpedance")
    raw.play([hold(start)] * 10)
    request = raw.send_request(command, SETTERS[command])
    raw.play([hold(start)] * 10)
    assert raw.reply(request).status == "kCommandNotPossibleRejected"
    raw.play([{"q_c": shifted(start.q_d, 0, 0.2)}] * 3)
    assert raw.newest_state().robot_mode == "kReflex"
    if command != "SetGuidingMode":
        assert raw.request(command, SETTERS[command]).status == "kCommandNotPossibleRejected"
    assert raw.automatic_error_recovery() == "kSuccess"
    assert raw.request(command, SETTERS[command]).status == "kSuccess"


def test_stop_move_succeeds_in_every_mode(server, raw):
    """wire.md 5.6: anything else ends a libfranka process."""
    assert raw.stop_move() == "kSuccess"
    start = raw.start("kJointPosition", "kJointImpedance")
    raw.play([hold(start)] * 10)
    assert raw.stop_move() == "kSuccess"
    assert raw.terminal_status() == "kPreempted"
    start = raw.start("kJointPosition", "kJointImpedance")
    raw.play([{"q_c": shifted(start.q_d, 0, 0.2)}] * 3)
    assert raw.stop_move() == "kSuccess"
    assert raw.automatic_error_recovery() == "kSuccess"
    server.user_stop(True)
    raw.read_until(lambda s: s.robot_mode == "kUserStopped", "user stop")
    assert raw.stop_move() == "kSuccess"
    server.user_stop(False)
    raw.read_until(lambda s: s.robot_mode == "kIdle", "the user stop released")


def test_the_robot_model_is_an_urdf_that_libfranka_can_use(raw):
    """wire.md 10: seven movable joints, link8 last, position-based velocity limits."""
    import xml.etree.ElementTree as ElementTree

    robot = ElementTree.fromstring(raw.get_robot_model())
    assert robot.tag == "robot"
    assert not robot.get("name", "").startswith("tmr")
    movable = [j for j in robot.findall("joint") if j.get("type") in ("revolute", "continuous")]
    assert len(movable) == 7
    assert [link.get("name") for link in robot.findall("link")].count("link8") == 1
    for number, joint in enumerate(movable, 1):
        assert f"joint{number}" in joint.get("name")
        assert {"velocity", "upper", "lower"} <= set(joint.find("limit").attrib)
        extra = joint.find("position_based_velocity_limits").attrib
        assert {"velocity_offset", "deceleration_limit"} <= set(extra)
