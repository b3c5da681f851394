"""A robot served by a process of its own, with the methods of `Simulation`.

For callers that hold the interpreter's lock while they connect (pylibfranka), or that must not
share a process with a 1 kHz cycle. Imports nothing heavy; the other end is child.py.
"""

from __future__ import annotations

import errno
import json
import pickle
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, TypeVar

from franka_sim.testing.loopback import FCI_PORT, free_loopback

T = TypeVar("T")

#: What may be asked of the other side, by the names of `Simulation`; a part's methods are dotted.
METHODS = frozenset({
    "attach_payload", "brakes", "counters", "detach_payload", "drop_client", "guiding", "history",
    "lose", "push", "realtime_report", "release", "reset", "state_hash", "timing", "user_stop",
    "hand.grasp", "hand.homing", "hand.move", "hand.place_object", "hand.power",
    "hand.remove_object", "hand.set_temperature", "hand.stall", "hand.state_hash", "hand.stop",
    "pump.drop_off", "pump.place_part", "pump.power", "pump.set_device_status", "pump.stall",
    "pump.state_hash", "pump.stop", "pump.vacuum",
})  # fmt: skip
VALUES = frozenset({
    "event_count", "events", "failure", "gripper_port", "hand.state", "pump.state", "state",
    "violations",
})  # fmt: skip
#: Chosen: ten times what a start takes on a busy machine.
START_TIMEOUT = 60.0
#: Chosen: what a server may take to end.
_ENDING_S = 10.0
#: Chosen: how often somebody may take the free address that was found before it is served.
_ATTEMPTS = 5
#: Chosen: a predicate over state is looked at as often as in `Simulation.wait_for`.
_LOOK_EVERY = 0.002
#: One wait on the other side; a longer one is several.
_SLICE_S = 60.0
#: The child finds its modules where its parent does, whatever the working directory.
_BOOTSTRAP = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]);"
    "from franka_sim.testing.child import main; main(int(sys.argv[2]))"
)


class ServerGoneError(RuntimeError):
    """The server's process has ended, by itself or by `stop`."""


class RemoteSimulation:
    """A served robot in another process. Running when constructed; a context manager.

    Offers what `Simulation` does, but `on_failure`. Values are copies. All methods may be called
    from any thread; what raises there, raises here. The process ends with this one.

    Args:
        host: address to serve on; by default a free one of 127.0.0.0/8.
        port: TCP port; libfranka only knows 1337.
        start_timeout: seconds the start may take.
        options: any other key of the option table, as for `franka_sim.serve`.

    Raises:
        ConfigError: for an unknown option or a value out of range.
        OSError: when host or port cannot be served on.
        RuntimeError: when the server cannot start.
        TimeoutError: when it did not start in time.
    """

    def __init__(
        self,
        host: str | None = None,
        port: int = FCI_PORT,
        *,
        start_timeout: float = START_TIMEOUT,
        **options: Any,
    ) -> None:
        for attempt in range(1, _ATTEMPTS + 1):
            address = host or free_loopback(port)
            self._link = _Link()
            try:
                about = self._link.start({"host": address, "port": port, **options}, start_timeout)
                break
            except BaseException as error:
                self._link.close()
                taken = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
                if host is not None or not taken or attempt == _ATTEMPTS:
                    raise
        #: IPv4 address and TCP port that are served, and the configuration.
        self.host: str = about["host"]
        self.port: int = about["port"]
        self.config: Any = about["config"]

    @property
    def pid(self) -> int:
        """Number of the server's process."""
        return self._link.process.pid

    @property
    def running(self) -> bool:
        """Whether the server's process runs."""
        return self._link.process.poll() is None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return _member(self._link, name)

    def __dir__(self) -> list[str]:
        names = {name.partition(".")[0] for name in METHODS | VALUES}
        return sorted({*super().__dir__(), *names})

    def wait_for(self, predicate: Callable[[RemoteSimulation], T], timeout: float = 5.0) -> T:
        """Return the first true value of ``predicate(simulation)``, evaluated in this process.

        Raises:
            TimeoutError: when it stayed false for `timeout` seconds of wall time.
        """
        deadline = time.monotonic() + timeout
        while not (value := predicate(self)):
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"the condition did not become true within {timeout:g} s")
            self._link.call("wait_past", self.event_count, min(left, _LOOK_EVERY))
        return value

    def wait_for_event(
        self,
        kind: str,
        timeout: float = 5.0,
        *,
        after: int = 0,
        where: Callable[[Any], bool] = lambda event: True,
    ) -> Any:
        """Return the first event of `kind` for which `where` is true, as in `Simulation`.

        Raises:
            TimeoutError: when none came within `timeout` seconds of wall time.
        """
        deadline = time.monotonic() + timeout
        number = after
        while True:
            for event in self._link.call("events_from", number):
                number = event.number + 1
                if event.kind == kind and where(event):
                    return event
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"the event did not come within {timeout:g} s")
            self._link.call("wait_past", number, min(left, _SLICE_S))

    def stop(self) -> None:
        """Let the client go, stop the robot and end its process. Idempotent."""
        self._link.close()

    def __enter__(self) -> RemoteSimulation:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


