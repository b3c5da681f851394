"""Move joint 4 by 0.3 rad in 3 s over FCI; the address may be given as an argument."""

import math
import sys

from pylibfranka import ControllerMode, JointPositions, RealtimeConfig, Robot

host = sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1"
robot = Robot(host, RealtimeConfig.kIgnore)
control = robot.start_joint_position_control(ControllerMode.JointImpedance)
state, period = control.readOnce()
start, time = list(state.q_d), 0.0
while time < 3.0:
    state, period = control.readOnce()
    time += period.to_sec()
    q_c = list(start)
    q_c[3] += 0.15 * (1 - math.cos(math.pi * min(time / 3.0, 1.0)))
    command = JointPositions(q_c)
    command.motion_finished = time >= 3.0
    control.writeOnce(command)
print("q4 is now", robot.read_once().q[3])
