"""Whole series limited and filtered, beside NumPy: one step at a time, seven joints at once."""

from __future__ import annotations

import numpy as np

from franka_sim import rate_limiting as rl

DT = 1e-3
SAMPLES = 1000
REST = np.zeros(7)
TOP = np.array([2.62, 2.62, 2.62, 2.62, 5.26, 4.18, 5.26])  # FR3, libfranka rate_limiting.h
FR3 = (np.array(rl.fr3.MAX_JOINT_ACCELERATION), np.array(rl.fr3.MAX_JOINT_JERK))
ASKED = np.repeat(np.random.default_rng(3).uniform(-0.5, 0.5, (SAMPLES // 50, 7)), 50, axis=0)


def plain_velocity(v, last_v, last_a):
    """One step of the published formulas (wire.md section 6 names them; tests pin the values)."""
    acceleration, jerk = FR3
    wanted = last_a + np.clip(((v - last_v) / DT - last_a) / DT, -jerk, jerk) * DT
    slope = jerk / acceleration
    most = np.minimum(slope * (TOP - last_v), acceleration)
    least = np.maximum(slope * (-TOP - last_v), -acceleration)
    return last_v + np.maximum(np.minimum(wanted, most), least) * DT


def test_limit_joint_positions(compare):
    def plain() -> np.ndarray:
        q, dq, ddq = REST, REST, REST
        out = np.empty_like(ASKED)
        for k, sample in enumerate(ASKED):
            out[k] = q + plain_velocity((sample - q) / DT, dq, ddq) * DT
            v = (out[k] - q) / DT
            ddq, dq, q = (v - dq) / DT, v, out[k]
        return out

    sent = compare(
        lambda: rl.limit_rate_joint_positions(TOP, -TOP, *FR3, ASKED, REST, REST, REST), plain
    )
    np.testing.assert_allclose(sent, plain(), rtol=0, atol=1e-12)


def test_limit_joint_positions_under_the_envelope(compare):
    """The plain limiter is the flat one: what the position-based limits add is in the ratio."""
    limits = rl.fr3.JOINT_VELOCITY_LIMITS
    middle = (np.array(limits.lower) + np.array(limits.upper)) / 2

    def plain() -> np.ndarray:
        dq, ddq = REST, REST
        out = np.empty_like(ASKED)
        for k, sample in enumerate(ASKED):
            out[k] = plain_velocity(sample, dq, ddq)
            ddq, dq = (out[k] - dq) / DT, out[k]
        return out

    sent = compare(
        lambda: rl.limit_rate_joint_positions(
            limits, limits, *FR3, middle + ASKED, middle, REST, REST
        ),
        plain,
    )
    assert sent.shape == ASKED.shape


def test_limit_torques(compare):
    rate = np.array(rl.fr3.MAX_TORQUE_RATE)

    def plain() -> np.ndarray:
        last = REST
        out = np.empty_like(ASKED)
        for k, sample in enumerate(ASKED):
            last = out[k] = last + np.clip((100 * sample - last) / DT, -rate, rate) * DT
        return out

    sent = compare(lambda: rl.limit_rate_torques(rate, 100 * ASKED, REST), plain)
    np.testing.assert_allclose(sent, plain(), rtol=0, atol=1e-12)


def test_lowpass(compare):
    gain = DT / (DT + 1 / (2 * np.pi * 100.0))

    def plain() -> np.ndarray:
        last = REST
        out = np.empty_like(ASKED)
        for k, sample in enumerate(ASKED):
            last = out[k] = gain * sample + (1 - gain) * last
        return out

    sent = compare(lambda: rl.lowpass_filter(DT, ASKED, REST, 100.0), plain)
    np.testing.assert_allclose(sent, plain(), rtol=0, atol=1e-12)


def test_limit_one_torque_command(compare):
    """A single call, as in a Python control loop: here the arguments are the cost."""
    rate, tau = np.array(rl.fr3.MAX_TORQUE_RATE), np.linspace(-5, 5, 7)
    sent = compare(
        lambda: rl.limit_rate_torques(rate, tau, REST),
        lambda: REST + np.clip((tau - REST) / DT, -rate, rate) * DT,
    )
    np.testing.assert_array_equal(sent, REST + np.clip(tau / DT, -rate, rate) * DT)
