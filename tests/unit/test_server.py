"""The FCI port over real sockets on loopback, with a robot that only remembers (fake_engine).

Nothing sleeps: tests wait for bytes, for resets, or for the engine to be called.
"""

import contextlib
import socket
import struct

import pytest
from fake_engine import FakeEngine, FakeEvent

from franka_sim.server import reception
from franka_sim.server.probe import probe
from franka_sim.server.session import MAX_OUTSTANDING
from franka_sim.server.tables import command_table
from franka_sim.server.tcp import TcpServer, bind

URDF = b"<robot name='fr3'>" + b"x" * 30_000 + b"</robot>"
LIMIT = 10.0  # watchdog of every wait


def message(command, command_id, payload=b""):
    return struct.pack("<III", command, command_id, 12 + len(payload)) + payload


def connect_message(version=10, udp_port=5000):
    return message(0, 0, struct.pack("<HH", version, udp_port))


ACCEPTED = message(0, 0, struct.pack("<BH", 0, 10))
REFUSED = message(0, 0, struct.pack("<BH", 1, 10))


class Bench:
    """A server, its fake robot, and raw clients."""

    def __init__(self):
        self.engine = FakeEngine()
        self.seen = []
        self.server = TcpServer(
            bind("127.0.0.1", 0), self.engine, command_table(10), URDF, self.seen.append
        )
        self.server.start()
        self.sockets = []

    @property
    def faults(self):
        return self.server.desk.faults.snapshot()

    def open(self):
        sock = socket.create_connection(self.server.address, LIMIT)
        self.sockets.append(sock)
        return sock

    def client(self):
        sock = self.open()
        sock.sendall(connect_message())
        assert receive(sock, len(ACCEPTED)) == ACCEPTED
        return sock

    def close(self):
        for sock in self.sockets:
            sock.close()
        self.server.stop()


@pytest.fixture
def bench():
    with contextlib.closing(Bench()) as bench:
        yield bench


def receive(sock, size):
    data = b""
    while len(data) < size:
        part = sock.recv(size - len(data))
        assert part, f"closed after {data!r}"
        data += part
    return data


def is_reset(sock):
    """Wait until the peer is told to go; anything but a reset fails."""
    try:
        while sock.recv(1000):
            pass
    except ConnectionResetError:
        return True
    raise AssertionError("closed by FIN: a waiting libfranka would spin for ever")


def reset(sock):
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()


def test_a_valid_connect_attaches_the_peer_and_is_answered(bench):
    bench.client()
    assert bench.engine.wait_for_call("attach") == ("attach", "127.0.0.1", 5000, 10)


def test_a_request_reaches_the_core_and_its_answer_the_client(bench):
    sock = bench.client()
    sock.sendall(message(9, 77, bytes(104)))
    _, token, version, command, payload = bench.engine.wait_for_call("submit")
    assert (version, command, payload) == (10, 9, bytes(104))
    bench.engine.emit(FakeEvent(token=token, status=0))
    assert receive(sock, 13) == message(9, 77, b"\0")


def test_a_move_has_its_start_and_its_end_in_order(bench):
    sock = bench.client()
    sock.sendall(message(1, 3, bytes(113)))
    token = bench.engine.wait_for_call("submit")[1]
    bench.engine.emit(FakeEvent("motion_started", token, 1), FakeEvent("motion_ended", token, 8))
    assert receive(sock, 26) == message(1, 3, b"\1") + message(1, 3, b"\x08")


def test_the_robot_model_comes_whole(bench):
    sock = bench.client()
    sock.sendall(message(11, 1))
    assert receive(sock, 13 + len(URDF)) == message(11, 1, b"\0" + URDF)


def test_a_request_the_core_does_not_take_is_answered_with_a_rejection(bench):
    sock = bench.client()
    bench.engine.submit_error = RuntimeError("queue full")
    sock.sendall(message(1, 4, bytes(113)))
    assert receive(sock, 13) == message(1, 4, b"\5")


