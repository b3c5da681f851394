"""Tools as Desk describes them: the built-in ones, users' files in Desk's three forms, and every
sentence a wrong file ends in. Nothing here needs the extension modules."""

import json
import math

import mujoco
import numpy as np
import pytest

from franka_sim import robots
from franka_sim.robots import end_effector

# desk-api.md 5.2: the object that GET /api/configuration gives for an end effector.
PARAMS = {
    "mass": 1.2,
    "centerOfMass": {"x": 0.01, "y": -0.02, "z": 0.05},
    "inertia": {"x11": 0.003, "x12": 0.0002, "x13": 0.0, "x22": 0.002, "x23": 0.0, "x33": 0.0025},
    "transformation": {
        "translation": {"x": 0.0, "y": 0.01, "z": 0.15},
        "rotation": {"roll": 0.0, "pitch": 0.0, "yaw": math.pi / 2},
    },
}


def write(tmp_path, value, name="tool.json"):
    path = tmp_path / name
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return str(path)


def test_the_hand_is_desks_preset():
    """robot-model.md 6: read from two recorded robots."""
    hand = end_effector("hand")
    assert (hand.mass, hand.F_x_Cee) == (0.73, (-0.01, 0.0, 0.03))
    assert hand.I_ee == (0.001, 0, 0, 0, 0.0025, 0, 0, 0, 0.0017)
    r = math.sqrt(0.5)
    expected = [r, -r, 0, 0, r, r, 0, 0, 0, 0, 1, 0, 0, 0, 0.1034, 1]
    np.testing.assert_allclose(hand.F_T_NE, expected, atol=1e-15)


def test_no_tool_is_nothing_at_the_flange():
    none = end_effector("none")
    assert none.mass == 0
    assert tuple(np.eye(4).ravel()) == none.F_T_NE


@pytest.mark.parametrize(
    "wrapped",
    [
        PARAMS,
        {"name": "Other", "params": PARAMS},
        {"endEffectorConfiguration": {"endEffector": {"name": "Other", "params": PARAMS}}},
        {
            "id": "x",
            "inertial": {k: PARAMS[k] for k in ("mass", "centerOfMass", "inertia")},
            "tcp": PARAMS["transformation"],
        },
    ],
    ids=["bare", "named", "whole configuration", "older profile"],
)
def test_a_file_may_have_any_of_desks_forms(tmp_path, wrapped):
    tool = end_effector(write(tmp_path, wrapped))
    assert tool.mass == 1.2
    assert tool.F_x_Cee == (0.01, -0.02, 0.05)
    assert tool.I_ee == (0.003, 0.0002, 0, 0.0002, 0.002, 0, 0, 0, 0.0025)
    expected = [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0.01, 0.15, 1]
    np.testing.assert_allclose(tool.F_T_NE, expected, atol=1e-15)


def test_a_file_may_be_toml(tmp_path):
    text = "mass = 0.5\n[centerOfMass]\nx = 0\ny = 0\nz = 0.04\n"
    tool = end_effector(write(tmp_path, text, "tool.toml"))
    assert (tool.mass, tool.F_x_Cee) == (0.5, (0, 0, 0.04))


def changed(path, value):
    """PARAMS with the number at `path` replaced, or removed when `value` is None."""
    root = json.loads(json.dumps(PARAMS))
    at = root
    for key in path[:-1]:
        at = at[key]
    if value is None:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return root


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", ("tool.json is not valid JSON",)),
        ([], ("the file must be an object",)),
        (changed(["mass"], None), ("mass missing", "from 0 to 3 kg")),
        (changed(["mass"], -1), ("mass -1 is not allowed", "from 0 to 3 kg")),
        (changed(["mass"], True), ("mass True",)),
        (changed(["centerOfMass", "z"], 0.31), ("centerOfMass: z 0.31", "-0.3 to 0.3 m")),
        (changed(["centerOfMass", "y"], None), ("centerOfMass: y missing",)),
        (changed(["transformation", "rotation", "yaw"], 4), ("rotation: yaw 4", "rad")),
        (changed(["inertia", "x11"], -0.1), ("inertia must be positive definite",)),
        (changed(["inertia", "x11"], 0.5), ("inertia belongs to no body", "at most the sum")),
        ({**PARAMS, "shapes": {}}, ("shapes must be a list",)),
        ({**PARAMS, "shapes": [{"type": "mesh"}]}, ("shapes 1: type must be one of box",)),
        (
            {**PARAMS, "shapes": [{"type": "sphere", "center": [0, 0], "radius": 1}]},
            ("shapes 1: center must be 3 numbers",),
        ),
        (
            {**PARAMS, "shapes": [{"type": "sphere", "center": [0, 0, 0], "radius": 0}]},
            ("shapes 1: radius must be greater than 0",),
        ),
    ],
)
def test_a_wrong_file_is_one_sentence(tmp_path, content, words):
    with pytest.raises(ValueError, match=r"tool\.json") as error:
        end_effector(write(tmp_path, content))
    text = str(error.value)
    assert all(word in text for word in words), text
    assert "\n" not in text


def test_a_missing_file_is_one_sentence(tmp_path):
    with pytest.raises(ValueError, match=r"^cannot read .*gone\.json: No such file"):
        end_effector(str(tmp_path / "gone.json"))


@pytest.mark.parametrize("which", ["hand", "pump"])
def test_the_worlds_body_weighs_what_desk_says(which):
    tool = end_effector(which)
    bare = mujoco.MjModel.from_xml_string(robots.mjcf("fr3"))
    model = mujoco.MjModel.from_xml_string(robots.mjcf("fr3", end_effector=tool))
    assert model.body_mass.sum() - bare.body_mass.sum() == pytest.approx(tool.mass)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    flange, body = model.site("flange").id, model.body("end_effector").id
    R = data.site_xmat[flange].reshape(3, 3)
    np.testing.assert_allclose(
        data.xipos[body], data.site_xpos[flange] + R @ tool.F_x_Cee, atol=1e-12
    )
    # Inertia about the centre, turned back into the flange's axes.
    Ri = R.T @ data.ximat[body].reshape(3, 3)
    np.testing.assert_allclose(
        Ri @ np.diag(model.body_inertia[body]) @ Ri.T, np.reshape(tool.I_ee, (3, 3)), atol=1e-9
    )


def test_the_tip_of_the_hand_touches_at_its_tool_centre():
    """The fingers' rubber tips lie around the TCP, 0.1034 m from the flange (robot-model.md 11)."""
    model = mujoco.MjModel.from_xml_string(robots.mjcf("fr3", end_effector=end_effector("hand")))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    tips = [g for g in range(model.ngeom) if model.geom_friction[g][0] == 1.13]
    assert len(tips) == 2
    flange = model.site("flange").id
    R = data.site_xmat[flange].reshape(3, 3)
    middle = np.mean([data.geom_xpos[g] for g in tips], axis=0)
    np.testing.assert_allclose(R.T @ (middle - data.site_xpos[flange]), [0, 0, 0.1034], atol=1e-3)
