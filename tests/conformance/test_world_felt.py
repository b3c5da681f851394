"""Payloads, scenes and noise in the real plant: what a client reads of what it was not told.

Expected torques come from pinocchio on the served URDF, or from libfranka's own Model.
"""

from __future__ import annotations

import math
import random

import mujoco
import numpy as np
import pytest
from needs import needs
from raw_client import RawClient

import franka_sim
from franka_sim import _engine, robots
from franka_sim.plants.mujoco import Plant
from franka_sim.scene import compose

FROZEN = 1 << 4  # history.hpp kFrozen
CREEP = 5e-3  # what is left of inertia when an arm counts as standing [Nm]
READY = (0, -math.pi / 4, 0, -3 * math.pi / 4, 0, math.pi / 2, math.pi / 4)


def settled(sim, after: int = 0):
    """The first state after cycle `after`, and some, in which the world stands still."""

    def find(s):
        rows = s.history(1)
        row = rows[-1] if len(rows) else None
        still = row is not None and row["message_id"] > after + 60 and row["flags"] & FROZEN
        return row if still else None

    return sim.wait_for(find, timeout=20)


def carried(q, mass=0.0, com=(0.0, 0.0, 0.0)):
    """Static joint torques of the URDF's arm with a point mass on the flange."""
    import pinocchio as pin

    model = pin.buildModelFromXML(robots.urdf("fr3"))
    flange = model.frames[model.getFrameId("link8")]
    body = pin.Inertia(mass, flange.placement.act(np.array(com)), np.zeros((3, 3)))
    model.appendBodyToJoint(flange.parentJoint, body, pin.SE3.Identity())
    return pin.computeGeneralizedGravity(model, model.createData(), q)


@needs("pinocchio", "pin")
def test_a_payload_hangs_on_the_joints_until_it_is_taken_off():
    with franka_sim.serve(port=0, clock="lockstep") as sim:
        sim.attach_payload(2.0, com=(0.02, -0.01, 0.1))
        row = settled(sim, sim.state.message_id)
        expected = carried(row["q"], 2.0, (0.02, -0.01, 0.1))
        np.testing.assert_allclose(row["tau_J"], expected, atol=CREEP)
        # The robot was not told.
        assert row["m_load"] == 0
        sim.detach_payload()
        row = settled(sim, sim.state.message_id)
        np.testing.assert_allclose(row["tau_J"], carried(row["q"]), atol=CREEP)


def test_payloads_may_change_all_the_time():
    """A hundred changes at once leave the last one acting and no more than what is in use alive."""
    with franka_sim.serve(port=0, clock="lockstep") as sim:
        for k in range(100):
            sim.attach_payload(0.1 + k / 100, inertia=(0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01))
        row = settled(sim, sim.state.message_id)
        assert len(sim._engine.plant._models) <= 3
        weight = row["tau_J"] - carried(row["q"])
        np.testing.assert_allclose(weight, carried(row["q"], 1.09) - carried(row["q"]), atol=CREEP)


@pytest.mark.parametrize("realism", ["ideal", "nominal"])
@pytest.mark.parametrize("tool", ["none", "hand"])
def test_a_payload_is_an_external_force_until_it_is_declared(realism, tool):
    """Issue 4, Show 5: 2 kg read m g on z of O_F_ext_hat_K within 0.3 N, 0 +- 0.3 N after SetLoad.

    The sign is the robot's: what hangs on it is held up, so z is positive (robot-model.md 5).
    """
    sim = franka_sim.serve(port=0, clock="lockstep", realism=realism, end_effector=tool)
    with sim, RawClient(sim.host, port=sim.port) as client:
        # A payload that drops onto the arm would trip the default of 20 N.
        limits = [100.0] * 7, [100.0] * 7, [100.0] * 6, [100.0] * 6
        assert client.set_collision_behavior(*limits) == "kSuccess"
        before = settled(sim)["O_F_ext_hat_K"]
        sim.attach_payload(2.0, com=(0.01, 0.0, 0.08))
        undeclared = settled(sim, sim.state.message_id)["O_F_ext_hat_K"]
        assert client.set_load(2.0, [0.01, 0.0, 0.08], [0.0] * 9) == "kSuccess"
        declared = settled(sim, sim.state.message_id)["O_F_ext_hat_K"]
    forces = [float(f[2]) for f in (before, undeclared, declared)]
    print(f"{realism}, {tool}: {forces} N")
    assert forces == pytest.approx([0.0, 2.0 * 9.81, 0.0], abs=0.3)
    for wrench in (before, undeclared, declared):
        np.testing.assert_allclose(wrench[:2], 0.0, atol=0.3)


