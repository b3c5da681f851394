"""What holds of the limiters for any command, and that the judge never stops what they send."""

from __future__ import annotations

import functools
import math
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

rl = pytest.importorskip(
    "franka_sim.rate_limiting", reason="the extension module is not built in this environment"
)
from limiter_cases import turned  # noqa: E402  (needs the path above)

from franka_sim import _engine, _kernels  # noqa: E402  (after the skip)

DT = 1e-3
READY = np.array([0, -math.pi / 4, 0, -3 * math.pi / 4, 0, math.pi / 2, math.pi / 4])
REST = np.zeros(7)
FR3 = (rl.fr3.MAX_JOINT_ACCELERATION, rl.fr3.MAX_JOINT_JERK)
ENVELOPE = rl.fr3.JOINT_VELOCITY_LIMITS
CARTESIAN = (
    rl.fr3.MAX_TRANSLATIONAL_VELOCITY, rl.fr3.MAX_TRANSLATIONAL_ACCELERATION,
    rl.fr3.MAX_TRANSLATIONAL_JERK, rl.fr3.MAX_ROTATIONAL_VELOCITY,
    rl.fr3.MAX_ROTATIONAL_ACCELERATION, rl.fr3.MAX_ROTATIONAL_JERK,
)  # fmt: skip

commands = st.floats(-1e6, 1e6)
unit = st.floats(-1, 1)
#: Whole streams: how long one takes is the machine's business (style.md 7, rule 10).
patient = settings(deadline=None)
seeds = st.integers(0, 2**32 - 1)
kinds = st.sampled_from(["steps", "walk", "sine"])
loops = st.fixed_dictionaries(
    {"f32_echo": st.booleans(), "cutoff_frequency": st.sampled_from([1000.0, 100.0, 20.0])}
)


@given(commands, unit, unit, st.floats(0.1, 5), st.floats(1, 30), st.floats(1000, 10000))
def test_a_velocity_stays_within_its_limits_if_the_last_one_was(v, at, rate, top, most, jerk):
    """Within also means: with room to take the acceleration back before the velocity limit."""
    last_v, last_a = at * top, rate * most
    slope = jerk / most
    # One cycle ago the acceleration was within what the velocity limit left.
    assume(slope * DT < 1)
    assume(abs(last_a) <= slope * (top - math.copysign(1, last_a) * (last_v - last_a * DT)))
    sent = rl.limit_rate_velocity(top, -top, most, jerk, v, last_v, last_a)
    a = (sent - last_v) / DT
    assert abs(sent) <= top * (1 + 1e-12)
    assert abs(a) <= most + 1e-9
    assert abs(a - last_a) / DT <= jerk + 1e-6


@given(commands, st.floats(-3, 3), unit, unit)
def test_a_position_is_the_step_of_a_limited_velocity(q, last_q, at, rate):
    bounds = (2.0, -2.0, 10.0, 5000.0)
    sent = rl.limit_rate_position(*bounds, q, last_q, 2 * at, 10 * rate)
    v = rl.limit_rate_velocity(*bounds, (q - last_q) / DT, 2 * at, 10 * rate)
    assert sent == last_q + v * DT


@given(st.lists(commands, min_size=7, max_size=7), st.lists(commands, min_size=7, max_size=7))
def test_a_torque_rate_stays_within_its_limit(tau, last):
    sent = rl.limit_rate_torques([1000.0] * 7, tau, last)
    # Rounding of the sum: half a unit in the last place of the torque.
    slack = np.spacing(np.abs(last) + 1) / DT
    assert (np.abs(sent - last) / DT <= 1000.0 + slack).all()


@patient
@given(seeds, st.floats(0.01, 100))
def test_a_twist_stays_within_speed_and_acceleration(seed, size):
    """From rest, whatever is asked for 200 cycles."""
    rng = np.random.default_rng(seed)
    asked = np.repeat(rng.normal(size=(20, 6)) * size, 10, axis=0)
    sent = rl.limit_rate_cartesian_velocity(*CARTESIAN, asked, [0] * 6, [0] * 6)
    rates = np.diff(sent, axis=0, prepend=np.zeros((1, 6))) / DT
    for part, speed, acceleration in ((slice(3), 3.0, 9.0), (slice(3, 6), 2.5, 17.0)):
        assert (np.linalg.norm(sent[:, part], axis=1) <= speed + 1e-9).all()
        assert (np.linalg.norm(rates[:, part], axis=1) <= acceleration + 1e-9).all()


