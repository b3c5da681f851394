"""What the robot answers in each of its modes: 7 modes x 12 commands, wire.md 5.11.

Also how a client meets brakes, guiding, user stop and a recovery that takes its time.
"""

import pytest
from fci_v10 import pack_doubles, pack_move
from raw_client import RawClient, RejectedError

ONE = (1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0)
HELD_OPEN_S = 60.0  # a recovery that lasts as long as a test looks at it

#: command -> payload of a request whose arguments are right.
REQUESTS = {
    "Move": pack_move("kJointPosition", "kJointImpedance"),
    "StopMove": b"",
    "SetCollisionBehavior": pack_doubles(*([[20.0] * 7] * 4), *([[20.0] * 6] * 4)),
    "SetJointImpedance": pack_doubles([3000.0] * 7),
    "SetCartesianImpedance": pack_doubles([1000.0] * 3, [100.0] * 3),
    "SetGuidingMode": bytes([1] * 7),
    "SetEEToK": pack_doubles(ONE),
    "SetNEToEE": pack_doubles(ONE),
    "SetLoad": pack_doubles([0.5], [0.0] * 3, [1e-3, 0, 0, 0, 1e-3, 0, 0, 0, 1e-3]),
    "AutomaticErrorRecovery": b"",
    "GetRobotModel": b"",
}
SETTERS = tuple(name for name in REQUESTS if name.startswith("Set") and name != "SetGuidingMode")
NO, YES, STARTED = "kCommandNotPossibleRejected", "kSuccess", "kMotionStarted"

#: mode -> (Move, setters, SetGuidingMode, AutomaticErrorRecovery). StopMove, GetRobotModel and
#: Connect succeed in every mode.
TABLE = {
    "kOther": (NO, NO, NO, NO),
    "kIdle": (STARTED, YES, YES, YES),
    "kMove": (STARTED, NO, NO, NO),
    "kGuiding": (NO, NO, YES, NO),
    "kReflex": (NO, NO, NO, YES),
    "kUserStopped": (NO, NO, NO, NO),
    "kAutomaticErrorRecovery": (NO, NO, NO, NO),
}


def expected(mode: str, command: str) -> str:
    """The status that the table has for `command` in `mode`."""
    move, setters, guiding, recovery = TABLE[mode]
    others = {"Move": move, "SetGuidingMode": guiding, "AutomaticErrorRecovery": recovery}
    if command in others:
        return others[command]
    return setters if command in SETTERS else YES


def bring_into(mode: str, server, raw: RawClient) -> None:
    """Put the robot into `mode` and keep it there."""
    if mode == "kOther":
        server.brakes(True)
    elif mode == "kGuiding":
        server.guiding(True)
    elif mode == "kUserStopped":
        server.user_stop(True)
    elif mode == "kMove":
        raw.start("kJointPosition", "kJointImpedance")
    elif mode in ("kReflex", "kAutomaticErrorRecovery"):
        start = raw.start("kJointPosition", "kJointImpedance")
        raw.play([{"q_c": [start.q_d[0] + 0.2, *start.q_d[1:]]}] * 5)
        if mode == "kAutomaticErrorRecovery":
            raw.send_request("AutomaticErrorRecovery")
    raw.read_until(lambda state: state.robot_mode == mode, mode)


@pytest.mark.parametrize("command", REQUESTS)
@pytest.mark.parametrize("mode", TABLE)
def test_each_command_in_each_mode_gets_the_answer_of_the_policy(serve, mode, command):
    server = serve(recovery_time=HELD_OPEN_S if mode == "kAutomaticErrorRecovery" else 0.0)
    with RawClient(server.host) as raw:
        bring_into(mode, server, raw)
        assert raw.request(command, REQUESTS[command]).status == expected(mode, command)
        if expected(mode, command) == NO:
            assert raw.newest_state().robot_mode == mode


@pytest.mark.parametrize("mode", [mode for mode in TABLE if mode != "kMove"])
def test_a_session_can_be_opened_in_each_mode_and_shows_it(serve, mode):
    """A client that reconnects finds the robot as it is; a motion ends with its client."""
    server = serve(recovery_time=HELD_OPEN_S if mode == "kAutomaticErrorRecovery" else 0.0)
    with RawClient(server.host) as first:
        bring_into(mode, server, first)
    with RawClient(server.host) as second:
        # A recovery ends with the client that asked for it; the next one may ask again.
        shown = "kReflex" if mode == "kAutomaticErrorRecovery" else mode
        second.read_until(lambda state: state.robot_mode == shown, shown)


def test_guiding_that_is_asked_for_in_a_motion_begins_when_it_is_over(server, raw):
    """The buttons are held: nothing is accepted and ignored."""
    start = raw.start("kJointPosition", "kJointImpedance")
    raw.play([{"q_c": start.q_d}] * 20)
    server.guiding(True)
    assert raw.play([{"q_c": start.q_d}] * 20).status is None
    assert raw.finish(q_c=start.q_d) == "kSuccess"
    raw.read_until(lambda state: state.robot_mode == "kGuiding", "kGuiding")
    server.guiding(False)
    raw.read_until(lambda state: state.robot_mode == "kIdle", "kIdle")


