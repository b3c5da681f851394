"""Limits of an FR3 as its clients aim at them: nominal, less LIMIT_EPS, velocities further by what
TOL_NUMBER_PACKETS_LOST cycles add. Source: libfranka 0.21.3 rate_limiting.h."""

from numpy.typing import ArrayLike

from franka_sim.rate_limiting.arguments import Array
from franka_sim.rate_limiting.constants import DELTA_T, LIMIT_EPS
from franka_sim.rate_limiting.envelope import JointVelocityLimits

#: An FR3 is expected to lose none.
TOL_NUMBER_PACKETS_LOST = 0.0


def _velocity(nominal: float, acceleration: float) -> float:
    return nominal - LIMIT_EPS - TOL_NUMBER_PACKETS_LOST * DELTA_T * acceleration


#: [Nm/s]
MAX_TORQUE_RATE = (1000.0 - LIMIT_EPS,) * 7
#: [rad/s^3]
MAX_JOINT_JERK = (5000.0 - LIMIT_EPS,) * 7
#: [rad/s^2]
MAX_JOINT_ACCELERATION = (10.0 - LIMIT_EPS,) * 7
#: Below the position-based velocity limits [rad/s].
JOINT_VELOCITY_LIMITS_TOLERANCE = tuple(
    LIMIT_EPS + TOL_NUMBER_PACKETS_LOST * DELTA_T * a for a in MAX_JOINT_ACCELERATION
)
#: Coefficients of computeUpperLimitsJointVelocity and its lower twin; a robot's URDF may differ.
JOINT_VELOCITY_LIMITS = JointVelocityLimits(
    lower=(-2.7501, -1.7918, -2.9065, -3.0481, -2.8101, 0.54092, -3.0196),
    upper=(2.7501, 1.7918, 2.9065, -0.1458, 2.8101, 4.5205, 3.0196),
    velocity=(2.62, 2.62, 2.62, 2.62, 5.26, 4.18, 5.26),
    velocity_offset=(0.30, 0.20, 0.20, 0.30, 0.35, 0.35, 0.35),
    deceleration_limit=(6.0, 2.585, 3.5, 4.0, 17.0, 5.5, 17.0),
)

#: [m/s^3]
MAX_TRANSLATIONAL_JERK = 4500.0 - LIMIT_EPS
#: [m/s^2]
MAX_TRANSLATIONAL_ACCELERATION = 9.0 - LIMIT_EPS
#: [m/s]
MAX_TRANSLATIONAL_VELOCITY = _velocity(3.0, MAX_TRANSLATIONAL_ACCELERATION)
#: [rad/s^3]
MAX_ROTATIONAL_JERK = 8500.0 - LIMIT_EPS
#: [rad/s^2]
MAX_ROTATIONAL_ACCELERATION = 17.0 - LIMIT_EPS
#: [rad/s]
MAX_ROTATIONAL_VELOCITY = _velocity(2.5, MAX_ROTATIONAL_ACCELERATION)
#: [rad/s^3]
MAX_ELBOW_JERK = 5000.0 - LIMIT_EPS
#: [rad/s^2]
MAX_ELBOW_ACCELERATION = 10.0 - LIMIT_EPS
#: [rad/s]
MAX_ELBOW_VELOCITY = _velocity(1.5, MAX_ELBOW_ACCELERATION)
MIN_ELBOW_VELOCITY = -MAX_ELBOW_VELOCITY


def compute_upper_limits_joint_velocity(
    q: ArrayLike, limits: JointVelocityLimits = JOINT_VELOCITY_LIMITS
) -> Array:
    """Greatest joint velocities at `q`, 7 or N x 7 [rad] -> [rad/s], less the tolerance."""
    return limits.upper_limits(q)


def compute_lower_limits_joint_velocity(
    q: ArrayLike, limits: JointVelocityLimits = JOINT_VELOCITY_LIMITS
) -> Array:
    """Least joint velocities at `q`, 7 or N x 7 [rad] -> [rad/s], plus the tolerance."""
    return limits.lower_limits(q)
