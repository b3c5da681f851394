"""A minimal FCI v10 client on plain sockets, for tests that need every byte in hand.

No policy lives here: the client sends what a test tells it to, answers each state at most once, and
never sleeps. A wait that outlasts its watchdog raises `HungError` and names what it waited for.
"""

from __future__ import annotations

import contextlib
import select
import socket
import struct
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from fci_v10 import (
    COMMANDS,
    HEADER,
    PORT,
    STATE_SIZE,
    STATUSES,
    VERSION,
    State,
    pack_command,
    pack_connect,
    pack_doubles,
    pack_move,
    pack_request,
)

WATCHDOG_S = 20.0  # chosen: far above any answer, far below a stuck test run


# ---- what can go wrong -----------------------------------------------------------------------


class HungError(AssertionError):
    """The other side did not do something in time."""


class RejectedError(Exception):
    """A request was answered, but not with the status that was hoped for."""

    def __init__(self, command: str, status: str) -> None:
        super().__init__(f"{command}: {status}")
        self.command, self.status = command, status


class ClosedError(Exception):
    """The server closed or reset the TCP connection."""


@dataclass
class Reply:
    """One TCP answer: the command field as echoed, the status by name, the bytes after it."""

    command: str
    command_id: int
    status: str
    tail: bytes


@dataclass
class Played:
    """What became of a motion that was played sample by sample."""

    answered: int  # states answered with a sample
    state: State  # the last state seen
    status: str | None = None  # Move's terminal status
    states: list[State] = field(default_factory=list)

    @property
    def aborted(self) -> bool:
        return self.status not in (None, "kSuccess")

    @property
    def errors(self) -> tuple[str, ...]:
        return self.state.reflex_reason if self.aborted else ()


# ---- the client ------------------------------------------------------------------------------