def stream(seed: int, kind: str, size: float, samples: int = 400) -> np.ndarray:
    """Hard steps, random walks or sines up to 30 Hz, N x 7 about 0."""
    rng = np.random.default_rng(seed)
    if kind == "steps":
        return size * np.repeat(rng.uniform(-1, 1, (samples // 50, 7)), 50, axis=0)
    if kind == "walk":
        return size * 0.1 * np.cumsum(rng.normal(size=(samples, 7)), axis=0)
    t = DT * np.arange(samples)[:, None]
    return size * np.sin(2 * np.pi * rng.uniform(0.2, 30, 7) * t + rng.uniform(0, 6, 7))


@functools.cache
def ready_pose() -> np.ndarray:
    """O_T_EE of the ready pose, from the judge's own kinematics."""
    references = np.zeros(1, _kernels.REFERENCE_DTYPE)
    _kernels.judge_trajectory(
        np.zeros((1, 6)), "cartesian_velocity", q_d=READY, references=references
    )
    return references["O_T_EE"][0]


def about(pose: np.ndarray, moves: np.ndarray) -> np.ndarray:
    """Poses moved by the first three numbers of each row and turned by the others."""
    return np.array([turned(list(m[3:6]), list(pose), list(m[:3])) for m in moves])


def flat_limits() -> dict[str, object]:
    """Nominal limits of an FR3 with its stops far away: no braking zone."""
    limits = dict(_engine.joint_limits("fr3"))
    return limits | {"position_based": False, "lower": [-1e3] * 7, "upper": [1e3] * 7}


@patient
@given(seeds, kinds, st.floats(0.01, 5), loops)
def test_the_judge_never_trips_on_limited_positions(seed, kind, size, loop):
    limits = flat_limits()
    top = np.array(limits["velocity"]) - rl.LIMIT_EPS
    asked = READY + stream(seed, kind, size)
    sent = rl.limit_rate_joint_positions(top, -top, *FR3, asked, READY, REST, REST, **loop)
    first = _kernels.judge_trajectory(
        sent, "joint_position", limits=limits, q_d=READY, f32_state=loop["f32_echo"]
    ).first
    assert first is None


@patient
@given(seeds, kinds, st.floats(0.01, 10), loops)
def test_the_judge_never_trips_on_limited_velocities(seed, kind, size, loop):
    limits = flat_limits()
    top = np.array(limits["velocity"]) - rl.LIMIT_EPS
    asked = stream(seed, kind, size)
    sent = rl.limit_rate_joint_velocities(top, -top, *FR3, asked, REST, REST, **loop)
    first = _kernels.judge_trajectory(
        sent, "joint_velocity", limits=limits, q_d=READY, f32_state=loop["f32_echo"]
    ).first
    assert first is None


@patient
@given(seeds, kinds, st.floats(0.1, 80), loops)
def test_the_judge_never_trips_on_limited_torques(seed, kind, size, loop):
    """Torques within their range. The margin needs no slack: the judge is the exact one."""
    top = np.array(_engine.joint_limits("fr3")["torque"])
    asked = np.clip(stream(seed, kind, size), -top, top)
    sent = rl.limit_rate_torques(rl.fr3.MAX_TORQUE_RATE, asked, REST, **loop)
    assert _kernels.judge_trajectory(sent, "torque", f32_state=False).first is None


@patient
@given(seeds, kinds, st.floats(0.01, 0.5), loops)
def test_with_the_envelope_only_a_joint_in_its_braking_zone_can_trip(seed, kind, size, loop):
    """There the limit moves with the joint, and libfranka's limiter does not look ahead."""
    asked = READY + stream(seed, kind, size)
    sent = rl.limit_rate_joint_positions(ENVELOPE, ENVELOPE, *FR3, asked, READY, REST, REST, **loop)
    first = _kernels.judge_trajectory(sent, q_d=READY, f32_state=loop["f32_echo"]).first
    if first is not None:
        before = sent[max(first.sample - 1, 0)]
        top = np.array(ENVELOPE.velocity)[first.joint] - 2 * rl.LIMIT_EPS
        upper = ENVELOPE.upper_limits(before)[first.joint]
        lower = ENVELOPE.lower_limits(before)[first.joint]
        assert min(upper, -lower) < top


@patient
@given(seeds, kinds, st.floats(0.001, 3), loops)
def test_of_limited_twists_only_the_joint_side_can_trip_the_judge(seed, kind, size, loop):
    """The limiter knows no joints; 29 and 30 are the judge's alone."""
    asked = stream(seed, kind, size)[:, :6]
    sent = rl.limit_rate_cartesian_velocity(*CARTESIAN, asked, [0] * 6, [0] * 6, **loop)
    first = _kernels.judge_trajectory(
        sent, "cartesian_velocity", q_d=READY, f32_state=loop["f32_echo"]
    ).first
    assert first is None or first.error.startswith("cartesian_motion_generator_joint_")


@patient
@given(seeds, kinds, st.floats(1e-5, 0.2), loops)
def test_of_limited_poses_only_the_joint_side_can_trip_the_judge(seed, kind, size, loop):
    """The first sample is the start pose: the robot takes it as where the signal begins."""
    moves = stream(seed, kind, size)[:200, :6]
    moves[0] = 0
    start = ready_pose()
    sent = rl.limit_rate_cartesian_pose(
        *CARTESIAN, about(start, moves), start, [0] * 6, [0] * 6, **loop
    )
    first = _kernels.judge_trajectory(
        sent, "cartesian_pose", q_d=READY, f32_state=loop["f32_echo"]
    ).first
    assert first is None or first.error.startswith("cartesian_motion_generator_joint_")


@patient
@given(seeds, kinds, st.floats(0.01, 1), loops)
def test_the_judge_never_trips_on_a_limited_elbow(seed, kind, size, loop):
    """The pose is held, the elbow moves alone; rows of the joint side are not the limiter's."""
    asked = stream(seed, kind, size)[:, 0]
    asked[0] = 0
    fr3 = rl.fr3
    elbow = rl.limit_rate_position(
        fr3.MAX_ELBOW_VELOCITY, fr3.MIN_ELBOW_VELOCITY, fr3.MAX_ELBOW_ACCELERATION,
        fr3.MAX_ELBOW_JERK, asked, 0.0, 0.0, 0.0, **loop,
    )  # fmt: skip
    elbows = np.column_stack([elbow, np.full(len(elbow), -1.0)])
    held = np.tile(ready_pose(), (len(elbow), 1))
    first = _kernels.judge_trajectory(
        held, "cartesian_pose", elbows=elbows, q_d=READY, f32_state=loop["f32_echo"]
    ).first
    assert first is None or first.error.startswith("cartesian_motion_generator_joint_")
