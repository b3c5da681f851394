"""The offline judge and a live server agree: same stream, same errors, same sample.

Issue 3, "Offline judge": the same compiled code. The server runs in lockstep under `--strict`.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from trajectories import quintic, shifted

from franka_sim import offline

DT = 1e-3
MODES = {
    "joint-position": ("kJointPosition", "kJointImpedance", "q_c"),
    "joint-velocity": ("kJointVelocity", "kJointImpedance", "dq_c"),
    "torque": ("kNone", "kExternalController", "tau_J_d"),
    "cartesian-pose": ("kCartesianPosition", "kCartesianImpedance", "O_T_EE_c"),
    "cartesian-velocity": ("kCartesianVelocity", "kJointImpedance", "O_dP_EE_c"),
}


def growing(random: np.random.Generator, width: int, size: float, count: int) -> np.ndarray:
    """Sines from rest whose size grows until something gives."""
    t = np.arange(count)[:, None] * DT
    hertz, share = random.uniform(0.5, 3.0, width), random.uniform(-1.0, 1.0, width)
    envelope = (t / (count * DT)) ** 3
    return size * envelope * share * (1.0 - np.cos(2 * math.pi * hertz * t))


def samples_of(generator: str, random: np.random.Generator, start) -> np.ndarray:
    if generator == "joint-position":
        return np.array(start.q_d) + growing(random, 7, 0.6, 2000)
    if generator == "joint-velocity":
        return growing(random, 7, 1.5, 2000)
    if generator == "torque":
        # So small that the arm stays slow; then one joint jumps, faster than 1000 Nm/s.
        torques = growing(random, 7, 0.2, 500)
        torques[random.integers(50, 450) :, random.integers(7)] += random.choice([-1.5, 1.5])
        return torques
    if generator == "cartesian-velocity":
        return growing(random, 6, 0.8, 2000)
    poses = np.tile(np.array(start.O_T_EE), (2000, 1))
    poses[:, 12:15] += growing(random, 3, 0.3, 2000)
    return poses


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("generator", MODES)
def test_the_offline_judge_predicts_the_error_and_the_sample(raw, generator, seed):
    motion, controller, field = MODES[generator]
    start = raw.start(motion, controller)
    samples = samples_of(generator, np.random.default_rng(seed), start)
    played = raw.play({field: row.tolist()} for row in samples)
    judged = offline.judge(
        offline.Trajectory(generator, samples, None, np.zeros(len(samples), bool)),
        start=start.q_d,
        find_slowdown=False,
    )
    assert played.aborted
    assert set(played.errors) == set(judged.errors)
    assert played.answered - 1 == judged.violations[0].sample


def test_an_elbow_ramp_ends_where_the_offline_judge_says(raw):
    """Issue 3, Show 6: 0.3 rad/s^2 from q3 = -0.123 with the pose held."""
    q = list(raw.start("kJointPosition", "kJointImpedance").q_d)
    raw.play({"q_c": shifted(q, 2, quintic(-0.123, 1.0, k))} for k in range(1001))
    assert raw.finish(q_c=shifted(q, 2, -0.123)) == "kSuccess"

    start = raw.start("kCartesianPosition", "kCartesianImpedance")
    steps = np.cumsum(np.cumsum(np.r_[0.0, np.full(5000, 0.3)]) * DT) * DT
    poses = np.tile(np.array(start.O_T_EE_d), (len(steps), 1))
    elbows = np.column_stack([start.elbow_d[0] + steps, np.full(len(steps), start.elbow_d[1])])
    played = raw.play(
        {"O_T_EE_c": pose.tolist(), "elbow_c": elbow.tolist(), "valid_elbow": True}
        for pose, elbow in zip(poses, elbows, strict=True)
    )
    judged = offline.judge(
        offline.Trajectory("cartesian-pose", poses, elbows, np.zeros(len(steps), bool)),
        start=start.q_d,
        find_slowdown=False,
    )
    assert played.aborted
    assert set(played.errors) == set(judged.errors)
    assert played.answered - 1 == judged.violations[0].sample
