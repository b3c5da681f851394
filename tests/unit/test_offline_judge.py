"""The offline judge: files into trajectories, verdicts, slower versions, pictures."""

from __future__ import annotations

import math

import numpy as np
import pytest

pytest.importorskip(
    "franka_sim._kernels", reason="the extension module is not built in this environment"
)

from franka_sim import _engine, offline
from franka_sim.offline import plot, slower, words

DT = 1e-3
READY = np.array([0, -math.pi / 4, 0, -3 * math.pi / 4, 0, math.pi / 2, math.pi / 4])


def quintic(distance: float, duration: float, samples: int, joint: int = 0) -> np.ndarray:
    """One joint along a rest-to-rest quintic, sample k at k ms."""
    s = np.minimum(np.arange(samples) * DT / duration, 1.0)
    path = np.tile(READY, (samples, 1))
    path[:, joint] += distance * s**3 * (10 - 15 * s + 6 * s**2)
    return path


def trajectory(samples, generator="joint-position", elbows=None, lost=None) -> offline.Trajectory:
    flags = np.zeros(len(samples), bool)
    if lost is not None:
        flags[lost] = True
    return offline.Trajectory(generator, np.asarray(samples, float), elbows, flags)


def flange(q) -> np.ndarray:
    return np.array(_engine.model("fr3", list(q), [0.0] * 7)["O_T_F"])


# --- files ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("header", ["", "q_c[0],q_c[1],q_c[2],q_c[3],q_c[4],q_c[5],q_c[6]\n"])
def test_a_csv_is_read_with_and_without_names(tmp_path, header):
    path = quintic(0.1, 0.5, 20)
    file = tmp_path / "motion.csv"
    rows = "\n".join(",".join(repr(float(x)) for x in row) for row in path)
    file.write_text("# a remark\n" + header + rows + "\n\n")
    read = offline.load(file)
    assert read.generator == "joint-position"
    np.testing.assert_array_equal(read.samples, path)
    assert read.elbows is None
    assert not read.lost.any()


@pytest.mark.parametrize(
    ("signal", "width", "generator"),
    [(signal, width, name) for name, (width, signal) in offline.GENERATORS.items()],
)
def test_the_name_of_an_array_says_what_it_is(tmp_path, signal, width, generator):
    file = tmp_path / "motion.npz"
    np.savez(file, **{signal: np.ones((5, width)), "other": np.zeros(5)})
    read = offline.load(file)
    assert (read.generator, read.samples.shape) == (generator, (5, width))


def test_elbow_and_time_are_found_by_name_and_by_place(tmp_path):
    samples, elbows = np.random.default_rng(1).random((4, 16)), np.ones((4, 2))
    time = 12.5 + np.arange(4) * DT
    np.savez(tmp_path / "named.npz", time=time, O_T_EE_c=samples, elbow_c=elbows)
    np.savetxt(tmp_path / "plain.csv", np.column_stack([time, samples, elbows]), delimiter=",")
    for name in ("named.npz", "plain.csv"):
        read = offline.load(tmp_path / name)
        assert read.generator == "cartesian-pose"
        np.testing.assert_allclose(read.samples, samples)
        np.testing.assert_array_equal(read.elbows, elbows)


def test_a_parquet_is_read_by_column(tmp_path):
    parquet = pytest.importorskip(
        "pyarrow.parquet", reason="needs pyarrow; the project's test command installs it"
    )
    import pyarrow

    path = quintic(0.1, 0.5, 20)
    columns = {f"dq_c_{joint}": path[:, joint] for joint in range(7)}
    parquet.write_table(pyarrow.table(columns), tmp_path / "motion.parquet")
    read = offline.load(tmp_path / "motion.parquet")
    assert read.generator == "joint-velocity"
    np.testing.assert_array_equal(read.samples, path)


