"""pylibfranka on what the world does to the arm: gravity of tools and loads, external forces."""

from __future__ import annotations

import _program
import pylibfranka as franka
from pylibfranka_client import CONTROLLERS, attempt, connect, fresh
from trajectories import DT, quintic


def gravities(host: str, poses: list, seconds: float, settle: float, load: list | None) -> dict:
    """Go from pose to pose in one motion; tau_J and the model's gravity at the end of each hold."""
    robot = connect(host)
    model = robot.load_model()
    told = attempt(robot.set_load, *load) if load else None
    control = robot.start_joint_position_control(CONTROLLERS["joint"])
    state, _ = control.readOnce()
    here = list(state.q_d)
    control.writeOnce(franka.JointPositions(here))
    rows = []
    for goal in poses:
        for k in range(1, round((seconds + settle) / DT) + 1):
            state, _ = control.readOnce()
            q = [a + quintic(b - a, seconds, k) for a, b in zip(here, goal, strict=True)]
            command = franka.JointPositions(q)
            control.writeOnce(command)
        here = goal
        rows.append({"tau_J": list(state.tau_J), "gravity": list(model.gravity(state))})
    control.readOnce()
    command.motion_finished = True
    control.writeOnce(command)
    return {"rows": rows, "told": told, "m_total": state.m_total}


def load(host: str, mass: float, com: list) -> dict:
    """Declare a point mass; the state after it."""
    robot = connect(host)
    told = attempt(robot.set_load, mass, com, [0.0] * 9)
    state = fresh(robot)
    return {"told": told, "m_load": state.m_load, "m_total": state.m_total}


if __name__ == "__main__":
    _program.run({"gravities": gravities, "load": load})
