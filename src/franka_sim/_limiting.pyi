"""Rate limiters and filters over arrays, unchecked; see `franka_sim.rate_limiting`."""

import numpy as np
from numpy.typing import NDArray

_Array = NDArray[np.float64]

class Envelope:
    def __init__(
        self,
        lower: _Array,
        upper: _Array,
        velocity: _Array,
        velocity_offset: _Array,
        deceleration: _Array,
        tolerance: float,
    ) -> None: ...
    def upper_limits(self, q: _Array, out: _Array) -> None: ...
    def lower_limits(self, q: _Array, out: _Array) -> None: ...

def torque_rate_margins(tau_J_d: _Array, out: _Array) -> None: ...
def lowpass_gain(sample_time: float, cutoff_frequency: float) -> float: ...
def limit_torques(
    max_rate: _Array, last: _Array, f32_echo: bool, gain: float, rows: _Array, out: _Array
) -> int: ...
def limit_velocities(
    upper: _Array | None,
    lower: _Array | None,
    envelope: Envelope | None,
    max_acceleration: _Array,
    max_jerk: _Array,
    position: _Array,
    velocity: _Array,
    acceleration: _Array,
    f32_echo: bool,
    gain: float,
    rows: _Array,
    out: _Array,
) -> int: ...
def limit_positions(
    upper: _Array | None,
    lower: _Array | None,
    envelope: Envelope | None,
    max_acceleration: _Array,
    max_jerk: _Array,
    position: _Array,
    velocity: _Array,
    acceleration: _Array,
    f32_echo: bool,
    gain: float,
    rows: _Array,
    out: _Array,
) -> int: ...
def limit_twists(
    limits: _Array,
    velocity: _Array,
    acceleration: _Array,
    f32_echo: bool,
    gain: float,
    rows: _Array,
    out: _Array,
) -> int: ...
def limit_poses(
    limits: _Array,
    pose: _Array,
    velocity: _Array,
    acceleration: _Array,
    f32_echo: bool,
    gain: float,
    rows: _Array,
    out: _Array,
) -> int: ...
def lowpass(gain: float, last: _Array, rows: _Array, out: _Array) -> int: ...
def lowpass_poses(gain: float, last: _Array, rows: _Array, out: _Array) -> int: ...