class RemoteOrder:
    """A command that was given to hand or pump there and ends later; see `gripper.orders.Order`."""

    def __init__(self, link: _Link, number: int) -> None:
        self._link = link
        self._number = number

    def wait(self, timeout: float = 30.0) -> str:
        """Return how the command ended: kSuccess, kUnsuccessful, kAborted or kFail.

        Raises:
            TimeoutError: when it has not ended within `timeout` seconds of wall time.
        """
        return str(self._link.call("order_wait", self._number, timeout))

    @property
    def done(self) -> bool:
        """Whether it has ended."""
        return bool(self._link.call("order_value", self._number, "done"))

    @property
    def cycle(self) -> int:
        """Number of the cycle it ended in; 0 before."""
        return int(self._link.call("order_value", self._number, "cycle"))


@dataclass(frozen=True)
class OrderNumber:
    """Stands for an order on its way from there."""

    number: int


class _Part:
    """A part of the simulation, such as its hand: a name with a dot after it."""

    def __init__(self, link: _Link, name: str) -> None:
        self._link = link
        self._name = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return _member(self._link, f"{self._name}.{name}")


def _member(link: _Link, name: str) -> Any:
    if name in VALUES:
        return link.call(name)
    if name in METHODS:

        def method(*args: Any, **kwargs: Any) -> Any:
            value = link.call(name, *args, **kwargs)
            return RemoteOrder(link, value.number) if isinstance(value, OrderNumber) else value

        return method
    if any(known.startswith(f"{name}.") for known in METHODS | VALUES):
        return _Part(link, name)
    raise AttributeError(f"a remote simulation has no {name!r}")


class _Link:
    """The process, and one channel to it for each call that is under way."""

    def __init__(self) -> None:
        self._control, theirs = socket.socketpair()
        self._lock = threading.Lock()
        self._idle: list[Connection] = []
        self._open = True
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-c", _BOOTSTRAP, json.dumps(sys.path), str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
            )
        except BaseException:
            self._control.close()
            raise
        finally:
            theirs.close()

    def start(self, options: dict[str, Any], timeout: float) -> dict[str, Any]:
        """Have the server start and return what it says of itself."""
        about: dict[str, Any] = self._result(pickle.dumps(options), timeout)
        return about

    def call(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Return what the other side returns, or raise what it raises."""
        return self._result(pickle.dumps((name, args, kwargs)), None)

    def _result(self, request: bytes, timeout: float | None) -> Any:
        try:
            good, value = self._exchange(request, timeout)
        except (EOFError, ConnectionError):
            raise self._gone() from None
        if not good:
            raise value
        return value

    def _exchange(self, request: bytes, timeout: float | None) -> tuple[bool, Any]:
        with self._lock:
            if not self._open:
                raise ServerGoneError("the server was stopped")
            channel = self._idle.pop() if self._idle else self._new_channel()
        try:
            channel.send_bytes(request)
            if not channel.poll(timeout):
                raise TimeoutError(f"the server did not start within {timeout:g} s")
            good, value = channel.recv()
        except BaseException:
            # Interrupted half-way: its answer would be taken for the next call's.
            channel.close()
            raise
        with self._lock:
            if self._open:
                self._idle.append(channel)
            else:
                channel.close()
        return good, value

    def close(self) -> None:
        """End the process; returns when it has ended. Idempotent."""
        with self._lock:
            if not self._open:
                return
            self._open = False
            for channel in self._idle:
                channel.close()
            self._idle.clear()
            self._control.close()
        try:
            self.process.wait(_ENDING_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _new_channel(self) -> Connection:
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                socket.send_fds(self._control, [b"c"], [theirs.fileno()])
            except BaseException:
                ours.close()
                raise
        return Connection(ours.detach())

    def _gone(self) -> ServerGoneError:
        if not self._open:
            return ServerGoneError("the server was stopped")
        try:
            code = self.process.wait(_ENDING_S)
        except subprocess.TimeoutExpired:
            return ServerGoneError("the server's process does not answer")
        return ServerGoneError(f"the server's process ended by itself, with exit code {code}")