def test_a_second_client_is_reset_and_the_first_undisturbed(bench):
    first = bench.client()
    second = bench.open()
    second.sendall(connect_message())
    assert is_reset(second)
    first.sendall(message(11, 1))
    assert receive(first, 13 + len(URDF)).startswith(message(11, 1, b"\0" + URDF)[:13])
    assert [call[0] for call in bench.engine.calls] == ["attach"]


def test_a_silent_peer_is_reset_while_the_slot_is_taken(bench):
    bench.client()
    assert is_reset(bench.open())


def test_a_peer_that_was_silent_before_the_slot_was_taken_is_reset_too(bench):
    silent = bench.open()
    bench.client()
    assert is_reset(silent)


def test_a_silent_peer_is_reset_and_counted_after_the_deadline(monkeypatch):
    monkeypatch.setattr(reception, "CONNECT_DEADLINE", 0.01)
    with contextlib.closing(Bench()) as bench:
        assert is_reset(bench.open())
        assert bench.faults == {"tcp_silent_peer": 1}


def test_a_trickling_peer_blocks_nobody(bench):
    slow = bench.open()
    slow.sendall(connect_message()[:7])
    client = bench.client()
    client.sendall(message(2, 1))
    assert bench.engine.wait_for_call("submit")[3] == 2
    assert is_reset(slow)


def test_a_crowd_of_silent_peers_starves_no_client(bench):
    crowd = [bench.open() for _ in range(reception.MAX_PENDING + 10)]
    bench.client()
    assert is_reset(crowd[0])
    assert bench.faults["tcp_too_many_pending"] >= 10


@pytest.mark.parametrize("leave", [socket.socket.close, reset], ids=["FIN", "RST"])
def test_the_slot_is_free_at_once_when_the_client_leaves(bench, leave):
    for round_ in range(1, 4):
        leave(bench.client())
        bench.engine.wait_for_call("detach", round_)


def test_who_left_before_the_answer_to_its_connect_keeps_nobody_out(bench):
    """Both may lie in the kernel when the loop looks: the newcomer must not meet a ghost."""
    for leave in (socket.socket.close, reset) * 20:
        hasty = bench.open()
        hasty.sendall(connect_message() + message(2, 1))
        leave(hasty)
        bench.client().close()


def test_a_client_that_only_ends_its_half_has_left(bench):
    sock = bench.client()
    sock.shutdown(socket.SHUT_WR)
    bench.engine.wait_for_call("detach")
    assert sock.recv(10) == b""


def test_answers_of_a_client_that_left_do_not_reach_the_next(bench):
    first = bench.client()
    first.sendall(message(2, 1))
    old = bench.engine.wait_for_call("submit")[1]
    reset(first)
    bench.engine.wait_for_call("detach")
    second = bench.client()
    second.sendall(message(10, 1))
    new = bench.engine.wait_for_call("submit", 2)[1]
    bench.engine.emit(FakeEvent(token=old, status=0), FakeEvent(token=new, status=4))
    assert receive(second, 13) == message(10, 1, b"\4")


def test_after_a_refused_version_the_next_connection_works_at_once(bench):
    """franka-rs asks with 10 and comes back with 5 (wire.md 2.2); here the other way round."""
    old = bench.open()
    old.sendall(connect_message(version=5))
    assert receive(old, len(REFUSED)) == REFUSED
    bench.client()


def test_a_refused_version_may_be_followed_by_the_right_one_on_the_same_connection(bench):
    sock = bench.open()
    sock.sendall(connect_message(version=9) + connect_message())
    assert receive(sock, 30) == REFUSED + ACCEPTED


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"\xff" * 12, "tcp_size_too_large"),
        (struct.pack("<III", 0, 0, 3), "tcp_size_too_small"),
        (message(2, 0), "tcp_not_connected"),
        (b"GET / HTTP/1.1\r\nHost: robot\r\n\r\n", "tcp_size_too_large"),
    ],
)
def test_bytes_that_are_no_fci_are_counted_and_reset(bench, data, kind):
    for _ in range(3):
        sock = bench.open()
        sock.sendall(data)
        assert is_reset(sock)
    assert bench.faults == {kind: 3}
    bench.client()


