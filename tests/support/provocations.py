"""Provocations: each takes a connected raw client, breaks one rule and plays until the motion ends.

`PROVOCATIONS` pairs them with the errors they latch. Must not judge what came of it.
"""

from __future__ import annotations

import math

import fci_v10 as fci
import numpy as np
from cartesian import columns_of, commands, matrix, minimum_jerk, path, ramp, travelled, twists
from fr3 import Q_MAX
from raw_client import Played, RawClient
from trajectories import only, shifted

POSE, TWIST = "kCartesianPosition", "kCartesianVelocity"
JOINT, CARTESIAN, EXTERNAL = "kJointImpedance", "kCartesianImpedance", "kExternalController"


# ---- how the arm is brought somewhere, and what must work after every stop --------------------


def go_to(raw: RawClient, q, seconds: float = 2.0) -> None:
    """A joint motion to q, that ends well."""
    start = raw.start("kJointPosition", JOINT)
    steps = [b - a for a, b in zip(start.q_d, q, strict=True)]
    samples = [
        {"q_c": [a + d * s for a, d in zip(start.q_d, steps, strict=True)]}
        for s in minimum_jerk(seconds).tolist()
    ]
    played = raw.play(samples)
    assert played.status is None, played.errors
    assert raw.finish(**samples[-1]) == "kSuccess"


def recovers(raw: RawClient) -> None:
    """Recovery succeeds and both a joint and a Cartesian motion run to their end."""
    assert raw.automatic_error_recovery() == "kSuccess"
    state = raw.newest_state()
    assert state.robot_mode == "kIdle"
    assert state.errors == ()
    go_to(raw, shifted(state.q_d, 0, 0.02), 0.4)
    samples = commands(path(raw.start(POSE, JOINT).O_T_EE_d, (0, 0, 0.01), (0, 0, 0), SHORT))
    played = raw.play(samples)
    assert played.status is None, played.errors
    assert raw.finish(**samples[-1]) == "kSuccess"


SHORT = minimum_jerk(0.4)


def still(raw: RawClient, generator: str, cycles: int = 5, **options) -> tuple[fci.State, dict]:
    """Start a generator and hold it where it is; the state and the command that holds."""
    controller = options.pop("controller", EXTERNAL if generator == "kNone" else JOINT)
    start = raw.start(generator, controller, **options)
    hold = {
        "kJointPosition": {"q_c": start.q_d},
        POSE: {"O_T_EE_c": start.O_T_EE_d},
    }.get(generator, {})
    played = raw.play([hold] * cycles)
    assert played.status is None, played.errors
    return start, hold


def moved(columns, axis: int, distance: float) -> list[float]:
    """A pose shifted along an axis of O."""
    out = list(columns)
    out[12 + axis] += distance
    return out


def poses_at(raw: RawClient, speeds, axis: int) -> list[dict]:
    """Pose samples along (0 to 2) or about (3 to 5, axes of EE) an axis at given speeds."""
    T = matrix(raw.state.O_T_EE_d)
    profile, unit = travelled(speeds), np.eye(6)[axis]
    return commands(path(T, unit[:3], T[:3, :3] @ unit[3:], profile))


# ---- joint commands --------------------------------------------------------------------------


def joint_start(raw):
    start = raw.start("kJointPosition", JOINT)
    return raw.play([{"q_c": shifted(start.q_d, 0, 0.2)}] * 3)


def joint_range(raw):
    start, _ = still(raw, "kJointPosition")
    return raw.play([{"q_c": [Q_MAX[0] + 0.01, *start.q_d[1:]]}] * 3)


def joint_position_too_fast(raw):
    start, _ = still(raw, "kJointPosition")
    profile = travelled(ramp(3.0, 9.0, 4000.0, 400))
    return raw.play({"q_c": shifted(start.q_d, 0, x)} for x in profile.tolist())


def joint_position_step(raw):
    start, _ = still(raw, "kJointPosition")
    return raw.play([{"q_c": shifted(start.q_d, 3, 0.1)}] * 3)


def joint_position_jerk(raw):
    start, _ = still(raw, "kJointPosition")
    return raw.play([{"q_c": shifted(start.q_d, 5, 8e-6)}] * 3)


def joint_velocity_first(raw):
    raw.start("kJointVelocity", JOINT)
    return raw.play([{"dq_c": only(2, 0.2)}] * 3)


def joint_velocity_step(raw):
    still(raw, "kJointVelocity")
    return raw.play([{"dq_c": only(1, 0.5)}] * 3)


def joint_velocity_jerk(raw):
    still(raw, "kJointVelocity")
    return raw.play([{"dq_c": only(6, 0.008)}] * 3)


