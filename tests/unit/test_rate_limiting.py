"""Limiters and filters as a user calls them: libfranka's values, constants, texts, and series."""

from __future__ import annotations

import ast
import json
import math
from pathlib import Path

import numpy as np
import pytest

rl = pytest.importorskip(
    "franka_sim.rate_limiting", reason="the extension module is not built in this environment"
)
from franka_sim import _limiting, robots  # noqa: E402  (after the skip)

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "limiter_libfranka.json"
VECTORS = {k: v for k, v in json.loads(GOLDEN.read_text()).items() if k != "about"}
READY = [0, -math.pi / 4, 0, -3 * math.pi / 4, 0, math.pi / 2, math.pi / 4]
REST = [0.0] * 7
I4 = [1.0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
CARTESIAN = (3.0, 9.0, 4500.0, 2.5, 17.0, 8500.0)
FR3 = (rl.fr3.MAX_JOINT_ACCELERATION, rl.fr3.MAX_JOINT_JERK)
ENVELOPE = (rl.fr3.JOINT_VELOCITY_LIMITS, rl.fr3.JOINT_VELOCITY_LIMITS)


@pytest.mark.parametrize("name", VECTORS)
def test_a_function_returns_what_libfranka_returns(name):
    """Computed by libfranka 0.21.3 itself (tests/golden/generate_limiter_vectors.py)."""
    for row in VECTORS[name]:
        value = getattr(rl, name)(*row["arguments"])
        # Rotations are composed another way: some units in the last place.
        tolerance = 2e-15 if "cartesian" in name else 0.0
        np.testing.assert_allclose(value, row["value"], rtol=0, atol=tolerance)
        assert isinstance(value, float) == isinstance(row["value"], float)


def test_constants_of_an_fr3_are_nominal_less_eps():
    """libfranka 0.21.3 rate_limiting.h; no lost packets are reckoned with."""
    assert rl.fr3.MAX_TORQUE_RATE == (999.999,) * 7
    assert rl.fr3.MAX_JOINT_JERK == (4999.999,) * 7
    assert rl.fr3.MAX_JOINT_ACCELERATION == (9.999,) * 7
    assert rl.fr3.JOINT_VELOCITY_LIMITS_TOLERANCE == (1e-3,) * 7
    assert rl.fr3.MAX_TRANSLATIONAL_VELOCITY == 2.999
    assert rl.fr3.MAX_TRANSLATIONAL_ACCELERATION == 8.999
    assert rl.fr3.MAX_TRANSLATIONAL_JERK == 4499.999
    assert rl.fr3.MAX_ROTATIONAL_VELOCITY == 2.499
    assert rl.fr3.MAX_ROTATIONAL_ACCELERATION == 16.999
    assert rl.fr3.MAX_ROTATIONAL_JERK == 8499.999
    assert (rl.fr3.MIN_ELBOW_VELOCITY, rl.fr3.MAX_ELBOW_VELOCITY) == (-1.499, 1.499)
    assert (rl.fr3.MAX_ELBOW_ACCELERATION, rl.fr3.MAX_ELBOW_JERK) == (9.999, 4999.999)


def test_constants_of_an_fer_leave_three_lost_packets_as_well():
    """Reference 001: 0.039 m/s off the translation, 0.045 rad/s off joint 1, each past eps."""
    fer = rl.fer
    speeds = [fer.MAX_TRANSLATIONAL_VELOCITY, fer.MAX_ROTATIONAL_VELOCITY, fer.MAX_ELBOW_VELOCITY]
    expected = [2.0 - 1e-3 - 0.039 + 3e-6, 2.5 - 1e-3 - 0.075 + 3e-6, 2.175 - 1e-3 - 0.03 + 3e-6]
    np.testing.assert_allclose(speeds, expected, rtol=0, atol=1e-15)
    assert fer.MAX_JOINT_VELOCITY[0] == pytest.approx(2.175 - 1e-3 - 0.045 + 3e-6)
    assert fer.MAX_JOINT_VELOCITY[6] == pytest.approx(2.61 - 1e-3 - 0.06 + 3e-6)
    assert tuple(-v for v in fer.MAX_JOINT_VELOCITY) == fer.MIN_JOINT_VELOCITY
    assert fer.MAX_JOINT_ACCELERATION[:3] == (14.999, 7.499, 9.999)
    assert fer.MAX_JOINT_JERK[3] == 6249.999
    assert fer.MAX_TORQUE_RATE == rl.fr3.MAX_TORQUE_RATE


def test_the_fr3_of_this_server_has_the_envelope_of_libfrankas_constants():
    """One envelope in three places: constants here, the served URDF, the core's limits."""
    limits = rl.JointVelocityLimits.from_urdf(robots.urdf("fr3"))
    assert limits == rl.fr3.JOINT_VELOCITY_LIMITS


def test_the_envelope_is_the_published_formula_less_its_tolerance():
    """wire.md section 6: twice the deceleration of joint 1 is 12, its offset 0.30, v_max 2.62."""
    q = np.array([READY, [2.5, *READY[1:]], [2.8, *READY[1:]]])
    upper = rl.compute_upper_limits_joint_velocity(q)
    lower = rl.compute_lower_limits_joint_velocity(-q)
    parabola = math.sqrt(12 * (2.7501 - 2.5)) - 0.30 - 1e-3
    assert upper[:, 0] == pytest.approx([2.619, parabola, -1e-3], abs=1e-15)
    assert lower[:, 0] == pytest.approx([-2.619, -parabola, 1e-3], abs=1e-15)
    np.testing.assert_array_equal(rl.compute_upper_limits_joint_velocity(q[1]), upper[1])


def test_an_urdf_that_lacks_something_is_refused_as_libfranka_does():
    """wire.md 10.2."""
    urdf = robots.urdf("fr3")
    read = rl.JointVelocityLimits.from_urdf
    for text, message in [
        ("<robot", "Failed to parse URDF for joint velocity limits"),
        ("<sdf/>", "no <robot> element exists"),
        (urdf.replace("joint5", "elbow").replace("joint3", "x"), "joints: joint3 joint5 $"),
        (urdf.replace("<limit", "<limits", 1), "Missing <limit> element for joint: fr3_joint1"),
        (
            urdf.replace("velocity_offset", "v", 1),
            "Missing 'velocity_offset' attribute in <position_based_velocity_limits> for joint",
        ),
        (
            urdf.replace("fr3_joint8", "j2_joint2"),
            "Missing <position_based_velocity_limits> element",
        ),
        (urdf.replace('lower="-2.7501"', 'lower="low"'), "'lower' of joint fr3_joint1: 'low'"),
    ]:
        with pytest.raises(ValueError, match=message):
            read(text)


def calls(bad):
    """Each function with one bad number in its command, and the text libfranka throws."""
    seven = [*READY[:3], bad, *READY[4:]]
    joints = [[2.0] * 7, [-2.0] * 7, *FR3]
    yield rl.limit_rate_torques, [[1000.0] * 7, seven, REST], "Commanding value is infinite or NaN."
    yield rl.limit_rate_velocity, [2, -2, 10, 5000, bad, 0, 0], "commanded_velocity is infinite or"
    yield rl.limit_rate_position, [2, -2, 10, 5000, bad, 0, 0, 0], "commanded_position is infinite"
    yield (
        rl.limit_rate_joint_velocities,
        [*joints, seven, REST, REST],
        "commanded_velocities is inf",
    )
    yield (
        rl.limit_rate_joint_positions,
        [*joints, seven, READY, REST, REST],
        "commanded_positions is",
    )
    twist = [0, 0, bad, 0, 0, 0]
    yield (
        rl.limit_rate_cartesian_velocity,
        [*CARTESIAN, twist, [0] * 6, [0] * 6],
        "O_dP_EE_c is inf",
    )
    pose = [*I4[:12], bad, *I4[13:]]
    yield rl.limit_rate_cartesian_pose, [*CARTESIAN, pose, I4, [0] * 6, [0] * 6], "O_T_EE_c is inf"
    yield rl.lowpass_filter, [1e-3, bad, 0.0, 100.0], "lowpass-filter: current or past input value"
    yield rl.lowpass_filter, [1e-3, 0.0, bad, 100.0], "lowpass-filter: current or past input value"
    cartesian = "Cartesian lowpass-filter: current or past input value"
    yield rl.cartesian_lowpass_filter, [1e-3, pose, I4, 100.0], cartesian
    yield rl.cartesian_lowpass_filter, [1e-3, I4, pose, 100.0], cartesian


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_command_that_is_not_finite_raises_libfrankas_text(bad):
    """Texts as libfranka 0.21.3 throws them for the same calls."""
    for function, arguments, text in calls(bad):
        with pytest.raises(ValueError, match=f"^{text}"):
            function(*arguments)


def test_a_pose_that_is_no_frame_raises_libfrankas_text():
    """libfranka's tolerance is 1e-5; a mirrored frame is refused here though not there."""
    text = r"^O_T_EE_c is invalid transformation matrix\. Has to be column major!$"
    for at, value in [(0, 1 + 1.1e-5), (3, 0.5), (15, 0.0), (0, -1.0)]:
        pose = I4.copy()
        pose[at] = value
        with pytest.raises(ValueError, match=text):
            rl.limit_rate_cartesian_pose(*CARTESIAN, pose, I4, [0] * 6, [0] * 6)
    pose = I4.copy()
    pose[0] += 9e-6
    rl.limit_rate_cartesian_pose(*CARTESIAN, pose, I4, [0] * 6, [0] * 6)


@pytest.mark.parametrize("function", [rl.lowpass_filter, rl.cartesian_lowpass_filter])
def test_a_filter_names_a_bad_time_or_frequency(function):
    """Texts and order as libfranka 0.21.3's; a sample time of 0 is legal and keeps the last."""
    y = 1.0 if function is rl.lowpass_filter else I4
    for dt in (-1e-3, math.nan, math.inf):
        with pytest.raises(ValueError, match="sample_time is negative, infinite or NaN"):
            function(dt, y, y, -1.0)
    for hz in (0.0, -1.0, math.nan, math.inf):
        with pytest.raises(ValueError, match="cutoff_frequency is zero, negative, infinite or NaN"):
            function(1e-3, y, y, hz)
    np.testing.assert_array_equal(function(0.0, y, y, 100.0), y)


def test_a_bad_state_or_bound_is_named():
    """libfranka would return NaN."""
    with pytest.raises(ValueError, match="last velocity"):
        rl.limit_rate_velocity(2, -2, 10, 5000, 0, math.nan, 0)
    with pytest.raises(ValueError, match="max_acceleration"):
        rl.limit_rate_velocity(2, -2, 0, 5000, 0, 0, 0)
    with pytest.raises(ValueError, match="max_rate"):
        rl.limit_rate_torques([1000.0] * 6, REST, REST)
    with pytest.raises(ValueError, match="tau_J: shape"):
        rl.limit_rate_torques([1000.0] * 7, [0.0] * 6, REST)
    with pytest.raises(ValueError, match="q_d"):
        rl.limit_rate_joint_velocities(*ENVELOPE, *FR3, REST, REST, REST)
    with pytest.raises(ValueError, match="same JointVelocityLimits"):
        rl.limit_rate_joint_positions(ENVELOPE[0], REST, *FR3, READY, READY, REST, REST)


def test_a_series_is_its_samples_one_by_one():
    """Each output becomes the state, by the differences that the robot publishes."""
    rng = np.random.default_rng(5)
    asked = READY + 0.1 * rng.normal(size=(50, 7))
    series = rl.limit_rate_joint_positions(*ENVELOPE, *FR3, asked, READY, REST, REST)
    q, dq, ddq = np.array(READY), np.zeros(7), np.zeros(7)
    for sample, expected in zip(asked, series, strict=True):
        upper, lower = (f(q) for f in (ENVELOPE[0].upper_limits, ENVELOPE[0].lower_limits))
        sent = rl.limit_rate_joint_positions(upper, lower, *FR3, sample, q, dq, ddq)
        np.testing.assert_array_equal(sent, expected)
        velocity = (sent - q) / 1e-3
        ddq, dq, q = (velocity - dq) / 1e-3, velocity, sent


def test_an_echo_of_32_bits_and_a_filter_are_what_a_client_would_do_each_cycle():
    """wire.md section 6: low-pass and limiter start from what the state says."""
    asked = np.linspace(0.0, 80.0, 30)[:, None] * np.ones(7)
    series = rl.limit_rate_torques(
        rl.fr3.MAX_TORQUE_RATE, asked, REST, f32_echo=True, cutoff_frequency=100.0
    )
    tau = np.zeros(7)
    for sample, expected in zip(asked, series, strict=True):
        seen = tau.astype(np.float32).astype(np.float64)
        filtered = rl.lowpass_filter(1e-3, sample, seen, 100.0)
        rate = np.array(rl.fr3.MAX_TORQUE_RATE) - rl.torque_rate_margin(seen)
        tau = rl.limit_rate_torques(rate, filtered, seen)
        np.testing.assert_array_equal(tau, expected)


def test_the_torque_rate_margin_covers_an_f32_echo():
    """Reference 001: zero at zero, 3.8e-3 Nm/s at 64 Nm."""
    assert rl.torque_rate_margin(0.0) == 0.0
    assert rl.torque_rate_margin(64.0) == pytest.approx(3.8147e-3, rel=1e-4)
    np.testing.assert_array_equal(rl.torque_rate_margin([-64.0, 0.0]), [64 * 2**-24 / 1e-3, 0])


def test_a_bad_sample_of_a_series_is_numbered():
    asked = np.zeros((4, 7))
    asked[2, 1] = math.nan
    with pytest.raises(ValueError, match=r"^Commanding value is infinite or NaN\. \(sample 2\)$"):
        rl.limit_rate_torques([1000.0] * 7, asked, REST)


def test_shapes_come_back_as_they_were_given():
    one = rl.limit_rate_velocity(2, -2, 10, 5000, 1.0, 0, 0)
    assert isinstance(one, float)
    np.testing.assert_array_equal(
        rl.limit_rate_velocity(2, -2, 10, 5000, [1.0, 1.0], 0, 0), [one, 0.015]
    )
    assert rl.limit_rate_torques([1000.0] * 7, np.zeros((0, 7)), REST).shape == (0, 7)
    assert rl.lowpass_filter(1e-3, np.ones((5, 3)), np.zeros(3), 100.0).shape == (5, 3)
    assert rl.lowpass_filter(1e-3, np.ones(3), np.zeros(3), 100.0).shape == (3,)
    assert rl.lowpass_filter(1e-3, np.ones(5), 0.0, 100.0).shape == (5,)
    assert rl.cartesian_lowpass_filter(1e-3, [I4] * 4, I4, 100.0).shape == (4, 16)
    bounds = (np.full((3, 7), 2.0), [-2.0] * 7)  # one of them a row a sample
    assert rl.limit_rate_joint_velocities(*bounds, *FR3, np.ones((3, 7)), REST, REST).shape == (
        3,
        7,
    )


def test_a_filtered_step_settles_as_a_first_order_low_pass_does():
    """1 - (1 - g)^n after n cycles, g = 0.3859 (wire.md section 6)."""
    n = np.arange(1, 21)
    y = rl.lowpass_filter(1e-3, np.ones(20), 0.0, 100.0)
    np.testing.assert_allclose(y, 1 - (1 - 0.3858695450950375) ** n, rtol=0, atol=1e-14)


def test_the_stub_names_what_the_module_has():
    """`_limiting.pyi` is what type checkers see of the compiled module."""
    stub = ast.parse((Path(rl.__file__).parents[1] / "_limiting.pyi").read_text())
    named = {n.name for n in stub.body if isinstance(n, ast.FunctionDef | ast.ClassDef)}
    assert named == {name for name in vars(_limiting) if not name.startswith("_")}
