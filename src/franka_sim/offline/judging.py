"""What Control says to a trajectory, as a value. The rules are the core's, through its kernels."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from franka_sim import _engine, _kernels
from franka_sim.config import ConfigError
from franka_sim.offline import slower
from franka_sim.offline.trajectory import Trajectory

#: Rows that no speed mends: what they refuse is no motion at all.
_NO_MOTION = frozenset({"finite", "a homogeneous transform"})


@dataclass(frozen=True)
class Broken:
    """One broken row of the check table.

    Attributes:
        sample: from 0; the first sample is at 0 ms.
        error: the robot's name of it.
        signal, condition, unit: the row.
        joint: 1 to 7; None where the row has no joint.
        axis: ``translation``, ``rotation``, ``elbow`` or empty.
        value, limit, over: in the row's unit.
        extrapolated: the sample was lost, what broke the row is the server's guess.
        previous_extrapolated: the sample before was a guess.
        gap: cycles lost since the last sample that arrived.
        cause: likely cause, as in the server's log; ``text`` is its sentence.
    """

    sample: int
    error: str
    signal: str
    condition: str
    unit: str
    joint: int | None
    axis: str
    value: float
    limit: float
    over: float
    extrapolated: bool
    previous_extrapolated: bool
    lost_in_last_20: int
    gap: int
    cause: str
    text: str


@dataclass(frozen=True)
class Judged:
    """Whether a trajectory is accepted, and if not, why.

    Attributes:
        violations: all rows that the first refused sample breaks; empty when accepted.
        errors: names of all errors that the robot shows then.
        at_the_end: what setting the finished flag on the last sample would raise, if anything.
        unsolved: first sample whose pose no joints reach; None when there is none. The server does
            not refuse such a pose for its joints.
        slowdown: least factor found by which the motion is to be slower to pass; None when there is
            nothing to mend, or no factor up to ``slower.MOST`` helps.
        references: what the state would publish, a record a sample (``_kernels.REFERENCE_DTYPE``).
    """

    trajectory: Trajectory
    robot: str
    violations: tuple[Broken, ...]
    errors: tuple[str, ...]
    at_the_end: tuple[Broken, ...]
    unsolved: int | None
    slowdown: float | None
    references: NDArray[np.void]

    @property
    def accepted(self) -> bool:
        """Whether Control would accept every sample."""
        return not self.violations


def judge(
    trajectory: Trajectory,
    *,
    robot: str = "fr3",
    start: Sequence[float] | None = None,
    F_T_EE: Sequence[float] | None = None,
    limits: Mapping[str, Any] | None = None,
    cartesian_limits: Mapping[str, Sequence[float]] | None = None,
    joint_discontinuity_scale: float = 1.0,
    joint_side: bool = True,
    find_slowdown: bool = True,
) -> Judged:
    """Judge a trajectory as the live server does from rest. Any thread.

    Args:
        start: joints it starts from [rad]; None: its first sample, joints near the ready pose that
            reach its first pose, or the ready pose.
        F_T_EE: end effector in the flange's frame, 16 numbers column by column; None: the flange.
        limits, cartesian_limits: instead of the robot's, as the kernel takes them.
        joint_discontinuity_scale: multiplies the limits on a Cartesian motion's joint side.
        joint_side: False judges Cartesian samples alone, without the joints that follow them.
        find_slowdown: whether a refused trajectory is judged again more slowly.

    Raises:
        ConfigError: the joints it starts from are needed and not given.
    """
    if start is None:
        start = _start_of(trajectory, robot)
    options: dict[str, Any] = {
        "robot": robot,
        "q_d": start,
        "F_T_EE": F_T_EE,
        "limits": limits,
        "cartesian_limits": cartesian_limits,
        "joint_discontinuity_scale": joint_discontinuity_scale,
        "joint_side": joint_side,
    }
    references = np.empty(len(trajectory), _kernels.REFERENCE_DTYPE)
    try:
        judgement = _ask(trajectory, references=references, **options)
    except ValueError as error:
        if "no joints near" not in str(error):
            raise
        raise ConfigError(
            "no joints near the ready pose reach the first pose; "
            "give those the motion starts from with --start"
        ) from None
    violations = tuple(map(_broken, judgement.violations))
    slowdown = None
    if find_slowdown and violations and violations[0].condition not in _NO_MOTION:
        slowdown = slower.find(trajectory, lambda slow: _ask(slow, **options).first is None)
    return Judged(
        trajectory,
        robot,
        violations,
        tuple(_engine.error_names()[error] for error in judgement.errors),
        tuple(map(_broken, judgement.after_the_last)) if not violations else (),
        None if judgement.unsolved < 0 else judgement.unsolved,
        slowdown,
        references,
    )


def _ask(trajectory: Trajectory, **options: Any) -> _kernels.Judgement:
    return _kernels.judge_trajectory(
        trajectory.samples,
        trajectory.generator.replace("-", "_"),
        elbows=trajectory.elbows,
        lost=trajectory.lost,
        **options,
    )


def _start_of(trajectory: Trajectory, robot: str) -> list[float] | None:
    """Return the ready pose where the first pose is no pose: the judge says so then."""
    if trajectory.generator != "cartesian-pose":
        return None
    first = trajectory.samples[0].reshape(4, 4).T
    is_frame = np.isfinite(first).all() and np.allclose(
        first[:3, :3].T @ first[:3, :3], np.eye(3), atol=1e-4
    )
    return None if is_frame else _engine.ready_pose(robot)


def _broken(row: _kernels.BrokenRow) -> Broken:
    signal, condition, unit, _, _ = _engine.checks()[row.row]
    return Broken(
        row.sample,
        row.error,
        signal,
        condition,
        "" if unit == "-" else unit,
        row.joint + 1 if row.joint >= 0 else None,
        row.axis,
        row.value,
        row.limit,
        row.over if math.isfinite(row.over) else math.nan,
        row.extrapolated,
        row.previous_extrapolated,
        row.lost_in_last_20,
        row.gap,
        row.cause,
        row.text,
    )