def joint_velocity_too_fast(raw):
    still(raw, "kJointVelocity")
    return raw.play({"dq_c": only(0, v)} for v in ramp(3.0, 9.0, 4000.0, 400).tolist())


# ---- poses -----------------------------------------------------------------------------------


def pose_start_far(raw):
    start = raw.start(POSE, JOINT)
    return raw.play([{"O_T_EE_c": moved(start.O_T_EE_d, 0, 0.1)}] * 3)


def pose_start_turned(raw):
    start = raw.start(POSE, CARTESIAN)
    turned = columns_of(path(start.O_T_EE_d, (0, 0, 0), (0, 0, 0.2), np.ones(1)))[0]
    return raw.play([{"O_T_EE_c": turned}] * 3)


def pose_too_fast(raw):
    """2.5 rad/s about the axis of joint 7, which may do 5.26."""
    still(raw, POSE)
    return raw.play(poses_at(raw, ramp(2.7, 9.0, 4000.0, 400), 5))


def pose_step(raw):
    start, _ = still(raw, POSE)
    return raw.play([{"O_T_EE_c": moved(start.O_T_EE_d, 2, 1e-3)}] * 3)


def pose_jerk(raw):
    """6 micrometres: 6 m/s^2, but 6000 m/s^3."""
    start, _ = still(raw, POSE)
    return raw.play([{"O_T_EE_c": moved(start.O_T_EE_d, 1, 6e-6)}] * 3)


def pose_joints_accelerate(raw):
    """3.5 m/s^2 forwards, 39 % of what the pose may do."""
    still(raw, POSE)
    return raw.play(poses_at(raw, ramp(1.0, 3.5, 500.0, 300), 0))


def pose_joints_jerk(raw):
    """2 m/s^2 within one cycle: 2000 m/s^3."""
    still(raw, POSE)
    return raw.play(poses_at(raw, ramp(0.5, 2.0, 2000.0, 300), 0))


def pose_row_major(raw):
    start, _ = still(raw, POSE)
    return raw.play([{"O_T_EE_c": columns_of(matrix(start.O_T_EE_d).T)[0]}] * 3)


def pose_skewed(raw):
    start, _ = still(raw, POSE)
    skewed = list(start.O_T_EE_d)
    skewed[0] *= 1.01
    return raw.play([{"O_T_EE_c": skewed}] * 3)


def pose_towards_a_stop(raw):
    """Slowly about the axis of joint 7: its envelope is zero before its range ends."""
    go_to(raw, [*raw.state.q_d[:6], Q_MAX[6] - 0.1])
    still(raw, POSE)
    return raw.play(poses_at(raw, ramp(0.05, 0.2, 50.0, 4000), 5))


def pose_joints_too_fast(raw):
    """Backwards at 0.7 m/s until a joint would have to do more than it may."""
    go_to(raw, [0.0, 0.6, 0.0, -1.6, 0.0, 2.2, 0.8])
    still(raw, POSE)
    return raw.play(poses_at(raw, -ramp(0.95, 1.5, 150.0, 1500), 0))


# ---- elbows ----------------------------------------------------------------------------------


def elbow_command(raw, generator, elbow):
    hold = {"O_T_EE_c": raw.state.O_T_EE_d} if generator == POSE else {}
    return {**hold, "elbow_c": elbow, "valid_elbow": True}


def elbow_start(generator, offset, sign):
    def provoke(raw):
        start = raw.start(generator, JOINT)
        q3, branch = start.elbow
        return raw.play([elbow_command(raw, generator, (q3 + offset, branch * sign))] * 3)

    return provoke


def elbow_flip(generator):
    def provoke(raw):
        start = raw.start(generator, JOINT)
        q3, branch = start.elbow
        first = elbow_command(raw, generator, (q3, branch))
        assert raw.play([first] * 20).status is None
        return raw.play([{**first, "elbow_c": (q3, -branch)}] * 3)

    return provoke


def elbow_too_fast(generator):
    """1.5 rad/s, ramped gently: joint 3 may do 2.62, and so may the others at this posture."""

    def provoke(raw):
        go_to(raw, [0.0, 0.3, 0.0, -1.8, 0.0, 2.2, 0.785])
        start = raw.start(generator, JOINT)
        q3, branch = start.elbow
        first = elbow_command(raw, generator, (q3, branch))
        assert raw.play([first] * 20).status is None
        profile = travelled(ramp(1.7, 2.5, 500.0, 900)).tolist()
        return raw.play({**first, "elbow_c": (q3 + x, branch)} for x in profile)

    return provoke


