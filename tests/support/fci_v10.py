"""FCI v10 as bytes: the layouts, numbers and names that the raw client speaks.

Every number here is a copy of the published ones (RobotState 1377 bytes, RobotCommand 371) and
shares no code with the server, so that the two cannot be wrong together. Must not hold a socket.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence

PORT = 1337
VERSION = 10

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
    "kIdle", "kJointPosition", "kJointVelocity", "kCartesianPosition", "kCartesianVelocity",
    "kNone",
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

    __slots__ = ("_values", "raw")

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
        return tuple(name for name, on in zip(ERROR_NAMES, self.raw[1290:1331], strict=False) if on)

    @property
    def reflex_reason(self) -> tuple[str, ...]:
        """Names of the errors that aborted the last motion (`last_motion_errors`)."""
        return tuple(name for name, on in zip(ERROR_NAMES, self.raw[1331:1372], strict=False) if on)

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
