"""One thousand motions of one second through the limiters and the judge.

Issue 3, Show 1: hard steps, random walks and sines on every interface. Limited, they raise nothing
but, on the Cartesian interfaces, 29 and 30; as they were asked for, what the table names, by plain
arithmetic that shares nothing with the judge.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

rl = pytest.importorskip(
    "franka_sim.rate_limiting", reason="the extension module is not built in this environment"
)
from limited_motions import (  # noqa: E402  (needs the path above)
    CENTRE,
    ELBOW_START,
    KINDS,
    about,
    braking_from,
    first_broken,
    flange_columns,
    signal,
)
from limiter_cases import CARTESIAN  # noqa: E402
from trajectories import PlainTrajectoryJudge  # noqa: E402

from franka_sim import _engine, _kernels  # noqa: E402  (after the skip)

MOTIONS = 56  # of each kind on each of six interfaces: 1008
SECOND = 1000  # samples
REST = np.zeros(7)
FR3 = (rl.fr3.MAX_JOINT_ACCELERATION, rl.fr3.MAX_JOINT_JERK)
ENVELOPE = rl.fr3.JOINT_VELOCITY_LIMITS
AIMS = (
    rl.fr3.MAX_TRANSLATIONAL_VELOCITY, rl.fr3.MAX_TRANSLATIONAL_ACCELERATION,
    rl.fr3.MAX_TRANSLATIONAL_JERK, rl.fr3.MAX_ROTATIONAL_VELOCITY,
    rl.fr3.MAX_ROTATIONAL_ACCELERATION, rl.fr3.MAX_ROTATIONAL_JERK,
)  # fmt: skip
ELBOW = (
    rl.fr3.MAX_ELBOW_VELOCITY, rl.fr3.MIN_ELBOW_VELOCITY, rl.fr3.MAX_ELBOW_ACCELERATION,
    rl.fr3.MAX_ELBOW_JERK,
)  # fmt: skip
JOINT_SIDE = {
    "cartesian_motion_generator_joint_velocity_discontinuity",
    "cartesian_motion_generator_joint_acceleration_discontinuity",
}
LIMITS = {name: list(value) if isinstance(value, tuple | list) else value
          for name, value in _engine.joint_limits("fr3").items()}  # fmt: skip


def loops(n: int) -> dict:
    """Exact and 32-bit echo, without and with the default filter, in turn."""
    return {"f32_echo": n % 2 == 1, "cutoff_frequency": (1000.0, 100.0)[n // 2 % 2]}


def each(kind: str, *, width: int, size: float) -> Iterator[tuple[np.ndarray, dict]]:
    """The signals of one kind, about zero, their first sample zero; sizes over three decades."""
    for n in range(MOTIONS):
        random = np.random.default_rng([KINDS.index(kind), width, n])
        yield signal(random, kind, size * 10 ** random.uniform(-2.5, 0.5), width, SECOND), loops(n)


def plain(generator: str, samples: np.ndarray) -> tuple[str, int] | None:
    """The first row that a plain judge finds broken, and the sample."""
    judge = PlainTrajectoryJudge(generator, LIMITS, CENTRE)
    for k, sample in enumerate(samples):
        broken = judge.judge([sample], [False])[0]
        if broken is not None:
            return broken[0], k
    return None


ROWS = {
    "joint_position": {
        "range": "joint_motion_generator_position_limits_violation",
        "start": "joint_position_motion_generator_start_pose_invalid",
        "acceleration": "joint_motion_generator_velocity_discontinuity",
        "velocity": "joint_motion_generator_velocity_limits_violation",
        "jerk": "joint_motion_generator_acceleration_discontinuity",
    },
    "joint_velocity": {
        "start": "joint_motion_generator_acceleration_discontinuity",
        "acceleration": "joint_motion_generator_acceleration_discontinuity",
        "jerk": "joint_motion_generator_acceleration_discontinuity",
        "velocity": "joint_motion_generator_velocity_limits_violation",
    },
    "torque": {"range": "tau_J_range_violation", "rate": "controller_torque_discontinuity"},
}


def is_as_plain(generator: str, samples: np.ndarray) -> bool:
    """Whether the judge names what the table names; True when there was something to name."""
    first = _kernels.judge_trajectory(samples, generator, q_d=CENTRE, f32_state=False).first
    expected = plain(generator, samples)
    found = first and (first.error, first.sample)
    assert found == (expected and (ROWS[generator][expected[0]], expected[1]))
    return expected is not None


@pytest.mark.parametrize("kind", KINDS)
def test_limited_joint_positions_raise_nothing_outside_the_braking_zones(kind):
    broken = whole = 0
    for asked, loop in each(kind, width=7, size=0.3):
        broken += is_as_plain("joint_position", CENTRE + asked)
        sent = rl.limit_rate_joint_positions(
            ENVELOPE, ENVELOPE, *FR3, CENTRE + asked, CENTRE, REST, REST, **loop
        )
        zone = braking_from(sent)
        judged = _kernels.judge_trajectory(sent[:zone], q_d=CENTRE, f32_state=loop["f32_echo"])
        assert judged.violations == ()
        whole += zone == SECOND
    assert broken > MOTIONS // 2
    assert whole > MOTIONS // 4


@pytest.mark.parametrize("kind", KINDS)
def test_limited_joint_velocities_raise_nothing_outside_the_braking_zones(kind):
    broken = whole = 0
    for asked, loop in each(kind, width=7, size=1.0):
        broken += is_as_plain("joint_velocity", asked)
        top = np.array(ENVELOPE.velocity) - rl.LIMIT_EPS
        sent = rl.limit_rate_joint_velocities(top, -top, *FR3, asked, REST, REST, **loop)
        zone = braking_from(CENTRE + np.cumsum(sent, axis=0) * 1e-3)
        judged = _kernels.judge_trajectory(
            sent[:zone], "joint_velocity", q_d=CENTRE, f32_state=loop["f32_echo"]
        )
        assert judged.violations == ()
        whole += zone == SECOND
    assert broken > MOTIONS // 2
    assert whole > MOTIONS // 4


@pytest.mark.parametrize("kind", KINDS)
def test_limited_torques_raise_nothing(kind):
    broken = 0
    top = np.array(LIMITS["torque"])
    for asked, loop in each(kind, width=7, size=20.0):
        broken += is_as_plain("torque", asked)
        sent = rl.limit_rate_torques(
            rl.fr3.MAX_TORQUE_RATE, np.clip(asked, -top, top), REST, **loop
        )
        # No slack: what the margin of a 32-bit echo leaves is legal on exact numbers.
        judged = _kernels.judge_trajectory(sent, "torque", q_d=CENTRE, f32_state=False)
        assert judged.violations == ()
    assert broken > MOTIONS // 2


def judged_cartesian(generator: str, samples: np.ndarray, *, f32: bool, joints: bool):
    return _kernels.judge_trajectory(
        samples, generator, q_d=CENTRE, f32_state=f32, joint_side=joints
    )


@pytest.mark.parametrize("kind", KINDS)
def test_limited_twists_raise_nothing_but_the_joint_side(kind):
    broken = long = 0
    for asked, loop in each(kind, width=6, size=0.3):
        found = judged_cartesian("cartesian_velocity", asked, f32=False, joints=False).first
        expected = first_broken("cartesian_velocity", asked)
        assert (found and (found.error, found.sample)) == expected
        broken += expected is not None
        f32 = loop["f32_echo"]
        sent = rl.limit_rate_cartesian_velocity(*AIMS, asked, [0] * 6, [0] * 6, **loop)
        assert judged_cartesian("cartesian_velocity", sent, f32=f32, joints=False).violations == ()
        first = judged_cartesian("cartesian_velocity", sent, f32=f32, joints=True).first
        assert first is None or first.error in JOINT_SIDE
        long += first is None or first.sample > 100
    assert broken > MOTIONS // 2
    assert long > 0 or kind != "sine"


@pytest.mark.parametrize("kind", KINDS)
def test_limited_poses_raise_nothing_but_the_joint_side(kind):
    """Without the joint side too, but for a rotation that 32 bits take over its speed (C15)."""
    broken = 0
    start = flange_columns(CENTRE)
    for moves, loop in each(kind, width=6, size=0.03):
        asked = about(start, moves)
        found = judged_cartesian("cartesian_pose", asked, f32=False, joints=False).first
        expected = first_broken("cartesian_pose", asked)
        assert (found and (found.error, found.sample)) == expected
        broken += expected is not None
        f32 = loop["f32_echo"]
        sent = rl.limit_rate_cartesian_pose(*AIMS, asked, start, [0] * 6, [0] * 6, **loop)
        alone = judged_cartesian("cartesian_pose", sent, f32=f32, joints=False).first
        if alone is not None:
            assert f32
            assert kind == "walk"
            assert alone.axis == "rotation"
            assert fastest_turn(sent[: alone.sample]) > 0.99 * rl.fr3.MAX_ROTATIONAL_VELOCITY
        first = judged_cartesian("cartesian_pose", sent, f32=f32, joints=True).first
        assert first is None or first.error in JOINT_SIDE
    assert broken > MOTIONS // 2


def fastest_turn(poses: np.ndarray) -> float:
    """Greatest angular speed [rad/s] of the last steps."""
    R = poses[-10:].reshape(-1, 4, 4).transpose(0, 2, 1)[:, :3, :3]
    D = R[1:] @ R[:-1].transpose(0, 2, 1)
    skew = 0.5 * (D - D.transpose(0, 2, 1))
    sine = np.linalg.norm(np.stack([skew[:, 2, 1], skew[:, 0, 2], skew[:, 1, 0]]), axis=0)
    return float(np.arcsin(sine).max()) * 1e3


@pytest.mark.parametrize("kind", KINDS)
def test_a_limited_elbow_raises_nothing(kind):
    """The pose is held where the other joints move less than joint 3."""
    broken = 0
    start = flange_columns(ELBOW_START)
    q3, branch = ELBOW_START[2], -1.0
    held = np.tile(start, (SECOND, 1))
    for moves, loop in each(kind, width=1, size=0.1):
        asked = q3 + np.clip(moves[:, 0], -0.2, 0.2)
        sent = rl.limit_rate_position(*ELBOW, asked, q3, 0.0, 0.0, **loop)
        for elbow, limited in ((asked, False), (sent, True)):
            judged = _kernels.judge_trajectory(
                held, "cartesian_pose",
                elbows=np.column_stack([elbow, np.full(SECOND, branch)]),
                q_d=ELBOW_START, f32_state=limited and loop["f32_echo"], joint_side=limited,
            )  # fmt: skip
            if limited:
                assert judged.violations == ()
                continue
            expected = first_broken("elbow", elbow[:, None])
            assert (judged.first and (judged.first.error, judged.first.sample)) == expected
            broken += expected is not None
    assert broken > MOTIONS // 2


def test_they_are_a_thousand():
    assert 6 * len(KINDS) * MOTIONS >= 1000
    assert CARTESIAN == [3.0, 9.0, 4500.0, 2.5, 17.0, 8500.0]
