"""How the arm is mounted and what is mounted on it: what the client reads, and that the arm holds
itself with what the robot's model knows of both.

Expected torques come from pinocchio on the served URDF, with gravity and tool put in by hand.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from needs import needs

import franka_sim
from franka_sim import robots

pytestmark = needs("pinocchio", "pin")

FROZEN = 1 << 4  # history.hpp kFrozen
CREEP = 5e-3  # what is left of inertia when an arm counts as standing [Nm]


def settled(sim):
    def find(s):
        rows = s.history(1)
        return rows[-1] if len(rows) and rows[-1]["flags"] & FROZEN else None

    return sim.wait_for(find, timeout=20)


def carried(q, gravity, mass=0.0, com=(0.0, 0.0, 0.0)):
    """Static joint torques of the URDF's arm with a point mass on the flange."""
    import pinocchio as pin

    model = pin.buildModelFromXML(robots.urdf("fr3"))
    model.gravity.linear[:] = gravity
    flange = model.frames[model.getFrameId("link8")]
    body = pin.Inertia(mass, flange.placement.act(np.array(com)), np.zeros((3, 3)))
    model.appendBodyToJoint(flange.parentJoint, body, pin.SE3.Identity())
    return pin.computeGeneralizedGravity(model, model.createData(), q)


@pytest.mark.parametrize(
    ("tilt", "expected"),
    [
        # Turned about its own x axis, the base sees gravity along y; on the ceiling upside down.
        (0, (0, 0, -9.81)),
        (90, (0, -9.81, 0)),
        (180, (0, 0, 9.81)),
        # Then about the world's y: gravity goes towards +x.
        ((0, 30), (9.81 * math.sin(math.pi / 6), 0, -9.81 * math.cos(math.pi / 6))),
    ],
)
def test_a_tilted_base_tells_its_gravity_and_the_arm_holds_itself(tilt, expected):
    with franka_sim.serve(port=0, clock="lockstep", base_tilt=tilt) as sim:
        row = settled(sim)
        start = sim.history()[0]
    np.testing.assert_allclose(row["O_ddP_O"], expected, atol=1e-12)
    np.testing.assert_allclose(row["tau_J"], carried(row["q"], expected), atol=CREEP)
    # Its model knows: nothing sagged.
    np.testing.assert_allclose(row["q"], start["q"], atol=1e-6)


@pytest.mark.parametrize(
    ("tool", "mass", "com"), [("hand", 0.73, (-0.01, 0, 0.03)), ("pump", 1.01, (0, 0, 0.063))]
)
def test_a_tool_is_told_and_carried(tool, mass, com):
    """robot-model.md 6: the fields of Desk's presets."""
    with franka_sim.serve(port=0, clock="lockstep", end_effector=tool) as sim:
        row = settled(sim)
        start = sim.history()[0]
    assert row["m_ee"] == mass
    assert row["F_x_Cee"].tolist() == list(com)
    assert row["I_ee"].any()
    np.testing.assert_array_equal(row["F_T_EE"], row["F_T_NE"])
    assert row["F_T_NE"][14] == {"hand": 0.1034, "pump": 0.105}[tool]
    expected = carried(row["q"], (0, 0, -9.81), mass, com)
    np.testing.assert_allclose(row["tau_J"], expected, atol=CREEP)
    np.testing.assert_allclose(row["q"], start["q"], atol=1e-6)
    # Two of three digits of a millimetre below the flange of the ready pose.
    bare = np.array([0.306891, 0, 0.590282])
    np.testing.assert_allclose(row["O_T_EE"][12:15], bare - [0, 0, row["F_T_NE"][14]], atol=1e-5)


def test_a_tool_that_is_no_file_is_refused_in_one_sentence(tmp_path):
    with pytest.raises(franka_sim.ConfigError, match=r"^end_effector: cannot read .*gone"):
        franka_sim.serve(port=0, end_effector=tmp_path / "gone.json")
