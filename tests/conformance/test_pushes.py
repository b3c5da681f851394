"""Pushes in the real plant: what the joints carry is the transposed Jacobian times the wrench.

Expected torques come from pinocchio on the served URDF.
"""

from __future__ import annotations

import numpy as np
import pytest
from needs import needs

import franka_sim
from franka_sim import robots

FROZEN = 1 << 4  # history.hpp kFrozen
# Inertia of an arm that creeps to rest below 1e-4 rad/s; 0.05 % of what the joints carry [Nm].
CREEP = 5e-3

pytestmark = needs("pinocchio", "pin")


@pytest.fixture
def sim():
    with franka_sim.serve(port=0, clock="lockstep") as sim:
        yield sim


def settled(sim, after: int) -> np.void:
    """The first state after cycle `after` in which the world stands still."""

    def find(s):
        rows = s.history(1)
        row = rows[-1] if len(rows) else None
        still = row is not None and row["message_id"] > after + 60 and row["flags"] & FROZEN
        return row if still else None

    return sim.wait_for(find, timeout=20)


class Expected:
    """Gravity and Jacobians of the bare arm."""

    def __init__(self) -> None:
        import pinocchio

        self._pin = pinocchio
        self._model = pinocchio.buildModelFromXML(robots.urdf("fr3"))
        self._data = self._model.createData()

    def gravity(self, q) -> np.ndarray:
        return self._pin.computeGeneralizedGravity(self._model, self._data, q)

    def torque(self, q, frame, force, torque, point, in_frame) -> np.ndarray:
        """J^T of a wrench at `point` of `frame`."""
        pin = self._pin
        pin.computeJointJacobians(self._model, self._data, q)
        pin.updateFramePlacements(self._model, self._data)
        number = self._model.getFrameId(frame)
        J = pin.getFrameJacobian(self._model, self._data, number, pin.LOCAL_WORLD_ALIGNED)
        R = self._data.oMf[number].rotation
        f, m = (R @ force, R @ torque) if in_frame else (force, torque)
        return J.T @ np.concatenate([f, m + np.cross(R @ point, f)])


CASES = [
    ("flange", (0, 0, -10), (0, 0, 0), "O", (0, 0, 0), "link8"),
    ("flange", (3, -4, 5), (0.3, 0.2, -0.1), "link", (0.05, -0.02, 0.1), "link8"),
    ("EE", (8, 0, 0), (0, 0, 1), "O", (0, 0, 0), "link8"),
    ("link4", (0, 6, -6), (1, 0, 0), "link", (0.02, 0.1, 0), "link4"),
    ("link2", (5, 5, 5), (0, 0, 0), "O", (0, -0.1, 0.05), "link2"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}-{case[3]}")
def test_the_joints_carry_a_push(sim, case):
    link, force, torque, frame, point, urdf_frame = case
    expected = Expected()
    sim.push(link, force, torque, frame=frame, point=point)
    row = settled(sim, sim.state.message_id)
    q = row["q"]
    push = expected.torque(
        q, urdf_frame, np.array(force), np.array(torque), np.array(point), frame == "link"
    )
    # The sensor sees the links only: gravity less what holds them from outside (rm 5).
    np.testing.assert_allclose(row["tau_J"], expected.gravity(q) - push, atol=CREEP)
    sim.release()
    row = settled(sim, sim.state.message_id)
    np.testing.assert_allclose(row["tau_J"], expected.gravity(row["q"]), atol=CREEP)


def test_a_push_on_the_base_moves_nothing(sim):
    before = settled(sim, 0)["q"]
    sim.push("link0", (100, 0, 0))
    after = settled(sim, sim.state.message_id)["q"]
    # The world runs while the push begins; only the creep of an arm at rest is left.
    np.testing.assert_allclose(after, before, atol=1e-6)


def test_a_push_with_an_end_is_over_when_the_world_stands_still_again(sim):
    sim.push("flange", (0, 0, -20), shape="pulse", duration=0.1)
    row = settled(sim, sim.state.message_id)
    np.testing.assert_allclose(row["tau_J"], Expected().gravity(row["q"]), atol=CREEP)
    rows = sim.history()
    # It was felt: 20 N at 0.55 m and 0.49 m of the joints that carry it.
    assert np.ptp(rows["tau_J"][:, 1]) > 5
