"""Every number of RobotState moves when what it means moves, or its row says that it never does.

One robot is set up, driven, pushed, guided and stopped; another has a tool and a tilted base. What
stayed the same in both is compared with the table of field meanings.
"""

from __future__ import annotations

import json

import numpy as np
import pytest
from cartesian import columns_of, commands, matrix, minimum_jerk, path
from raw_client import RawClient
from trajectories import only, quintic, quintic_velocity

from franka_sim import _engine

#: field -> unit, frame, origin, meaning, source.
MEANING = {name: row for name, *row in _engine.field_meanings()}
#: Elements that no robot moves, whatever happens: last rows of transforms; index -> reason.
LAST_ROW = (3, 7, 11, 15)
#: The elbow's second number is a branch: it has no speed (libfranka's delbow_c, ddelbow_c).
WITHOUT_SPEED = {"delbow_c": {1}, "ddelbow_c": {1}}
FLAGS = ("errors", "reflex_reason")  # 41 each; tests of their own raise what can be raised
TURNED = (0.8, 0.6, 0, 0, -0.6, 0.8, 0, 0, 0, 0, 1.0, 0, 0.01, 0.02, 0.1, 1.0)
LEANING = (1.0, 0, 0, 0, 0, 0.8, 0.6, 0, 0, -0.6, 0.8, 0, 0.03, -0.02, 0.05, 1.0)
#: Both turns, one after the other and back, so that no element of a rotation stays.
TILTED = columns_of((matrix(TURNED) @ matrix(LEANING) @ matrix(TURNED))[np.newaxis])[0]
#: A tool none of whose numbers is zero.
TOOL = {
    "params": {
        "mass": 0.4,
        "centerOfMass": {"x": 0.01, "y": -0.02, "z": 0.05},
        "inertia": {
            "x11": 3e-3, "x12": 1e-4, "x13": 2e-4, "x22": 2e-3, "x23": -1e-4, "x33": 2.5e-3,
        },
        "transformation": {
            "translation": {"x": 0.01, "y": 0.02, "z": 0.15},
            "rotation": {"roll": 0.2, "pitch": -0.3, "yaw": 0.785},
        },
    }
}  # fmt: skip


