"""A robot that does nothing but remember: the core's face for tests of the TCP side.

`tables` stands in for the compiled module where that is not built; its numbers are copied from
wire.md 1.2 to 1.4 by hand, not from the code under test.
"""

from __future__ import annotations

import contextlib
import os
import threading
import types
from dataclasses import dataclass, field
from typing import Any

import numpy as np

SETTER = (
    "kSuccess",
    "kCommandNotPossibleRejected",
    "kInvalidArgumentRejected",
    "kCommandRejectedDueToActivatedSafetyFunctions",
)
STATUSES = {
    "Connect": ("kSuccess", "kIncompatibleLibraryVersion"),
    "Move": (
        "kSuccess",
        "kMotionStarted",
        "kPreempted",
        "kPreemptedDueToActivatedSafetyFunctions",
        "kCommandRejectedDueToActivatedSafetyFunctions",
        "kCommandNotPossibleRejected",
        "kStartAtSingularPoseRejected",
        "kInvalidArgumentRejected",
        "kReflexAborted",
        "kEmergencyAborted",
        "kInputErrorAborted",
        "kAborted",
    ),
    "StopMove": (
        "kSuccess",
        "kCommandNotPossibleRejected",
        "kCommandRejectedDueToActivatedSafetyFunctions",
        "kEmergencyAborted",
        "kReflexAborted",
        "kAborted",
    ),
    "AutomaticErrorRecovery": (
        "kSuccess",
        "kCommandNotPossibleRejected",
        "kCommandRejectedDueToActivatedSafetyFunctions",
        "kManualErrorRecoveryRequiredRejected",
        "kReflexAborted",
        "kEmergencyAborted",
        "kAborted",
    ),
    "GetRobotModel": (
        "kSuccess",
        "kCommandNotPossibleRejected",
        "kCommandRejectedDueToActivatedSafetyFunctions",
    ),
}
V10 = (
    ("Connect", 0, 16, 15),
    ("Move", 1, 125, 13),
    ("StopMove", 2, 12, 13),
    ("SetCollisionBehavior", 3, 428, 13),
    ("SetJointImpedance", 4, 68, 13),
    ("SetCartesianImpedance", 5, 60, 13),
    ("SetGuidingMode", 6, 19, 13),
    ("SetEEToK", 7, 140, 13),
    ("SetNEToEE", 8, 140, 13),
    ("SetLoad", 9, 116, 13),
    ("AutomaticErrorRecovery", 10, 12, 13),
    ("GetRobotModel", 11, 12, 13),
)

# Grippers: wire.md 1.1, 4.1 and 4.2.
TOOL_STATUSES = ("kSuccess", "kFail", "kUnsuccessful", "kAborted")
TOOLS = {
    "hand": (
        3,
        1338,
        (
            ("Connect", 0, 14, 14),
            ("Homing", 1, 10, 12),
            ("Grasp", 2, 50, 12),
            ("Move", 3, 26, 12),
            ("Stop", 4, 10, 12),
        ),
    ),
    "vacuum": (
        1,
        1339,
        (
            ("Connect", 0, 14, 14),
            ("Vacuum", 1, 20, 12),
            ("DropOff", 2, 18, 12),
            ("Stop", 3, 10, 12),
        ),
    ),
}

