"""The robot's description against independent kinematics and dynamics, and its two formats against
each other. Nothing here needs the extension modules."""

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import mujoco
import numpy as np
import pytest

from franka_sim import robots

ROOT = Path(__file__).resolve().parents[2]
CASES = 100
SEED = 5


@pytest.fixture(scope="module")
def fr3():
    return robots.load("fr3")


@pytest.fixture(scope="module")
def arm():
    """MuJoCo model and data of the bare arm."""
    model = mujoco.MjModel.from_xml_string(robots.mjcf("fr3"))
    return model, mujoco.MjData(model)


@pytest.fixture(scope="module")
def pin():
    return pytest.importorskip("pinocchio", reason="pin is a test requirement; runs in .ci/run")


def random_states(model, count=CASES):
    rng = np.random.default_rng(SEED)
    low, high = model.jnt_range.T
    for _ in range(count):
        yield rng.uniform(low, high), rng.uniform(-2, 2, 7), rng.uniform(-50, 50, 7)


def link_mass_matrix(model, data):
    """Return the mass matrix without the reflected motor inertia."""
    M = np.zeros((7, 7))
    for j in range(7):
        unit = np.eye(7)[j]
        mujoco.mj_mulM(model, data, M[j], unit)
    return M - np.diag(model.dof_armature)


@pytest.mark.parametrize(
    "tool",
    [
        "generate_robot.py",
        "generate_model_golden.py",
        "generate_wrench_golden.py",
        "generate_ik_golden.py",
        "generate_self_collision_golden.py",
    ],
)
def test_generated_file_is_fresh(tool, pin):
    """The C++ table and the golden numbers follow from the json (style.md 8, source rules)."""
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / tool, "--check"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_every_group_of_numbers_names_its_source(fr3):
    """style.md 5: the source column is never empty."""
    plain = {"name", "about", "units", "sources"}
    groups = {key: value for key, value in fr3.items() if key not in plain}
    assert groups
    assert all(group["source"] for group in groups.values())
    assert all(s["source"] for s in fr3["joint_limits"]["sets"].values())


def test_unknown_robot_is_refused_by_name():
    with pytest.raises(ValueError, match="no description of 'kuka', there are fr3"):
        robots.urdf("kuka")


def test_flange_pose_agrees_with_frankik(arm):
    """An independent implementation; its pose is that of the hand's TCP (robot-model.md 14)."""
    frankik = pytest.importorskip("frankik", reason="a test requirement; runs in .ci/run")
    model, data = arm
    c = np.sqrt(0.5)
    F_T_TCP = np.array([[c, c, 0, 0], [-c, c, 0, 0], [0, 0, 1, 0.1034], [0, 0, 0, 1]])
    pose = np.eye(4)
    for q, _, _ in random_states(model):
        data.qpos[:] = q
        mujoco.mj_kinematics(model, data)
        flange = data.site("flange")
        pose[:3, :3], pose[:3, 3] = flange.xmat.reshape(3, 3), flange.xpos
        np.testing.assert_allclose(pose @ F_T_TCP, frankik.fk(q), atol=1e-12)


def test_mjcf_and_urdf_are_the_same_arm(arm, pin):
    """Two engines, one json: frames, Jacobian, masses and bias torques to 1e-9."""
    model, data = arm
    other = pin.buildModelFromXML(robots.urdf("fr3"))
    state, link8, flange = other.createData(), other.getFrameId("link8"), model.site("flange").id
    for q, dq, _ in random_states(model):
        data.qpos[:], data.qvel[:] = q, dq
        mujoco.mj_forward(model, data)
        J = np.zeros((2, 3, 7))
        mujoco.mj_jacSite(model, data, J[0], J[1], flange)
        pin.framesForwardKinematics(other, state, q)
        pose = state.oMf[link8]
        np.testing.assert_allclose(data.site_xpos[flange], pose.translation, atol=1e-12)
        np.testing.assert_allclose(data.site_xmat[flange], pose.rotation.ravel(), atol=1e-12)
        theirs = pin.computeFrameJacobian(other, state, q, link8, pin.LOCAL_WORLD_ALIGNED)
        np.testing.assert_allclose(J.reshape(6, 7), theirs, atol=1e-12)
        upper = np.triu(pin.crba(other, state, q))
        M = upper + np.triu(upper, 1).T
        np.testing.assert_allclose(link_mass_matrix(model, data), M, atol=1e-9)
        bias = pin.nonLinearEffects(other, state, q, dq)
        np.testing.assert_allclose(data.qfrc_bias, bias, atol=1e-9)


def test_urdf_satisfies_every_libfranka_since_0_14(pin, fr3):
    """wire.md 10.1 and 10.2."""
    root = ET.fromstring(robots.urdf("fr3"))
    assert root.get("name") == "fr3"
    model = pin.buildModelFromXML(robots.urdf("fr3"))
    assert model.nv == 7
    assert model.frames[-1].name == "link8"
    assert list(model.names)[1:] == [f"fr3_joint{i}" for i in range(1, 8)]
    assert [link.get("name") for link in root.findall("link")] == [f"link{i}" for i in range(9)]
    assert root.find("link[@name='link8']/inertial") is None
    chosen = fr3["joint_limits"]["sets"]["libfranka_urdf"]
    for i in range(7):
        # libfranka takes every joint whose name contains joint<i>: there must be one.
        (joint,) = [j for j in root.findall("joint") if f"joint{i + 1}" in j.get("name")]
        limit = {k: float(v) for k, v in joint.find("limit").attrib.items()}
        assert limit["lower"] == chosen["lower"][i]
        assert limit["upper"] == chosen["upper"][i]
        assert limit["velocity"] == fr3["joint_limits"]["velocity"][i]
        envelope = joint.find("position_based_velocity_limits").attrib
        assert float(envelope["velocity_offset"]) == chosen["velocity_offset"][i]
        assert float(envelope["deceleration_limit"]) == chosen["deceleration_limit"][i]


