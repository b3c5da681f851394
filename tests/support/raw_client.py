"""A minimal FCI v10 client on plain sockets, for tests that need every byte in hand.

Every layout here is a copy of the published numbers (FCI v10: RobotState 1377, RobotCommand 371
bytes) and shares no code with the server, so that the two cannot be wrong together. No policy lives
here: the client sends what a test tells it to, answers each state at most once, and never sleeps.
A wait that outlasts its watchdog raises `Hung` and names what it waited for.
"""

from __future__ import annotations

import select
import socket
import struct
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

PORT = 1337
VERSION = 10
WATCHDOG_S = 20.0  # chosen: far above any answer, far below a stuck test run

# ---- the datagrams ---------------------------------------------------------------------------

STATE_SIZE = 1377
COMMAND_SIZE = 371

# RobotState v10: u64 id, 320 f32, two mode bytes, 2 x 41 flags, mode byte, f32 rate, packed.
_STATE = struct.Struct("<Q320fBB41?41?Bf")
assert _STATE.size == STATE_SIZE

# name: (first f32, count); offset in bytes = 8 + 4 * first.
_FLOATS = {
    "O_T_EE": (0, 16), "O_T_EE_d": (16, 16), "F_T_EE": (32, 16), "EE_T_K": (48, 16),
    "F_T_NE": (64, 16), "NE_T_EE": (80, 16), "m_ee": (96, 1), "I_ee": (97, 9),
    "F_x_Cee": (106, 3), "m_load": (109, 1), "I_load": (110, 9), "F_x_Cload": (119, 3),
    "elbow": (122, 2), "elbow_d": (124, 2), "tau_J": (126, 7), "tau_J_d": (133, 7),
    "dtau_J": (140, 7), "q": (147, 7), "q_d": (154, 7), "dq": (161, 7), "dq_d": (168, 7),
    "ddq_d": (175, 7), "joint_contact": (182, 7), "cartesian_contact": (189, 6),
    "joint_collision": (195, 7), "cartesian_collision": (202, 6),
    "tau_ext_hat_filtered": (208, 7), "O_F_ext_hat_K": (215, 6), "K_F_ext_hat_K": (221, 6),
    "O_dP_EE_d": (227, 6), "O_ddP_O": (233, 3), "elbow_c": (236, 2), "delbow_c": (238, 2),
    "ddelbow_c": (240, 2), "O_T_EE_c": (242, 16), "O_dP_EE_c": (258, 6), "O_ddP_EE_c": (264, 6),
    "theta": (270, 7), "dtheta": (277, 7), "accelerometer_top": (284, 18),
    "accelerometer_bottom": (302, 18),
}  # fmt: skip

ROBOT_MODES = (
    "kOther", "kIdle", "kMove", "kGuiding", "kReflex", "kUserStopped", "kAutomaticErrorRecovery",
)  # fmt: skip
GENERATOR_MODES = (
    "kIdle", "kJointPosition", "kJointVelocity", "kCartesianPosition", "kCartesianVelocity", "kNone",
)  # fmt: skip
CONTROLLER_MODES = ("kJointImpedance", "kCartesianImpedance", "kExternalController", "kOther")

ERROR_NAMES = (
    "joint_position_limits_violation",
    "cartesian_position_limits_violation",
    "self_collision_avoidance_violation",
    "joint_velocity_violation",
    "cartesian_velocity_violation",
    "force_control_safety_violation",
    "joint_reflex",
    "cartesian_reflex",
    "max_goal_pose_deviation_violation",
    "max_path_pose_deviation_violation",
    "cartesian_velocity_profile_safety_violation",
    "joint_position_motion_generator_start_pose_invalid",
    "joint_motion_generator_position_limits_violation",
    "joint_motion_generator_velocity_limits_violation",
    "joint_motion_generator_velocity_discontinuity",
    "joint_motion_generator_acceleration_discontinuity",
    "cartesian_position_motion_generator_start_pose_invalid",
    "cartesian_motion_generator_elbow_limit_violation",
    "cartesian_motion_generator_velocity_limits_violation",
    "cartesian_motion_generator_velocity_discontinuity",
    "cartesian_motion_generator_acceleration_discontinuity",
    "cartesian_motion_generator_elbow_sign_inconsistent",
    "cartesian_motion_generator_start_elbow_invalid",
    "force_controller_desired_force_tolerance_violation",
    "start_elbow_sign_inconsistent",
    "communication_constraints_violation",
    "power_limit_violation",
    "cartesian_motion_generator_joint_position_limits_violation",
    "cartesian_motion_generator_joint_velocity_limits_violation",
    "cartesian_motion_generator_joint_velocity_discontinuity",
    "cartesian_motion_generator_joint_acceleration_discontinuity",
    "cartesian_position_motion_generator_invalid_frame_flag",
    "controller_torque_discontinuity",
    "joint_p2p_insufficient_torque_for_planning",
    "tau_J_range_violation",
    "instability_detected",
    "joint_move_in_wrong_direction",
    "cartesian_spline_motion_generator_violation",
    "joint_via_motion_generator_planning_joint_limit_violation",
    "base_acceleration_initialization_timeout",
    "base_acceleration_invalid_reading",
)
assert len(ERROR_NAMES) == 41


