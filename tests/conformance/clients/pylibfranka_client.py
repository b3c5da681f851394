"""pylibfranka: libfranka's active control, one readOnce and writeOnce a cycle."""

from __future__ import annotations

import threading
import time

import _program
import pylibfranka as franka
from cartesian import columns_of, minimum_jerk, path
from trajectories import DT, only, quintic, quintic_velocity, shifted

CONTROLLERS = {
    "joint": franka.ControllerMode.JointImpedance,
    "cartesian": franka.ControllerMode.CartesianImpedance,
}
EXCEPTIONS = (
    franka.ControlException,
    franka.CommandException,
    franka.NetworkException,
    franka.InvalidOperationException,
    franka.FrankaException,
)
IDENTITY = [1.0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]


def connect(host: str) -> franka.Robot:
    return franka.Robot(host, franka.RealtimeConfig.kIgnore)


def seen(state: franka.RobotState) -> dict:
    """The fields that tests compare, by libfranka's names."""
    fields = (
        "q",
        "q_d",
        "dq",
        "dq_d",
        "ddq_d",
        "tau_J",
        "tau_J_d",
        "theta",
        "O_T_EE",
        "O_T_EE_d",
        "O_T_EE_c",
        "F_T_EE",
        "F_T_NE",
        "NE_T_EE",
        "EE_T_K",
        "elbow",
        "elbow_d",
        "elbow_c",
        "m_load",
        "I_load",
        "F_x_Cload",
        "m_total",
        "O_ddP_O",
        "control_command_success_rate",
    )
    report = {}
    for name in fields:
        value = getattr(state, name)
        report[name] = value if isinstance(value, float) else list(value)
    report["robot_mode"] = str(state.robot_mode).rsplit(".", 1)[-1]
    report["current_errors"] = str(state.current_errors)
    report["last_motion_errors"] = str(state.last_motion_errors)
    report["time"] = state.time.to_sec()
    return report


def fresh(robot: franka.Robot) -> franka.RobotState:
    """A state that was sent after the call: the second read, as the first may have been queued."""
    robot.read_once()
    return robot.read_once()


def attempt(call, *arguments) -> dict:
    """What a call raised, if anything."""
    try:
        call(*arguments)
    except EXCEPTIONS as error:
        return {"raised": type(error).__name__, "text": str(error)}
    return {"raised": None}


# ---- actions ---------------------------------------------------------------------------------


def read(host: str) -> dict:
    robot = connect(host)
    first = robot.read_once()
    times = [robot.read_once().time.to_sec() for _ in range(50)]
    return {"state": seen(first), "times": times}


def model(host: str) -> dict:
    robot = connect(host)
    model, state = robot.load_model(), fresh(robot)
    return {
        "state": seen(state),
        "gravity": list(model.gravity(state)),
        "coriolis": list(model.coriolis(state)),
        "mass": list(model.mass(state)),
    }