@pytest.mark.parametrize(
    ("mass", "centre"), [(11.0, [0.0] * 3), (1.0, [9.0] * 3), (1.0, [0.0, -0.6, 0.0])]
)
def test_a_load_no_arm_could_carry_is_refused(raw, mass, centre):
    """An accepted one throws the arm about until nothing but a restart helps."""
    inertia = [1e-3, 0, 0, 0, 1e-3, 0, 0, 0, 1e-3]
    assert raw.set_load(mass, centre, inertia) == "kInvalidArgumentRejected"
    assert raw.newest_state().m_load == 0.0


def test_frames_longer_than_any_tool_are_refused(raw):
    far = [1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 1e9, 1.0]
    assert raw.set_NE_to_EE(far) == "kInvalidArgumentRejected"
    assert raw.set_EE_to_K(far) == "kInvalidArgumentRejected"


def test_a_robot_that_starts_locked_shows_other_until_its_brakes_open(serve):
    server = serve(start="locked")
    with RawClient(server.host) as raw:
        first = raw.newest_state()
        assert first.robot_mode == "kOther"
        with pytest.raises(RejectedError) as refusal:
            raw.start("kJointPosition", "kJointImpedance")
        assert refusal.value.status == NO
        assert raw.newest_state().q == first.q
        server.brakes(False)
        raw.read_until(lambda state: state.robot_mode == "kIdle", "kIdle")
        start = raw.start("kJointPosition", "kJointImpedance")
        assert raw.play([{"q_c": start.q_d}] * 20).status is None
        assert raw.finish(q_c=start.q_d) == "kSuccess"


def test_pylibfranka_names_the_brakes_when_it_meets_a_locked_robot(serve, run_client):
    """wire.md 1.5: in mode Other the text asks whether the brakes are open."""
    server = serve(start="locked")
    said = run_client("pylibfranka", server.host, "refused_motion")["text"]
    assert 'command not possible in the current mode ("Other")' in said
    assert "Did you open the brakes?" in said


@pytest.mark.parametrize("seconds", [0.2, 3.0])
def test_pylibfranka_waits_for_a_recovery_that_takes_its_time(serve, run_client, seconds):
    """needs.md 6: recovery takes 0.2 to 7.3 s on robots, and the client must survive it."""
    server = serve(recovery_time=seconds)
    with RawClient(server.host) as raw:
        bring_into("kReflex", server, raw)
    found = run_client("pylibfranka", server.host, "recover")
    assert found["raised"] is None
    assert found["state"]["robot_mode"] == "Idle"
    rows = server.history()
    shown = rows[rows["robot_mode"] == 6]
    assert len(shown) >= seconds * 1000


def test_a_user_stop_cuts_a_recovery_short(serve):
    """wire.md 1.5: the recovery is answered kEmergencyAborted; released, the reflex is back."""
    server = serve(recovery_time=HELD_OPEN_S)
    with RawClient(server.host) as raw:
        bring_into("kReflex", server, raw)
        recovery = raw.send_request("AutomaticErrorRecovery")
        raw.read_until(lambda s: s.robot_mode == "kAutomaticErrorRecovery", "recovering")
        server.user_stop(True)
        assert raw.reply(recovery).status == "kEmergencyAborted"
        server.user_stop(False)
        state = raw.read_until(lambda s: s.robot_mode == "kReflex", "kReflex")
        assert state.errors


def test_the_user_stop_sets_the_mode_within_a_cycle_and_no_error_bit(server, raw):
    start = raw.start("kJointPosition", "kJointImpedance")
    raw.play([{"q_c": start.q_d}] * 20)
    server.user_stop(True)
    state = raw.read_until(lambda s: s.robot_mode == "kUserStopped", "user stop")
    assert state.errors == ()
    assert raw.terminal_status() == "kEmergencyAborted"
    assert raw.automatic_error_recovery() == NO
    assert raw.newest_state().robot_mode == "kUserStopped"
    rows = server.history()
    stopped = rows[rows["robot_mode"] == 5]
    before = rows[rows["message_id"] == stopped["message_id"][0] - 1][0]
    # The last state before it still shows the motion: nothing in between.
    assert before["robot_mode"] == 2
    server.user_stop(False)
    raw.read_until(lambda s: s.robot_mode == "kIdle", "kIdle")


def test_a_guided_arm_follows_a_push_and_holds_where_it_was_left(server, raw):
    """SetGuidingMode is heeded: what is locked stays, what is free goes with the hand."""
    raw.set_guiding_mode([True, False, True, True, True, True], True)
    server.guiding(True)
    start = raw.read_until(lambda s: s.robot_mode == "kGuiding", "kGuiding")
    x, y = start.O_T_EE[12], start.O_T_EE[13]
    server.push(link="flange", force=(15.0, 15.0, 0.0), duration=0.6)
    moved = raw.read_until(lambda s: s.O_T_EE[12] - x > 0.05, "the arm 50 mm along x")
    assert abs(moved.O_T_EE[13] - y) < 0.01  # 15 N on 3000 N/m, and friction
    assert moved.q_d == pytest.approx(moved.q, abs=1e-6)
    server.guiding(False)
    left = raw.read_until(lambda s: s.robot_mode == "kIdle" and max(map(abs, s.dq)) < 1e-3, "rest")
    for _ in range(500):
        held = raw.read_state()
    assert held.q == pytest.approx(left.q, abs=1e-3)
    start = raw.start("kJointPosition", "kJointImpedance")
    assert raw.play([{"q_c": start.q_d}] * 20).status is None
    assert raw.finish(q_c=start.q_d) == "kSuccess"
