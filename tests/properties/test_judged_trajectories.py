"""The offline judge (the live server's code) and a slow plain one agree on smooth trajectories."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

kernels = pytest.importorskip(
    "franka_sim._kernels", reason="the extension module is not built in this environment"
)

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from trajectories import PlainTrajectoryJudge  # noqa: E402

from franka_sim import _engine, offline  # noqa: E402
from franka_sim.offline import slower  # noqa: E402

DT = 1e-3
READY = np.array([0, -math.pi / 4, 0, -3 * math.pi / 4, 0, math.pi / 2, math.pi / 4])
#: Plain name of a row: its number in the core's table, by generator.
ROWS = {
    "joint_position": {"range": 1, "start": 2, "acceleration": 3, "velocity": 4, "jerk": 5},
    "joint_velocity": {"start": 7, "acceleration": 8, "jerk": 9, "velocity": 10},
    "torque": {"range": 12, "rate": 13},
}


@st.composite
def smooth(draw, generator: str):
    """Three sines a joint from rest, of any speed a client may try, and gaps of up to 19 cycles."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    t = np.arange(draw(st.integers(30, 300))) * DT
    hertz = random.uniform(0.1, 6.0, (3, 7, 1))
    size = random.uniform(0.0, draw(st.sampled_from([0.02, 0.3, 2.0])), (3, 7, 1))
    if generator == "torque":
        size *= 40.0
    path = (size * (1.0 - np.cos(2 * math.pi * hertz * t))).sum(axis=0).T
    if generator == "joint_position":
        path = READY + path
    lost = np.zeros(len(t), bool)
    for _ in range(draw(st.integers(0, 2))):
        begin = draw(st.integers(1, len(t) - 1))
        lost[begin : begin + draw(st.integers(1, 9))] = True
    return path, lost


def compare(generator: str, path: np.ndarray, lost: np.ndarray) -> None:
    limits = _engine.joint_limits("fr3")
    plain = PlainTrajectoryJudge(generator, limits, READY).judge(path.tolist(), lost.tolist())
    found = kernels.judge_trajectory(path, generator, q_d=READY, lost=lost, f32_state=False)
    expected = [(-1, -1) if v is None else (ROWS[generator][v[0]], v[1]) for v in plain]
    assert list(zip(*(found.verdicts[k].tolist() for k in ("row", "joint")), strict=True)) == (
        expected
    )
    first = next((k for k, v in enumerate(plain) if v is not None), None)
    assert (None if found.first is None else found.first.sample) == first


@settings(deadline=None)
@given(smooth("joint_position"))
def test_joint_positions_are_judged_as_a_plain_judge_does(stream):
    compare("joint_position", *stream)


@settings(deadline=None)
@given(smooth("joint_velocity"))
def test_joint_velocities_are_judged_as_a_plain_judge_does(stream):
    compare("joint_velocity", *stream)


@settings(deadline=None)
@given(smooth("torque"))
def test_torques_are_judged_as_a_plain_judge_does(stream):
    compare("torque", *stream)


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 6), st.floats(0.1, 0.6), st.floats(0.2, 0.6))
def test_the_slowdown_passes_and_a_little_less_does_not(joint, distance, duration):
    """What is found is judged; a hundredth below it, the plain judge refuses it too."""
    s = np.minimum(np.arange(int(duration / DT) + 50) * DT / duration, 1.0)
    path = np.tile(READY, (len(s), 1))
    path[:, joint] += distance * s**3 * (10 - 15 * s + 6 * s**2)
    trajectory = offline.Trajectory("joint-position", path, None, np.zeros(len(s), bool))
    judged = offline.judge(trajectory)
    if judged.accepted:
        assert judged.slowdown is None
        return
    assert judged.slowdown is not None
    assert offline.judge(slower.stretched(trajectory, judged.slowdown)).accepted
    limits = _engine.joint_limits("fr3")
    # The slack for 32-bit states forgives what an exact wire does not: 5 % of a jerk, 2 % of time.
    for factor, passes in ((1.03 * judged.slowdown, True), (0.99 * judged.slowdown, False)):
        slow = slower.stretched(trajectory, factor)
        plain = PlainTrajectoryJudge("joint_position", limits, slow.samples[0])
        verdicts = plain.judge(slow.samples.tolist(), slow.lost.tolist())
        assert all(v is None for v in verdicts) == passes
