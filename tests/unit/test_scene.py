"""Scenes: what they may hold, what is refused, where the arm stands. No engine needed."""

import mujoco
import numpy as np
import pytest

from franka_sim import robots
from franka_sim.scene import compose

NONE = robots.end_effector("none")

CUBE = """
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 0.1"/>
    <body name="cube" pos="0.6 0 0.1" euler="0 0 45">
      <freejoint/><geom name="cube" type="box" size="0.02 0.02 0.02" mass="0.1"/>
    </body>
    {more}
  </worldbody>
  {outside}
</mujoco>
"""


def write(tmp_path, text=CUBE, more="", outside=""):
    path = tmp_path / "scene.xml"
    path.write_text(text.format(more=more, outside=outside) if "{more}" in text else text)
    return str(path)


def build(scene, tilt=(0.0, 0.0), tool=NONE):
    spec, mounting = compose("fr3", tool, scene, tilt, 1.0)
    return spec.compile(), mounting


def test_without_a_scene_the_world_is_the_arm_and_touches_nothing():
    model, mounting = build(None)
    assert model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_CONTACT
    assert model.nq == 7
    assert mounting.gravity() == [0, 0, -9.81]


def test_the_arm_keeps_its_physics_beside_a_scene(tmp_path):
    model, _ = build(write(tmp_path))
    assert model.opt.timestep == 0.001
    assert model.opt.integrator == mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    assert not model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_CONTACT
    # The scene's own units: its angles are degrees.
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    np.testing.assert_allclose(
        data.body("scene/cube").xmat[:2], [np.sqrt(0.5), -np.sqrt(0.5)], atol=1e-12
    )


def touching(model, q):
    """Pairs of geoms in contact with the arm at `q`, by the name of their bodies."""
    data = mujoco.MjData(model)
    data.qpos[:7] = q
    mujoco.mj_forward(model, data)
    found = set()
    for contact in data.contact:
        bodies = [model.body(model.geom_bodyid[g]).name for g in contact.geom]
        found.add(tuple(sorted(bodies)))
    return found


def test_the_arm_touches_the_table_but_never_itself():
    model, _ = build("table")
    ready = [0, -np.pi / 4, 0, -3 * np.pi / 4, 0, np.pi / 2, np.pi / 4]
    assert touching(model, ready) == set()
    # The flange points down, 4 mm in the table at x = 0.5 m.
    down = [0, 0.857788, 0, -2.187573, 0, 3.045361, np.pi / 4]
    assert touching(model, down) == {("link7", "world")}
    # Folded so far that the wrist is in the upper arm.
    folded = [1.9, -0.3, 1.9, -3.1, -0.8, 0.8, 0.9]
    assert not {pair for pair in touching(model, folded) if "link2" in pair}
    # It is there: shells that could touch each other would.
    model.geom_conaffinity[model.geom_contype == 2] = 3
    model.body_conaffinity[model.body_contype == 2] = 3
    assert {("link2", "link5"), ("link2", "link7")} <= touching(model, folded)


def test_the_base_stands_at_the_scenes_site(tmp_path):
    site = '<site name="robot_base" pos="1 2 0.5" euler="90 0 0"/>'
    model, mounting = build(write(tmp_path, more=site))
    np.testing.assert_allclose(mounting.pos, [1, 2, 0.5])
    # Base z points along the world's -y; gravity, along the world's -z, is along the base's -y.
    np.testing.assert_allclose(mounting.gravity(), [0, -9.81, 0], atol=1e-12)
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    np.testing.assert_allclose(data.body("link0").xpos, [1, 2, 0.5])
    np.testing.assert_allclose(data.body("link1").xpos, [1, 2 - 0.333, 0.5], atol=1e-12)


def test_a_tilt_turns_the_base_where_it_stands(tmp_path):
    site = '<site name="robot_base" pos="0 0 1"/>'
    model, mounting = build(write(tmp_path, more=site), tilt=(180.0, 0.0))
    assert mounting.gravity() == [0, 0, 9.81]
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    np.testing.assert_allclose(data.body("link1").xpos, [0, 0, 1 - 0.333], atol=1e-12)


def test_a_model_with_a_scene_may_use_the_names_of_the_arm(tmp_path):
    more = '<body name="link7"><geom type="sphere" size="0.01"/></body>'
    model, _ = build(write(tmp_path, more=more))
    assert model.body("scene/link7").id != model.body("link7").id


@pytest.mark.parametrize(
    ("text", "more", "outside", "words"),
    [
        ("<mujoco", "", "", ("is not valid XML",)),
        ("<robot/>", "", "", ("has <robot> where MJCF has <mujoco>",)),
        ("<mujoco><worldbody><geom size='x'/></worldbody></mujoco>", "", "", ("is no scene",)),
        (CUBE, "", '<option timestep="0.002"/>', ("option timestep = 0.002", "remove it")),
        (CUBE, "", '<option integrator="Euler"/>', ("option integrator = Euler",)),
        (CUBE, "", '<option><flag contact="disable"/></option>', ("option contact = disable",)),
        (
            CUBE,
            '<body><freejoint/><geom size="0.1"/><site name="robot_base"/></body>',
            "",
            ("robot_base is on a body that moves",),
        ),
    ],
)
def test_what_is_no_scene_is_refused_in_one_sentence(tmp_path, text, more, outside, words):
    path = write(tmp_path, text, more, outside)
    with pytest.raises(ValueError, match=r"scene\.xml") as error:
        build(path)
    assert all(word in str(error.value) for word in words), error.value
    assert "\n" not in str(error.value)


def test_an_option_in_an_included_file_is_refused_too(tmp_path):
    (tmp_path / "part.xml").write_text("<mujocoinclude><option gravity='0 0 0'/></mujocoinclude>")
    path = write(tmp_path, outside='<include file="part.xml"/>')
    with pytest.raises(ValueError, match="option gravity"):
        build(path)


def test_a_missing_file_is_one_sentence(tmp_path):
    with pytest.raises(ValueError, match=r"^cannot read .*gone\.xml: No such file"):
        build(str(tmp_path / "gone.xml"))
