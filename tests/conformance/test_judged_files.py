"""The offline judge and a live server agree: same stream, same errors, same sample.

Issue 3, "Offline judge": the same compiled code. The server runs in lockstep under `--strict`.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

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