def test_milliseconds_that_a_clock_leaves_out_are_lost(tmp_path):
    path = quintic(0.5, 1.0, 200)
    time = np.round(np.arange(200) * DT, 5)
    keep = np.r_[0:120, 127:200]
    np.savetxt(tmp_path / "t.csv", np.column_stack([time, path])[keep], delimiter=",")
    read = offline.load(tmp_path / "t.csv", "joint-position")
    assert np.flatnonzero(read.lost).tolist() == list(range(120, 127))
    np.testing.assert_allclose(read.samples[~read.lost], path[keep])


# --- verdicts ------------------------------------------------------------------------------------


def test_a_quintic_that_is_too_fast_is_refused_where_it_crosses_10_rad_per_s2():
    """Peak acceleration of a quintic is 10 / sqrt(3) * d / T^2: 0.5 rad need 0.5373 s."""
    judged = offline.judge(trajectory(quintic(0.5, 0.5, 700, joint=2)))
    first = judged.violations[0]
    path = quintic(0.5, 0.5, 700, joint=2)[:, 2]
    acceleration = np.diff(path, n=2, prepend=[path[0]] * 2) / DT**2
    assert not judged.accepted
    # The slack for 32-bit states is below 0.1 rad/s^2 this near to 0.
    assert abs(first.sample - int(np.argmax(acceleration > 10))) <= 2
    assert (first.joint, first.unit, first.limit) == (3, "rad/s^2", 10.0)
    assert first.over == pytest.approx(first.value - 10.0)
    assert first.error == "joint_motion_generator_velocity_discontinuity"
    assert first.cause == "own_signal"
    assert judged.slowdown == pytest.approx(0.5373 / 0.5, abs=0.01)


def test_a_commanded_velocity_out_of_the_envelope_brings_the_safety_controllers_error():
    """Reference 000, "joint_velocity_violation (3): the safety controller": 13 brings 3."""
    judged = offline.judge(trajectory(quintic(2.0, 1.2, 1300)))
    assert [v.unit for v in judged.violations] == ["rad/s"]
    assert set(judged.errors) == {
        "joint_velocity_violation",
        "joint_motion_generator_velocity_limits_violation",
    }


def test_a_lost_gap_is_told_with_its_cause():
    judged = offline.judge(trajectory(quintic(0.5, 0.6, 700), lost=slice(100, 111)))
    first = judged.violations[0]
    assert (first.sample, first.gap, first.lost_in_last_20) == (111, 11, 11)
    assert first.previous_extrapolated
    assert "lost" in first.text
    assert "11 in a row just before" in words.as_text(judged, "motion.csv")


def test_twenty_lost_cycles_are_mended_by_no_speed():
    judged = offline.judge(trajectory(np.tile(READY, (60, 1)), lost=slice(10, 40)))
    assert judged.violations[0].error == "communication_constraints_violation"
    assert judged.violations[0].sample == 29
    assert judged.slowdown is None
    assert "no slower version passes" in words.as_text(judged, "rest.csv")


def test_what_is_no_number_is_named_and_not_slowed_down():
    path = np.tile(READY, (5, 1))
    path[2, 3] = np.nan
    judged = offline.judge(trajectory(path))
    assert (judged.violations[0].sample, judged.violations[0].joint) == (2, 4)
    assert words.as_json(judged, "x")["violations"][0]["value"] is None
    frame = np.tile(flange(READY), (3, 1))
    frame[:, 0] = np.nan
    assert not offline.judge(trajectory(frame, "cartesian-pose")).accepted


def test_a_motion_that_does_not_end_at_rest_is_noted():
    judged = offline.judge(trajectory(quintic(0.5, 1.0, 500)))
    assert judged.accepted
    assert judged.at_the_end[0].cause == "finished_moving"
    assert "it ends in motion" in words.as_text(judged, "half.csv")


