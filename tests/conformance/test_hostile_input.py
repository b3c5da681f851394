"""Bytes nobody should send: the server counts them, keeps its clients, serves the next at once.

Random tests print their seed and take one from FRANKA_SIM_SEED.
"""

from __future__ import annotations

import contextlib
import os
import random
import socket
import struct

import fci_v10 as fci
import pytest
import raw_client as rc
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from raw_client import ClosedError, RawClient
from trajectories import quintic, shifted

IDENTITY = [1.0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
REQUESTS = {
    "Connect": fci.pack_connect(10, 50001),
    "Move": fci.pack_move("kJointPosition", "kJointImpedance"),
    "StopMove": b"",
    "SetCollisionBehavior": fci.pack_doubles([20.0] * 52),
    "SetJointImpedance": fci.pack_doubles([3000.0] * 7),
    "SetCartesianImpedance": fci.pack_doubles([300.0] * 6),
    "SetGuidingMode": bytes(7),
    "SetEEToK": fci.pack_doubles(IDENTITY),
    "SetNEToEE": fci.pack_doubles(IDENTITY),
    "SetLoad": fci.pack_doubles([0.0] * 13),
    "AutomaticErrorRecovery": b"",
    "GetRobotModel": b"",
}


@pytest.fixture
def dice() -> random.Random:
    seed = int(os.environ.get("FRANKA_SIM_SEED", random.SystemRandom().randrange(2**32)))
    print(f"FRANKA_SIM_SEED={seed}")
    return random.Random(seed)


def garbage(dice: random.Random, longest: int = 600) -> bytes:
    return dice.randbytes(dice.randint(0, longest))


def mutated(dice: random.Random, message: bytes) -> bytes:
    """A valid message with one to four faults: flipped, cut, grown, or a number made extreme."""
    data = bytearray(message)
    for _ in range(dice.randint(1, 4)):
        fault = dice.randrange(6)
        if fault == 0 and data:
            data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
        elif fault == 1:
            del data[dice.randint(0, len(data)) :]
        elif fault == 2:
            data += garbage(dice, 40)
        elif fault == 3 and len(data) >= 12:
            struct.pack_into(
                "<I", data, 8, dice.choice([0, 1, 11, 12, 13, 2**16, 2**31, 2**32 - 1])
            )
        elif fault == 4 and len(data) >= 8:
            at = dice.randint(0, len(data) - 8)
            value = dice.choice([float("nan"), float("inf"), -1e308, 5e-324, -0.0, 1e300])
            struct.pack_into("<d", data, at, value)
        elif fault == 5 and len(data) >= 4:
            struct.pack_into("<I", data, 0, dice.choice([0, 11, 12, 2**31, 2**32 - 1]))
    return bytes(data)


def knock(host: str, dice: random.Random, data: bytes) -> None:
    """One TCP connection that says something and leaves, half of them with a reset."""
    with contextlib.closing(
        socket.create_connection((host, fci.PORT), timeout=rc.WATCHDOG_S)
    ) as tcp:
        if dice.random() < 0.5:
            tcp.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        with contextlib.suppress(ConnectionError):
            tcp.sendall(data)


def serve_one_motion(host: str) -> None:
    """The proof: a new client connects, moves and finishes."""
    with RawClient(host) as client:
        if client.newest_state().robot_mode != "kIdle":
            client.automatic_error_recovery()
        start = client.start("kJointPosition", "kJointImpedance")
        samples = ({"q_c": shifted(start.q_d, 0, quintic(0.05, 0.3, k))} for k in range(301))
        assert client.play(samples).status is None
        assert client.finish(q_c=shifted(start.q_d, 0, 0.05)) == "kSuccess"


def test_5000_malformed_tcp_inputs_leave_a_server_that_serves_the_next_client(server, dice):
    """Issue 2, Show 7: half of them mutations of valid requests, a third after a valid Connect."""
    names = sorted(REQUESTS)
    for n in range(5000):
        name = dice.choice(names)
        request = fci.pack_request(name, dice.randrange(3), REQUESTS[name])
        data = mutated(dice, request) if n % 2 else garbage(dice)
        if n % 3 == 0:
            data = fci.pack_request("Connect", 0, fci.pack_connect(10, 50001)) + data
        knock(server.host, dice, data)
        if n % 500 == 499:
            serve_one_motion(server.host)
    serve_one_motion(server.host)


def test_5000_malformed_datagrams_leave_a_server_that_serves_the_next_client(server, dice):
    """Issue 2, Show 7: from the client's own port and from strangers, idle and moving."""
    command = fci.pack_command(1, q_c=[0.1] * 7, dq_c=[0.1] * 7, tau_J_d=[1.0] * 7)
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger,
        RawClient(server.host) as client,
    ):
        client.read_state()
        for n in range(5000):
            data = mutated(dice, command) if n % 2 else garbage(dice, 1500)
            if n % 4 < 2:
                client.send_datagram(data)
            else:
                stranger.sendto(data, client._state_source)
            if n % 500 == 499:
                assert client.newest_state().robot_mode == "kIdle"
    serve_one_motion(server.host)


