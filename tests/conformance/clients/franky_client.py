"""franky: Ruckig's plans through libfranka's control() loop, its low-pass filter and limiter."""

from __future__ import annotations

import time

import _program
import franky
import numpy as np
from cartesian import rotation

PATIENCE_S = 120


# FR3, libfranka 0.18+ rate_limiting.h; franky plans with the FER's table, whatever the robot is.
FR3_ACCELERATION = 10.0
FR3_JERK = 5000.0
# The same table's Cartesian half: velocity, acceleration, jerk of translation, rotation, elbow.
FR3_CARTESIAN = {
    "translation": (3.0, 9.0, 4500.0),
    "rotation": (2.5, 17.0, 8500.0),
    "elbow": (1.5, 10.0, 5000.0),
}


CONTROLLERS = {
    "joint": franky.ControllerMode.JointImpedance,
    "cartesian": franky.ControllerMode.CartesianImpedance,
}


def connect(
    host: str, plan_for: str = "FR3", share: float = 1.0, controller: str = "joint"
) -> franky.Robot:
    robot = franky.Robot(
        host,
        controller_mode=CONTROLLERS[controller],
        realtime_config=franky.RealtimeConfig.Ignore,
    )
    if plan_for == "FR3":
        acceleration, jerk = robot.joint_acceleration_limit, robot.joint_jerk_limit
        acceleration.set(np.minimum(acceleration.max, share * FR3_ACCELERATION))
        jerk.set(np.minimum(jerk.max, share * FR3_JERK))
        for part, limits in FR3_CARTESIAN.items():
            for name, value in zip(("velocity", "acceleration", "jerk"), limits, strict=True):
                limit = getattr(robot, f"{part}_{name}_limit")
                limit.set(min(limit.max, share * value))
    return robot


def mode(robot: franky.Robot) -> str:
    return str(robot.state.robot_mode).rsplit(".", 1)[-1]


def read(host: str) -> dict:
    robot = connect(host)
    return {"q": list(robot.state.q), "robot_mode": mode(robot), "has_errors": robot.has_errors}


def _move(robot: franky.Robot, motion, **options) -> dict | None:
    try:
        robot.move(motion, **options)
    except franky.Exception as problem:
        return {"type": type(problem).__name__, "text": str(problem)}
    return None


def joint(
    host: str,
    factor: float,
    distance: float,
    limit_rate: bool,
    cutoff: float,
    moving: int,
    plan_for: str = "FR3",
    share: float = 1.0,
) -> dict:
    """There and back on one joint, time-optimal within the factor and a share of the limits."""
    robot = connect(host, plan_for, share)
    robot.relative_dynamics_factor = factor
    start = np.array(robot.current_joint_positions)
    reached, errors = [], []
    for sign in (1.0, -1.0):
        offset = [sign * distance if i == moving else 0.0 for i in range(7)]
        plan = franky.JointMotion(franky.JointState(offset), franky.ReferenceType.Relative)
        errors.append(_move(robot, plan, limit_rate=limit_rate, cutoff_frequency=cutoff))
        reached.append((np.array(robot.current_joint_positions) - start).tolist())
    return {"reached": reached, "errors": errors, "robot_mode": mode(robot)}


def velocity(host: str, factor: float, dq: float, hold_ms: int, moving: int) -> dict:
    """A joint velocity that is held for a while."""
    robot = connect(host)
    robot.relative_dynamics_factor = factor
    start = np.array(robot.current_joint_positions)
    speed = [dq if i == moving else 0.0 for i in range(7)]
    plan = franky.JointVelocityWaypointMotion(
        [
            franky.JointVelocityWaypoint(speed, hold_target_duration=franky.Duration(hold_ms)),
            franky.JointVelocityWaypoint([0.0] * 7),
        ]
    )
    error = _move(robot, plan)
    travelled = (np.array(robot.current_joint_positions) - start).tolist()
    return {"travelled": travelled, "error": error, "robot_mode": mode(robot)}


def _state(robot: franky.Robot) -> dict:
    state = robot.state
    return {
        "O_T_EE": state.O_T_EE.matrix.tolist(),
        "q": list(state.q),
        "robot_mode": mode(robot),
    }


def _affine(shift: list, turn: list) -> franky.Affine:
    T = np.eye(4)
    T[:3, :3] = rotation(np.array(turn))[0]
    T[:3, 3] = shift
    return franky.Affine(T)