def test_velocities_torques_and_twists_have_verdicts():
    """Reference 000, "What is checked, and what it latches"."""
    step = np.zeros((300, 7))
    step[100:, 2] = 1.5
    judged = offline.judge(trajectory(step, "torque"))
    assert judged.violations[0].error == "controller_torque_discontinuity"
    assert judged.slowdown is not None
    judged = offline.judge(trajectory(step, "joint-velocity"))
    assert judged.violations[0].error == "joint_motion_generator_acceleration_discontinuity"
    twist = np.zeros((300, 6))
    twist[100:, 1] = 0.5
    judged = offline.judge(trajectory(twist, "cartesian-velocity"))
    assert judged.violations[0].axis == "translation"
    assert judged.violations[0].error == "cartesian_motion_generator_acceleration_discontinuity"


def test_a_pose_starts_near_the_ready_pose_and_its_joints_are_followed():
    path = np.tile(flange(READY), (600, 1))
    s = np.minimum(np.arange(600) * DT / 0.5, 1.0)
    path[:, 12] += 0.05 * s**3 * (10 - 15 * s + 6 * s**2)
    judged = offline.judge(trajectory(path, "cartesian-pose"))
    assert judged.accepted
    assert judged.unsolved is None
    reached = flange(judged.references["q_d"][-1])
    np.testing.assert_allclose(reached, path[-1], rtol=0, atol=1e-8)


def test_a_pose_out_of_reach_is_noted():
    path = np.tile(flange(READY), (3000, 1))
    s = np.arange(3000) / 2999
    path[:, 12] += 0.9 * s**3 * (10 - 15 * s + 6 * s**2)
    judged = offline.judge(trajectory(path, "cartesian-pose"), find_slowdown=False)
    assert judged.unsolved is not None
    assert "no joints reach" in words.as_text(judged, "far.csv")


#: Reference 000, "Calibration": start joints; the Franka Hand; tables of a FER.
CALIBRATION = (-0.046, -0.873, -0.104, -2.437, -0.051, 1.617, 0.748)
ROOT = math.sqrt(0.5)
HAND = (ROOT, -ROOT, 0, 0, ROOT, ROOT, 0, 0, 0, 0, 1, 0, 0, 0, 0.1034, 1)
FER_JOINTS = _engine.joint_limits("fr3") | {
    "acceleration": [15, 7.5, 10, 12.5, 15, 20, 20],
    "jerk": [7500, 3750, 5000, 6250, 7500, 10000, 10000],
    "position_based": False,
}
FER = {"translation": (1.7, 13, 6500), "rotation": (2.5, 25, 12500), "elbow": (2.175, 10, 5000)}


def ramp(v_max: float, a_max: float, j_max: float) -> offline.Trajectory:
    """500 ms at the start, then 0.15 m along x with the given speed, acceleration and jerk."""
    start = flange(CALIBRATION).reshape(4, 4).T @ np.reshape(HAND, (4, 4)).T
    x, v, a, steps = 0.0, 0.0, 0.0, [0.0] * 500
    while x < 0.15:
        step = j_max * DT / 2
        room = math.sqrt(step * step + j_max * (v_max - v)) - step
        a = max(a - j_max * DT, min(a_max, a + j_max * DT, room))
        v += a * DT
        x += v * DT
        steps.append(x)
    path = np.tile(start.T.reshape(16), (len(steps), 1))
    path[:, 12] += steps
    return trajectory(path, "cartesian-pose")