# ---- twists ----------------------------------------------------------------------------------


def twist_step(raw):
    still(raw, TWIST)
    return raw.play(twists(2, [0.5] * 3))


def twist_jerk(raw):
    """6 mm/s in one cycle: 6 m/s^2, but 6000 m/s^3."""
    still(raw, TWIST)
    return raw.play(twists(1, [0.006] * 3))


def twist_too_fast(raw):
    """About the vertical, which is the axis of joint 7 at this pose."""
    still(raw, TWIST)
    return raw.play(twists(5, ramp(2.7, 9.0, 4000.0, 400)))


def twist_joints(raw):
    still(raw, TWIST)
    return raw.play(twists(0, ramp(1.0, 3.5, 500.0, 300)))


# ---- torques and the stream ------------------------------------------------------------------


def torque_range(raw):
    still(raw, "kNone")
    return raw.play([{"tau_J_d": only(1, 90.0)}] * 3)


def torque_step(raw):
    still(raw, "kNone")
    return raw.play([{"tau_J_d": only(5, 1.2)}] * 3)


def torque_beside_a_pose(raw):
    _, hold = still(raw, POSE, controller=EXTERNAL)
    return raw.play([{**hold, "tau_J_d": only(0, 5.0)}] * 3)


# ---- the safety controller -------------------------------------------------------------------


def measured_velocity(raw):
    """20 Nm on joint 1 until it is too fast; nothing is commanded but torques."""
    still(raw, "kNone")
    return raw.play({"tau_J_d": only(0, min(0.5 * k, 20.0))} for k in range(3000))


def measured_end_effector(raw):
    """A frame half a metre out along the flange, and joints 4 and 6 as fast as they may."""
    out = [1.0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0.5, 1]
    assert raw.set_NE_to_EE(out) == "kSuccess"
    go_to(raw, [0.0, -0.4, 0.0, -2.8, 0.0, 1.0, 0.8])
    still(raw, "kJointVelocity")
    speeds = ramp(2.5, 5.0, 2000.0, 900).tolist()
    played = raw.play({"dq_c": [0, 0, 0, 0.9 * v, 0, v, 0]} for v in speeds)
    return played


def fold(raw, controlled_by: str):
    """Joint 4 inwards at 0.1 rad/s, joint 5 round at 0.2 rad/s."""
    go_to(raw, [0.0, -math.pi / 4, 0.0, -2.60, 0.0, math.pi / 2, math.pi / 4])
    if controlled_by == "velocities":
        still(raw, "kJointVelocity")
        ramped = (min(k * 1e-3, 1.0) for k in range(20000))
        return raw.play({"dq_c": [0, 0, 0, -0.1 * s, 0.2 * s, 0, 0]} for s in ramped)
    start, _ = still(raw, "kNone")
    stiff, damp = [600, 600, 600, 600, 250, 150, 50], [50, 50, 50, 50, 20, 15, 8]
    q, dq = list(start.q), [0.0] * 7
    played = Played(0, raw.state)
    for k in range(20000):
        s = min(k * 1e-3, 1.0)
        dq = [0, 0, 0, -0.1 * s, 0.2 * s, 0, 0]
        q = [a + 1e-3 * b for a, b in zip(q, dq, strict=True)]
        state = raw.state
        tau = [
            kp * (a - m) + kd * (b - v)
            for kp, kd, a, m, b, v in zip(stiff, damp, q, state.q, dq, state.dq, strict=True)
        ]
        played = raw.play([{"tau_J_d": tau}])
        if played.status is not None:
            break
    return played


def self_collision(raw):
    return fold(raw, "velocities")


def self_collision_in_torques(raw):
    return fold(raw, "torques")


def measured_position(raw):
    """Joint 7 creeps past its stop under torques, slower than any speed limit."""
    go_to(raw, [*raw.state.q_d[:6], Q_MAX[6] - 0.02])
    return creep(raw, 0.03)


def pull_back(raw):
    """Out of range no position can be commanded: torques lead the way back."""
    assert raw.automatic_error_recovery() == "kSuccess"
    played = creep(raw, -0.03)
    assert played.status is None, played.errors
    assert raw.finish() == "kSuccess"


def creep(raw, speed: float) -> Played:
    """Joint 7 follows a slow target under torques, the others are held."""
    start, _ = still(raw, "kNone")
    goal, played = start.q[6], Played(0, raw.state)
    for k in range(3000):
        goal += speed * 1e-3 * min(1.0, k / 500)
        state = raw.state
        pull = 60.0 * (goal - state.q[6]) - 8.0 * state.dq[6]
        hold = [
            300.0 * (a - b) - 30.0 * v for a, b, v in zip(start.q, state.q, state.dq, strict=True)
        ]
        played = raw.play([{"tau_J_d": [*hold[:6], pull]}])
        if played.status is not None:
            break
    return played


