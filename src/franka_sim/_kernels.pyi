"""Functions over arrays: judge a trajectory, extrapolate a gap, window a loss trace."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

VERDICT_DTYPE: np.dtype[np.void]

REFERENCE_DTYPE: np.dtype[np.void]

class BrokenRow(NamedTuple):
    sample: int
    joint: int
    row: int
    value: float
    limit: float
    error: str
    over: float
    axis: str
    extrapolated: bool
    previous_extrapolated: bool
    lost_in_last_20: int
    gap: int
    cause: str
    text: str

class Judgement(NamedTuple):
    first: BrokenRow | None
    verdicts: NDArray[np.void]
    violations: tuple[BrokenRow, ...]
    unsolved: int
    after_the_last: tuple[BrokenRow, ...]
    errors: tuple[int, ...]

def judge_trajectory(
    samples: ArrayLike,
    generator: str = "joint_position",
    *,
    robot: str = "fr3",
    elbows: ArrayLike | None = None,
    limits: Mapping[str, Any] | None = None,
    cartesian_limits: Mapping[str, Sequence[float]] | None = None,
    lost: ArrayLike | None = None,
    q_d: Sequence[float] | NDArray[np.float64] | None = None,
    F_T_EE: Sequence[float] | NDArray[np.float64] | None = None,
    f32_state: bool = True,
    joint_discontinuity_scale: float = 1.0,
    joint_side: bool = True,
    out: NDArray[np.void] | None = None,
    references: NDArray[np.void] | None = None,
) -> Judgement: ...
def cartesian_limits(robot: str = "fr3") -> dict[str, tuple[float, float, float]]: ...
def velocity_envelope(
    q: ArrayLike, robot: str = "fr3"
) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
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
