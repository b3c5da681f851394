"""pylibfranka's and franka-rs's grippers against the hand: issue 5, Shows 1 and 2; ASSUMED G4."""

from __future__ import annotations

import concurrent.futures

import pytest
from needs import needs
from raw_gripper import RawGripper

PORT = 1338
LIBRARIES = [
    pytest.param("pylibfranka", marks=needs("pylibfranka", "pylibfranka")),
    pytest.param("franka_rs", marks=needs("franka", "franka-rs")),
]


@pytest.fixture(params=LIBRARIES)
def library(request):
    return request.param


def elapsed(call) -> float:
    """Simulated seconds between the states before and after a call."""
    return call["after"]["time"] - call["before"]["time"]


def run(run_client, sim, library, *script):
    report = run_client("gripper", sim.host, "calls", library=library, script=list(script))
    assert report["server_version"] == 3
    return report["calls"]


def test_homing_and_a_slow_move_take_their_time(serve, run_client, library):
    """Show 1: from closed to 0.07 m at 0.02 m/s takes 3.5 +- 0.2 s of simulated time."""
    homing, close, move = run(
        run_client,
        serve(unhomed=True),
        library,
        ["homing"],
        ["move", 0.0, 0.1],
        ["move", 0.07, 0.02],
    )
    assert homing["before"]["max_width"] == 0.0
    assert homing["result"] is True
    assert homing["after"]["max_width"] == pytest.approx(0.08)
    assert close["after"]["width"] == pytest.approx(0.0, abs=2e-4)
    assert move["result"] is True
    assert elapsed(move) == pytest.approx(3.5, abs=0.2)
    assert move["after"]["width"] == pytest.approx(0.07, abs=2e-4)


@pytest.fixture
def blocked(serve, run_client, library):
    """Have a client of the library make one call, in a process of its own, while the test goes on.

    pylibfranka keeps the interpreter's lock during a call: nothing else runs in its process.
    """
    with concurrent.futures.ThreadPoolExecutor() as pool:

        def call(sim, *script):
            return pool.submit(run, run_client, sim, library, list(script))

        yield call


def test_a_stop_from_a_second_connection_halts_the_fingers_in_place(serve, blocked):
    """Show 1: a stop 0.5 s into a move at 0.02 m/s, some 10 mm; then the width is constant.

    How late a stop of a busy machine arrives is not the hand's business: it halts where it is.
    That a stop is answered within 0.2 s is pinned in test_gripper_hand.cpp.
    """
    sim = serve()
    with RawGripper(sim.host, PORT) as other:
        moving = blocked(sim, "move", 0.0, 0.02)
        begin = sim.wait_for(lambda sim: (s := sim.hand.state).doing == "Moving" and s, 60)
        sim.wait_for(lambda sim: sim.hand.state.cycle >= begin.cycle + 500)
        asked = sim.hand.state.cycle
        assert other.call("Stop") == "kSuccess"
        answered = sim.hand.state.cycle
        halted = other.fresh_state().width
        least, most = (0.02e-3 * (cycle - begin.cycle) for cycle in (asked, answered))
        assert least - 0.001 <= begin.width - halted <= most + 0.001
        assert {other.state().width for _ in range(30)} == {halted}
    (call,) = moving.result()
    assert "aborted" in call["error"]["text"].lower()


@pytest.mark.parametrize(
    ("object_width", "grasp", "result"),
    [
        (0.02, [0.018, 0.1, 20.0, 0.001, 0.001], False),
        (0.02, [0.018, 0.1, 20.0, 0.005, 0.005], True),
        (0.0, [0.0, 0.1, 20.0], True),
        (0.0, [0.04, 0.1, 20.0], False),
    ],
)
def test_a_grasp_is_judged_on_the_stalled_width(
    serve, run_client, library, object_width, grasp, result
):
    """Show 1: 20 mm object, target 18 mm; grasp(0.0) and grasp(0.04) in free space."""
    sim = serve(gripper_object_width=object_width)
    (call,) = run(run_client, sim, library, ["grasp", *grasp])
    assert call["result"] is result
    assert call["after"]["is_grasped"] is result
    assert call["after"]["width"] == pytest.approx(object_width, abs=5e-4)


def test_a_width_out_of_range_is_a_failed_command(serve, run_client, library):
    """Robot-model.md 11; wire.md 4.1: kFail is an exception of the client."""
    (call,) = run(run_client, serve(), library, ["move", 0.09, 0.1])
    assert call["result"] is None
    assert "failed" in call["error"]["text"].lower()


def test_a_client_blocked_in_a_stalled_grasp_is_released_by_another_connection(
    serve, run_client, library, blocked
):
    """Show 2: the fingers are stuck and the grasp does not end; another client stops it."""
    sim = serve()
    sim.hand.stall(3600.0)
    grasping = blocked(sim, "grasp", 0.0, 0.1, 20.0)
    begin = sim.wait_for(lambda sim: (s := sim.hand.state).doing == "Grasping" and s, 60)
    sim.wait_for(lambda sim: sim.hand.state.cycle >= begin.cycle + 1000)
    assert not grasping.done()
    (stop,) = run(run_client, sim, library, ["stop"])
    assert stop["result"] is True
    (grasp,) = grasping.result()
    assert "aborted" in grasp["error"]["text"].lower()
    assert grasp["after"]["width"] == begin.width


def test_a_client_that_leaves_lets_nothing_fall(serve):
    """ASSUMED G4: its command runs on, what is held stays held."""
    sim = serve(gripper_object_width=0.03)
    with RawGripper(sim.host, PORT) as client:
        client.send("Grasp", 0.03, 0.005, 0.005, 0.02, 20.0)
        sim.wait_for(lambda sim: sim.hand.state.doing == "Grasping")
    sim.wait_for(lambda sim: sim.hand.state.is_grasped, timeout=30)
    with RawGripper(sim.host, PORT) as client:
        assert client.state().is_grasped
