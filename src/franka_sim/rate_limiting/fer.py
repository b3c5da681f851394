"""Limits of an FER (Panda) as its clients aim at them: nominal, less LIMIT_EPS, velocities further
by what TOL_NUMBER_PACKETS_LOST cycles add. Source: libfranka 0.9.2 rate_limiting.h."""

from franka_sim.rate_limiting.constants import DELTA_T, LIMIT_EPS

#: Lost cycles in which a joint goes on at its last acceleration.
TOL_NUMBER_PACKETS_LOST = 3.0


def _velocity(nominal: float, acceleration: float) -> float:
    return nominal - LIMIT_EPS - TOL_NUMBER_PACKETS_LOST * DELTA_T * acceleration


#: [Nm/s]
MAX_TORQUE_RATE = (1000.0 - LIMIT_EPS,) * 7
#: [rad/s^3]
MAX_JOINT_JERK = tuple(
    j - LIMIT_EPS for j in (7500.0, 3750.0, 5000.0, 6250.0, 7500.0, 10000.0, 10000.0)
)
#: [rad/s^2]
MAX_JOINT_ACCELERATION = tuple(a - LIMIT_EPS for a in (15.0, 7.5, 10.0, 12.5, 15.0, 20.0, 20.0))
#: Flat: an FER's velocity limits do not depend on the position [rad/s].
MAX_JOINT_VELOCITY = tuple(
    _velocity(v, a) for v, a in zip((2.175,) * 4 + (2.61,) * 3, MAX_JOINT_ACCELERATION, strict=True)
)
MIN_JOINT_VELOCITY = tuple(-v for v in MAX_JOINT_VELOCITY)

#: [m/s^3]
MAX_TRANSLATIONAL_JERK = 6500.0 - LIMIT_EPS
#: [m/s^2]
MAX_TRANSLATIONAL_ACCELERATION = 13.0 - LIMIT_EPS
#: [m/s]
MAX_TRANSLATIONAL_VELOCITY = _velocity(2.0, MAX_TRANSLATIONAL_ACCELERATION)
#: [rad/s^3]
MAX_ROTATIONAL_JERK = 12500.0 - LIMIT_EPS
#: [rad/s^2]
MAX_ROTATIONAL_ACCELERATION = 25.0 - LIMIT_EPS
#: [rad/s]
MAX_ROTATIONAL_VELOCITY = _velocity(2.5, MAX_ROTATIONAL_ACCELERATION)
#: [rad/s^3]
MAX_ELBOW_JERK = 5000.0 - LIMIT_EPS
#: [rad/s^2]
MAX_ELBOW_ACCELERATION = 10.0 - LIMIT_EPS
#: [rad/s]
MAX_ELBOW_VELOCITY = _velocity(2.175, MAX_ELBOW_ACCELERATION)
MIN_ELBOW_VELOCITY = -MAX_ELBOW_VELOCITY
