"""One running robot: engine, FCI port and what a test or script may do to them.

The Python face of the program. Must not touch a cycle or know bytes.
"""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from franka_sim import __version__, assembly
from franka_sim.claim import claim
from franka_sim.config import Config, ConfigError, load
from franka_sim.events import EventLog, SimEvent
from franka_sim.gripper.hand import Hand
from franka_sim.gripper.pump import Pump
from franka_sim.gripper.serving import Gripper, port_for
from franka_sim.metrics import Timing
from franka_sim.metrics.port import MetricsPort, missing_library
from franka_sim.server.door import EngineEvent
from franka_sim.server.tables import command_table
from franka_sim.server.tcp import TcpServer
from franka_sim.side import SideInputs
from franka_sim.state import RobotState
from franka_sim.watching import Watchers

T = TypeVar("T")

#: The FCI version an FR3 speaks (wire.md 0.1).
FCI_VERSION = 10


class Simulation(SideInputs):
    """A served robot. Running when constructed; a context manager that stops it at the end.

    All methods may be called from any thread.

    Args:
        config: a complete configuration.
        build_engine: makes the engine; tests put another robot here.

    Raises:
        ConfigError: when a setting cannot be used.
        OSError: when host or port cannot be served on; its text is the sentence for the user.
        RuntimeError: when the core cannot start, e.g. without the real-time rights it must have.
    """

    def __init__(
        self, config: Config, build_engine: Callable[[Config, str], Any] = assembly.engine
    ) -> None:
        self.config = config
        self._log = EventLog()
        self._watchers = Watchers(config)
        self._stop_once = threading.Lock()
        self._timing_lock = threading.Lock()
        self._reset_lock = threading.Lock()
        self._counted_before: dict[str, int] = {}
        self._carries = False
        self._stopped = False
        if config.metrics_port and (why := missing_library()):
            raise ConfigError(f"{config.name('metrics_port')}: {why}")
        model = assembly.robot_model(config)
        address, sock = claim(config, config.port, "port")
        claimed = [sock]
        try:
            if config.gripper != "none":
                port = port_for(config.gripper, config.gripper_port, config.port)
                claimed.append(claim(config, port, "gripper_port", claimed)[1])
            if config.metrics_port:
                claimed.append(claim(config, config.metrics_port, "metrics_port", claimed)[1])
            self._engine = build_engine(config, address)
            _start(self._engine, config)
        except BaseException:
            for taken in claimed:
                taken.close()
            raise
        # Who can connect finds a robot: the port opens after the first cycle.
        self._log.wait_until(self._has_cycled, timeout=10.0)
        table = command_table(FCI_VERSION)
        self._server = TcpServer(sock, self._engine, table, model, _sink(self._watchers, self._log))
        self._gripper: Gripper | None = None
        self._metrics: MetricsPort | None = None
        try:
            if config.gripper != "none":
                self._gripper = Gripper(claimed[1], self._engine, config.gripper)
                self._gripper.port.start()
            # A recording goes on over a reset: it follows the engine's history.
            self._watchers.begin(self._engine.history)
            if config.metrics_port:
                about = {"robot": config.robot, "clock": config.clock, "version": __version__}
                self._metrics = MetricsPort(claimed[-1], self._counters, self.timing, about)
            self._server.start()
        except BaseException:
            self._stop_ports()
            for taken in claimed:
                taken.close()
            self._engine.stop()
            raise
        # The cycle reads memory that Python owns; it must end before the interpreter does.
        atexit.register(self.stop)

    @property
    def host(self) -> str:
        """IPv4 address that is served."""
        return self._server.address[0]

    @property
    def port(self) -> int:
        """TCP port that is served."""
        return self._server.address[1]

    @property
    def gripper_port(self) -> int | None:
        """TCP port of the gripper; None without one."""
        return None if self._gripper is None else self._gripper.port.address[1]

    @property
    def hand(self) -> Hand:
        """The Franka Hand.

        Raises:
            RuntimeError: when there is none.
        """
        if self._gripper is None or not isinstance(self._gripper.tool, Hand):
            raise RuntimeError(f"gripper: {self.config.gripper} has no hand")
        return self._gripper.tool

    @property
    def pump(self) -> Pump:
        """The vacuum gripper.

        Raises:
            RuntimeError: when there is none.
        """
        if self._gripper is None or not isinstance(self._gripper.tool, Pump):
            raise RuntimeError(f"gripper: {self.config.gripper} has no pump")
        return self._gripper.tool

    @property
    def state(self) -> RobotState:
        """The newest robot state; also when no client is connected."""
        return RobotState(self._engine.snapshot())

    @property
    def events(self) -> tuple[SimEvent, ...]:
        """The newest events, oldest first."""
        return self._log.all()

    @property
    def violations(self) -> tuple[SimEvent, ...]:
        """The events that report a broken limit, enforced or not, oldest first."""
        return tuple(event for event in self.events if event.kind == "violation")

    @property
    def failure(self) -> BaseException | None:
        """What ended a server by itself, if anything did."""
        if self._server.failure is None and self._gripper is not None:
            return self._gripper.port.failure
        return self._server.failure

    def on_failure(self, callback: Callable[[], None]) -> None:
        """Have `callback` called, in the server's thread, should a server end by itself."""
        self._server.on_failure = callback
        if self._gripper is not None:
            self._gripper.port.on_failure = callback

    def history(self, n: int | None = None) -> npt.NDArray[np.void]:
        """Return the last `n` cycles (all remembered ones by default) as a structured array.

        One row a cycle, oldest first, and a copy. ``rows["q"]`` is (n, 7): the fields of the
        published state under the wire's names, matrices column-major; ``command`` holds the answer
        that closed the cycle; further fields tell times, motion number and flags. Cycles before
        the newest :meth:`reset` are not among them.
        """
        if n is not None and (isinstance(n, bool) or not isinstance(n, int) or n < 0):
            raise ValueError(f"n: {n!r} is not allowed; it must be a whole number of at least 0")
        rows: npt.NDArray[np.void] = self._engine.history(n)
        began = self._engine.began
        return rows[rows["message_id"] >= began] if began > 1 else rows

    def counters(self) -> dict[str, int]:
        """Return what was counted: cycles, datagrams by class, slips, hostile input by kind.

        Since the start or the newest :meth:`reset`; ``cycles`` is the number of the newest cycle.
        """
        counted = self._counters()
        return {key: count - self._counted_before.get(key, 0) for key, count in counted.items()}

    def _counters(self) -> dict[str, int]:
        counts = {**self._engine.counters(), **self._server.desk.faults.snapshot()}
        if self._gripper is not None:
            counts |= self._gripper.faults()
        return counts

    def timing(self, timeout: float = 1.0) -> Timing:
        """Return the timing certificates of the newest motion and of the connection.

        Raises:
            TimeoutError: when the cycle did not answer within `timeout` seconds of wall time.
        """
        with self._timing_lock:
            self._engine.ask_timing()
            return Timing.of(self._log.wait_until(self._engine.take_timing, timeout))

    def state_hash(self) -> tuple[int, int]:
        """Return the hash of the state stream and the number of cycles in it (lockstep)."""
        digest, cycles = self._engine.state_hash()
        return digest, cycles

    def realtime_report(self) -> dict[str, Any]:
        """Return the real-time rights the cycle obtained: policy, priority, locked, cpu."""
        return dict(self._engine.realtime_report())

    def wait_for(self, predicate: Callable[[Simulation], T], timeout: float = 5.0) -> T:
        """Return the first true value of ``predicate(simulation)``.

        It is evaluated at once, at each event and every few milliseconds, in the caller's thread.

        Raises:
            TimeoutError: when it stayed false for `timeout` seconds of wall time.
        """
        return self._log.wait_until(lambda: predicate(self), timeout)

    def wait_for_event(
        self,
        kind: str,
        timeout: float = 5.0,
        *,
        after: int = 0,
        where: Callable[[SimEvent], bool] = lambda event: True,
    ) -> SimEvent:
        """Return the first event of `kind` for which `where` is true; wakes with the event.

        Args:
            after: number of the first event that may be meant; `event_count` before the cause, to
                leave out what had happened already.

        Raises:
            TimeoutError: when none came within `timeout` seconds of wall time.
        """
        return self._log.wait_for_event(
            lambda event: event.kind == kind and where(event), timeout, after
        )

    @property
    def event_count(self) -> int:
        """Number of events so far; the number that the next one gets."""
        return self._log.count

    def drop_client(self) -> None:
        """End the connected client's session, if there is one, as if its cable were pulled."""
        self._server.drop_client()

    def reset(self, timeout: float = 5.0) -> None:
        """Put robot and world back to where they were when the server started.

        A connected client's session ends first, as if its cable were pulled; who connects
        afterwards finds no latched error, no push, no payload, no loss asked for, every setting at
        its default and the arm at rest at its start pose. Sensor noise begins anew, so that in
        clock lockstep the same commands give the same bytes as on a new server. Events, history,
        counters, certificates and the hash of the state stream begin anew; numbers of cycles,
        motions and events go on. Takes one cycle.

        Raises:
            TimeoutError: when that cycle did not come within `timeout` seconds of wall time.
        """
        with self._reset_lock:
            began = self._engine.began
            if self._carries:
                self.detach_payload()
            if self._gripper is not None:
                self._gripper.let_clients_go(timeout)
            self._server.run(self._server.desk.restart, timeout)
            self._log.wait_until(lambda: self._engine.began > began, timeout)
            # Those of a scene belong to how it began.
            for push in getattr(getattr(self._engine, "plant", None), "pushes", ()):
                self._engine.push(**push)
            self._server.run(self._forget, timeout)

    def _forget(self) -> None:
        # What the reset itself caused belongs to what is forgotten.
        self._server.desk.carry_events()
        self._log.forget()
        self._counted_before = self._counters() | {"cycles": 0}

    def stop(self) -> None:
        """Let the client go and stop the robot. Idempotent; returns when everything has ended."""
        with self._stop_once:
            if self._stopped:
                return
            self._stopped = True
            atexit.unregister(self.stop)
            self._stop_ports()
            self._server.stop()
            self._engine.stop()
            self._watchers.end(self.timing)

    def _stop_ports(self) -> None:
        if self._metrics is not None:
            self._metrics.stop()
            self._metrics = None
        if self._gripper is not None:
            self._gripper.port.stop()

    def __enter__(self) -> Simulation:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _has_cycled(self) -> bool:
        try:
            self._engine.snapshot()
        except RuntimeError:  # no state yet
            return False
        return True


