"""The gripper's port as a raw client built from wire.md 4 sees it: layout, ids, rate, statuses."""

from __future__ import annotations

import itertools
import socket
import struct

import pytest
from raw_gripper import HEADER, RawGripper, message

PORT, VACUUM_PORT = 1338, 1339  # wire.md 0.2
NOWHERE = 9  # discard: nothing is read there


def test_connect_names_version_3_and_states_come_at_60_hz(serve):
    """Wire.md 4.1; the rate is that of reference 000, message_id is in ms (ASSUMED G7)."""
    sim = serve()
    with RawGripper(sim.host, PORT) as client:
        assert (client.status, client.server_version) == (0, 3)
        ids = [client.state().message_id for _ in range(121)]
    steps = [b - a for a, b in itertools.pairwise(ids)]
    assert set(steps) <= {16, 17}
    assert ids[-1] - ids[0] == 2000


def test_a_wrong_version_is_answered_and_the_connection_stays_open(serve):
    """Wire.md 2.2 with the gripper's numbers; the client closes, or tries again."""
    sim = serve()
    with RawGripper(sim.host, PORT, version=2) as client:
        assert (client.status, client.server_version) == (1, 3)
        again = client.send("Connect", 3, NOWHERE)
        assert client.reply(again) == (0, struct.pack("<HH", 0, 3))


def test_a_fresh_hand_is_homed_and_open(serve):
    with RawGripper(serve().host, PORT) as client:
        state = client.state()
    assert (state.width, state.max_width, state.is_grasped) == (0.08, 0.08, False)
    assert state.temperature == 30


def test_an_unhomed_hand_knows_no_width_and_fails_moves_until_homed(serve):
    """Robot-model.md 11, max_width before homing."""
    with RawGripper(serve(unhomed=True).host, PORT) as client:
        assert client.state().max_width == 0.0
        assert client.call("Move", 0.05, 0.1) == "kFail"
        assert client.call("Homing") == "kSuccess"
        assert client.fresh_state().max_width == pytest.approx(0.08)
        assert client.call("Move", 0.05, 0.1) == "kSuccess"


def test_the_aborted_command_and_its_stop_are_answered_each_by_its_id(serve):
    """Wire.md 4.1: replies come out of request order, matched by command_id."""
    with RawGripper(serve().host, PORT) as client:
        move = client.send("Move", 0.0, 0.01)
        stop = client.send("Stop")
        assert client.status_of(stop) == "kSuccess"
        assert client.status_of(move) == "kAborted"


def test_a_new_command_aborts_the_running_one_at_once(serve):
    with RawGripper(serve().host, PORT) as client:
        move = client.send("Move", 0.0, 0.01)
        grasp = client.send("Grasp", 0.0, 0.005, 0.005, 0.1, 20.0)
        assert client.status_of(move) == "kAborted"
        assert client.status_of(grasp) == "kSuccess"
        assert client.fresh_state().is_grasped


def test_every_client_gets_states_and_each_its_own_replies(serve):
    sim = serve()
    with RawGripper(sim.host, PORT) as one, RawGripper(sim.host, PORT) as other:
        first = one.send("Move", 0.02, 0.1)
        sim.wait_for(lambda sim: sim.hand.state.doing == "Moving")
        assert other.call("Move", 0.03, 0.1) == "kSuccess"
        assert one.status_of(first) == "kAborted"
        assert one.fresh_state().width == pytest.approx(0.03, abs=2e-4)
        assert other.fresh_state().width == pytest.approx(0.03, abs=2e-4)


def test_the_ninth_client_is_turned_away_and_a_place_becomes_free(serve):
    sim = serve()
    clients = [RawGripper(sim.host, PORT) for _ in range(8)]
    with pytest.raises((ConnectionError, OSError)):
        RawGripper(sim.host, PORT)
    clients.pop().close()
    sim.wait_for(lambda sim: _can_connect(sim.host))
    for client in clients:
        client.close()


def _can_connect(host: str) -> bool:
    try:
        RawGripper(host, PORT).close()
    except OSError:
        return False
    return True