def setters(host: str) -> dict:
    """Every setter with values that must appear in the state, then with values out of range."""
    robot = connect(host)
    turned = [0.0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0.1, 1]
    lifted = [1.0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.01, 0.02, 0.05, 1]
    inertia = [0.001, 0, 0, 0, 0.002, 0, 0, 0, 0.003]
    good = {
        "set_EE": attempt(robot.set_EE, turned),
        "set_K": attempt(robot.set_K, lifted),
        "set_cartesian_impedance": attempt(
            robot.set_cartesian_impedance, [3000.0] * 3 + [300.0] * 3
        ),
        "set_joint_impedance": attempt(robot.set_joint_impedance, [3000.0] * 7),
        "set_load": attempt(robot.set_load, 0.5, [0.01, 0.0, 0.03], inertia),
        "set_collision_behavior": attempt(
            robot.set_collision_behavior, [20.0] * 7, [40.0] * 7, [20.0] * 6, [40.0] * 6
        ),
    }
    state = seen(fresh(robot))
    skewed = [1.0, 0.1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    bad = {
        "set_EE": attempt(robot.set_EE, skewed),
        "set_K": attempt(robot.set_K, skewed),
        "set_cartesian_impedance": attempt(robot.set_cartesian_impedance, [3001.0] * 6),
        "set_joint_impedance": attempt(robot.set_joint_impedance, [14251.0] * 7),
        "set_load": attempt(robot.set_load, -1.0, [0.0] * 3, inertia),
        "set_collision_behavior": attempt(
            robot.set_collision_behavior, [40.0] * 7, [20.0] * 7, [40.0] * 6, [20.0] * 6
        ),
    }
    unchanged = seen(fresh(robot))
    return {
        "good": good,
        "bad": bad,
        "state": state,
        "unchanged": unchanged,
        "sent": {
            "NE_T_EE": turned,
            "EE_T_K": lifted,
            "m_load": 0.5,
            "F_x_Cload": [0.01, 0.0, 0.03],
            "I_load": inertia,
        },
    }


def _position_motion(robot, controller: str, joint: int, distance: float, seconds: float) -> list:
    control = robot.start_joint_position_control(CONTROLLERS[controller])
    state, _ = control.readOnce()
    start = list(state.q_d)
    command = franka.JointPositions(start)
    control.writeOnce(command)
    for k in range(1, round(seconds / DT) + 1):
        control.readOnce()
        command = franka.JointPositions(shifted(start, joint, quintic(distance, seconds, k)))
        control.writeOnce(command)
    control.readOnce()
    command.motion_finished = True
    control.writeOnce(command)
    return shifted(start, joint, distance)


def _velocity_motion(robot, controller: str, joint: int, distance: float, seconds: float) -> list:
    control = robot.start_joint_velocity_control(CONTROLLERS[controller])
    state, _ = control.readOnce()
    start = list(state.q_d)
    command = franka.JointVelocities([0.0] * 7)
    control.writeOnce(command)
    # Backward differences of the quintic, so that their sum is the distance exactly.
    for k in range(1, round(seconds / DT) + 1):
        control.readOnce()
        dq = (quintic(distance, seconds, k) - quintic(distance, seconds, k - 1)) / DT
        command = franka.JointVelocities(only(joint, dq))
        control.writeOnce(command)
    control.readOnce()
    command = franka.JointVelocities([0.0] * 7)
    control.writeOnce(command)
    control.readOnce()
    command.motion_finished = True
    control.writeOnce(command)
    return shifted(start, joint, distance)


MOTIONS = {"position": _position_motion, "velocity": _velocity_motion}


def motion(
    host: str, kind: str, controller: str, joint: int, distance: float, seconds: float
) -> dict:
    robot = connect(host)
    before = seen(fresh(robot))
    goal = MOTIONS[kind](robot, controller, joint, distance, seconds)
    return {"before": before, "goal": goal, "after": seen(fresh(robot))}


def many(
    host: str, count: int, kinds: list, controller: str, distance: float, seconds: float
) -> dict:
    """Many motions in a row, each joint in turn, there and back."""
    robot = connect(host)
    ends = []
    for n in range(count):
        joint, sign = (n // 2) % 7, 1.0 - 2.0 * (n % 2)
        kind = kinds[(n // 2) % len(kinds)]
        goal = MOTIONS[kind](robot, controller, joint, sign * distance, seconds)
        state = fresh(robot)
        ends.append(
            {
                "goal": goal,
                "q": list(state.q),
                "O_T_EE": list(state.O_T_EE),
                "robot_mode": str(state.robot_mode).rsplit(".", 1)[-1],
            }
        )
    return {"ends": ends}


def torque(host: str, joint: int, distance: float, seconds: float) -> dict:
    """Torque control: a soft PD controller along a quintic, then half a second of hold."""
    robot = connect(host)
    kp = [200.0, 200.0, 200.0, 200.0, 60.0, 50.0, 30.0]
    kd = [20.0, 20.0, 20.0, 20.0, 6.0, 5.0, 3.0]
    control = robot.start_torque_control()
    state, _ = control.readOnce()
    start, q_d = list(state.q), list(state.q_d)
    largest = 0.0
    steps = round(seconds / DT)
    for k in range(steps + 500):
        goal = shifted(start, joint, quintic(distance, seconds, k))
        speed = only(joint, quintic_velocity(distance, seconds, k))
        tau = [kp[i] * (goal[i] - state.q[i]) + kd[i] * (speed[i] - state.dq[i]) for i in range(7)]
        largest = max(largest, *(abs(x) for x in tau))
        command = franka.Torques(tau)
        control.writeOnce(command)
        state, _ = control.readOnce()
    during = seen(state)
    command.motion_finished = True
    control.writeOnce(command)
    return {
        "start": start,
        "q_d": q_d,
        "during": during,
        "largest": largest,
        "tau": tau,
        "after": seen(fresh(robot)),
    }


def start_jump(host: str, jump: float) -> dict:
    """A first command away from q_d; what is refused until recovery; that a motion works again."""
    robot = connect(host)
    control = robot.start_joint_position_control(CONTROLLERS["joint"])
    state, _ = control.readOnce()
    away = shifted(state.q_d, 0, jump)

    def insist(running):
        for _ in range(20):
            running.writeOnce(franka.JointPositions(away))
            running.readOnce()

    aborted = attempt(insist, control)
    del control
    reflex = seen(fresh(robot))
    refused = attempt(robot.start_joint_position_control, CONTROLLERS["joint"])
    refused_setter = attempt(robot.set_load, 0.0, [0.0] * 3, [0.0] * 9)
    recovered = attempt(robot.automatic_error_recovery)
    idle = seen(fresh(robot))
    goal = _position_motion(robot, "joint", 0, 0.2, 0.6)
    return {
        "aborted": aborted,
        "reflex": reflex,
        "refused": refused,
        "refused_setter": refused_setter,
        "recovered": recovered,
        "idle": idle,
        "goal": goal,
        "after": seen(fresh(robot)),
    }


def _pose_motion(robot, controller: str, shift: list, turn: list, seconds: float) -> list:
    control = robot.start_cartesian_pose_control(CONTROLLERS[controller])
    state, _ = control.readOnce()
    samples = columns_of(path(list(state.O_T_EE_d), shift, turn, minimum_jerk(seconds)))
    for columns in samples:
        command = franka.CartesianPose(columns)
        control.writeOnce(command)
        control.readOnce()
    command.motion_finished = True
    control.writeOnce(command)
    return samples[-1]


def _twist_motion(robot, controller: str, shift: list, turn: list, seconds: float) -> list:
    control = robot.start_cartesian_velocity_control(CONTROLLERS[controller])
    state, _ = control.readOnce()
    profile = minimum_jerk(seconds)
    for k in range(1, len(profile)):
        rate = float(profile[k] - profile[k - 1]) / DT
        control.writeOnce(franka.CartesianVelocities([rate * x for x in (*shift, *turn)]))
        control.readOnce()
    command = franka.CartesianVelocities([0.0] * 6)
    control.writeOnce(command)
    control.readOnce()
    command.motion_finished = True
    control.writeOnce(command)
    return columns_of(path(list(state.O_T_EE_d), shift, turn, profile[-1:]))[0]


CARTESIAN = {"pose": _pose_motion, "velocity": _twist_motion}


def cartesian(
    host: str, kind: str, controller: str, shift: list, turn: list, seconds: float
) -> dict:
    """A Cartesian motion along a straight line and about one axis."""
    robot = connect(host)
    before = seen(fresh(robot))
    outcome: dict = {}

    def there() -> None:
        outcome["goal"] = CARTESIAN[kind](robot, controller, shift, turn, seconds)

    aborted = attempt(there)
    return outcome | {"before": before, "aborted": aborted, "after": seen(fresh(robot))}


def _insist(control, command) -> None:
    """The same command for some cycles."""
    for _ in range(20):
        control.writeOnce(command)
        control.readOnce()


def _pose_jump(robot) -> None:
    control = robot.start_cartesian_pose_control(CONTROLLERS["joint"])
    state, _ = control.readOnce()
    columns = list(state.O_T_EE_d)
    columns[12] += 10.0
    _insist(control, franka.CartesianPose(columns))


def _pose_step(robot) -> None:
    control = robot.start_cartesian_pose_control(CONTROLLERS["joint"])
    state, _ = control.readOnce()
    columns = list(state.O_T_EE_d)
    _insist(control, franka.CartesianPose(columns))
    columns[12] += 0.01
    _insist(control, franka.CartesianPose(columns))


def _twist_step(robot) -> None:
    control = robot.start_cartesian_velocity_control(CONTROLLERS["cartesian"])
    control.readOnce()
    _insist(control, franka.CartesianVelocities([0.0] * 6))
    _insist(control, franka.CartesianVelocities([0.0, 0.0, 0.5, 0.0, 0.0, 0.0]))


def _joint_step(robot) -> None:
    control = robot.start_joint_position_control(CONTROLLERS["joint"])
    state, _ = control.readOnce()
    _insist(control, franka.JointPositions(list(state.q_d)))
    _insist(control, franka.JointPositions(shifted(state.q_d, 0, 0.05)))


def _torque_step(robot) -> None:
    control = robot.start_torque_control()
    control.readOnce()
    _insist(control, franka.Torques(only(0, 20.0)))


def _torque_range(robot) -> None:
    control = robot.start_torque_control()
    control.readOnce()
    _insist(control, franka.Torques(only(0, 90.0)))


PROVOCATIONS = {
    "pose_jump": _pose_jump,
    "pose_step": _pose_step,
    "twist_step": _twist_step,
    "joint_step": _joint_step,
    "torque_step": _torque_step,
    "torque_range": _torque_range,
}


def provoke(host: str, names: list) -> dict:
    """What each provocation raises; recovery and a Cartesian motion after it."""
    robot, report = connect(host), {}
    for name in names:
        aborted = attempt(PROVOCATIONS[name], robot)
        recovered = attempt(robot.automatic_error_recovery)
        goal = _pose_motion(robot, "joint", [0.0, 0.0, 0.02], [0.0] * 3, 0.6)
        report[name] = {
            "aborted": aborted,
            "recovered": recovered,
            "goal": goal,
            "after": seen(fresh(robot)),
        }
    return report


def stop(host: str, cycles: int) -> dict:
    """A motion that another thread stops."""
    robot = connect(host)
    control = robot.start_joint_velocity_control(CONTROLLERS["joint"])
    control.readOnce()
    reached, outcome = threading.Event(), {}

    def loop():
        k = 0
        while True:
            dq = 0.2 * min(k * 0.005, 1.0)
            control.writeOnce(franka.JointVelocities(only(0, dq)))
            control.readOnce()
            k += 1
            if k == cycles:
                reached.set()

    thread = threading.Thread(target=lambda: outcome.update(attempt(loop)), daemon=True)
    thread.start()
    reached.wait(60)
    stopped = attempt(robot.stop)
    thread.join(60)
    return {
        "loop": outcome,
        "stop": stopped,
        "alive": thread.is_alive(),
        "after": seen(fresh(robot)),
    }


def abandon(host: str) -> dict:
    """An active control that is dropped while it runs: libfranka cancels the motion."""
    robot = connect(host)
    control = robot.start_joint_position_control(CONTROLLERS["joint"])
    state, _ = control.readOnce()
    for _ in range(10):
        control.writeOnce(franka.JointPositions(list(state.q_d)))
        state, _ = control.readOnce()
    del control
    goal = _position_motion(robot, "joint", 0, 0.2, 0.6)
    return {"goal": goal, "after": seen(fresh(robot))}


def speed(host: str, cycles: int) -> dict:
    """Cycles per second of a joint position hold."""
    robot = connect(host)
    control = robot.start_joint_position_control(CONTROLLERS["joint"])
    state, _ = control.readOnce()
    command = franka.JointPositions(list(state.q_d))
    control.writeOnce(command)
    control.readOnce()
    begin = time.perf_counter()
    for _ in range(cycles):
        control.writeOnce(command)
        control.readOnce()
    seconds = time.perf_counter() - begin
    command.motion_finished = True
    control.writeOnce(command)
    return {"cycles": cycles, "seconds": seconds, "cycles_per_s": cycles / seconds}


def refused_motion(host: str) -> dict:
    """What starting a motion raises, in the mode that the client has seen."""
    robot = connect(host)
    fresh(robot)
    return attempt(robot.start_joint_position_control, CONTROLLERS["joint"])


def recover(host: str) -> dict:
    """automatic_error_recovery, and the state right after it."""
    robot = connect(host)
    outcome = attempt(robot.automatic_error_recovery)
    return outcome | {"state": seen(fresh(robot))}


def refused_connection(host: str) -> dict:
    """What a second client gets, and after how long."""
    begin = time.monotonic()
    outcome = attempt(connect, host)
    return outcome | {"seconds": time.monotonic() - begin}


if __name__ == "__main__":
    _program.run(
        {
            "read": read,
            "model": model,
            "setters": setters,
            "motion": motion,
            "many": many,
            "torque": torque,
            "start_jump": start_jump,
            "cartesian": cartesian,
            "provoke": provoke,
            "stop": stop,
            "abandon": abandon,
            "speed": speed,
            "refused_motion": refused_motion,
            "recover": recover,
            "refused_connection": refused_connection,
        }
    )
