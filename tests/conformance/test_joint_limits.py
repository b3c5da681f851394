"""Joint limits at their edges: signals whose derivatives are known on paper, inside and outside."""

from __future__ import annotations

import math

import pytest
from fr3 import Q_MAX
from trajectories import (
    ACCELERATION_DISCONTINUITY,
    DT,
    VELOCITY_DISCONTINUITY,
    PlainJudge,
    cosine,
    only,
    quintic,
    shifted,
)


def play_position(raw, offsets, joint: int = 0):
    """Play offsets of one joint from q_d."""
    start = raw.start("kJointPosition", "kJointImpedance")
    played = raw.play({"q_c": shifted(start.q_d, joint, x)} for x in offsets)
    return start, played


@pytest.mark.parametrize("joint", range(7))
def test_a_quintic_of_half_a_radian_in_540_ms_passes(raw, joint):
    """Issue 2, Show 2: 5.7735 * 0.5 / 0.54^2 = 9.90 rad/s^2."""
    sign = -1.0 if joint == 1 else 1.0
    start, played = play_position(raw, [sign * quintic(0.5, 0.54, k) for k in range(541)], joint)
    assert played.status is None
    assert raw.finish(q_c=shifted(start.q_d, joint, sign * 0.5)) == "kSuccess"


@pytest.mark.parametrize("joint", range(7))
def test_a_quintic_of_half_a_radian_in_500_ms_is_a_velocity_discontinuity(raw, joint):
    """Issue 2, Show 2: 11.5 rad/s^2, above 10 from sample 66 on."""
    sign = -1.0 if joint == 1 else 1.0
    _, played = play_position(raw, [sign * quintic(0.5, 0.50, k) for k in range(501)], joint)
    assert played.status == "kReflexAborted"
    assert played.errors == (VELOCITY_DISCONTINUITY,)
    judge, refused = PlainJudge(), None
    for k in range(501):
        if judge.command(quintic(0.5, 0.50, k)):
            refused = k
            break
    # The wire's f32 may hide 0.25 rad/s^2 at most: a sample or two of this ramp.
    assert refused <= played.answered - 1 <= refused + 3


def test_a_cosine_of_1_5_hz_passes(raw):
    """Issue 2, Show 2: its first step is 4.44 microradians, 4441 rad/s^3."""
    start, played = play_position(raw, [cosine(0.1, 1.5, k) for k in range(2001)])
    assert played.status is None
    raw.play([{"q_c": start.q_d}] * 5)
    assert raw.finish(q_c=start.q_d) == "kSuccess"


def test_a_cosine_of_1_7_hz_is_an_acceleration_discontinuity_on_its_first_tick(raw):
    """Issue 2, Show 2: 5.70 microradians, 5705 rad/s^3."""
    _, played = play_position(raw, [cosine(0.1, 1.7, k) for k in range(2001)])
    assert played.status == "kReflexAborted"
    assert played.errors == (ACCELERATION_DISCONTINUITY,)
    assert played.answered == 2  # sample 0 stands on q_d, sample 1 is the first tick


@pytest.mark.parametrize(("step", "tick"), [(2e-6, None), (4e-6, 2), (8e-6, 1)])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_step_of_microradians_trips_by_its_jerk(raw, step, tick, sign):
    """Issue 2, Show 3: jerk of a step is s, -2s, s over dt^3; the limit is 5000 rad/s^3."""
    _, played = play_position(raw, [0.0] * 500 + [sign * step] * 100)
    if tick is None:
        assert played.status is None
        assert raw.finish(q_c=shifted(played.state.q_d, 0, 0.0)) == "kSuccess"
    else:
        assert played.status == "kReflexAborted"
        assert played.errors == (ACCELERATION_DISCONTINUITY,)
        assert played.answered == 500 + tick


def test_a_large_step_is_one_velocity_discontinuity_and_no_limit_violation(raw):
    """reference: a discontinuity beats the velocity envelope."""
    _, played = play_position(raw, [0.0] * 20 + [1.0] * 5)
    assert played.errors == (VELOCITY_DISCONTINUITY,)


def test_a_step_of_the_velocity_is_an_acceleration_discontinuity(raw):
    """reference: named one step above the commanded channel."""
    raw.start("kJointVelocity", "kJointImpedance")
    played = raw.play([{"dq_c": only(0, 0.0)}] * 20 + [{"dq_c": only(0, 50.0)}] * 5)
    assert played.status == "kReflexAborted"
    assert played.errors == (ACCELERATION_DISCONTINUITY,)


def test_a_position_outside_the_range_is_a_position_limits_violation(raw):
    """reference: 12 stands before every discontinuity."""
    start = raw.start("kJointPosition", "kJointImpedance")
    beyond = list(start.q_d)
    beyond[0] = Q_MAX[0] + 0.01
    raw.play([{"q_c": start.q_d}] * 5)
    played = raw.play([{"q_c": beyond}] * 3)
    assert played.errors == ("joint_motion_generator_position_limits_violation",)


def test_a_velocity_above_the_envelope_brings_both_names(raw):
    """reference: 13 latches 3 beside itself. Joint 1 may do 2.62 rad/s; ramp gently beyond."""
    raw.start("kJointVelocity", "kJointImpedance")
    speeds, dq = [], 0.0
    for k in range(1, 400):
        acceleration = min(9.0, 4.0 * k * DT * 1000.0)  # 4000 rad/s^3 up to 9 rad/s^2
        dq += acceleration * DT
        speeds.append(dq)
    played = raw.play({"dq_c": only(0, x)} for x in speeds)
    assert played.status == "kReflexAborted"
    assert played.errors == (
        "joint_velocity_violation",
        "joint_motion_generator_velocity_limits_violation",
    )
    refused = speeds[played.answered - 1]
    assert 2.62 - 2e-3 <= refused <= 2.62 + 0.02


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize(
    ("generator", "controller", "field"),
    [
        ("kJointPosition", "kJointImpedance", "q_c"),
        ("kJointVelocity", "kJointImpedance", "dq_c"),
        ("kNone", "kExternalController", "tau_J_d"),
    ],
)
def test_a_value_that_is_not_finite_is_refused_even_without_enforcement(
    serve, generator, controller, field, bad
):
    """reference: the limits violation of the generator, whether limits are enforced or not."""
    from raw_client import RawClient

    server = serve(strict=False)
    with RawClient(server.host) as client:
        start = client.start(generator, controller)
        good = list(start.q_d) if field == "q_c" else [0.0] * 7
        assert client.play([{field: good}] * 5).status is None
        played = client.play([{field: shifted(good, 2, bad)}] * 3)
        assert played.status in ("kReflexAborted", "kInputErrorAborted")
        assert any("violation" in name for name in played.state.reflex_reason)
        assert all(math.isfinite(x) for x in (*played.state.q_d, *played.state.tau_J_d))
        assert client.automatic_error_recovery() == "kSuccess"
        start = client.start("kJointPosition", "kJointImpedance")
        assert client.play([{"q_c": start.q_d}] * 20).status is None
        assert client.finish(q_c=start.q_d) == "kSuccess"


def test_without_enforcement_a_violation_is_tolerated(serve):
    """reference: warnings always, aborts under the switch."""
    from raw_client import RawClient

    server = serve(strict=False)
    with RawClient(server.host) as client:
        start = client.start("kJointPosition", "kJointImpedance")
        played = client.play(
            [{"q_c": start.q_d}] * 20 + [{"q_c": shifted(start.q_d, 0, 0.01)}] * 300
        )
        assert played.status is None
        assert client.finish(q_c=shifted(start.q_d, 0, 0.01)) == "kSuccess"
