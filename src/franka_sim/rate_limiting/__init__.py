"""What libfranka's `limit_rate` and `cutoff_frequency` do to a command, as functions.

Constants of the two robots stand apart: `rate_limiting.fr3` and `rate_limiting.fer`. The functions
take them as arguments. Nothing here runs in a cycle of the server.
"""

from franka_sim.rate_limiting import fer, fr3
from franka_sim.rate_limiting.constants import (
    DEFAULT_CUTOFF_FREQUENCY,
    DELTA_T,
    FACTOR_CARTESIAN_ROTATION_POSE_INTERFACE,
    LIMIT_EPS,
    MAX_CUTOFF_FREQUENCY,
    NORM_EPS,
)
from franka_sim.rate_limiting.envelope import JointVelocityLimits
from franka_sim.rate_limiting.filters import cartesian_lowpass_filter, lowpass_filter
from franka_sim.rate_limiting.fr3 import (
    compute_lower_limits_joint_velocity,
    compute_upper_limits_joint_velocity,
)
from franka_sim.rate_limiting.limits import (
    limit_rate_cartesian_pose,
    limit_rate_cartesian_velocity,
    limit_rate_joint_positions,
    limit_rate_joint_velocities,
    limit_rate_position,
    limit_rate_torques,
    limit_rate_velocity,
    torque_rate_margin,
)

__all__ = [
    "DEFAULT_CUTOFF_FREQUENCY",
    "DELTA_T",
    "FACTOR_CARTESIAN_ROTATION_POSE_INTERFACE",
    "LIMIT_EPS",
    "MAX_CUTOFF_FREQUENCY",
    "NORM_EPS",
    "JointVelocityLimits",
    "cartesian_lowpass_filter",
    "compute_lower_limits_joint_velocity",
    "compute_upper_limits_joint_velocity",
    "fer",
    "fr3",
    "limit_rate_cartesian_pose",
    "limit_rate_cartesian_velocity",
    "limit_rate_joint_positions",
    "limit_rate_joint_velocities",
    "limit_rate_position",
    "limit_rate_torques",
    "limit_rate_velocity",
    "lowpass_filter",
    "torque_rate_margin",
]