def test_malformed_datagrams_do_not_disturb_a_running_motion(server, raw, dice):
    """Only a datagram of the right size from the right port is a command."""
    start = raw.start("kJointPosition", "kJointImpedance")
    stranger = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def disturb(k: int, state: fci.State) -> None:
        for _ in range(3):
            data = garbage(dice, 1500)
            if len(data) != fci.COMMAND_SIZE:
                raw.send_datagram(data)
            stranger.sendto(mutated(dice, fci.pack_command(state.message_id)), raw._state_source)
        raw.send_datagram(b"")

    with stranger:
        samples = ({"q_c": shifted(start.q_d, 0, quintic(0.1, 0.5, k))} for k in range(501))
        played = raw.play(samples, each=disturb)
    assert played.status is None, played.errors
    assert raw.finish(q_c=shifted(start.q_d, 0, 0.1)) == "kSuccess"


@pytest.mark.parametrize("size", [0, 1, 11, 13, 2**20, 2**31, 2**32 - 1])
def test_a_frame_that_lies_about_its_size_harms_nobody(server, size):
    """A length field is not a promise: no allocation by it, no wait for it."""
    with socket.create_connection((server.host, fci.PORT)) as liar:
        liar.sendall(
            fci.HEADER.pack(fci.COMMANDS["Connect"], 0, size) + fci.pack_connect(10, 50001)
        )
        serve_one_motion(server.host)


def test_a_flood_of_one_request_is_answered_in_full(raw):
    """Replies are never dropped: each request gets its answer whatever happens."""
    ids = [raw.send_request("SetJointImpedance", REQUESTS["SetJointImpedance"]) for _ in range(500)]
    assert {raw.reply(i).status for i in ids} == {"kSuccess"}


MESSAGE = st.one_of(
    st.binary(max_size=200),
    st.builds(
        lambda name, command_id, cut, extra: (
            fci.pack_request(name, command_id, REQUESTS[name])[:cut] + extra
        ),
        st.sampled_from(sorted(REQUESTS)),
        st.integers(0, 2**32 - 1),
        st.one_of(st.none(), st.integers(0, 130)),
        st.binary(max_size=30),
    ),
)


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(messages=st.lists(st.tuples(MESSAGE, st.booleans()), max_size=8))
def test_any_sequence_of_messages_after_connect_leaves_the_server_serving(server, messages):
    """Issue 2, Show 7: whole messages, pieces and noise on TCP and UDP of one session."""
    with RawClient(server.host) as client, contextlib.suppress(ClosedError, AssertionError):
        for data, by_udp in messages:
            if by_udp:
                client.send_datagram(data)
            else:
                client.send_bytes(data)
    with RawClient(server.host) as client:
        assert client.read_state().message_id >= 1