def drive(server, raw: RawClient) -> None:
    """Set, move and disturb everything a client and its surroundings can."""
    lots = [1000.0] * 7
    raw.set_collision_behavior(lots, lots, lots[:6], lots[:6])
    raw.set_NE_to_EE(TILTED)
    raw.set_EE_to_K(TILTED)
    raw.set_load(0.3, [0.01, 0.02, 0.03], [2e-3, 1e-4, 2e-4, 1e-4, 3e-3, 3e-4, 2e-4, 3e-4, 4e-3])

    # Joint positions: all joints, joint 4 past the branch of the elbow.
    start = raw.start("kJointPosition", "kJointImpedance").q_d
    way = (0.3, 0.4, -0.3, 2.1, 0.4, 0.5, -0.4)
    for sign in (1, -1):
        begin = start if sign > 0 else [q + w for q, w in zip(start, way, strict=True)]
        samples = [
            {"q_c": [q + sign * quintic(w, 4.0, k) for q, w in zip(begin, way, strict=True)]}
            for k in range(4001)
        ]
        assert raw.play(samples).status is None
    assert raw.finish(**samples[-1]) == "kSuccess"

    # Joint velocities under the other controller, all at once.
    raw.start("kJointVelocity", "kCartesianImpedance")
    samples = [{"dq_c": [quintic_velocity(0.1, 1.0, k)] * 7} for k in range(1001)]
    assert raw.play(samples).status is None
    assert raw.finish(**samples[-1]) == "kSuccess"

    # A pose with an elbow.
    begin = raw.start("kCartesianPosition", "kJointImpedance")
    profile = minimum_jerk(1.5)
    samples = commands(path(begin.O_T_EE_d, (0.05, 0.04, -0.06), (0.2, -0.1, 0.15), profile))
    q3, branch = begin.elbow_d
    for sample, s in zip(samples, profile.tolist(), strict=True):
        sample |= {"elbow_c": (q3 + 0.2 * s, branch), "valid_elbow": True}
    assert raw.play(samples).status is None
    assert raw.finish(**samples[-1]) == "kSuccess"

    # A twist about and along every axis.
    raw.start("kCartesianVelocity", "kJointImpedance")
    shape = [quintic_velocity(1.0, 1.0, k) for k in range(1001)]
    samples = [{"O_dP_EE_c": [0.03 * s] * 3 + [0.05 * s] * 3} for s in shape]
    assert raw.play(samples).status is None
    assert raw.finish(**samples[-1]) == "kSuccess"

    # Torques, and a hand that pushes meanwhile.
    raw.start("kNone", "kExternalController")
    samples = [{"tau_J_d": only(k // 20, 0.5)} for k in range(140)]
    assert raw.play(samples).status is None
    assert raw.finish(tau_J_d=[0.0] * 7) == "kSuccess"

    # The load was never there: it would read as a force.
    raw.set_load(0.0, [0.0] * 3, [0.0] * 9)

    # Contacts and collisions: each joint and each axis of K once, all others numb.
    for index in range(13):
        torque, force = list(lots), lots[:6]
        if index < 7:
            torque[index] = 2.0
            push = {"link": f"link{index + 1}", "frame": "link", "torque": (0.0, 0.0, 8.0)}
        else:
            # Along and about this axis of K, which is turned in EE.
            axis = matrix(TILTED)[:3, (index - 7) % 3]
            push = {"link": "EE", "frame": "link"}
            push |= {"force": 15.0 * axis} if index < 10 else {"torque": 6.0 * axis}
            force[index - 7] = 3.0
        lower = [0.5 * limit for limit in torque], [0.5 * limit for limit in force]
        assert raw.set_collision_behavior(lower[0], torque, lower[1], force) == "kSuccess"
        server.push(duration=0.2, **push)
        raw.read_until(lambda s: s.robot_mode == "kReflex", "a collision")
        raw.read_until(lambda s: max(map(abs, s.O_F_ext_hat_K)) < 1.0, "nobody pushing")
        assert raw.automatic_error_recovery() == "kSuccess"
        # States wait in the socket: the next reflex must not be mistaken for this one.
        raw.read_until(lambda s: s.robot_mode == "kIdle", "recovered")
    raw.set_collision_behavior(lots, lots, lots[:6], lots[:6])

    server.guiding(True)
    raw.read_until(lambda s: s.robot_mode == "kGuiding", "guiding")
    server.guiding(False)
    server.user_stop(True)
    raw.read_until(lambda s: s.robot_mode == "kUserStopped", "user stop")
    server.user_stop(False)
    raw.read_until(lambda s: s.robot_mode == "kIdle", "idle")


@pytest.fixture(scope="module")
def seen(module_serve, tmp_path_factory) -> dict[str, np.ndarray]:
    """All that was published: field -> (cycles, elements)."""
    rows = []
    with module_serve(history=100_000, strict=True) as server, RawClient(server.host) as raw:
        drive(server, raw)
        rows.append(server.history())
    tool = tmp_path_factory.mktemp("tool") / "tool.json"
    tool.write_text(json.dumps(TOOL))
    mounted = module_serve(end_effector=str(tool), base_tilt=(10.0, 20.0))
    with mounted as server, RawClient(server.host) as raw:
        raw.newest_state()
        rows.append(server.history())
    return {
        name: np.concatenate([part[name].reshape(len(part), -1) for part in rows])
        for name in MEANING
    }


@pytest.mark.parametrize("name", MEANING)
def test_each_element_of_a_field_moves_unless_its_row_says_it_is_constant(seen, name):
    values = seen[name]
    moved = np.ptp(values.astype(float), axis=0) > 0
    _, _, origin, _, source = MEANING[name]
    if origin == "constant":
        assert not moved.any()
        assert source
        return
    if name in FLAGS:
        assert moved.any()
        return
    still = set(np.flatnonzero(~moved).tolist())
    still -= WITHOUT_SPEED.get(name, set())
    if values.shape[1] == 16:
        still -= set(LAST_ROW)
    assert not still, f"elements {sorted(still)} of {name} never moved"


def test_every_field_of_the_wire_has_a_meaning_and_a_source():
    assert [row[0] for row in _engine.wire_fields(10)] == list(MEANING)
    for _, _, _, meaning, source in MEANING.values():
        assert meaning
        assert source
