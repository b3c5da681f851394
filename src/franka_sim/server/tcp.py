"""A port: a listening socket and an event loop in a thread of its own.

Owns socket, loop and thread. Who may talk is decided by a desk (reception.py for the robot), what
bytes mean in session.py.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import socket
import threading
from collections.abc import Callable
from typing import Protocol, TypeVar

from franka_sim.log.setup import logger as package_logger
from franka_sim.server.connection import Connection
from franka_sim.server.door import EngineDoor, EngineEvent
from franka_sim.server.reception import Desk
from franka_sim.server.tables import CommandTable

_BACKLOG = 128

T = TypeVar("T")


def resolve(host: str) -> str:
    """Return the IPv4 address that `host` (a name or an address) stands for.

    Raises:
        OSError: when there is none.
    """
    infos = socket.getaddrinfo(host, None, socket.AF_INET, socket.SOCK_STREAM)
    return str(infos[0][4][0])


def bind(host: str, port: int) -> socket.socket:
    """Return a TCP socket bound to `host` and `port` (0: a free one) that does not listen yet.

    Bound early, so that a port in use is known before anything slow; listening late, so that who
    can connect finds a robot.

    Raises:
        OSError: address in use, not of this machine, or not allowed.
    """
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((host, port))
        sock.setblocking(False)
    except OSError:
        sock.close()
        raise
    return sock


class FrontDesk(Protocol):
    """Who deals with the connections of a port."""

    def new_connection(self) -> Connection: ...
    def make_room(self) -> None: ...
    def carry_events(self) -> None: ...
    def drop_client(self) -> None: ...
    def close(self) -> None: ...


class Port:
    """Serves the connections of one port from its own thread.

    Args:
        sock: a bound socket (see `bind`); owned from now on.
        desk: who deals with connections, in the port's thread.
        event_fd: readable when the desk has events to carry; must be open from `start` to `stop`.
        name: of the thread and in the log.
    """

    def __init__(self, sock: socket.socket, desk: FrontDesk, event_fd: int, name: str) -> None:
        self._desk = desk
        self._sock = sock
        host, port = sock.getsockname()[:2]
        self._address = (str(host), int(port))
        self._event_fd = event_fd
        self._name = name
        #: What ended the server by itself, and who wants to know at once.
        self.failure: BaseException | None = None
        self.on_failure: Callable[[], None] = lambda: None
        self._ready: concurrent.futures.Future[None] = concurrent.futures.Future()
        self._arriving: set[asyncio.Task[None]] = set()
        self._stop_requested: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    @property
    def address(self) -> tuple[str, int]:
        """Host and port that clients connect to."""
        return self._address

    def start(self) -> None:
        """Begin to listen; returns when clients can connect.

        Raises:
            OSError: when the socket cannot listen.
        """
        self._thread.start()
        self._ready.result()

    def stop(self) -> None:
        """Let all peers go and end the thread. Idempotent; any thread but the server's."""
        if self._thread.ident is None:
            self._sock.close()
            return
        if self._stop_requested is not None:
            self._call(self._stop_requested.set)
        self._thread.join()

    def drop_client(self) -> None:
        """Reset the connected client, if there is one."""
        self._call(self._desk.drop_client)

    def run(self, function: Callable[[], T], timeout: float) -> T:
        """Return what `function` returns in the server's thread; any thread but that.

        Raises:
            TimeoutError: when the thread did not come to it within `timeout` seconds, or has ended.
        """
        done: concurrent.futures.Future[T] = concurrent.futures.Future()

        def carry_out() -> None:
            try:
                done.set_result(function())
            except BaseException as error:
                done.set_exception(error)

        self._call(carry_out)
        try:
            return done.result(timeout)
        except concurrent.futures.TimeoutError:
            raise TimeoutError(f"the server did not answer within {timeout:g} s") from None

    def _call(self, function: Callable[[], object]) -> None:
        """Have the loop call `function`; nothing happens when the loop has ended."""
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(function)

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:
            self._sock.close()
            if not self._ready.done():  # belongs to start()
                self._ready.set_exception(error)
                return
            self.failure = error
            package_logger().exception("a port failed", port=self._name)
            self.on_failure()

    async def _serve(self) -> None:
        loop = self._loop = asyncio.get_running_loop()
        self._stop_requested = asyncio.Event()
        self._sock.listen(_BACKLOG)
        # Accepting by hand: asyncio's own server leaks a connection that comes while it closes.
        loop.add_reader(self._sock, self._accept)
        loop.add_reader(self._event_fd, self._desk.carry_events)
        try:
            self._ready.set_result(None)
            await self._stop_requested.wait()
        finally:
            loop.remove_reader(self._sock)
            self._sock.close()
            await asyncio.gather(*self._arriving, return_exceptions=True)
            loop.remove_reader(self._event_fd)
            self._desk.close()
            # Transports close in the loop's next turns; connection_lost then frees the slot.
            for _ in range(3):
                await asyncio.sleep(0)

    def _accept(self) -> None:
        """Take a bounded number of waiting connections; the rest comes in the loop's next turn."""
        for _ in range(_BACKLOG):
            try:
                conn, _ = self._sock.accept()
            except (BlockingIOError, InterruptedError):
                return
            except ConnectionAbortedError:
                continue
            except OSError:
                # No descriptor left: silent peers give theirs back before a client waits for one.
                self._desk.make_room()
                return
            conn.setblocking(False)
            assert self._loop is not None
            task = self._loop.create_task(self._welcome(conn))
            self._arriving.add(task)
            task.add_done_callback(self._arriving.discard)

    async def _welcome(self, conn: socket.socket) -> None:
        assert self._loop is not None
        try:
            await self._loop.connect_accepted_socket(self._desk.new_connection, conn)
        except BaseException:
            conn.close()
            raise


class TcpServer(Port):
    """The FCI port of one robot.

    Args:
        sock: a bound socket (see `bind`); owned from now on.
        engine: the robot's doors; must be started before `start` and stopped after `stop`.
        table: command table of the version that is spoken.
        robot_model: URDF text (UTF-8) for GetRobotModel.
        on_event: called in the server's thread for every event of the core.
    """

    def __init__(
        self,
        sock: socket.socket,
        engine: EngineDoor,
        table: CommandTable,
        robot_model: bytes,
        on_event: Callable[[EngineEvent], None] = lambda event: None,
    ) -> None:
        self.desk = Desk(engine, table, robot_model, on_event)
        super().__init__(sock, self.desk, engine.event_fd, "fci-tcp")