def _sink(watchers: Watchers, log: EventLog) -> Callable[[EngineEvent], None]:
    """Return where the core's events go. It does not hold the simulation: one that nobody has any
    more is gone at once, with its history, not when the garbage collector comes by."""

    def take(event: EngineEvent) -> None:
        # Told first: who waits for the event finds the line written.
        watchers.tell(event)
        log.add(event.kind, event.cycle, event.status, event.data)

    return take


def serve(
    robot: str = "fr3", host: str = "127.0.0.1", port: int = 1337, **options: Any
) -> Simulation:
    """Start a robot and return it, ready for clients.

    Only the arguments count: the environment is not read, and no file but one given as `config`.
    A client that holds the interpreter's lock while it connects (pylibfranka) needs a process of
    its own. Log lines go to the logger ``franka_sim``, which the caller configures.

    Args:
        robot: which arm.
        host: IPv4 address or name to serve on.
        port: TCP port; 0 takes a free one (libfranka itself only knows 1337).
        options: any other key of the option table, e.g. ``clock="lockstep"``, ``strict=True``.

    Raises:
        ConfigError: for an unknown option or a value out of range.
        OSError: when host or port cannot be served on.
        RuntimeError: when the core cannot start.
    """
    return Simulation(load({"robot": robot, "host": host, "port": port, **options}))


def _start(engine: Any, config: Config) -> None:
    try:
        engine.start()
    except (OSError, RuntimeError) as error:
        if config.realtime == "require":
            raise RuntimeError(
                f"{config.name('realtime')}: require cannot be met: {error}"
            ) from error
        raise
