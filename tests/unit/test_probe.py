"""The readiness probe against servers that behave in every way a port can."""

import socket
import struct
import threading

import pytest

from franka_sim.cli import check
from franka_sim.server.probe import probe
from franka_sim.testing import free_loopback

REFUSED = struct.pack("<IIIBH", 0, 0, 15, 1, 10)
FOREVER = 30.0  # of a fake clock, or a watchdog; never waited for


class OneShot:
    """A port that serves each connection with the next of the given behaviours."""

    def __init__(self, *behaviours):
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.address = self._socket.getsockname()
        self.requests = []
        self._thread = threading.Thread(target=self._run, args=(behaviours,), daemon=True)
        self._thread.start()

    def _run(self, behaviours):
        for behave in behaviours:
            connection, _ = self._socket.accept()
            with connection:
                self.requests.append(connection.recv(100))
                behave(connection)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._thread.join(FOREVER)
        self._socket.close()


def answer(data):
    return lambda connection: connection.sendall(data)


def reset(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def silent(connection):
    connection.recv(1)  # until the probe gives up


def close(connection):
    pass


def test_a_refusal_with_a_version_means_ready():
    with OneShot(answer(REFUSED)) as server:
        found = probe(*server.address, FOREVER)
    assert (found.ready, found.version) == (True, 10)
    assert found.detail.endswith("is ready and speaks FCI version 10")


def test_the_question_is_a_connect_that_no_server_can_accept():
    with OneShot(answer(REFUSED)) as server:
        probe(*server.address, FOREVER)
    assert server.requests == [struct.pack("<IIIHH", 0, 0, 16, 0, 9)]


def test_an_answer_in_pieces_is_put_together():
    def pieces(connection):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in REFUSED:
            connection.sendall(bytes([byte]))

    with OneShot(pieces) as server:
        assert probe(*server.address, FOREVER).ready


def test_a_reset_means_alive_with_a_client():
    with OneShot(reset) as server:
        found = probe(*server.address, FOREVER)
    assert (found.ready, found.version) == (True, None)
    assert "has a client already" in found.detail


def test_a_port_that_closes_at_first_is_asked_again():
    with OneShot(close, close, answer(REFUSED)) as server:
        assert probe(*server.address, FOREVER, pause=lambda seconds: None).ready


def test_a_silent_port_is_not_ready():
    with OneShot(silent) as server:
        found = probe(*server.address, 0.05)
    assert not found.ready
    assert "does not answer Connect" in found.detail


def test_something_else_on_the_port_is_known_for_good():
    with OneShot(answer(b"HTTP/1.1 400 Bad Request\r\n")) as server:
        found = probe(*server.address, FOREVER)
    assert (found.ready, found.final) == (False, True)
    assert "is not an FCI server" in found.detail


def test_nobody_there_is_asked_until_the_time_is_over():
    now = [0.0]

    def pause(seconds):
        now[0] += seconds

    found = probe(free_loopback(), 1337, 5.0, clock=lambda: now[0], pause=pause)
    assert not found.ready
    assert "cannot be reached: Connection refused" in found.detail
    assert now[0] == pytest.approx(5.0, abs=0.1)


def test_check_says_what_it_found_and_returns_0_for_ready(capsys):
    with OneShot(answer(REFUSED)) as server:
        host, port = server.address
        assert check.main(["--host", host, "--port", str(port), "--timeout", "30"]) == 0
    assert "speaks FCI version 10" in capsys.readouterr().out


def test_check_returns_1_when_nobody_is_there(capsys):
    assert check.main(["--host", free_loopback(), "--timeout", "0"]) == 1
    assert "cannot be reached" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["--port", "x"], "--port: x is not allowed; it must be a whole number from 1 to 65535"),
        (["--port", "0"], "--port: 0 is not allowed; it must be a whole number from 1 to 65535"),
        (
            ["--timeout", "-1"],
            "--timeout: -1 is not allowed; it must be a number from 0 to 86400 s",
        ),
        (["--bogus"], "unrecognized arguments: --bogus; see franka-sim check --help"),
    ],
)
def test_a_wrong_question_is_one_sentence_and_2(argv, sentence, capsys):
    assert check.main(argv) == 2
    assert capsys.readouterr().err == f"franka-sim check: {sentence}\n"