def test_a_load_that_is_declared_but_not_there_reads_the_other_way():
    """SetLoad changes the model only (rm 6)."""
    sim = franka_sim.serve(port=0, clock="lockstep")
    with sim, RawClient(sim.host, port=sim.port) as client:
        assert client.set_load(1.0, [0.0] * 3, [0.0] * 9) == "kSuccess"
        row = settled(sim, sim.state.message_id)
    assert row["O_F_ext_hat_K"][2] == pytest.approx(-9.81, abs=0.3)
    np.testing.assert_allclose(row["tau_J"], carried(row["q"]), atol=CREEP)


POSES = 50


def random_poses() -> list[list[float]]:
    """Around the ready pose, inside every published range and clear of the arm itself."""
    rng = random.Random(4)
    spread = (1.0, 0.6, 1.0, 0.6, 1.0, 0.8, 1.0)
    return [
        [q + rng.uniform(-s, s) for q, s in zip(READY, spread, strict=True)] for _ in range(POSES)
    ]


LOAD = [1.5, [0.01, -0.02, 0.06], [0.004, 0, 0, 0, 0.005, 0, 0, 0, 0.003]]


@needs("pylibfranka", "pylibfranka")
@pytest.mark.parametrize("tool", ["none", "hand"])
@pytest.mark.parametrize("load", [None, LOAD], ids=["no load", "load"])
def test_libfrankas_gravity_is_the_static_torque(serve, run_client, tool, load):
    """Issue 4, Show 3: within 1e-3 Nm in `ideal`; no tool in the URDF counts twice."""
    server = serve(strict=False, realism="ideal", end_effector=tool)
    if load:
        server.attach_payload(*load)
    report = run_client(
        "pylibfranka_world",
        server.host,
        "gravities",
        poses=random_poses(),
        seconds=1.6,
        settle=1.0,
        load=load,
    )
    assert report["told"] in (None, {"raised": None})
    assert report["m_total"] == pytest.approx((load or [0])[0] + {"none": 0, "hand": 0.73}[tool])
    worst = 0.0
    for row in report["rows"]:
        worst = max(worst, np.abs(np.subtract(row["tau_J"], row["gravity"])).max())
    assert len(report["rows"]) == POSES
    assert worst < 1e-3
    print(f"worst of {POSES} poses: {worst:.2e} Nm")


