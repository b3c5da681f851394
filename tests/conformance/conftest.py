"""Fixtures of the conformance tests: a server on an address of its own, and clients with watchdogs.

Client libraries run as programs (clients/) in a process of their own: their blocking calls cannot
be interrupted from Python, and one that hangs must fail one test, not the run.
"""

from __future__ import annotations

import contextlib
import faulthandler
import itertools
import json
import os
import random
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
SUPPORT = HERE.parent / "support"
sys.path.insert(0, str(SUPPORT))

from raw_client import RawClient  # noqa: E402  (needs the path above)

FCI_PORT = 1337  # fixed in every client library
TEST_WATCHDOG_S = 600  # chosen: several times the slowest test on two busy cores
CLIENT_WATCHDOG_S = 300  # chosen: below the test's, so that the client's words are still reported

_hosts = itertools.count()


def free_host() -> str:
    """A loopback address whose FCI port nobody uses.

    Every 127.x.y.z is local on Linux, so servers of parallel runs need no other ports.
    """
    picker = random.Random(os.getpid() * 1000 + next(_hosts))
    for _ in range(100):
        host = f"127.{picker.randint(1, 250)}.{picker.randint(1, 250)}.{picker.randint(1, 250)}"
        with contextlib.closing(socket.socket()) as probe:
            try:
                probe.bind((host, FCI_PORT))
            except OSError:
                continue
            return host
    raise RuntimeError(f"no loopback address with a free port {FCI_PORT}; is 0.0.0.0 taken?")


@pytest.fixture(autouse=True)
def watchdog() -> Iterator[None]:
    """A test that hangs in compiled code ends the run with every thread's stack."""
    faulthandler.dump_traceback_later(TEST_WATCHDOG_S, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.fixture
def serve() -> Iterator[Callable]:
    """Starts servers that stop with the test: `serve(clock="realtime", strict=False)`."""
    import franka_sim

    with contextlib.ExitStack() as stack:

        def start(**options):
            settings = {"robot": "fr3", "clock": "lockstep", "strict": True} | options
            host = settings.pop("host", None) or free_host()
            return stack.enter_context(franka_sim.serve(host=host, port=FCI_PORT, **settings))

        yield start


@pytest.fixture(scope="module")
def module_serve() -> Callable:
    """Starts a server for a module's own fixture: a context manager."""
    import franka_sim

    def start(**options):
        settings = {"robot": "fr3", "clock": "lockstep"} | options
        return franka_sim.serve(host=free_host(), port=FCI_PORT, **settings)

    return start


@pytest.fixture
def server(serve):
    """A strict FR3 in lockstep."""
    return serve()


@pytest.fixture
def raw(server) -> Iterator[RawClient]:
    """A raw client connected to `server`."""
    with RawClient(server.host) as client:
        yield client


@pytest.fixture
def run_client() -> Callable[..., dict]:
    """Runs a program of clients/ against a host and returns what it reports.

    `run_client("pylibfranka", host, "read")` calls clients/pylibfranka_client.py; keyword arguments
    go to the action as JSON. The program prints one JSON object as its last line.
    """

    def run(client: str, host: str, action: str, **arguments) -> dict:
        program = HERE / "clients" / f"{client}_client.py"
        command = [sys.executable, str(program), host, action, json.dumps(arguments)]
        environment = os.environ | {"FRANKA_REALTIME": "ignore"}
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=CLIENT_WATCHDOG_S, env=environment
            )
        except subprocess.TimeoutExpired as hung:
            pytest.fail(f"{client} {action} hung; it said {hung.stdout!r} {hung.stderr!r}")
        if done.returncode != 0:
            pytest.fail(f"{client} {action} exited with {done.returncode}:\n{done.stderr}")
        return json.loads(done.stdout.splitlines()[-1])

    return run
