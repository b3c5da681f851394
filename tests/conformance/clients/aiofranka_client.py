"""aiofranka: a native 1 kHz impedance loop in torques over pylibfranka's libfranka."""

from __future__ import annotations

import _program
import aiofranka


def mode(robot: aiofranka.Robot) -> str:
    return str(robot.robot_state.robot_mode).rsplit(".", 1)[-1]


def torque(host: str, joint: int, distance: float) -> dict:
    """Two moves of the impedance controller, there and back, by targets at 50 Hz of wall time."""
    # read_tool asks Desk over HTTPS, which is another server.
    robot = aiofranka.Robot(host, read_tool=False)
    start = robot.state["qpos"].copy()
    controller = aiofranka.Controller(robot)
    controller.realtime_priority = 0  # leaves the scheduling class of the process alone
    target = start.copy()
    target[joint] += distance
    travelled, error = [], None
    try:
        controller.start()
        for goal in (target, start):
            controller.move(goal)
            travelled.append((robot.state["qpos"] - start).tolist())
        controller.stop()
    except Exception as problem:
        error = {"type": type(problem).__name__, "text": str(problem)}
    report = {
        "travelled": travelled,
        "error": error,
        "loop_error": controller.error,
        "robot_mode": mode(robot),
        "errors": str(robot.robot_state.last_motion_errors),
    }
    robot.close()
    return report


if __name__ == "__main__":
    _program.run({"torque": torque})
