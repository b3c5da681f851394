"""The array kernels: a trajectory judged whole, gaps, loss traces. No server, no socket."""

from __future__ import annotations

import math

import numpy as np
import pytest

kernels = pytest.importorskip(
    "franka_sim._kernels", reason="the extension module is not built in this environment"
)

DT = 1e-3
READY = np.array([0, -math.pi / 4, 0, -3 * math.pi / 4, 0, math.pi / 2, math.pi / 4])
# Row numbers of the core's table of checks (src/_core/judge/checks.cpp).
POSITION_FINITE, POSITION_ACCELERATION, POSITION_JERK, VELOCITY_ACCELERATION = 0, 3, 5, 8
TORQUE_RATE, LOST_IN_A_ROW = 13, 14


def quintic(distance: float, duration: float, samples: int) -> np.ndarray:
    """Joint 1 from 0 along a rest-to-rest quintic, sample k at (k + 1) ms."""
    s = np.minimum(np.arange(1, samples + 1) * DT / duration, 1.0)
    path = np.tile(READY, (samples, 1))
    path[:, 0] = distance * s**3 * (10 - 15 * s + 6 * s**2)
    return path


def test_a_quintic_in_540_ms_passes_and_in_500_ms_accelerates_too_much():
    """Peak acceleration of a quintic is 10 / sqrt(3) * d / T^2; the limit is 10 rad/s^2."""
    first, verdicts, *_ = kernels.judge_trajectory(quintic(0.5, 0.54, 700), q_d=READY)
    assert first is None
    assert (verdicts["row"] == -1).all()
    first, verdicts, *_ = kernels.judge_trajectory(quintic(0.5, 0.50, 700), q_d=READY)
    assert first.row == POSITION_ACCELERATION
    assert first.joint == 0
    assert first.value > first.limit == 10.0
    assert verdicts["row"][first.sample] == first.row
    assert (verdicts["row"][: first.sample] == -1).all()


def test_an_opening_step_is_differenced_from_rest():
    """8 microradian in one cycle are 8000 rad/s^3; the limit is 5000 rad/s^3."""
    path = np.tile(READY, (3, 1))
    path[:, 0] += 8e-6
    assert kernels.judge_trajectory(path, q_d=READY)[0][:3] == (0, 0, POSITION_JERK)
    # Without q_d the arm rests at the first sample.
    assert kernels.judge_trajectory(path)[0] is None


def test_velocities_and_torques_have_rows_of_their_own():
    """Reference 000, "What is checked, and what it latches"."""
    step = np.zeros((2, 7))
    step[1, 2] = 0.05
    first, *_ = kernels.judge_trajectory(step, "joint_velocity")
    assert first[:3] == (1, 2, VELOCITY_ACCELERATION)
    assert first.value == pytest.approx(50.0)
    step[1, 2] = 1.5
    first, *_ = kernels.judge_trajectory(step, "torque")
    assert first[:3] == (1, 2, TORQUE_RATE)


def test_a_short_gap_resumes_clean_and_the_twentieth_lost_cycle_is_named():
    """Reference 000, "What the sim does with a lost cycle"."""
    path = quintic(0.5, 1.0, 1000)
    lost = np.zeros(1000, bool)
    lost[125:134] = True
    assert kernels.judge_trajectory(path, q_d=READY, lost=lost)[0] is None
    lost[125:136] = True
    first, *_ = kernels.judge_trajectory(path, q_d=READY, lost=lost)
    assert (first.sample, first.row) == (137, POSITION_JERK)
    rest = np.tile(READY, (60, 1))
    lost = np.zeros(60, bool)
    lost[10:40] = True
    first, verdicts, *_ = kernels.judge_trajectory(rest, lost=lost)
    assert first[:5] == (29, -1, LOST_IN_A_ROW, 20, 20)
    assert (verdicts["row"] != -1).sum() == 1


def test_a_value_that_is_no_number_is_named_and_not_recorded():
    """Reference 000: non-finite commands are refused whatever the switches say."""
    path = np.tile(READY, (5, 1))
    path[2, 3] = np.nan
    first, verdicts, *_ = kernels.judge_trajectory(path)
    assert first[:3] == (2, 3, POSITION_FINITE)
    assert (verdicts["row"] != -1).sum() == 1


