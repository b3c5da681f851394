"""Rate limiters: libfranka's `limitRate` on one command, and the same over a whole series.

Arguments come in libfranka's order: bounds, commanded, last. A commanded argument with a leading
axis of N samples is a series, one sample a cycle of 1 ms: each output is fed forward as the robot
would publish it, and the next sample is limited against that. `last_*` then is the state before the
first sample. The keywords say what the loop around the limiter does:

    f32_echo: the state comes back as 32-bit floats (FCI v10), the one given in `last_*` included.
    cutoff_frequency: low-pass before the limiter against the same state [Hz]; off by default.

A command that is not finite raises ValueError with libfranka's text, as does a pose that is no
frame; so do, by name, a state or bound that is not finite, which libfranka lets through. Any thread
may call.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from franka_sim import _limiting
from franka_sim.rate_limiting.arguments import Array, gain_of, positive, refuse, row, samples
from franka_sim.rate_limiting.constants import MAX_CUTOFF_FREQUENCY
from franka_sim.rate_limiting.envelope import JointVelocityLimits
from franka_sim.rate_limiting.filters import frame

#: Velocity limits: a number a joint, a row a sample, or the envelope, followed through the series.
VelocityLimits = ArrayLike | JointVelocityLimits
Kernel = Callable[..., int]


def torque_rate_margin(tau_J_d: ArrayLike) -> float | Array:
    """Return how far below its limit a torque rate is to stay where tau_J_d comes back as f32.

    tau_J_d in Nm, any shape -> [Nm/s]. What half a unit in the last place is worth over a cycle;
    source: franka-rs, its page on rate limiting.
    """
    torques = np.ascontiguousarray(tau_J_d, dtype=np.float64)
    margin = np.empty_like(torques)
    _limiting.torque_rate_margins(torques.reshape(-1), margin.reshape(-1))
    return float(margin[0]) if np.ndim(tau_J_d) == 0 else margin


def limit_rate_torques(
    max_rate: ArrayLike,
    tau_J: ArrayLike,
    last_tau_J_d: ArrayLike,
    *,
    f32_echo: bool = False,
    cutoff_frequency: float = MAX_CUTOFF_FREQUENCY,
) -> Array:
    """Limit the rate of seven torques [Nm]; under `f32_echo` less `torque_rate_margin`."""
    rows, shape = samples(tau_J, 7, "tau_J")
    out = np.empty_like(rows)
    bad = _limiting.limit_torques(
        row(max_rate, 7, "max_rate"),
        row(last_tau_J_d, 7, "last_tau_J_d"),
        f32_echo,
        gain_of(cutoff_frequency),
        rows,
        out,
    )
    refuse(bad, shape, 7, "Commanding value is infinite or NaN.")
    return out.reshape(shape)


def limit_rate_velocity(
    upper_velocity: ArrayLike,
    lower_velocity: ArrayLike,
    max_acceleration: float,
    max_jerk: float,
    velocity: ArrayLike,
    last_velocity: float,
    last_acceleration: float,
    *,
    f32_echo: bool = False,
    cutoff_frequency: float = MAX_CUTOFF_FREQUENCY,
) -> float | Array:
    """Limit one velocity, of a joint or the elbow [rad/s]: velocity, acceleration and jerk."""
    last = (0.0, last_velocity, last_acceleration)
    bounds = (upper_velocity, lower_velocity, max_acceleration, max_jerk)
    out = _scalars(
        _limiting.limit_velocities,
        1,
        "velocity",
        bounds,
        velocity,
        last,
        f32_echo,
        cutoff_frequency,
    )
    return float(out) if out.ndim == 0 else out


def limit_rate_position(
    upper_velocity: ArrayLike,
    lower_velocity: ArrayLike,
    max_acceleration: float,
    max_jerk: float,
    position: ArrayLike,
    last_position: float,
    last_velocity: float,
    last_acceleration: float,
    *,
    f32_echo: bool = False,
    cutoff_frequency: float = MAX_CUTOFF_FREQUENCY,
) -> float | Array:
    """Limit one position, of a joint or the elbow [rad]: velocity, acceleration and jerk."""
    last = (last_position, last_velocity, last_acceleration)
    bounds = (upper_velocity, lower_velocity, max_acceleration, max_jerk)
    out = _scalars(
        _limiting.limit_positions, 1, "position", bounds, position, last, f32_echo,
        cutoff_frequency,
    )  # fmt: skip
    return float(out) if out.ndim == 0 else out


def limit_rate_joint_velocities(
    upper_velocity: VelocityLimits,
    lower_velocity: VelocityLimits,
    max_acceleration: ArrayLike,
    max_jerk: ArrayLike,
    velocities: ArrayLike,
    last_velocities: ArrayLike,
    last_accelerations: ArrayLike,
    *,
    q_d: ArrayLike | None = None,
    f32_echo: bool = False,
    cutoff_frequency: float = MAX_CUTOFF_FREQUENCY,
) -> Array:
    """Limit seven joint velocities [rad/s]: velocity, acceleration and jerk.

    `q_d`: where the joints are before the first sample [rad]; needed when the velocity limits are
    a `JointVelocityLimits`.
    """
    if q_d is None and isinstance(upper_velocity, JointVelocityLimits):
        raise ValueError("q_d: needed to evaluate JointVelocityLimits")
    last = (np.zeros(7) if q_d is None else q_d, last_velocities, last_accelerations)
    bounds = (upper_velocity, lower_velocity, max_acceleration, max_jerk)
    return _scalars(
        _limiting.limit_velocities, 7, "velocities", bounds, velocities, last, f32_echo,
        cutoff_frequency,
    )  # fmt: skip


def limit_rate_joint_positions(
    upper_velocity: VelocityLimits,
    lower_velocity: VelocityLimits,
    max_acceleration: ArrayLike,
    max_jerk: ArrayLike,
    positions: ArrayLike,
    last_positions: ArrayLike,
    last_velocities: ArrayLike,
    last_accelerations: ArrayLike,
    *,
    f32_echo: bool = False,
    cutoff_frequency: float = MAX_CUTOFF_FREQUENCY,
) -> Array:
    """Limit seven joint positions [rad]: velocity, acceleration and jerk."""
    last = (last_positions, last_velocities, last_accelerations)
    bounds = (upper_velocity, lower_velocity, max_acceleration, max_jerk)
    return _scalars(
        _limiting.limit_positions, 7, "positions", bounds, positions, last, f32_echo,
        cutoff_frequency,
    )  # fmt: skip


def limit_rate_cartesian_velocity(
    max_translational_velocity: float,
    max_translational_acceleration: float,
    max_translational_jerk: float,
    max_rotational_velocity: float,
    max_rotational_acceleration: float,
    max_rotational_jerk: float,
    O_dP_EE_c: ArrayLike,
    last_O_dP_EE_c: ArrayLike,
    last_O_ddP_EE_c: ArrayLike,
    *,
    f32_echo: bool = False,
    cutoff_frequency: float = MAX_CUTOFF_FREQUENCY,
) -> Array:
    """Limit a twist, 6 or N x 6: the norms of its translation [m/s] and its rotation [rad/s]."""
    limits = (
        max_translational_velocity, max_translational_acceleration, max_translational_jerk,
        max_rotational_velocity, max_rotational_acceleration, max_rotational_jerk,
    )  # fmt: skip
    rows, shape = samples(O_dP_EE_c, 6, "O_dP_EE_c")
    out = np.empty_like(rows)
    bad = _limiting.limit_twists(
        positive(limits, 6, "limits"),
        row(last_O_dP_EE_c, 6, "last_O_dP_EE_c"),
        row(last_O_ddP_EE_c, 6, "last_O_ddP_EE_c"),
        f32_echo,
        gain_of(cutoff_frequency),
        rows,
        out,
    )
    refuse(bad, shape, 6, "O_dP_EE_c is infinite or NaN.")
    return out.reshape(shape)


def limit_rate_cartesian_pose(
    max_translational_velocity: float,
    max_translational_acceleration: float,
    max_translational_jerk: float,
    max_rotational_velocity: float,
    max_rotational_acceleration: float,
    max_rotational_jerk: float,
    O_T_EE_c: ArrayLike,
    last_O_T_EE_c: ArrayLike,
    last_O_dP_EE_c: ArrayLike,
    last_O_ddP_EE_c: ArrayLike,
    *,
    f32_echo: bool = False,
    cutoff_frequency: float = MAX_CUTOFF_FREQUENCY,
) -> Array:
    """Limit a pose, 16 column-major numbers or N x 16, by the twist that leads to it.

    FACTOR_CARTESIAN_ROTATION_POSE_INTERFACE is applied to the rotational limits here.
    """
    limits = (
        max_translational_velocity, max_translational_acceleration, max_translational_jerk,
        max_rotational_velocity, max_rotational_acceleration, max_rotational_jerk,
    )  # fmt: skip
    rows, shape = samples(O_T_EE_c, 16, "O_T_EE_c")
    out = np.empty_like(rows)
    bad = _limiting.limit_poses(
        positive(limits, 6, "limits"),
        frame(last_O_T_EE_c, "last_O_T_EE_c"),
        row(last_O_dP_EE_c, 6, "last_O_dP_EE_c"),
        row(last_O_ddP_EE_c, 6, "last_O_ddP_EE_c"),
        f32_echo,
        gain_of(cutoff_frequency),
        rows,
        out,
    )
    if bad >= 0 and not np.isfinite(rows[bad]).all():
        refuse(bad, shape, 16, "O_T_EE_c is infinite or NaN.")
    refuse(bad, shape, 16, "O_T_EE_c is invalid transformation matrix. Has to be column major!")
    return out.reshape(shape)


def _scalars(
    kernel: Kernel,
    width: int,
    name: str,
    bounds: tuple[VelocityLimits, VelocityLimits, ArrayLike, ArrayLike],
    commanded: ArrayLike,
    last: tuple[ArrayLike, ArrayLike, ArrayLike],
    f32_echo: bool,
    cutoff_frequency: float,
) -> Array:
    """Check the arguments of the scalar limiters, run one, and give back the caller's shape."""
    upper, lower, max_acceleration, max_jerk = bounds
    rows, shape = samples(commanded, width, name)
    out = np.empty_like(rows)
    bad = kernel(
        *_velocity_limits(upper, lower, width, len(rows)),
        positive(max_acceleration, width, "max_acceleration"),
        positive(max_jerk, width, "max_jerk"),
        row(last[0], width, "last position"),
        row(last[1], width, "last velocity"),
        row(last[2], width, "last acceleration"),
        f32_echo,
        gain_of(cutoff_frequency),
        rows,
        out,
    )
    refuse(bad, shape, width, f"commanded_{name} is infinite or NaN.")
    return out.reshape(shape)


def _velocity_limits(
    upper: VelocityLimits, lower: VelocityLimits, width: int, count: int
) -> tuple[Array | None, Array | None, _limiting.Envelope | None]:
    """Limits as the kernels take them: 1 or `count` rows, or the envelope."""
    if isinstance(upper, JointVelocityLimits) or isinstance(lower, JointVelocityLimits):
        if upper is not lower or not isinstance(upper, JointVelocityLimits):
            raise ValueError("lower_velocity: the same JointVelocityLimits as the upper expected")
        return None, None, upper.core
    pair = []
    for name, values in (("upper_velocity", upper), ("lower_velocity", lower)):
        array, _ = samples(values, width, name)
        if len(array) not in (1, count) or np.isnan(array).any():
            raise ValueError(f"{name}: one row or {count} expected, and no NaN")
        pair.append(array)
    if len(pair[0]) != len(pair[1]):
        pair = [np.ascontiguousarray(np.broadcast_to(a, (count, width))) for a in pair]
    return pair[0], pair[1], None
