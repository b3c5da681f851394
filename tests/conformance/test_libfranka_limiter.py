"""`franka_sim.rate_limiting` beside libfranka's own functions, in its shared library."""

from __future__ import annotations

import json
import math
import random
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from limiter_cases import CARTESIAN, DT, cases, pose, turned
from needs import needs

from franka_sim import rate_limiting as rl

pytestmark = needs("pylibfranka", "pylibfranka")
FR3 = (rl.fr3.MAX_JOINT_ACCELERATION, rl.fr3.MAX_JOINT_JERK)
CASES = 500  # chosen: of each function, well under a second


@pytest.fixture(scope="module")
def libfranka():
    from libfranka_limits import LibfrankaLimits

    return LibfrankaLimits()


def f32(values):
    """What a client reads of `values` in a state of FCI v10."""
    return np.asarray(values, np.float32).astype(np.float64)


def test_the_golden_file_is_what_this_libfranka_returns(monkeypatch):
    """tests/golden/limiter_libfranka.json, by generate_limiter_vectors.py; its header apart, which
    names the release."""
    golden = Path(__file__).resolve().parents[1] / "golden"
    monkeypatch.syspath_prepend(golden)
    import generate_limiter_vectors as generator

    committed = json.loads((golden / "limiter_libfranka.json").read_text())
    fresh = json.loads(generator.text())
    del committed["about"], fresh["about"]
    assert fresh == committed


def test_every_function_returns_what_libfranka_returns(libfranka, record_property):
    """Random arguments; rotations may differ by some units in the last place."""
    seed = random.SystemRandom().randrange(2**32)
    record_property("seed", seed)
    for name, arguments in cases(random.Random(seed), CASES):
        expected = getattr(libfranka, name)(*arguments)
        value = getattr(rl, name)(*arguments)
        tolerance = 5e-15 if "cartesian" in name else 0.0
        message = f"{name}, seed {seed}: {arguments}"
        np.testing.assert_allclose(value, expected, rtol=0, atol=tolerance, err_msg=message)


@pytest.mark.parametrize("echo", [False, True])
def test_a_series_of_positions_is_libfrankas_control_loop(libfranka, echo):
    """Filter, then limiter, each cycle against the state the robot would publish (wire.md 6)."""
    rng = np.random.default_rng(7)
    asked = np.repeat(rng.uniform(-0.3, 0.3, (20, 7)), 25, axis=0)
    asked[:, 3] -= 1.6  # the middle of joint 4
    asked[:, 5] += 2.0  # and of joint 6
    limits, read = rl.fr3.JOINT_VELOCITY_LIMITS, f32 if echo else np.asarray
    q, dq, ddq = np.array([0, 0, 0, -1.6, 0, 2.0, 0]), np.zeros(7), np.zeros(7)
    series = rl.limit_rate_joint_positions(
        limits, limits, *FR3, asked, q, dq, ddq, f32_echo=echo, cutoff_frequency=100.0
    )
    for sample, sent in zip(asked, series, strict=True):
        q_d, dq_d, ddq_d = read(q), read(dq), read(ddq)
        filtered = [
            libfranka.lowpass_filter(DT, a, b, 100.0) for a, b in zip(sample, q_d, strict=True)
        ]
        bounds = (limits.upper_limits(q_d), limits.lower_limits(q_d))
        expected = libfranka.limit_rate_joint_positions(*bounds, *FR3, filtered, q_d, dq_d, ddq_d)
        np.testing.assert_array_equal(sent, expected)
        velocity = (sent - q) / DT
        ddq, dq, q = (velocity - dq) / DT, velocity, sent


def test_a_series_of_poses_is_libfrankas_control_loop(libfranka):
    """Steps of orientation and origin; each output is libfranka's for the state before it."""
    last = pose([0.3, -0.2, 0.1], [0.4, 0.1, 0.5])
    asked = [turned([0.02 * (k // 40), 0.3, 0.0], last, [0.05, -0.03, 0.0]) for k in range(200)]
    series = rl.limit_rate_cartesian_pose(*CARTESIAN, asked, last, [0] * 6, [0] * 6)
    before, velocity = last, np.zeros(6)
    acceleration = np.zeros(6)
    for sample, sent in zip(asked, series, strict=True):
        expected = libfranka.limit_rate_cartesian_pose(
            *CARTESIAN, sample, before, velocity, acceleration
        )
        np.testing.assert_allclose(sent, expected, rtol=0, atol=1e-14)
        twist = twist_between(before, sent)
        acceleration, velocity, before = (twist - velocity) / DT, twist, sent.tolist()


def twist_between(a, b):
    """Twist of one cycle: the logarithm of the rotation between."""
    from_, to = (np.reshape(m, (4, 4)).T for m in (a, b))
    D = to[:3, :3] @ from_[:3, :3].T
    skew = 0.5 * np.array([D[2, 1] - D[1, 2], D[0, 2] - D[2, 0], D[1, 0] - D[0, 1]])
    sine = float(np.linalg.norm(skew))
    turn = skew * (math.asin(sine) / sine if sine > 0 else 1.0)
    return np.concatenate([(to[:3, 3] - from_[:3, 3]) / DT, turn / DT])