def test_a_client_that_breaks_the_protocol_is_reset_and_detached(bench):
    sock = bench.client()
    sock.sendall(struct.pack("<III", 1, 1, 0xFFFFFFFF))
    assert is_reset(sock)
    bench.engine.wait_for_call("detach")
    bench.client()


def test_a_client_cannot_have_more_requests_with_the_core_than_it_can_hold(bench):
    sock = bench.client()
    sock.sendall(message(2, 1) * (3 * MAX_OUTSTANDING))
    for number in range(1, 3 * MAX_OUTSTANDING + 1):
        _, token, *_ = bench.engine.wait_for_call("submit", number)
        calls = [call for call in bench.engine.calls if call[0] == "submit"]
        assert len(calls) - (number - 1) <= MAX_OUTSTANDING
        bench.engine.emit(FakeEvent(token=token))
    assert receive(sock, 13 * 3 * MAX_OUTSTANDING) == message(2, 1, b"\0") * (3 * MAX_OUTSTANDING)


def test_a_client_that_does_not_read_is_not_read_and_gets_everything_later(bench):
    """The robot model is 30 kB; a thousand of them do not fit into any socket's buffer."""
    sock = bench.client()
    count = 1000
    sock.sendall(message(11, 1) * count)
    reply = message(11, 1, b"\0" + URDF)
    for _ in range(count):
        assert receive(sock, len(reply)) == reply


def test_a_peer_whose_address_the_core_refuses_is_reset(bench):
    bench.engine.attach_error = ValueError("not an IPv4 address")
    sock = bench.open()
    sock.sendall(connect_message())
    assert is_reset(sock)
    bench.engine.attach_error = None
    bench.client()


def test_every_event_of_the_core_is_passed_on(bench):
    event = FakeEvent("violation", data={"name": "joint_reflex"})
    sock = bench.client()
    sock.sendall(message(2, 1))
    token = bench.engine.wait_for_call("submit")[1]
    bench.engine.emit(event, FakeEvent(token=token))
    receive(sock, 13)
    assert bench.seen[0] is event


def test_stopping_answers_what_is_open_and_closes():
    """A client that waits for a reply spins for ever on a FIN (wire.md 1.1): none may wait."""
    bench = Bench()
    sock = bench.client()
    sock.sendall(
        message(1, 1, bytes(113)) + message(10, 2) + message(2, 3) + message(9, 4, bytes(104))
    )
    move = bench.engine.wait_for_call("submit")[1]
    bench.engine.wait_for_call("submit", 4)
    bench.engine.emit(FakeEvent("motion_started", move, 1))
    assert receive(sock, 13) == message(1, 1, b"\1")
    bench.server.stop()
    # kAborted, kAborted, kSuccess (StopMove always), kCommandNotPossibleRejected.
    assert receive(sock, 52) == b"".join(
        message(command, number, bytes([status]))
        for command, number, status in [(1, 1, 11), (10, 2, 6), (2, 3, 0), (9, 4, 1)]
    )
    assert sock.recv(10) == b""
    assert bench.engine.calls[-1] == ("detach",)
    bench.close()


def test_stopping_does_not_wait_for_a_client_that_does_not_read():
    bench = Bench()
    sock = bench.client()
    sock.sendall(message(11, 1) * 1000)
    receive(sock, 1000)
    bench.close()


def test_a_server_can_be_stopped_twice_and_without_having_started():
    bench = Bench()
    bench.close()
    bench.server.stop()
    never = TcpServer(bind("127.0.0.1", 0), FakeEngine(), command_table(10), URDF)
    never.stop()


def test_the_probe_disturbs_neither_the_client_nor_the_next_one(bench):
    host, port = bench.server.address
    assert probe(host, port, LIMIT).version == 10
    client = bench.client()
    assert probe(host, port, LIMIT).ready
    client.sendall(message(2, 1))
    bench.engine.wait_for_call("submit")
    assert [call[0] for call in bench.engine.calls] == ["attach", "submit"]
    assert bench.faults == {}