def path_deviation(raw):
    """A tenth of a millimetre is less than the arm lags behind at 0.3 m/s."""
    start = raw.start(POSE, JOINT, maximum_path_deviation=(1e-4, 3.12, 6.28))
    return raw.play(commands(path(start.O_T_EE_d, (0, 0.2, 0), (0, 0, 0), minimum_jerk(1.0))))


def goal_deviation(raw):
    """The arm settles within some hundredths of a millimetre, not within a nanometre."""
    start = raw.start(POSE, CARTESIAN, maximum_goal_pose_deviation=(1e-9, 3.12, 6.28))
    samples = commands(path(start.O_T_EE_d, (0, 0.1, 0), (0, 0, 0), minimum_jerk(0.8)))
    played = raw.play(samples)
    assert played.status is None, played.errors
    status = raw.finish(**samples[-1])
    return Played(played.answered, raw.newest_state(), status)


C = "cartesian_motion_generator_"
J = "joint_motion_generator_"
PROVOCATIONS = [
    (joint_start, {"joint_position_motion_generator_start_pose_invalid"}),
    (joint_range, {J + "position_limits_violation"}),
    (joint_position_too_fast, {"joint_velocity_violation", J + "velocity_limits_violation"}),
    (joint_position_step, {J + "velocity_discontinuity"}),
    (joint_position_jerk, {J + "acceleration_discontinuity"}),
    (joint_velocity_first, {J + "acceleration_discontinuity"}),
    (joint_velocity_step, {J + "acceleration_discontinuity"}),
    (joint_velocity_jerk, {J + "acceleration_discontinuity"}),
    (joint_velocity_too_fast, {"joint_velocity_violation", J + "velocity_limits_violation"}),
    (pose_start_far, {"cartesian_position_motion_generator_start_pose_invalid"}),
    (pose_start_turned, {"cartesian_position_motion_generator_start_pose_invalid"}),
    (pose_too_fast, {C + "velocity_limits_violation"}),
    (pose_step, {C + "velocity_discontinuity"}),
    (pose_jerk, {C + "acceleration_discontinuity"}),
    (pose_joints_accelerate, {C + "joint_velocity_discontinuity"}),
    (pose_joints_jerk, {C + "joint_acceleration_discontinuity"}),
    (pose_row_major, {"cartesian_position_motion_generator_invalid_frame_flag"}),
    (pose_skewed, {"cartesian_position_motion_generator_invalid_frame_flag"}),
    (pose_towards_a_stop, {C + "joint_velocity_limits_violation"}),
    (pose_joints_too_fast, {C + "joint_velocity_limits_violation"}),
    (elbow_start(POSE, 0.5, 1), {C + "start_elbow_invalid"}),
    (elbow_start(POSE, 0.0, -1), {C + "start_elbow_invalid"}),
    (elbow_start(TWIST, -0.5, 1), {C + "start_elbow_invalid"}),
    (elbow_flip(POSE), {C + "elbow_sign_inconsistent"}),
    (elbow_flip(TWIST), {C + "elbow_sign_inconsistent"}),
    (elbow_too_fast(POSE), {C + "elbow_limit_violation"}),
    (elbow_too_fast(TWIST), {C + "elbow_limit_violation"}),
    (twist_step, {C + "acceleration_discontinuity"}),
    (twist_jerk, {C + "acceleration_discontinuity"}),
    (twist_too_fast, {C + "velocity_limits_violation"}),
    (twist_joints, {C + "joint_acceleration_discontinuity"}),
    (torque_range, {"tau_J_range_violation"}),
    (torque_step, {"controller_torque_discontinuity"}),
    (torque_beside_a_pose, {"controller_torque_discontinuity"}),
    (measured_velocity, {"joint_velocity_violation"}),
    (measured_end_effector, {"cartesian_velocity_violation"}),
    (self_collision, {"self_collision_avoidance_violation"}),
    (self_collision_in_torques, {"self_collision_avoidance_violation"}),
    (measured_position, {"joint_position_limits_violation"}),
    (path_deviation, {"max_path_pose_deviation_violation"}),
    (goal_deviation, {"max_goal_pose_deviation_violation"}),
]


def label(row) -> str:
    provoke, _ = row
    if provoke.__name__ != "provoke":
        return provoke.__name__
    settings = [str(cell.cell_contents) for cell in provoke.__closure__]
    return "-".join([provoke.__qualname__.split(".")[0], *settings])
