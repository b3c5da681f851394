"""Press on the table with a given force, by torque control, and stay where you are otherwise.

    franka-sim serve --scene table
    python examples/force_control.py [host] [force in N]

The force along z is commanded through the transposed Jacobian and corrected by the integral of what
the joint torque sensors miss; the other five directions are held by soft springs.
"""

import sys

import numpy as np
from pylibfranka import ControllerMode, JointPositions, RealtimeConfig, Robot, Torques

ABOVE = [0.0, 0.816502, 0.0, -2.212236, 0.0, 3.028738, 0.785398]  # flange 1 cm over (0.5, 0, 0)
RATE = 10.0  # how fast the force grows [N/s]
GAIN = 5.0  # of its integral [1/s]
HOLD = 2.0  # how long it is held [s]
SPRING = np.diag([1000.0, 1000.0, 0.0, 50.0, 50.0, 50.0])  # [N/m, Nm/rad]; none along z
DAMPING = np.diag([60.0, 60.0, 200.0, 5.0, 5.0, 5.0])  # [Ns/m, Nms/rad]


def pose(state):
    return np.reshape(state.O_T_EE, (4, 4), order="F")


def pose_error(goal, here):
    """What is missing to `goal`: translation, and rotation as a vector, in O."""
    a, b = here[:3, :3], goal[:3, :3]
    rotation = sum(np.cross(a[:, k], b[:, k]) for k in range(3)) / 2
    return np.concatenate([goal[:3, 3] - here[:3, 3], rotation])


def go(robot, goal, seconds):
    """Move the joints to `goal` on a path that begins and ends at rest."""
    control = robot.start_joint_position_control(ControllerMode.JointImpedance)
    state, _ = control.readOnce()
    start, time = np.array(state.q_d), 0.0
    control.writeOnce(JointPositions(list(start)))
    while time < seconds:
        _, period = control.readOnce()
        time += period.to_sec()
        s = min(time / seconds, 1.0)
        q = start + (np.array(goal) - start) * s**3 * (10 - 15 * s + 6 * s**2)
        command = JointPositions(list(q))
        command.motion_finished = time >= seconds
        control.writeOnce(command)


def press(robot, model, force):
    """Press down with `force`; return the force that the sensors saw while it was held [N]."""
    control = robot.start_torque_control()
    state, _ = control.readOnce()
    there = pose(state)
    # What the sensors are off by, in the air.
    offset = np.array(state.tau_J) - model.gravity(state)
    control.writeOnce(Torques([0.0] * 7))
    time, correction, seen = 0.0, 0.0, []
    end = force / RATE + HOLD
    while time < end:
        state, period = control.readOnce()
        time += period.to_sec()
        J = np.reshape(model.zero_jacobian(state), (6, 7), order="F")
        external = np.array(state.tau_J) - model.gravity(state) - offset
        pressed = -(np.linalg.pinv(J.T) @ external)[2]
        wanted = min(force, RATE * time)
        if pressed > 1.0:  # in touch
            correction += GAIN * (wanted - pressed) * period.to_sec()
        wrench = SPRING @ pose_error(there, pose(state)) - DAMPING @ (J @ state.dq)
        wrench[2] -= wanted + correction
        command = Torques(list(J.T @ wrench + model.coriolis(state)))
        command.motion_finished = time >= end
        control.writeOnce(command)
        if time > end - 0.5:
            seen.append(pressed)
    return float(np.mean(seen))


if __name__ == "__main__":
    host = sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1"
    force = float(sys.argv[2]) if len(sys.argv) > 2 else 10.0
    robot = Robot(host, RealtimeConfig.kIgnore)
    model = robot.load_model()
    robot.set_collision_behavior([100.0] * 7, [100.0] * 7, [100.0] * 6, [100.0] * 6)
    go(robot, ABOVE, 4.0)
    print(f"commanded {force:.2f} N, pressed with {press(robot, model, force):.2f} N")