CUBE = """
<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 0.1"/>
    <body name="cube" pos="0.5 0.3 0.3">
      <freejoint/><geom type="box" size="0.02 0.02 0.02" mass="0.1"/>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def cube(tmp_path):
    path = tmp_path / "cube.xml"
    path.write_text(CUBE)
    return str(path)


def test_a_world_does_not_stand_still_before_its_objects_do(cube):
    with franka_sim.serve(port=0, clock="lockstep", scene=cube) as sim:
        settled(sim)
        plant = sim._engine.plant
        sim.stop()
    height = plant.data.qpos[9]  # seven joints, then x, y, z
    assert height == pytest.approx(0.02, abs=2e-3)


def test_a_reset_puts_the_objects_back(cube):
    spec, _ = compose("fr3", robots.end_effector("none"), cube, (0.0, 0.0), 1.0)
    plant = Plant(spec)
    for _ in range(2):
        engine = _engine.Engine(_engine.Settings(clock="lockstep"), plant)
        assert plant.data.qpos[7:10].tolist() == [0.5, 0.3, 0.3]
        engine.start()
        while engine.counters()["cycles"] < 50:
            pass
        engine.stop()
        assert plant.data.qpos[9] < 0.295


def test_an_object_that_falls_on_the_arm_is_felt(tmp_path):
    """A ball on the flange of an arm that reaches up; momentum arrives at the joints."""
    scene = tmp_path / "ball.xml"
    scene.write_text(
        '<mujoco><worldbody><body pos="0.3069 0 0.85"><freejoint/>'
        '<geom type="sphere" size="0.03" mass="1.0"/></body></worldbody></mujoco>'
    )
    with franka_sim.serve(port=0, clock="lockstep", scene=str(scene)) as sim:
        quiet = sim.history()[0]["tau_J"]
        sim.wait_for(lambda s: s.history(1)["message_id"][-1] > 600, timeout=20)
        rows = sim.history()
    assert np.abs(rows["tau_J"] - quiet).max() > 1.0


@pytest.mark.parametrize("argument", ["scene", "end_effector"])
def test_a_missing_file_is_refused_in_one_sentence(tmp_path, argument):
    with pytest.raises(franka_sim.ConfigError, match=rf"^{argument}: cannot read .*gone"):
        franka_sim.serve(port=0, **{argument: tmp_path / "gone.xml"})


def test_ideal_joints_have_no_friction_and_nominal_ones_what_was_identified():
    none = robots.end_effector("none")
    identified = robots.load("fr3")["joint_dynamics"]
    for factor in (0.0, 1.0, 0.5):
        spec, _ = compose("fr3", none, None, (0.0, 0.0), factor)
        model: mujoco.MjModel = spec.compile()
        expected = factor * np.array(identified["frictionloss"])
        np.testing.assert_allclose(model.dof_frictionloss, expected)
        np.testing.assert_allclose(model.dof_damping, factor * np.array(identified["damping"]))


def test_a_lab_robot_reads_noise_and_bias_that_its_seed_repeats():
    def readings(**options):
        with franka_sim.serve(port=0, clock="lockstep", realism="lab", **options) as sim:
            sim.wait_for(lambda s: len(s.history()) > 50, timeout=20)
            return sim.history()[1:50]["tau_J"]

    first, again, other = readings(seed=3), readings(seed=3), readings(seed=4)
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)
    # robot-model.json, control.noise_estimate: 0.05 Nm of noise, biases around 0.5 Nm.
    assert 0.03 < np.std(np.diff(first, axis=0)) / math.sqrt(2) < 0.07


def error_while_moving(**options) -> float:
    """Mean lag of the measured joint 1 behind the commanded one at constant speed [rad]."""
    sim = franka_sim.serve(port=0, clock="lockstep", **options)
    with sim, RawClient(sim.host, port=sim.port) as client:
        client.start("kJointVelocity", "kJointImpedance")
        dq, lag = 0.0, []
        for k in range(900):
            dq = min(dq + 5e-4, 0.1)
            state = client.step(dq_c=[dq, 0, 0, 0, 0, 0, 0])
            if k > 600:
                # q is of the cycle's end, q_d of its beginning.
                lag.append(state.q_d[0] + dq * 1e-3 - state.q[0])
        for _ in range(300):
            dq = max(dq - 5e-4, 0.0)
            client.step(dq_c=[dq, 0, 0, 0, 0, 0, 0])
        assert client.finish(dq_c=[0.0] * 7) == "kSuccess"
    return float(np.mean(lag))


@pytest.mark.parametrize(
    ("options", "missed"),
    [
        # Coulomb and viscous friction of joint 1: 1.137 Nm and 0.21 Nm s/rad (robot-model.md 4).
        ({"realism": "ideal"}, 0.0),
        ({}, 0.0),
        ({"friction": 3.0}, 0.0),
        ({"friction_compensation_error": 1.0}, 1.0),
        ({"friction_compensation_error": -0.5}, -0.5),
        ({"friction": 2.0, "friction_compensation_error": 0.5}, 1.0),
    ],
)
def test_friction_that_is_not_compensated_makes_the_arm_lag(options, missed):
    """In joint impedance the lag is the torque that is missing by the stiffness, 3000 Nm/rad."""
    friction = 1.137 + 0.21 * 0.1
    assert error_while_moving(**options) == pytest.approx(missed * friction / 3000, abs=2e-5)


PUSHING = """
<mujoco>
  <worldbody><geom type="plane" size="1 1 0.1" pos="0 0 -1"/></worldbody>
  <custom><text name="push_down" data='{data}'/></custom>
</mujoco>
"""


@needs("pinocchio", "pin")
def test_a_scene_may_push_the_arm(tmp_path):
    """As sim.push does; a reset begins with it again."""
    path = tmp_path / "push.xml"
    path.write_text(PUSHING.format(data='link = "flange", force = [0, 0, -10]'))
    with franka_sim.serve(port=0, clock="lockstep", scene=str(path)) as sim:
        for _ in range(2):
            row = settled(sim, sim.state.message_id)
            # As a payload of 10 N at the flange, and as an external force (rm 5).
            expected = carried(row["q"], 10 / 9.81)
            np.testing.assert_allclose(row["tau_J"], expected, atol=CREEP)
            assert row["O_F_ext_hat_K"][2] == pytest.approx(10, abs=0.3)
            sim.reset()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("force = ", "scene: text 'push_down': 'force = ' is not of the form"),
        ("power = 3", "scene: push_down: power is none of link, force"),
        ("force = [1, 2]", r"scene: push_down: force: \[1, 2\] is not allowed"),
    ],
)
def test_a_push_that_a_scene_gets_wrong_is_one_sentence(tmp_path, data, words):
    path = tmp_path / "push.xml"
    path.write_text(PUSHING.format(data=data))
    with pytest.raises(franka_sim.ConfigError, match=words):
        franka_sim.serve(port=0, scene=str(path))
