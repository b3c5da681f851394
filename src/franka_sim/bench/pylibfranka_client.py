"""Moves joint 1 with pylibfranka for a number of cycles and prints how many it made in a second.

``python -m franka_sim.bench.pylibfranka_client HOST CYCLES``. Runs beside a server, never in it.
"""

from __future__ import annotations

import importlib
import json
import math
import sys
import time


def main(host: str, cycles: int) -> None:
    """Run one joint velocity motion; print one JSON line."""
    franka = importlib.import_module("pylibfranka")
    robot = franka.Robot(host, franka.RealtimeConfig.kIgnore)
    control = robot.start_joint_velocity_control(franka.ControllerMode.JointImpedance)
    period = 2000
    cycles = max(1, round(cycles / (2 * period))) * 2 * period  # whole swings, back and forth
    control.readOnce()
    begin = time.perf_counter()
    for k in range(cycles + 1):
        sign = -1.0 if (k // period) % 2 else 1.0
        dq = sign * 0.1 * (1.0 - math.cos(2.0 * math.pi * k / period))
        command = franka.JointVelocities([dq, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
        command.motion_finished = k == cycles
        control.writeOnce(command)
        if k < cycles:
            control.readOnce()
    seconds = time.perf_counter() - begin
    print(json.dumps({"cycles": cycles, "seconds": seconds, "cycles_per_s": cycles / seconds}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
