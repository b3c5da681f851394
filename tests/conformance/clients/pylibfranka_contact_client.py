"""pylibfranka where something pushes: estimated wrenches, contact, collision, impedances."""

from __future__ import annotations

import math

import _program
import pylibfranka as franka
from cartesian import columns_of, minimum_jerk, path
from pylibfranka_client import CONTROLLERS, DT, EXCEPTIONS, attempt, connect, fresh, seen
from trajectories import quintic


def felt(state: franka.RobotState) -> dict:
    """What the robot feels, beside what every test compares."""
    fields = (
        "tau_ext_hat_filtered",
        "O_F_ext_hat_K",
        "K_F_ext_hat_K",
        "joint_contact",
        "cartesian_contact",
        "joint_collision",
        "cartesian_collision",
    )
    return seen(state) | {name: list(getattr(state, name)) for name in fields}


def read(host: str) -> dict:
    return {"state": felt(fresh(connect(host)))}


def go_to(host: str, goal: list, seconds: float) -> dict:
    """A joint motion of all joints to `goal`."""
    robot = connect(host)
    control = robot.start_joint_position_control(CONTROLLERS["joint"])
    state, _ = control.readOnce()
    start = list(state.q_d)
    for k in range(round(seconds / DT) + 1):
        share = quintic(1.0, seconds, k)
        q = [a + share * (b - a) for a, b in zip(start, goal, strict=True)]
        command = franka.JointPositions(q)
        control.writeOnce(command)
        control.readOnce()
    command.motion_finished = True
    control.writeOnce(command)
    return {"state": felt(fresh(robot))}


def swing(host: str, amplitude: float, rate: float, seconds: float) -> dict:
    """All joints there and back, up to `amplitude` times `rate` rad/s; no force is applied."""
    robot = connect(host)
    control = robot.start_joint_position_control(CONTROLLERS["joint"])
    state, _ = control.readOnce()
    start, torque, speed = list(state.q_d), 0.0, 0.0
    for k in range(round(seconds / DT) + 1):
        # Brought up and down again by the quintic.
        t = k * DT
        size = amplitude * (quintic(1.0, 1.0, k) - quintic(1.0, 1.0, k - round((seconds - 1) / DT)))
        signs = (1, 1, -1, 1, -1, 1, -1)
        command = franka.JointPositions(
            [q + s * size * math.sin(rate * t) for q, s in zip(start, signs, strict=True)]
        )
        control.writeOnce(command)
        state, _ = control.readOnce()
        torque = max(torque, *(abs(x) for x in state.tau_ext_hat_filtered))
        speed = max(speed, *(abs(x) for x in state.dq))
    command.motion_finished = True
    control.writeOnce(command)
    return {"torque": torque, "speed": speed, "state": felt(fresh(robot))}


def pressed(host: str, lower: float, upper: float) -> dict:
    """Hold still while something pushes, until the motion is aborted; recover under the push."""
    robot = connect(host)
    robot.set_collision_behavior([100.0] * 7, [100.0] * 7, [lower] * 6, [upper] * 6)
    control = robot.start_joint_position_control(CONTROLLERS["joint"])
    state, _ = control.readOnce()
    command, outcome, report = franka.JointPositions(list(state.q_d)), {"raised": None}, {}
    for k in range(20_000):
        try:
            control.writeOnce(command)
            state, _ = control.readOnce()
        except EXCEPTIONS as error:
            outcome = {"raised": type(error).__name__, "text": str(error)}
            report["aborted_after"] = k
            break
        if "contact_after" not in report and any(state.cartesian_contact):
            report |= {"contact_after": k, "contact": felt(state)}
    del control
    reflex = felt(fresh(robot))
    recovered = attempt(robot.automatic_error_recovery)
    return report | {
        "aborted": outcome,
        "reflex": reflex,
        "recovered": recovered,
        "idle": felt(fresh(robot)),
    }


def yields(host: str, controller: str, stiffness: list, cycles: int) -> dict:
    """Hold still for `cycles` under an internal controller of this stiffness while pushed."""
    robot = connect(host)
    setter = {"joint": robot.set_joint_impedance, "cartesian": robot.set_cartesian_impedance}
    setter[controller](stiffness)
    before = felt(fresh(robot))
    control = robot.start_joint_position_control(CONTROLLERS[controller])
    state, _ = control.readOnce()
    command, fastest = franka.JointPositions(list(state.q_d)), 0.0
    for _ in range(cycles):
        control.writeOnce(command)
        state, _ = control.readOnce()
        fastest = max(fastest, *(abs(x) for x in state.dq))
    command.motion_finished = True
    control.writeOnce(command)
    return {"before": before, "pushed": felt(state), "fastest": fastest}


def press(host: str, stiffness: list, depth: float, seconds: float, cycles: int) -> dict:
    """Go down by `depth` under Cartesian impedance, whatever is there, and stay for `cycles`."""
    robot = connect(host)
    robot.set_cartesian_impedance(stiffness)
    control = robot.start_cartesian_pose_control(CONTROLLERS["cartesian"])
    state, _ = control.readOnce()
    down = path(list(state.O_T_EE_d), [0.0, 0.0, -depth], [0.0] * 3, minimum_jerk(seconds))
    samples = columns_of(down)
    for columns in samples + [samples[-1]] * cycles:
        command = franka.CartesianPose(columns)
        control.writeOnce(command)
        state, _ = control.readOnce()
    pressing = felt(state)
    for columns in reversed(samples):
        command = franka.CartesianPose(columns)
        control.writeOnce(command)
        control.readOnce()
    command.motion_finished = True
    control.writeOnce(command)
    return {"pressing": pressing, "after": felt(fresh(robot))}


ACTIONS = {
    "read": read,
    "go_to": go_to,
    "swing": swing,
    "pressed": pressed,
    "yields": yields,
    "press": press,
}

if __name__ == "__main__":
    _program.run(ACTIONS)