def pose(
    host: str, factor: float, shift: list, turn: list, elbow: float | None,
    limit_rate: bool, cutoff: float, share: float = 1.0, controller: str = "joint",
) -> dict:  # fmt: skip
    """A Cartesian motion in the base frame; `elbow` moves joint 3 by that much meanwhile."""
    robot = connect(host, share=share, controller=controller)
    robot.relative_dynamics_factor = factor
    before, q3 = _state(robot), robot.state.q[2]
    goal = np.array(before["O_T_EE"])
    step = _affine(shift, turn).matrix
    goal[:3, :3] = step[:3, :3] @ goal[:3, :3]
    goal[:3, 3] += step[:3, 3]
    at = franky.ElbowState(q3 + elbow) if elbow is not None else None
    target = franky.CartesianState(franky.RobotPose(franky.Affine(goal), at))
    error = _move(
        robot, franky.CartesianMotion(target), limit_rate=limit_rate, cutoff_frequency=cutoff
    )
    return {"before": before, "goal": goal.tolist(), "error": error, "after": _state(robot)}


def twist(
    host: str, factor: float, linear: list, angular: list, elbow: float | None, hold_ms: int,
    limit_rate: bool, cutoff: float, share: float = 1.0, controller: str = "joint",
) -> dict:  # fmt: skip
    """A twist that is held for a while, then rest."""
    robot = connect(host, share=share, controller=controller)
    robot.relative_dynamics_factor = factor
    before = _state(robot)
    rest = [0.0, 0.0, 0.0]
    moving = franky.RobotVelocity(franky.Twist(linear, angular), elbow)
    still = franky.RobotVelocity(franky.Twist(rest, rest), None if elbow is None else 0.0)
    plan = franky.CartesianVelocityWaypointMotion(
        [
            franky.CartesianVelocityWaypoint(moving, hold_target_duration=franky.Duration(hold_ms)),
            franky.CartesianVelocityWaypoint(still),
        ]
    )
    error = _move(robot, plan, limit_rate=limit_rate, cutoff_frequency=cutoff)
    return {"before": before, "error": error, "after": _state(robot)}


def torque(host: str, distance: float, moving: int) -> dict:
    """A joint impedance law in torques pulls the arm to a target, then a torque stop ends it."""
    robot = connect(host)
    start = np.array(robot.current_joint_positions)
    target = start.copy()
    target[moving] += distance
    # Soft, and slower than the limit of 1000 Nm/s that franky's default would meet exactly.
    law = franky.JointImpedanceMotion(
        target, stiffness=np.array([100.0] * 4 + [40.0, 30.0, 20.0]), max_delta_tau=0.5
    )
    error, deadline = None, time.monotonic() + PATIENCE_S
    try:
        robot.move(law, asynchronous=True)
        # join_motion raises what ended the loop; while it runs, it waits a little and says False.
        while time.monotonic() < deadline and not robot.join_motion(timeout=0.02):
            state = robot.state
            gap = np.abs(np.array(state.q) - target).max()
            if gap < 0.03 and np.abs(np.array(state.dq)).max() < 0.01:
                break
        robot.move(franky.TorqueStopMotion(max_delta_tau=0.5))
    except franky.Exception as problem:
        error = {"type": type(problem).__name__, "text": str(problem)}
    travelled = (np.array(robot.current_joint_positions) - start).tolist()
    return {"travelled": travelled, "error": error, "robot_mode": mode(robot)}


def abort(host: str) -> dict:
    """What franky reports when the robot refuses a torque step, and that it recovers."""
    robot = connect(host)
    jump = franky.SimpleTorqueMotion(
        initial_torque=np.array([20.0, 0, 0, 0, 0, 0, 0]), signal_timeout=None, max_delta_tau=20.0
    )
    error = _move(robot, jump, cutoff_frequency=1000.0)
    broken = mode(robot)
    recovered = robot.recover_from_errors()
    return {"error": error, "broken": broken, "recovered": recovered, "robot_mode": mode(robot)}


if __name__ == "__main__":
    _program.run(
        {
            "read": read,
            "joint": joint,
            "velocity": velocity,
            "pose": pose,
            "twist": twist,
            "torque": torque,
            "abort": abort,
        }
    )