class State:
    """One RobotState datagram; fields by their wire names, decoded when first asked for."""

    __slots__ = ("raw", "_values")

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        self._values: tuple | None = None

    @property
    def values(self) -> tuple:
        if self._values is None:
            self._values = _STATE.unpack(self.raw)
        return self._values

    @property
    def message_id(self) -> int:
        return int.from_bytes(self.raw[:8], "little")

    def __getattr__(self, name: str):
        try:
            first, count = _FLOATS[name]
        except KeyError:
            raise AttributeError(name) from None
        if count == 1:
            return self.values[1 + first]
        return self.values[1 + first : 1 + first + count]

    @property
    def motion_generator_mode(self) -> str:
        return GENERATOR_MODES[self.raw[1288]]

    @property
    def controller_mode(self) -> str:
        return CONTROLLER_MODES[self.raw[1289]]

    @property
    def robot_mode(self) -> str:
        return ROBOT_MODES[self.raw[1372]]

    @property
    def errors(self) -> tuple[str, ...]:
        """Names of the errors active now (`current_errors`)."""
        return tuple(name for name, on in zip(ERROR_NAMES, self.raw[1290:1331]) if on)

    @property
    def reflex_reason(self) -> tuple[str, ...]:
        """Names of the errors that aborted the last motion (`last_motion_errors`)."""
        return tuple(name for name, on in zip(ERROR_NAMES, self.raw[1331:1372]) if on)

    @property
    def control_command_success_rate(self) -> float:
        return struct.unpack_from("<f", self.raw, 1373)[0]

    def __repr__(self) -> str:
        return (
            f"<State {self.message_id} {self.robot_mode} {self.motion_generator_mode}"
            f"/{self.controller_mode} {list(self.errors)}>"
        )


# RobotCommand v7 to v10, packed: id, q_c 7, dq_c 7, O_T_EE_c 16, O_dP_EE_c 6, elbow_c 2,
# valid_elbow, motion_generation_finished, tau_J_d 7, torque_command_finished.
_COMMAND = struct.Struct("<Q7d7d16d6d2d??7d?")
assert _COMMAND.size == COMMAND_SIZE
_Z2, _Z6, _Z7, _Z16 = (0.0,) * 2, (0.0,) * 6, (0.0,) * 7, (0.0,) * 16


def pack_command(
    message_id: int,
    *,
    q_c: Sequence[float] = _Z7,
    dq_c: Sequence[float] = _Z7,
    O_T_EE_c: Sequence[float] = _Z16,
    O_dP_EE_c: Sequence[float] = _Z6,
    elbow_c: Sequence[float] = _Z2,
    valid_elbow: bool = False,
    motion_generation_finished: bool = False,
    tau_J_d: Sequence[float] = _Z7,
    torque_command_finished: bool = False,
) -> bytes:
    """Encode one RobotCommand; fields not given are zero, as libfranka leaves them."""
    return _COMMAND.pack(
        message_id, *q_c, *dq_c, *O_T_EE_c, *O_dP_EE_c, *elbow_c,
        valid_elbow, motion_generation_finished, *tau_J_d, torque_command_finished,
    )  # fmt: skip


# ---- the requests ----------------------------------------------------------------------------

COMMANDS = {
    "Connect": 0, "Move": 1, "StopMove": 2, "SetCollisionBehavior": 3, "SetJointImpedance": 4,
    "SetCartesianImpedance": 5, "SetGuidingMode": 6, "SetEEToK": 7, "SetNEToEE": 8, "SetLoad": 9,
    "AutomaticErrorRecovery": 10, "GetRobotModel": 11,
}  # fmt: skip

_SETTER_STATUS = (
    "kSuccess", "kCommandNotPossibleRejected", "kInvalidArgumentRejected",
    "kCommandRejectedDueToActivatedSafetyFunctions",
)  # fmt: skip
STATUSES = {
    "Connect": ("kSuccess", "kIncompatibleLibraryVersion"),
    "Move": (
        "kSuccess", "kMotionStarted", "kPreempted", "kPreemptedDueToActivatedSafetyFunctions",
        "kCommandRejectedDueToActivatedSafetyFunctions", "kCommandNotPossibleRejected",
        "kStartAtSingularPoseRejected", "kInvalidArgumentRejected", "kReflexAborted",
        "kEmergencyAborted", "kInputErrorAborted", "kAborted",
    ),
    "StopMove": (
        "kSuccess", "kCommandNotPossibleRejected", "kCommandRejectedDueToActivatedSafetyFunctions",
        "kEmergencyAborted", "kReflexAborted", "kAborted",
    ),
    "AutomaticErrorRecovery": (
        "kSuccess", "kCommandNotPossibleRejected", "kCommandRejectedDueToActivatedSafetyFunctions",
        "kManualErrorRecoveryRequiredRejected", "kReflexAborted", "kEmergencyAborted", "kAborted",
    ),
    "GetRobotModel": (
        "kSuccess", "kCommandNotPossibleRejected", "kCommandRejectedDueToActivatedSafetyFunctions",
    ),
    "SetCollisionBehavior": _SETTER_STATUS, "SetJointImpedance": _SETTER_STATUS,
    "SetCartesianImpedance": _SETTER_STATUS, "SetGuidingMode": _SETTER_STATUS,
    "SetEEToK": _SETTER_STATUS, "SetNEToEE": _SETTER_STATUS, "SetLoad": _SETTER_STATUS,
}  # fmt: skip

