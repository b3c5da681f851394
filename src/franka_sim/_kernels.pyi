"""Functions over arrays: judge a trajectory, extrapolate a gap, window a loss trace."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

VERDICT_DTYPE: np.dtype[np.void]

class FirstViolation(NamedTuple):
    sample: int
    joint: int
    row: int
    value: float
    limit: float

def judge_joint_trajectory(
    samples: ArrayLike,
    generator: Literal["joint_position", "joint_velocity", "torque"] = "joint_position",
    *,
    limits: Mapping[str, Any] | None = None,
    lost: ArrayLike | None = None,
    q_d: Sequence[float] | None = None,
    f32_state: bool = True,
    out: NDArray[np.void] | None = None,
) -> tuple[FirstViolation | None, NDArray[np.void]]: ...
def extrapolate(
    q_d: Sequence[float],
    dq_d: Sequence[float],
    ddq_d: Sequence[float],
    cycles: int,
    *,
    out: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]: ...
def success_rate(
    answered: ArrayLike, *, out: NDArray[np.float64] | None = None
) -> NDArray[np.float64]: ...
def encode_states(
    version: int, states: NDArray[np.void], *, out: NDArray[np.uint8] | None = None
) -> NDArray[np.uint8]: ...
def decode_states(
    version: int, datagrams: NDArray[np.uint8], *, out: NDArray[np.void] | None = None
) -> NDArray[np.void]: ...