def test_limits_can_be_given():
    """A flat velocity limit and tighter jerk, as a mapping of the core's names."""
    names = ("velocity", "acceleration", "jerk", "torque", "torque_rate")
    limits: dict[str, object] = {name: [1000.0] * 7 for name in names}
    limits |= {"lower": [-3.0] * 7, "upper": [3.0] * 7, "jerk": [1000.0] * 7}
    limits |= {"velocity_offset": [0.0] * 7, "deceleration": [0.0] * 7, "position_based": False}
    path = np.tile(READY, (2, 1))
    path[:, 4] += 2e-6
    first, *_ = kernels.judge_trajectory(path, q_d=READY, limits=limits)
    assert first[:3] == (0, 4, POSITION_JERK)
    assert first.limit == 1000.0
    del limits["jerk"]
    with pytest.raises(ValueError, match="jerk missing"):
        kernels.judge_trajectory(path, limits=limits)


def test_results_are_written_into_the_callers_arrays():
    """`out` is filled and returned; an array that does not fit is refused."""
    out = np.ones(3, kernels.VERDICT_DTYPE)
    _, verdicts, *_ = kernels.judge_trajectory(np.tile(READY, (3, 1)), out=out)
    assert verdicts is out
    assert (out["row"] == -1).all()
    rates = np.empty(4)
    assert kernels.success_rate([1, 0, 1, 1], out=rates) is rates
    with pytest.raises(ValueError, match="out"):
        kernels.success_rate([1, 0, 1], out=rates)
    with pytest.raises(ValueError, match="out"):
        kernels.extrapolate(READY, READY, READY, 2, out=np.empty((2, 3, 7), np.float32))


def test_a_gap_is_extrapolated_velocity_first_and_holds_from_the_twentieth():
    """Reference 000: v += a dt first, then q += v dt; past the bound the last value holds."""
    a = np.full(7, 3.0)
    references = kernels.extrapolate(READY, np.full(7, 0.5), a, 25)
    q, v = READY.copy(), np.full(7, 0.5)
    for k in range(19):
        v = v + a * DT
        q = q + v * DT
        np.testing.assert_allclose(references[k], [q, v, a], rtol=0, atol=1e-15)
    np.testing.assert_array_equal(references[19:, 0], np.tile(references[18, 0], (6, 1)))
    assert not references[19:, 1:].any()


def test_the_success_rate_divides_by_what_the_window_holds():
    """Reference 000: three answered cycles read 1.0, not 0.03."""
    np.testing.assert_array_equal(kernels.success_rate([1, 1, 1, 0]), [1, 1, 1, 0.75])
    assert kernels.success_rate(np.r_[np.zeros(100), np.ones(100)])[-1] == 1.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"samples": np.zeros((3, 6))}, "7"),
        ({"samples": np.zeros((3, 7)), "generator": "cartesian"}, "cartesian_pose"),
        ({"samples": np.zeros((3, 7)), "generator": "cartesian_pose"}, "16"),
        ({"samples": np.zeros((3, 7)), "elbows": np.zeros((3, 2))}, "elbows"),
        ({"samples": np.zeros((3, 6)), "generator": "cartesian_velocity", "F_T_EE": [1]}, "F_T_EE"),
        ({"samples": np.zeros((3, 7)), "robot": "fer"}, "robot"),
        ({"samples": np.zeros((3, 7)), "lost": [0, 1]}, "lost"),
        ({"samples": np.zeros((3, 7)), "q_d": [0, 0]}, "q_d"),
        ({"samples": np.zeros(7)}, "dimensions"),
    ],
)
def test_arguments_that_do_not_fit_are_named(arguments, message):
    """Wrong shapes and names are a ValueError that says what was expected."""
    with pytest.raises(ValueError, match=message):
        kernels.judge_trajectory(**arguments)


def test_nothing_in_gives_nothing_out():
    """Empty arrays are valid traces."""
    assert kernels.judge_trajectory(np.zeros((0, 7)))[0] is None
    assert kernels.extrapolate(READY, READY, READY, 0).shape == (0, 3, 7)
    assert kernels.success_rate([]).shape == (0,)