_NAMES = """
    joint_position_limits_violation cartesian_position_limits_violation
    self_collision_avoidance_violation joint_velocity_violation cartesian_velocity_violation
    force_control_safety_violation joint_reflex cartesian_reflex
    max_goal_pose_deviation_violation max_path_pose_deviation_violation
    cartesian_velocity_profile_safety_violation
    joint_position_motion_generator_start_pose_invalid
    joint_motion_generator_position_limits_violation
    joint_motion_generator_velocity_limits_violation
    joint_motion_generator_velocity_discontinuity
    joint_motion_generator_acceleration_discontinuity
    cartesian_position_motion_generator_start_pose_invalid
    cartesian_motion_generator_elbow_limit_violation
    cartesian_motion_generator_velocity_limits_violation
    cartesian_motion_generator_velocity_discontinuity
    cartesian_motion_generator_acceleration_discontinuity
    cartesian_motion_generator_elbow_sign_inconsistent
    cartesian_motion_generator_start_elbow_invalid
    force_controller_desired_force_tolerance_violation start_elbow_sign_inconsistent
    communication_constraints_violation power_limit_violation
    cartesian_motion_generator_joint_position_limits_violation
    cartesian_motion_generator_joint_velocity_limits_violation
    cartesian_motion_generator_joint_velocity_discontinuity
    cartesian_motion_generator_joint_acceleration_discontinuity
    cartesian_position_motion_generator_invalid_frame_flag controller_torque_discontinuity
    joint_p2p_insufficient_torque_for_planning tau_J_range_violation instability_detected
    joint_move_in_wrong_direction cartesian_spline_motion_generator_violation
    joint_via_motion_generator_planning_joint_limit_violation
    base_acceleration_initialization_timeout base_acceleration_invalid_reading
"""
ERROR_NAMES = _NAMES.split()


def tables() -> types.ModuleType:
    """Return a module with the tables of `franka_sim._engine`, and nothing that runs."""

    def commands(version: int) -> dict[str, dict[str, Any]]:
        if version != 10:
            raise ValueError(f"FCI version {version} is not built in")
        return {
            name: {
                "id": number,
                "request_size": request,
                "reply_size": reply,
                "statuses": {s: i for i, s in enumerate(STATUSES.get(name, SETTER))},
            }
            for name, number, request, reply in V10
        }

    module = types.ModuleType("franka_sim._engine")
    module.error_names = lambda: tuple(ERROR_NAMES)  # type: ignore[attr-defined]

    def tool_protocol(kind: str) -> dict[str, Any]:
        version, port, rows = TOOLS[kind]
        return {
            "version": version,
            "port": port,
            "commands": {
                name: {
                    "id": number,
                    "request_size": request,
                    "reply_size": reply,
                    "statuses": {
                        s: i for i, s in enumerate(TOOL_STATUSES if number else STATUSES["Connect"])
                    },
                }
                for name, number, request, reply in rows
            },
        }

    module.commands = commands  # type: ignore[attr-defined]
    module.tool_protocol = tool_protocol  # type: ignore[attr-defined]
    return module


STATE_DTYPE = np.dtype(
    [
        ("message_id", "f8"),
        ("q", "f8", 7),
        ("O_T_EE", "f8", 16),
        ("m_ee", "f8"),
        ("I_ee", "f8", 9),
        ("F_x_Cee", "f8", 3),
        ("m_load", "f8"),
        ("I_load", "f8", 9),
        ("F_x_Cload", "f8", 3),
        ("robot_mode", "f8"),
        ("errors", "f8", 41),
        ("reflex_reason", "f8", 41),
        ("control_command_success_rate", "f8"),
    ]
)


@dataclass(frozen=True)
class FakeEvent:
    kind: str = "reply"
    token: int = 0
    status: int = 0
    cycle: int = 0
    data: dict[str, Any] = field(default_factory=dict)


class FakePlant:
    """Notes what it carries."""

    def __init__(self, note: Any) -> None:
        self._note = note

    def carry(self, mass: float, com: list[float], inertia: list[float]) -> None:
        self._note("carry", mass)