@pytest.mark.parametrize("limit_set", ["libfranka_urdf", "description_2", "fci_docs"])
def test_urdf_carries_the_limit_set_asked_for(limit_set, fr3):
    root = ET.fromstring(robots.urdf("fr3", limit_set=limit_set))
    lower = [float(j.find("limit").get("lower")) for j in root.findall("joint")[:7]]
    assert lower == fr3["joint_limits"]["sets"][limit_set]["lower"]


def test_torque_sensor_is_the_link_side_torque_in_motion(arm):
    """robot-model.md 5: tau_J = M ddq + h, without motor inertia and motor friction."""
    model, data = arm
    for q, dq, tau in random_states(model):
        data.qpos[:], data.qvel[:], data.ctrl[:] = q, dq, tau
        mujoco.mj_forward(model, data)
        expected = link_mass_matrix(model, data) @ data.qacc + data.qfrc_bias
        # mj_rne adds no armature: a second opinion from the same engine.
        rne = np.zeros(7)
        mujoco.mj_rne(model, data, 1, rne)
        np.testing.assert_allclose(data.sensordata[2::3], expected, atol=1e-9)
        np.testing.assert_allclose(rne, expected, atol=1e-9)


def test_torque_sensor_sees_a_push_on_the_flange(arm):
    """robot-model.md 5: tau_J = M ddq + h - tau_env."""
    model, data = arm
    force = np.array([3.0, -5.0, 20.0])
    for q, dq, tau in random_states(model, 20):
        data.qpos[:], data.qvel[:], data.ctrl[:] = q, dq, tau
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        link7, push = model.body("link7").id, np.zeros(7)
        flange = data.site("flange").xpos
        mujoco.mj_applyFT(model, data, force, np.zeros(3), flange, link7, push)
        # The same push as a wrench on the body, which the sensor takes part in.
        arm_of_force = flange - data.xipos[link7]
        data.xfrc_applied[link7] = [*force, *np.cross(arm_of_force, force)]
        mujoco.mj_forward(model, data)
        expected = link_mass_matrix(model, data) @ data.qacc + data.qfrc_bias - push
        np.testing.assert_allclose(data.sensordata[2::3], expected, atol=1e-9)
    data.xfrc_applied[:] = 0


def test_stops_lie_behind_every_published_limit(arm, fr3):
    """robot-model.md 2: a limit violation is detected before the stop."""
    model, _ = arm
    for row in fr3["joint_limits"]["sets"].values():
        assert np.all(model.jnt_range[:, 0] < row["lower"])
        assert np.all(model.jnt_range[:, 1] > row["upper"])


def test_actuators_never_clip_what_a_client_may_ask_for(arm, fr3):
    """Rated torque plus gravity with 5 kg at 0.2 m beyond the flange, in any pose."""
    model, data = arm
    J, worst = np.zeros((3, 7)), np.zeros(7)
    for q, _, _ in random_states(model, 2000):
        data.qpos[:], data.qvel[:] = q, 0
        mujoco.mj_forward(model, data)
        tip = data.site("flange").xpos + 0.2 * data.site("flange").xmat.reshape(3, 3)[:, 2]
        mujoco.mj_jac(model, data, J, None, tip, model.body("link7").id)
        worst = np.maximum(worst, np.abs(data.qfrc_bias + 5 * 9.81 * J[2]))
    needed = worst + fr3["joint_limits"]["torque"]
    assert np.all(model.actuator_ctrlrange[:, 1] > needed)
    assert np.all(model.actuator_ctrlrange[:, 0] < -needed)


def test_links_never_touch_each_other_but_touch_the_world():
    """Self-collision is the controller's error, not a contact; a table is a contact."""
    xml = robots.mjcf("fr3", contacts=True)
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    for q, _, _ in random_states(model, 500):
        data.qpos[:] = q
        mujoco.mj_forward(model, data)
        assert data.ncon == 0

    table = '<worldbody><geom type="box" size="1 1 0.3" pos="0.5 0 0.2"/>'
    model = mujoco.MjModel.from_xml_string(xml.replace("<worldbody>", table, 1))
    data = mujoco.MjData(model)
    data.qpos[:] = [0, 0.9, 0, -1.8, 0, 2.7, 0]
    mujoco.mj_forward(model, data)
    assert data.ncon > 0


def test_geoms_carry_no_mass_and_motors_have_the_identified_friction(arm, fr3):
    model, _ = arm
    links = fr3["inertials"]["links"].values()
    assert model.body_mass.sum() == pytest.approx(sum(v["mass"] for v in links), abs=1e-12)
    dynamics = fr3["joint_dynamics"]
    np.testing.assert_array_equal(model.dof_armature, dynamics["armature"])
    np.testing.assert_array_equal(model.dof_frictionloss, dynamics["frictionloss"])
    np.testing.assert_array_equal(model.dof_damping, dynamics["damping"])


def test_viewer_scene_moves_like_the_bare_arm(arm):
    """Light and floor are for the eye: same accelerations, bit by bit, and no contact."""
    model, data = arm
    scene = mujoco.MjModel.from_xml_string(robots.mjcf("fr3", scene=True))
    other = mujoco.MjData(scene)
    for q, dq, tau in random_states(model, 10):
        for m, d in ((model, data), (scene, other)):
            mujoco.mj_resetData(m, d)
            d.qpos[:], d.qvel[:], d.ctrl[:] = q, dq, tau
            mujoco.mj_step(m, d)
        np.testing.assert_array_equal(data.qpos, other.qpos)
        np.testing.assert_array_equal(data.qvel, other.qvel)
