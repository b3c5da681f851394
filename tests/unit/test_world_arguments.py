"""Pushes as a script asks for them: what reaches the core, and what is refused in one sentence."""

import pytest
from fake_engine import FakeEngine

from franka_sim import assembly
from franka_sim.config import load
from franka_sim.simulation import Simulation


@pytest.fixture
def engine():
    return FakeEngine()


@pytest.fixture
def sim(engine, monkeypatch):
    monkeypatch.setattr(assembly, "robot_model", lambda config: b"<robot name='fr3'/>")
    with Simulation(load({"port": 0}), lambda config, host: engine) as sim:
        yield sim


def test_a_push_reaches_the_core_in_its_words(sim, engine):
    sim.push("EE", (1, 2, 3), (0, 0, 4), frame="link", point=(0, 0, 0.1), duration=0.5)
    assert engine.wait_for_call("push")[1] == {
        "link": 7,
        "anchor": "EE",
        "in_O": False,
        "force": [1.0, 2.0, 3.0],
        "torque": [0.0, 0.0, 4.0],
        "point": [0.0, 0.0, 0.1],
        "shape": "step",
        "start": "now",
        "cycle": 0,
        "duration": 500,
        "rise": 0,
    }


def test_a_push_without_end_lasts_until_it_is_released(sim, engine):
    sim.push("link4", at_motion_cycle=100)
    sim.release()
    arguments = engine.wait_for_call("push")[1]
    assert arguments["duration"] is None
    assert (arguments["link"], arguments["anchor"]) == (4, "link")
    assert (arguments["start"], arguments["cycle"]) == ("motion_cycle", 100)
    assert engine.calls[-1] == ("release",)


def test_a_ramp_rises_over_its_duration_unless_told_otherwise(sim, engine):
    sim.push(shape="ramp", duration=2.0)
    sim.push(shape="ramp", rise=0.5, at_cycle=7)
    assert engine.wait_for_call("push", 1)[1]["rise"] == 2000
    second = engine.wait_for_call("push", 2)[1]
    assert (second["rise"], second["duration"]) == (500, None)
    assert (second["start"], second["cycle"]) == ("cycle", 7)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"link": "link8"}, ("link: 'link8'", "link0", "flange", "EE")),
        ({"force": (1, 2)}, ("force: (1, 2)", "three numbers", "N")),
        ({"force": (1, 2, "x")}, ("force", "three numbers")),
        ({"torque": (0, 0, float("nan"))}, ("torque", "three numbers", "Nm")),
        ({"force": (0, 0, 1e9)}, ("force", "from -10000 to 10000 N")),
        ({"point": (0, 0, 11)}, ("point", "from -10 to 10 m")),
        ({"frame": "EE"}, ("frame: 'EE'", "one of O, link")),
        ({"shape": "sine"}, ("shape: 'sine'", "step, ramp, pulse")),
        ({"shape": "pulse"}, ("duration", "a pulse needs one")),
        ({"shape": "ramp"}, ("rise", "a ramp without duration needs it")),
        ({"shape": "ramp", "rise": 2.0, "duration": 1.0}, ("rise: 2.0", "at most the duration")),
        ({"rise": 1.0}, ("rise", "only with shape ramp")),
        ({"duration": 0}, ("duration: 0", "from 0.001 to 86400 s")),
        ({"duration": True}, ("duration: True", "a number")),
        ({"at_cycle": -1}, ("at_cycle: -1", "at least 0 cycles")),
        ({"at_cycle": 1, "at_motion_cycle": 1}, ("at_cycle, at_motion_cycle", "not at both")),
    ],
)
def test_what_makes_no_push_is_refused_in_one_sentence(sim, engine, arguments, words):
    with pytest.raises(ValueError, match=r"^\w+(:|, )") as error:
        sim.push(**arguments)
    text = str(error.value)
    assert all(word in text for word in words), text
    assert "\n" not in text
    assert not [call for call in engine.calls if call[0] == "push"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((0,), ("mass: 0", "greater than 0 and at most 20 kg")),
        ((True,), ("mass: True",)),
        ((float("nan"),), ("mass: nan",)),
        ((1, (0, 0)), ("com: (0, 0)", "three numbers from -1 to 1 m")),
        ((1, (0, 0, 0), (1, 2, 3)), ("inertia", "nine numbers")),
        ((1, (0, 0, 0), (1, 0.5, 0, 0, 1, 0, 0, 0, 1)), ("inertia", "symmetric")),
        ((1, (0, 0, 0), (1, 0, 0, 0, -1, 0, 0, 0, 1)), ("inertia", "positive")),
        ((1, (0, 0, 0), (1, 0, 0, 0, 1, 0, 0, 0, 3)), ("inertia", "the sum of the others")),
    ],
)
def test_what_is_no_payload_is_refused_in_one_sentence(sim, arguments, words):
    with pytest.raises(ValueError, match=r"^\w+: ") as error:
        sim.attach_payload(*arguments)
    text = str(error.value)
    assert all(word in text for word in words), text
    assert "\n" not in text
