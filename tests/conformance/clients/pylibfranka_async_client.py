"""pylibfranka's AsyncPositionControlHandler: sparse joint targets, feedback from the states."""

from __future__ import annotations

import os

import _program
import pylibfranka as franka
from pylibfranka_client import attempt, connect, fresh, seen
from trajectories import shifted

Handler = franka.AsyncPositionControlHandler
PATIENCE = 8000  # states, so 8 s of the robot's time: several times the longest way here


def configure(robot: franka.Robot, speed: float) -> Handler:
    result = Handler.configure(robot, Handler.Configuration([speed] * 7, 1e-3))
    assert result.handler is not None, result.error_message
    return result.handler


def set_target(handler: Handler, q: list) -> None:
    result = handler.set_joint_position_target(Handler.JointPositionTarget(q))
    assert result.was_successful, result.error_message


def status_of(handler: Handler) -> str:
    """One feedback; it reads one state."""
    return str(handler.get_target_feedback().status).rsplit(".", 1)[-1]


def reached(handler: Handler) -> int:
    """How many states it took until the target was reported as reached."""
    for n in range(1, PATIENCE):
        status = status_of(handler)
        if status == "kTargetReached":
            return n
        assert status == "kExecuting", f"{status} after {n} states"
    raise AssertionError(f"not reached in {PATIENCE} states")


def reach(host: str, offsets: list, speed: float, idle: int = 0) -> dict:
    """Each target (joint, distance from the start) in turn; `idle` states after each one."""
    robot = connect(host)
    start = list(fresh(robot).q_d)
    handler = configure(robot, speed)
    before_any = status_of(handler)
    took, at_rest = [], []
    for joint, distance in offsets:
        set_target(handler, shifted(start, joint, distance))
        took.append(reached(handler))
        at_rest.append(sorted({status_of(handler) for _ in range(idle)}))
    stopped = attempt(handler.stop_control)
    goal = shifted(start, *offsets[-1])
    return {
        "before_any": before_any,
        "took": took,
        "at_rest": at_rest,
        "stopped": stopped,
        "goal": goal,
        "after": seen(fresh(robot)),
    }


def replace(host: str, joint: int, distances: list, each: int, speed: float) -> dict:
    """A new target every `each` states, so before the one before is reached; then the last one."""
    robot = connect(host)
    start = list(fresh(robot).q_d)
    handler = configure(robot, speed)
    on_the_way = set()
    for distance in distances:
        set_target(handler, shifted(start, joint, distance))
        on_the_way |= {status_of(handler) for _ in range(each)}
    set_target(handler, shifted(start, joint, 0.1))
    took = reached(handler)
    stopped = attempt(handler.stop_control)
    return {
        "on_the_way": sorted(on_the_way),
        "took": took,
        "stopped": stopped,
        "goal": shifted(start, joint, 0.1),
        "after": seen(fresh(robot)),
    }


def stop_midway(host: str, joint: int, distance: float, states: int, speed: float) -> dict:
    """Stop control on the way; then another motion with a new handler."""
    robot = connect(host)
    start = list(fresh(robot).q_d)
    handler = configure(robot, speed)
    set_target(handler, shifted(start, joint, distance))
    for _ in range(states):
        assert status_of(handler) == "kExecuting"
    stopped = attempt(handler.stop_control)
    after = seen(fresh(robot))
    again = configure(robot, speed)
    set_target(again, start)
    reached(again)
    again.stop_control()
    return {"start": start, "stopped": stopped, "after": after, "back": seen(fresh(robot))}


def vanish(host: str, joint: int, distance: float, states: int, speed: float) -> dict:
    """End the process on the way, without a word to the robot."""
    robot = connect(host)
    handler = configure(robot, speed)
    set_target(handler, shifted(list(robot.read_once().q_d), joint, distance))
    for _ in range(states):
        status_of(handler)
    os.write(1, b'\n{"vanished": true}\n')
    os._exit(0)


def refused(host: str, joint: int, target: float, speed: float) -> dict:
    """A target that the robot refuses; what the handler says; recovery; a motion."""
    robot = connect(host)
    start = list(fresh(robot).q_d)
    handler = configure(robot, speed)
    q = list(start)
    q[joint] = target
    sent = handler.set_joint_position_target(Handler.JointPositionTarget(q))
    feedback = None
    for _ in range(200):
        try:
            feedback = handler.get_target_feedback()
        except franka.FrankaException as error:
            feedback = error
            break
        if str(feedback.status).endswith("kAborted"):
            break
    text = getattr(feedback, "error_message", None) or str(feedback)
    del handler  # one at a time, even when it has ended
    reflex = seen(fresh(robot))
    recovered = attempt(robot.automatic_error_recovery)
    again = configure(robot, speed)
    set_target(again, shifted(start, joint, 0.1))
    took = reached(again)
    again.stop_control()
    return {
        "sent": sent.was_successful,
        "text": text,
        "reflex": reflex,
        "recovered": recovered,
        "took": took,
    }


ACTIONS = {
    "reach": reach,
    "replace": replace,
    "stop_midway": stop_midway,
    "vanish": vanish,
    "refused": refused,
}

if __name__ == "__main__":
    _program.run(ACTIONS)