HEADER = struct.Struct("<III")
_CONNECT = struct.Struct("<HH")
_MOVE = struct.Struct("<II3d3d?7d")

# Generators as Move asks for them; a state shows number + 1.
_MOVE_GENERATORS = {
    "kJointPosition": 0, "kJointVelocity": 1, "kCartesianPosition": 2, "kCartesianVelocity": 3,
    "kNone": 4,
}  # fmt: skip
_MOVE_CONTROLLERS = {"kJointImpedance": 0, "kCartesianImpedance": 1, "kExternalController": 2}

LIBFRANKA_DEVIATION = (10.0, 3.12, 6.283185307179586)  # what libfranka always sends


def pack_request(command: str, command_id: int, payload: bytes = b"") -> bytes:
    """Frame one request: 12-byte header, then the payload."""
    return HEADER.pack(COMMANDS[command], command_id, HEADER.size + len(payload)) + payload


def pack_connect(version: int, udp_port: int) -> bytes:
    return _CONNECT.pack(version, udp_port)


def pack_move(
    generator: str,
    controller: str,
    *,
    maximum_path_deviation: Sequence[float] = LIBFRANKA_DEVIATION,
    maximum_goal_pose_deviation: Sequence[float] = LIBFRANKA_DEVIATION,
    use_async_motion_generator: bool = False,
    maximum_velocity: Sequence[float] = _Z7,
) -> bytes:
    return _MOVE.pack(
        _MOVE_CONTROLLERS[controller], _MOVE_GENERATORS[generator], *maximum_path_deviation,
        *maximum_goal_pose_deviation, use_async_motion_generator, *maximum_velocity,
    )  # fmt: skip


def pack_doubles(*arrays: Iterable[float]) -> bytes:
    flat = [value for array in arrays for value in array]
    return struct.pack(f"<{len(flat)}d", *flat)


# ---- what can go wrong -----------------------------------------------------------------------


class Hung(AssertionError):
    """The other side did not do something in time."""


class Rejected(Exception):
    """A request was answered, but not with the status that was hoped for."""

    def __init__(self, command: str, status: str) -> None:
        super().__init__(f"{command}: {status}")
        self.command, self.status = command, status


class Closed(Exception):
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
        try:
            self.tcp.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
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
                    raise Hung("the server does not read its TCP connection") from None
            except (ConnectionError, BrokenPipeError) as error:
                raise Closed(str(error)) from None

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
        except Closed:
            return

    # -- session ------------------------------------------------------------------------------

    def connect(self, version: int = VERSION) -> Reply:
        """Connect; on success also read the first state."""
        reply = self.request("Connect", pack_connect(version, self.udp.getsockname()[1]))
        (self.server_version,) = struct.unpack_from("<H", reply.tail)
        if reply.status != "kSuccess":
            raise Rejected("Connect", reply.status)
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
                raise Hung(f"no state with {what}; last {state!r}")

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
            raise Rejected("GetRobotModel", reply.status)
        return reply.tail.decode()

    def stop_move(self) -> str:
        return self.request("StopMove").status

    def automatic_error_recovery(self) -> str:
        return self.request("AutomaticErrorRecovery").status

    # -- motions ------------------------------------------------------------------------------

    def send(self, message_id: int | None = None, **fields) -> None:
        """Send one RobotCommand; without an id it answers the last state read."""
        assert self.state is not None and self._state_source is not None
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
            raise Rejected("Move", reply.status)

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
        state that is no longer the newest. It is repeated for the newest state until a state shows
        that it counted; from then on each state is answered exactly once.
        """
        self.send(**fields)
        state = self.read_state()
        while self._opening:
            self._drain()
            state = self.state
            if state.raw[1372] != 2 or state.control_command_success_rate > 0.0:
                self._opening = False
                break
            self.send(**fields)
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
                raise Hung(f"finished commanded, still moving: {self.state!r}")
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
            raise Hung(f"waited {self.watchdog_s} s for {what}; last state {self.state!r}")
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
            raise Closed(str(error)) from None
        if not data:
            raise Closed("end of stream")
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
