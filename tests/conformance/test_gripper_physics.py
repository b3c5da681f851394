"""The hand as a part of the world: the protocol's behaviour, and a cube on a table (Show 4)."""

from __future__ import annotations

import random

import pytest
from needs import needs
from raw_gripper import RawGripper

PORT = 1338
#: The cube stands between the open fingers of an arm in its ready pose, on a block.
SCENE = """
<mujoco model="lift">
  <worldbody>
    <geom name="block" type="box" size="0.1 0.1 0.2" pos="0.307 0 0.26"/>
    <body name="cube" pos="0.3069 0 0.4852">
      <freejoint/>
      <geom type="box" size="0.025 0.025 0.025" mass="0.2" priority="1" condim="4"
            friction="{friction} 0.005 0.0001"/>
    </body>
  </worldbody>
</mujoco>
"""
ON_BLOCK, LIFT, FORCE = 0.485, 0.1, 20.0
FROZEN = 1 << 4


@pytest.fixture
def scene(tmp_path):
    def write(friction: float) -> str:
        path = tmp_path / f"cube_{friction}.xml"
        path.write_text(SCENE.format(friction=friction))
        return str(path)

    return write


def gripper(run_client, sim, *script):
    """Calls of pylibfranka's gripper."""
    report = run_client(
        "gripper", sim.host, "calls", library="pylibfranka", script=[list(c) for c in script]
    )
    return report["calls"]


def lift(run_client, sim):
    """A twist of pylibfranka's arm, straight up."""
    report = run_client(
        "pylibfranka",
        sim.host,
        "cartesian",
        kind="velocity",
        controller="joint",
        shift=[0.0, 0.0, LIFT],
        turn=[0.0, 0.0, 0.0],
        seconds=2.0,
    )
    assert report["aborted"]["raised"] is None, report["aborted"]


def stands(sim) -> bool:
    """Whether the lockstep world has come to rest (kFrozen, engine/history.hpp)."""
    return bool(sim.history(1)["flags"][0] & FROZEN)


def cube_height(sim) -> float:
    """Of its centre [m]; the simulation ends with it."""
    plant = sim._engine.plant
    sim.stop()
    return float(plant.data.qpos[-5])


@needs("pylibfranka", "pylibfranka")
def test_a_cube_is_lifted_and_held(serve, run_client, scene):
    """Show 4: 50 mm, 0.2 kg, 20 N, friction 1: held for 5 s after the lift."""
    sim = serve(gripper_physics=True, scene=scene(1.0), idle="run")
    (grasp,) = gripper(run_client, sim, ["grasp", 0.05, 0.1, FORCE])
    assert grasp["result"] is True
    assert grasp["after"]["width"] == pytest.approx(0.05, abs=0.003)
    lift(run_client, sim)
    with RawGripper(sim.host, PORT) as client:
        first = client.fresh_state()
        states = [first]
        while states[-1].message_id < first.message_id + 5000:
            states.append(client.state())
    assert all(state.is_grasped for state in states)
    assert sim.hand.state.force == pytest.approx(FORCE, rel=0.02)
    assert cube_height(sim) == pytest.approx(ON_BLOCK + LIFT, abs=0.005)


@needs("pylibfranka", "pylibfranka")
def test_a_cube_that_is_let_go_falls(serve, run_client, scene):
    """Show 4: lets go."""
    sim = serve(gripper_physics=True, scene=scene(1.0))
    gripper(run_client, sim, ["grasp", 0.05, 0.1, FORCE])
    lift(run_client, sim)
    assert sim.hand.state.is_grasped
    (move,) = gripper(run_client, sim, ["move", 0.08, 0.1])
    assert move["result"] is True
    assert move["after"]["is_grasped"] is False
    end = sim.hand.state.cycle
    sim.wait_for(lambda sim: sim.hand.state.cycle > end + 1000)
    assert cube_height(sim) == pytest.approx(ON_BLOCK, abs=0.003)


@needs("pylibfranka", "pylibfranka")
def test_a_slippery_cube_is_lost(serve, run_client, scene):
    """Show 4: friction 0.04: 2 x 0.04 x 20 N = 1.6 N do not carry 0.2 kg x 9.81 m/s2 = 1.96 N."""
    sim = serve(gripper_physics=True, scene=scene(0.04))
    (grasp,) = gripper(run_client, sim, ["grasp", 0.05, 0.1, FORCE])
    assert grasp["result"] is True
    assert grasp["after"]["is_grasped"] is True
    lift(run_client, sim)
    assert sim.hand.state.is_grasped is False
    assert cube_height(sim) == pytest.approx(ON_BLOCK, abs=0.003)


@needs("pylibfranka", "pylibfranka")
def test_the_arm_feels_the_cube(serve, run_client, scene):
    """0.2 kg at x = 0.307 m load joint 2, whose axis is at x = 0, with 0.60 Nm."""
    torques = {}
    for held in (False, True):
        sim = serve(gripper_physics=True, scene=scene(1.0))
        if held:
            gripper(run_client, sim, ["grasp", 0.05, 0.1, FORCE])
        lift(run_client, sim)
        sim.wait_for(stands, timeout=30.0)
        torques[held] = float(sim.state.tau_J[1])
        sim.stop()
    assert abs(torques[True] - torques[False]) == pytest.approx(0.2 * 9.81 * 0.307, abs=0.05)