def test_unknown_commands_and_wrong_sizes_fail_and_stop_nothing(serve):
    """Reference 000: an unknown command id replies kFail."""
    with RawGripper(serve().host, PORT) as client:
        move = client.send("Move", 0.0, 0.1)
        client.send_bytes(HEADER.pack(77, 500, HEADER.size))
        assert client.status_of(500) == "kFail"
        client.send_bytes(HEADER.pack(3, 501, HEADER.size + 4) + b"abcd")
        assert client.status_of(501) == "kFail"
        client.send_bytes(HEADER.pack(3, 502, HEADER.size))
        assert client.status_of(502) == "kFail"
        assert client.status_of(move) == "kSuccess"


@pytest.mark.parametrize("values", [(-0.01, 0.1), (0.081, 0.1), (float("nan"), 0.1), (0.04, 0.0)])
def test_a_move_out_of_range_fails(serve, values):
    with RawGripper(serve().host, PORT) as client:
        assert client.call("Move", *values) == "kFail"


@pytest.mark.parametrize(
    "data",
    [
        b"\xff" * 10,
        HEADER.pack(0, 0, 3),
        HEADER.pack(0, 0, 1 << 31),
        HEADER.pack(4, 0, HEADER.size),  # a Stop before Connect
        HEADER.pack(0, 0, 14) + struct.pack("<HH", 3, 0),  # UDP port 0
        b"GET / HTTP/1.1\r\n\r\n",
    ],
)
def test_nonsense_is_reset_and_counted_and_disturbs_nobody(serve, data):
    sim = serve()
    with RawGripper(sim.host, PORT) as client:
        move = client.send("Move", 0.0, 0.05)
        with socket.create_connection((sim.host, PORT)) as hostile:
            hostile.sendall(data)
            with pytest.raises(ConnectionResetError):
                hostile.recv(1)
        assert client.status_of(move) == "kSuccess"
    assert sum(n for kind, n in sim.counters().items() if kind.startswith("gripper_tcp_")) == 1


def test_a_request_cut_into_bytes_is_the_same_request(serve):
    with RawGripper(serve().host, PORT) as client:
        for byte in message(client.commands, "Move", 90, 0.05, 0.1):
            client.send_bytes(bytes([byte]))
        assert client.status_of(90) == "kSuccess"


def test_the_end_of_the_server_answers_what_runs(serve):
    """Wire.md 1.1: an unanswered request blocks its client for ever."""
    sim = serve()
    with RawGripper(sim.host, PORT) as client:
        move = client.send("Move", 0.0, 0.001)
        client.state()
        sim.stop()
        assert client.status_of(move) == "kAborted"


def test_grippers_of_robots_elsewhere_are_in_nobodys_way():
    """Another FCI port is one of several robots': each gripper takes a free port."""
    import franka_sim

    with franka_sim.serve(port=0) as one, franka_sim.serve(port=0) as other:
        assert len({one.gripper_port, other.gripper_port, PORT}) == 3
        for sim in (one, other):
            RawGripper(sim.host, sim.gripper_port).close()


def test_a_gripper_port_in_use_is_one_sentence(serve):
    import franka_sim
    from franka_sim.testing import free_loopback

    host = free_loopback()
    sentence = f"^.*gripper_port: {PORT} of {host} is in use by another program$"
    with socket.create_server((host, PORT)), pytest.raises(OSError, match=sentence):
        franka_sim.serve(host=host)
    with franka_sim.serve(host=host, gripper="none") as sim:
        assert sim.gripper_port is None
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection((host, PORT))


def test_an_object_of_the_options_is_grasped(serve):
    """Reference 000, --gripper-object-width: a grasp succeeds, a move stops, opening is free."""
    with RawGripper(serve(gripper_object_width=0.04).host, PORT) as client:
        assert client.call("Homing") == "kSuccess"
        assert client.call("Grasp", 0.04, 0.005, 0.005, 0.1, 20.0) == "kSuccess"
        assert client.fresh_state().is_grasped
        assert client.call("Move", 0.08, 0.1) == "kSuccess"
        assert not client.fresh_state().is_grasped
        assert client.call("Move", 0.0, 0.1) == "kUnsuccessful"
        assert client.fresh_state().width == pytest.approx(0.04, abs=5e-4)