class FakeEngine:
    """Records what the TCP side asks; `emit` makes an event as the core would."""

    def __init__(self) -> None:
        self.event_fd = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self.tool_event_fd = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._tool_answers: list[tuple[int, int, int]] = []
        self.tool_state: dict[str, Any] = {}
        self.record = np.zeros((), STATE_DTYPE)
        self.attach_error: Exception | None = None
        self.submit_error: Exception | None = None
        self._events: list[FakeEvent] = []
        self._changed = threading.Condition()
        self.calls: list[tuple[Any, ...]] = []
        self.began = 1
        self.plant = FakePlant(self._note)

    def _note(self, *call: Any) -> None:
        with self._changed:
            self.calls.append(call)
            self._changed.notify_all()

    def wait_for_call(self, name: str, count: int = 1) -> tuple[Any, ...]:
        """Return the `count`-th call of that name, waiting for it."""

        def find() -> Any:
            found = [call for call in self.calls if call[0] == name]
            return found[count - 1] if len(found) >= count else None

        with self._changed:
            call = self._changed.wait_for(find, timeout=10)
        assert call is not None, f"{name} was not called {count} times: {self.calls}"
        return call

    def emit(self, *events: FakeEvent) -> None:
        with self._changed:
            self._events += events
        os.eventfd_write(self.event_fd, 1)

    def poll_events(self) -> list[FakeEvent]:
        with contextlib.suppress(BlockingIOError):
            os.eventfd_read(self.event_fd)
        with self._changed:
            events, self._events = self._events, []
        return events

    def attach(self, ip: str, udp_port: int, version: int) -> None:
        if self.attach_error is not None:
            raise self.attach_error
        self._note("attach", ip, udp_port, version)

    def detach(self) -> None:
        self._note("detach")

    def submit(self, token: int, version: int, command: int, payload: bytes) -> None:
        if self.submit_error is not None:
            raise self.submit_error
        self._note("submit", token, version, command, payload)

    def start(self) -> None:
        self._note("start")

    def stop(self) -> None:
        self._note("stop")

    def snapshot(self) -> Any:
        return self.record.copy()

    def history(self, n: int | None = None) -> Any:
        return np.zeros(3 if n is None else n, STATE_DTYPE)

    def lose(self, n: int) -> None:
        self._note("lose", n)

    def user_stop(self, pressed: bool) -> None:
        self._note("user_stop", pressed)

    def guiding(self, active: bool) -> None:
        self._note("guiding", active)

    def brakes(self, closed: bool) -> None:
        self._note("brakes", closed)

    def push(self, **arguments: Any) -> None:
        self._note("push", arguments)

    def release(self) -> None:
        self._note("release")

    def restart(self) -> None:
        self._note("restart")
        self.began += 1

    def counters(self) -> dict[str, int]:
        return {"cycles": 1}

    def state_hash(self) -> tuple[int, int]:
        return 7, 3

    def realtime_report(self) -> dict[str, Any]:
        return {"policy": "other", "priority": 0, "locked": False, "cpu": -1}

    def status(self) -> dict[str, Any]:
        return {}

    def emit_tool(self, *answers: tuple[int, int, int]) -> None:
        """Answer a gripper's request as the core would: token, status number, cycle."""
        with self._changed:
            self._tool_answers += answers
        os.eventfd_write(self.tool_event_fd, 1)

    def poll_tool_events(self) -> list[tuple[int, int, int]]:
        with contextlib.suppress(BlockingIOError):
            os.eventfd_read(self.tool_event_fd)
        with self._changed:
            answers, self._tool_answers = self._tool_answers, []
        return answers

    def tool_attach(self, connection: int, ip: str, udp_port: int) -> None:
        self._note("tool_attach", connection, ip, udp_port)

    def tool_detach(self, connection: int) -> None:
        self._note("tool_detach", connection)

    def tool_submit(
        self,
        kind: str,
        token: int,
        command: int,
        payload: bytes,
        when: str = "now",
        cycles: int = 0,
    ) -> None:
        if self.submit_error is not None:
            raise self.submit_error
        self._note("tool_submit", kind, token, command, payload, when, cycles)

    def tool_input(
        self,
        kind: str,
        value: float,
        stiffness: float = 0.0,
        when: str = "now",
        cycles: int = 0,
    ) -> None:
        self._note("tool_input", kind, value, stiffness, when, cycles)

    def tool_snapshot(self) -> dict[str, Any]:
        return dict(self.tool_state)

    def tool_hash(self) -> int:
        return 11