class RawClient:
    """One FCI session. Not thread-safe; use it from one thread.

    Args:
        host: address of the server.
        port: its TCP port.
        connect: send Connect and read the first state at once.
        watchdog_s: bound of every wait.
    """

    def __init__(
        self, host: str, port: int = PORT, *, connect: bool = True, watchdog_s: float = WATCHDOG_S,
        version: int = VERSION,
    ) -> None:  # fmt: skip
        self.host, self.port, self.watchdog_s = host, port, watchdog_s
        self.server_version: int | None = None
        self.state: State | None = None  # the last state read
        self._state_source: tuple[str, int] | None = None
        self._names: dict[int, str] = {}  # request id -> command
        self._replies: dict[int, deque[Reply]] = {}
        self._buffer = bytearray()
        self._next_id = 0
        self._move_id: int | None = None
        self._opening = False  # a motion runs, but no command of ours is known to have counted
        self._states: deque[State] = deque()
        self.tcp = socket.create_connection((host, port), timeout=watchdog_s)
        self.tcp.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.tcp.setblocking(False)
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
        self.udp.bind(("0.0.0.0", 0))
        self.udp.setblocking(False)
        if connect:
            try:
                self.connect(version)
            except BaseException:
                self.close()
                raise

    def __enter__(self) -> RawClient:
        return self

    def __exit__(self, *exc) -> None:
        self.close()

    def close(self) -> None:
        """Drop the session the way libfranka does: without a word."""
        with contextlib.suppress(OSError):
            self.tcp.shutdown(socket.SHUT_RDWR)
        self.tcp.close()
        self.udp.close()

    # -- TCP ----------------------------------------------------------------------------------

    def send_request(self, command: str, payload: bytes = b"") -> int:
        """Send one request without waiting; returns its id."""
        command_id, self._next_id = self._next_id, self._next_id + 1
        self._names[command_id] = command
        self.send_bytes(pack_request(command, command_id, payload))
        return command_id

    def send_bytes(self, data: bytes) -> None:
        """Write raw bytes to the TCP connection."""
        view, deadline = memoryview(data), time.monotonic() + self.watchdog_s
        while view:
            try:
                view = view[self.tcp.send(view) :]
            except BlockingIOError:
                if not select.select([], [self.tcp], [], max(0.0, deadline - time.monotonic()))[1]:
                    raise HungError("the server does not read its TCP connection") from None
            except (ConnectionError, BrokenPipeError) as error:
                raise ClosedError(str(error)) from None

    def reply(self, command_id: int) -> Reply:
        """Wait for the next answer to a request; states keep being collected meanwhile."""
        deadline = time.monotonic() + self.watchdog_s
        while not self._replies.get(command_id):
            what = f"an answer to {self._names.get(command_id)} (id {command_id})"
            self._pump(deadline, what)
        return self._replies[command_id].popleft()

    def poll_reply(self, command_id: int) -> Reply | None:
        """An answer that has already arrived, or None."""
        self._receive_tcp()
        queue = self._replies.get(command_id)
        return queue.popleft() if queue else None

    def request(self, command: str, payload: bytes = b"") -> Reply:
        """Send one request and wait for its answer."""
        return self.reply(self.send_request(command, payload))

    def expect_closed(self) -> None:
        """Wait until the server has closed or reset the connection."""
        deadline = time.monotonic() + self.watchdog_s
        try:
            while True:
                self._pump(deadline, "the server to close the connection")
        except ClosedError:
            return

    # -- session ------------------------------------------------------------------------------

    def connect(self, version: int = VERSION) -> Reply:
        """Connect; on success also read the first state."""
        reply = self.request("Connect", pack_connect(version, self.udp.getsockname()[1]))
        (self.server_version,) = struct.unpack_from("<H", reply.tail)
        if reply.status != "kSuccess":
            raise RejectedError("Connect", reply.status)
        self.read_state()
        return reply

    def read_state(self) -> State:
        """The next state in the order of arrival."""
        deadline = time.monotonic() + self.watchdog_s
        while not self._states:
            self._pump(deadline, "a RobotState")
        self.state = self._states.popleft()
        return self.state

    def newest_state(self) -> State:
        """The newest state that has arrived; waits if there is none newer than the last read."""
        self._receive_udp()
        self.read_state()
        self._drain()
        return self.state

    def read_until(self, condition: Callable[[State], bool], what: str) -> State:
        """Read states in order until one satisfies the condition."""
        deadline = time.monotonic() + self.watchdog_s
        while True:
            state = self.read_state()
            if condition(state):
                return state
            if time.monotonic() > deadline:
                raise HungError(f"no state with {what}; last {state!r}")

    def set_collision_behavior(
        self, lower_torque: Sequence[float], upper_torque: Sequence[float],
        lower_force: Sequence[float], upper_force: Sequence[float],
    ) -> str:  # fmt: skip
        """Thresholds, the same for both phases (the four-argument call of libfranka)."""
        payload = pack_doubles(
            lower_torque, upper_torque, lower_torque, upper_torque,
            lower_force, upper_force, lower_force, upper_force,
        )  # fmt: skip
        return self.request("SetCollisionBehavior", payload).status

    def set_joint_impedance(self, K_theta: Sequence[float]) -> str:
        return self.request("SetJointImpedance", pack_doubles(K_theta)).status

    def set_cartesian_impedance(self, K_x: Sequence[float]) -> str:
        return self.request("SetCartesianImpedance", pack_doubles(K_x)).status

    def set_guiding_mode(self, guiding_mode: Sequence[bool], nullspace: bool) -> str:
        payload = struct.pack("<7?", *guiding_mode, nullspace)
        return self.request("SetGuidingMode", payload).status

    def set_EE_to_K(self, EE_T_K: Sequence[float]) -> str:
        return self.request("SetEEToK", pack_doubles(EE_T_K)).status

    def set_NE_to_EE(self, NE_T_EE: Sequence[float]) -> str:
        return self.request("SetNEToEE", pack_doubles(NE_T_EE)).status

    def set_load(self, mass: float, F_x_Cload: Sequence[float], I_load: Sequence[float]) -> str:
        return self.request("SetLoad", pack_doubles((mass,), F_x_Cload, I_load)).status

    def get_robot_model(self) -> str:
        reply = self.request("GetRobotModel")
        if reply.status != "kSuccess":
            raise RejectedError("GetRobotModel", reply.status)
        return reply.tail.decode()

    def stop_move(self) -> str:
        return self.request("StopMove").status

    def automatic_error_recovery(self) -> str:
        return self.request("AutomaticErrorRecovery").status

    # -- motions ------------------------------------------------------------------------------

    def send(self, message_id: int | None = None, **fields) -> None:
        """Send one RobotCommand; without an id it answers the last state read."""
        assert self.state is not None
        assert self._state_source is not None
        echo = self.state.message_id if message_id is None else message_id
        self.send_datagram(pack_command(echo, **fields))

    def send_datagram(self, data: bytes) -> None:
        """Send raw bytes to where the states come from, as libfranka does."""
        assert self._state_source is not None, "no state has arrived yet"
        self.udp.sendto(data, self._state_source)

    def start(self, generator: str, controller: str, **options) -> State:
        """Start a motion and return the newest state that shows it running."""
        self._move_id = self.send_request("Move", pack_move(generator, controller, **options))
        reply = self.reply(self._move_id)
        if reply.status != "kMotionStarted":
            self._move_id = None
            raise RejectedError("Move", reply.status)

        def running(state: State) -> bool:
            shown = (state.motion_generator_mode, state.controller_mode)
            return shown == (generator, controller) and state.robot_mode == "kMove"

        self.read_until(running, f"{generator}/{controller} in kMove")
        self._opening = True
        self._drain()
        return self.state

    def step(self, **fields) -> State:
        """Answer the last state read, and read the next one.

        Before a motion's first command the stream runs on its own, so that command may answer a
        state that is no longer the newest. States are then read until one shows that it counted;
        from there on each state is answered exactly once, and none lies unread in between.
        """
        self.send(**fields)
        state = self.read_state()
        while self._opening:
            self._drain()
            state = self.state
            if state.raw[1372] != 2 or state.control_command_success_rate > 0.0:
                self._opening = False
                break
            state = self.read_state()
        return state

    def play(
        self, samples: Iterable[dict], *, keep: bool = False,
        each: Callable[[int, State], None] | None = None,
    ) -> Played:  # fmt: skip
        """Answer one state per sample; stops early when a state shows the motion has ended."""
        played = Played(0, self.state)
        for sample in samples:
            if each is not None:
                each(played.answered, self.state)
            played.state = self.step(**sample)
            played.answered += 1
            if keep:
                played.states.append(played.state)
            if played.state.raw[1372] != 2:  # robot_mode is no longer kMove
                played.status = self.terminal_status()
                break
        return played

    def finish(self, **fields) -> str:
        """Repeat a finished command for every state until the modes are idle; Move's status."""
        torque = self.state.controller_mode == "kExternalController"
        alone = self.state.motion_generator_mode in ("kNone", "kIdle")
        if not (torque and alone):
            fields["motion_generation_finished"] = True
        if torque and alone:
            fields["torque_command_finished"] = True
        self._opening = False
        deadline = time.monotonic() + self.watchdog_s
        while self._shows_motion(self.state):
            self.send(**fields)
            self.newest_state()
            if time.monotonic() > deadline:
                raise HungError(f"finished commanded, still moving: {self.state!r}")
        return self.terminal_status()

    def terminal_status(self) -> str:
        """Move's last answer."""
        assert self._move_id is not None, "no motion was started"
        status = self.reply(self._move_id).status
        self._move_id = None
        return status

    def skip_lost(self, cycles: int) -> State:
        """Read on, unanswered, past cycles that were made to count as lost."""
        target = self.state.message_id + cycles
        while self.state.message_id < target and self.state.raw[1372] == 2:
            self.read_state()
        return self.state

    @staticmethod
    def _shows_motion(state: State) -> bool:
        return state.motion_generator_mode not in ("kIdle", "kNone") or (
            state.controller_mode == "kExternalController"
        )

    # -- sockets ------------------------------------------------------------------------------

    def _pump(self, deadline: float, what: str) -> None:
        left = deadline - time.monotonic()
        ready = select.select([self.tcp, self.udp], [], [], max(0.0, left))[0] if left > 0 else []
        if not ready:
            raise HungError(f"waited {self.watchdog_s} s for {what}; last state {self.state!r}")
        if self.udp in ready:
            self._receive_udp()
        if self.tcp in ready:
            self._receive_tcp()

    def _drain(self) -> None:
        """Make the newest state that has arrived the last one read."""
        self._receive_udp()
        while self._states:
            self.state = self._states.popleft()

    def _receive_udp(self) -> None:
        while True:
            try:
                data, source = self.udp.recvfrom(4096)
            except (BlockingIOError, ConnectionRefusedError):
                return
            if len(data) != STATE_SIZE:
                raise AssertionError(f"a state of {len(data)} bytes, not {STATE_SIZE}")
            self._state_source = source
            self._states.append(State(data))

    def _receive_tcp(self) -> None:
        try:
            data = self.tcp.recv(65536)
        except BlockingIOError:
            return
        except ConnectionError as error:
            raise ClosedError(str(error)) from None
        if not data:
            raise ClosedError("end of stream")
        self._buffer += data
        while len(self._buffer) >= HEADER.size:
            command, command_id, size = HEADER.unpack_from(self._buffer)
            if size < HEADER.size + 1:
                raise AssertionError(f"an answer of {size} bytes has no status")
            if len(self._buffer) < size:
                return
            message = bytes(self._buffer[HEADER.size : size])
            del self._buffer[:size]
            name = self._names.get(command_id)
            if name is None or COMMANDS[name] != command:
                raise AssertionError(f"an answer to nothing: command {command}, id {command_id}")
            known = STATUSES[name]
            status = known[message[0]] if message[0] < len(known) else f"status {message[0]}"
            reply = Reply(name, command_id, status, message[1:])
            self._replies.setdefault(command_id, deque()).append(reply)
