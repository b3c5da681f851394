"""What holds of the judge for any trajectory, gap and loss trace.

The expectations come from a slow plain judge written here from the published difference formulas.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

kernels = pytest.importorskip(
    "franka_sim._kernels", reason="the extension module is not built in this environment"
)

DT = 1e-3
READY = np.array([0, -math.pi / 4, 0, -3 * math.pi / 4, 0, math.pi / 2, math.pi / 4])
ACCELERATION, JERK = 10.0, 5000.0  # FR3 nominal, reference 000
ROW = {"acceleration": 3, "velocity": 4, "jerk": 5}

accelerations = st.lists(st.floats(-15, 15, allow_nan=False), min_size=1, max_size=40)
flags = st.lists(st.booleans(), min_size=1, max_size=300)


def plain_position_judge(q: np.ndarray) -> list[str | None]:
    """Verdicts of joint 1 from rest at 0, far from its stops and below its top speed."""
    verdicts: list[str | None] = []
    q0 = v0 = a0 = 0.0
    for q1 in q:
        v1 = (q1 - q0) / DT
        a1 = (v1 - v0) / DT
        if abs(a1) > ACCELERATION:
            verdicts.append("acceleration")
        elif abs(a1 - a0) / DT > JERK:
            verdicts.append("jerk")
        else:
            verdicts.append(None)
        q0, v0, a0 = q1, v1, a1
    return verdicts


@given(accelerations)
def test_the_judge_agrees_with_a_plain_one(steps):
    """Sums of up to 40 steps of 15 rad/s^2 stay below 1 rad/s: only these rows can break."""
    q = np.cumsum(np.cumsum(np.array(steps) * DT) * DT)
    path = np.tile(READY, (len(q), 1))
    path[:, 0] = q
    _, verdicts, *_ = kernels.judge_trajectory(path, q_d=READY, f32_state=False)
    expected = [-1 if name is None else ROW[name] for name in plain_position_judge(q)]
    assert verdicts["row"].tolist() == expected


@given(accelerations, st.integers(0, 6))
def test_slack_only_ever_forgives(steps, joint):
    """On 32-bit states whatever an exact wire accepts is accepted."""
    path = np.tile(READY, (len(steps), 1))
    path[:, joint] += np.cumsum(np.cumsum(np.array(steps) * DT) * DT)
    exact = kernels.judge_trajectory(path, q_d=READY, f32_state=False)[1]["row"]
    float32 = kernels.judge_trajectory(path, q_d=READY, f32_state=True)[1]["row"]
    assert (float32[exact == -1] == -1).all()


@given(st.floats(-9, 9), st.integers(1, 19), st.integers(0, 6))
def test_constant_acceleration_survives_any_gap_up_to_19(a, gap, joint):
    """Reference 000: such a stream is extrapolated onto its own next waypoints."""
    steps = np.clip(np.arange(1, 81) * 4.0, None, abs(a)) * math.copysign(1, a)
    path = np.tile(READY, (80, 1))
    path[:, joint] += np.cumsum(np.cumsum(steps * DT) * DT)
    lost = np.zeros(80, bool)
    lost[30 : 30 + gap] = True
    assert kernels.judge_trajectory(path, q_d=READY, lost=lost)[0] is None


@given(flags)
def test_the_success_rate_is_the_mean_of_the_last_100(answered):
    """The window is the last 100 cycles, or as many as there were."""
    rates = kernels.success_rate(answered)
    for k in range(len(answered)):
        window = answered[max(0, k - 99) : k + 1]
        assert rates[k] == sum(window) / len(window)


@given(st.lists(st.booleans(), min_size=1, max_size=200))
def test_at_rest_the_only_fault_of_a_loss_trace_is_20_in_a_row(lost):
    """Cycles count from the first command on; 19 are survived, a run of 20 is named once."""
    rest = np.tile(READY, (len(lost), 1))
    _, verdicts, *_ = kernels.judge_trajectory(rest, lost=lost)
    started, run, expected = False, 0, []
    for missing in lost:
        started = started or not missing
        run = run + 1 if missing and started else 0
        expected.append(14 if run == 20 else -1)
    assert verdicts["row"].tolist() == expected


@given(st.lists(st.floats(), min_size=7, max_size=7), st.integers(0, 4))
def test_any_doubles_are_judged(values, index):
    """No input is outside the judge's domain."""
    path = np.tile(READY, (5, 1))
    path[index] = values
    for generator in ("joint_position", "joint_velocity", "torque"):
        first, verdicts, *_ = kernels.judge_trajectory(path, generator, q_d=READY)
        assert (first is None) == (verdicts["row"] == -1).all()