def test_homing_finds_the_stroke_and_a_move_takes_its_time(serve):
    """The numbers of Show 1 with fingers that physics moves."""
    sim = serve(gripper_physics=True, unhomed=True)
    with RawGripper(sim.host, PORT) as client:
        assert client.call("Homing") == "kSuccess"
        assert client.fresh_state().max_width == pytest.approx(0.08, abs=5e-4)
        assert client.call("Move", 0.0, 0.1) == "kSuccess"
        begin = sim.hand.state.cycle
        assert client.call("Move", 0.07, 0.02) == "kSuccess"
        assert sim.hand.state.cycle - begin == pytest.approx(3500, abs=200)
        assert sim.hand.state.width == pytest.approx(0.07, abs=5e-4)
        assert client.call("Grasp", 0.0, 0.005, 0.005, 0.1, FORCE) == "kSuccess"
        assert client.call("Grasp", 0.04, 0.005, 0.005, 0.1, FORCE) == "kUnsuccessful"


def test_stop_halts_in_place(serve):
    """Show 1: 0.5 s into 0.02 m/s."""
    sim = serve(gripper_physics=True)
    with RawGripper(sim.host, PORT) as client:
        begin = sim.hand.state
        move = client.send("Move", 0.0, 0.02)
        sim.wait_for(lambda sim: sim.hand.state.doing == "Moving")
        start = sim.hand.state.cycle
        sim.wait_for(lambda sim: sim.hand.state.cycle >= start + 500)
        asked = sim.hand.state.cycle
        assert client.call("Stop") == "kSuccess"
        answered = sim.hand.state.cycle
        assert client.status_of(move) == "kAborted"
        halted = client.fresh_state().width
        least, most = (0.02e-3 * (cycle - start) for cycle in (asked, answered))
        assert least - 0.001 <= begin.width - halted <= most + 0.001
        widths = [client.state().width for _ in range(60)]
    assert max(widths) - min(widths) < 5e-5


@pytest.mark.parametrize(("epsilon", "status"), [(0.001, "kUnsuccessful"), (0.005, "kSuccess")])
def test_a_grasp_of_an_object_of_the_options_is_judged_on_its_width(serve, epsilon, status):
    """Show 1; reference 000: the physics hand's drive is held at the object's width."""
    sim = serve(gripper_physics=True, gripper_object_width=0.02)
    with RawGripper(sim.host, PORT) as client:
        assert client.call("Grasp", 0.018, epsilon, epsilon, 0.1, FORCE) == status
        assert client.fresh_state().is_grasped is (status == "kSuccess")
        assert client.fresh_state().width == pytest.approx(0.02, abs=7e-4)


def test_a_stalled_grasp_is_released_by_another_connection(serve):
    """Show 2."""
    sim = serve(gripper_physics=True)
    sim.hand.stall(3600.0)
    with RawGripper(sim.host, PORT) as one, RawGripper(sim.host, PORT) as other:
        grasp = one.send("Grasp", 0.0, 0.005, 0.005, 0.1, FORCE)
        start = sim.hand.state.cycle
        sim.wait_for(lambda sim: sim.hand.state.cycle >= start + 1000)
        assert not one.answered(grasp)
        assert other.call("Stop") == "kSuccess"
        assert one.status_of(grasp) == "kAborted"


@pytest.mark.parametrize("seed", range(4))
def test_random_commands_and_interruptions_never_hang(serve, seed):
    """Show 2 on physics: 4 x 50 commands of two connections, each answered once, by its status."""
    draw = random.Random(seed)
    width = draw.choice([0.0, 0.02, 0.05])
    sim = serve(gripper_physics=True, gripper_object_width=width, clock="scaled", scale=10.0)
    with RawGripper(sim.host, PORT) as one, RawGripper(sim.host, PORT) as other:
        asked = []
        for _ in range(50):
            client = draw.choice([one, other])
            name, values = draw.choice(
                [
                    ("Homing", ()),
                    ("Stop", ()),
                    ("Move", (draw.uniform(0, 0.08), draw.uniform(0.05, 0.2))),
                    ("Grasp", (draw.uniform(0, 0.08), 0.01, 0.01, 0.1, draw.uniform(5, 140))),
                ]
            )
            asked.append((client, name, client.send(name, *values)))
            if draw.random() < 0.5:
                client.status_of(asked.pop()[2])
        for client, name, number in asked:
            status = client.status_of(number)
            assert status == "kSuccess" if name == "Stop" else status != "kFail"


def test_another_end_effector_is_refused_by_name():
    import franka_sim

    with pytest.raises(franka_sim.ConfigError, match="gripper_physics: it acts only with"):
        franka_sim.serve(port=0, gripper_physics=True, end_effector="pump")