@pytest.mark.parametrize(
    ("motion", "tables", "errors"),
    [
        ((1.7, 13 - DT, 6500 - DT), "fer", {29, 30}),
        ((0.5, 2.5, 500), "fer", {29}),
        ((0.3, 1.5, 200), "fer", set()),
        ((0.4, 1.0, 100), "fer", set()),
        ((0.3, 0.5, 20), "fer", set()),
        ((0.3, 2.5, 500), "fr3", set()),
        ((0.5, 3.5, 500), "fr3", {29}),
    ],
)
def test_the_calibration_rows_come_out_as_on_the_robot(motion, tables, errors):
    """Reference 000, "Calibration", as far as it was travelled there."""
    options = {"limits": FER_JOINTS, "cartesian_limits": FER} if tables == "fer" else {}
    judged = offline.judge(
        ramp(*motion), start=CALIBRATION, F_T_EE=HAND, find_slowdown=False, **options
    )
    assert {_engine.error_names().index(name) for name in judged.errors} == errors
    assert {v.error for v in judged.violations} == set(judged.errors)


@pytest.mark.parametrize("joint_side", [False, True])
def test_an_elbow_ramp_leaves_the_range_of_joint_3_after_4_49_s(joint_side):
    """Issue 3, Show 6: 0.3 rad/s^2 from q3 = -0.123, the pose held. Joints stop it earlier."""
    start = READY.copy()
    start[2] = -0.123
    steps = np.cumsum(np.cumsum(np.r_[0.0, np.full(5000, 0.3)]) * DT) * DT
    elbows = np.column_stack([start[2] + steps, -np.ones(5001)])
    motion = trajectory(np.tile(flange(start), (5001, 1)), "cartesian-pose", elbows)
    judged = offline.judge(motion, start=start, joint_side=joint_side, find_slowdown=False)
    first = judged.violations[0]
    if joint_side:
        assert first.signal == "q_d"
        assert first.sample < 4480
    else:
        assert judged.errors == ("cartesian_motion_generator_elbow_limit_violation",)
        assert first.sample * DT == pytest.approx(4.49, abs=0.01)
        assert first.limit == 2.9065


# --- slower, drawn -------------------------------------------------------------------------------


@pytest.mark.parametrize("generator", offline.GENERATORS)
def test_a_slower_motion_keeps_its_path_and_ends_where_it_ended(generator):
    width, _ = offline.GENERATORS[generator]
    s = np.minimum(np.arange(400) * DT / 0.3, 1.0)
    shape = s**3 * (10 - 15 * s + 6 * s**2)
    samples = np.tile(shape[:, None], (1, width))
    elbows = np.column_stack([shape, -np.ones(400)]) if "cartesian" in generator else None
    if generator == "cartesian-pose":
        samples = np.array([flange([0.3 * x, *READY[1:]]) for x in shape])
    fast = trajectory(samples, generator, elbows, slice(50, 52))
    slow = slower.stretched(fast, 2.0)
    assert np.flatnonzero(slow.lost).tolist() == [50, 51]
    scale = 2.0 if generator.endswith("velocity") else 1.0
    np.testing.assert_allclose(slow.samples[::2] * scale, fast.samples, rtol=0, atol=1e-9)
    if elbows is not None:
        np.testing.assert_allclose(slow.elbows[::2], elbows, rtol=0, atol=1e-12)
    if generator.endswith("velocity"):
        travelled = fast.samples.sum(axis=0)
        np.testing.assert_allclose(slow.samples.sum(axis=0), travelled, rtol=2e-3)


@pytest.mark.parametrize("generator", offline.GENERATORS)
@pytest.mark.parametrize("refused", [False, True])
def test_every_generator_can_be_drawn(tmp_path, generator, refused):
    pytest.importorskip(
        "matplotlib", reason="needs matplotlib; the project's test command installs it"
    )
    width, _ = offline.GENERATORS[generator]
    samples = np.zeros((50, width))
    if generator == "joint-position":
        samples += READY
    elif generator == "cartesian-pose":
        samples += flange(READY)
    if refused:
        samples[25, -2] += 5.0
    judged = offline.judge(trajectory(samples, generator, lost=[10, 11]), find_slowdown=False)
    assert judged.accepted != refused
    plot.draw(judged, "motion", str(tmp_path / "motion.png"))
    assert (tmp_path / "motion.png").read_bytes().startswith(b"\x89PNG")
