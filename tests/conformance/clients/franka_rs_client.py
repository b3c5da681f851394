"""franka-rs: its target loops, tracked by the robot's controller or by its own law in torques."""

from __future__ import annotations

import time

import _program
import franka

PATIENCE_S = 120


def connect(host: str) -> franka.Robot:
    return franka.Robot(host, realtime="ignore")


def fresh(robot: franka.Robot) -> franka.RobotState:
    robot.read_once()
    return robot.read_once()


def read(host: str) -> dict:
    robot = connect(host)
    state = robot.read_once()
    return {
        "fci_version": robot.fci_version,
        "server_version": robot.server_version,
        "robot_mode": state.robot_mode,
        "q": state.q.tolist(),
        "time": state.time,
        "current_errors": list(state.current_errors),
    }


def model(host: str) -> dict:
    """Differences between the library's model of the served robot and its state at rest."""
    robot = connect(host)
    model, state = robot.model(), fresh(robot)
    pose = model.pose("flange", state.q) @ state.F_T_EE
    load = {"m_total": state.m_total, "F_x_Ctotal": state.F_x_Ctotal}
    return {
        "pose_minus_O_T_EE": float(abs(pose - state.O_T_EE).max()),
        "gravity_minus_tau_J": float(abs(model.gravity(state.q, **load) - state.tau_J).max()),
        "flange": model.pose("flange", state.q).tolist(),
        "q": state.q.tolist(),
    }


def targets(host: str, backend: str, fraction: float, joint: int, distance: float) -> dict:
    """One joint target, followed until the arm is there."""
    robot = connect(host)
    start = fresh(robot).q
    delta = [distance if i == joint else 0.0 for i in range(7)]
    deadline = time.monotonic() + PATIENCE_S
    error, reached = None, None
    try:
        with robot.joint_targets(backend=backend, fraction=fraction, max_deviation=2.0) as arm:
            arm.move_by(delta)
            goal = arm.target()
            while arm.running and time.monotonic() < deadline:
                state = arm.state()
                settled = abs(state.q - goal).max() < 0.03 and abs(state.dq).max() < 0.01
                if settled:
                    break
            reached = arm.state().q.tolist()
    except franka.FrankaError as problem:
        error = {"type": type(problem).__name__, "text": str(problem)}
    after = fresh(robot)
    return {
        "start": start.tolist(),
        "reached": reached,
        "error": error,
        "q": after.q.tolist(),
        "robot_mode": after.robot_mode,
        "errors": list(after.last_motion_errors),
    }


def cartesian(host: str, backend: str, controller: str, move: list, limit_rate: bool) -> dict:
    """One Cartesian target, [x, y, z, rotation vector], followed until the arm is there."""
    robot = connect(host)
    start = fresh(robot)
    options = {"max_deviation": 2.0, "max_angular_deviation": 3.0}
    if backend == "robot":
        options |= {"controller_mode": controller, "limit_rate": limit_rate}
    deadline, goal, speeds = time.monotonic() + PATIENCE_S, None, [0.0]
    error = None
    try:
        with robot.cartesian_targets(backend=backend, **options) as arm:
            arm.move_by(move)
            goal = arm.target_pose()
            while arm.running and time.monotonic() < deadline:
                state = arm.state()
                speeds.append(float(abs(state.dq).max()))
                if abs(state.O_T_EE - goal).max() < 5e-3 and speeds[-1] < 0.01:
                    break
    except franka.FrankaError as problem:
        error = {"type": type(problem).__name__, "text": str(problem)}
    after = fresh(robot)
    return {
        "start": start.O_T_EE.tolist(),
        "goal": None if goal is None else goal.tolist(),
        "O_T_EE": after.O_T_EE.tolist(),
        "error": error,
        "robot_mode": after.robot_mode,
        "errors": list(after.last_motion_errors),
    }


if __name__ == "__main__":
    _program.run({"read": read, "model": model, "targets": targets, "cartesian": cartesian})
