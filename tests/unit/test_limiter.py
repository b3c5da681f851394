"""Once a kind and scope, and the sentences that are said."""

from fake_engine import FakeEvent
from hypothesis import given
from hypothesis import strategies as st

from franka_sim.log.limiter import OncePerScope, PerSecond
from franka_sim.log.narrator import Narrator
from franka_sim.server.faults import FaultCounter

VIOLATION = {
    "error": "joint_motion_generator_velocity_discontinuity",
    "signal": "q_c",
    "unit": "rad/s^2",
    "joint": 3,
    "value": 294.3953,
    "limit": 10.0,
    "enforced": False,
}


class Lines:
    """A logger that keeps what it was told."""

    def __init__(self):
        self.lines = []

    def _keep(self, text, **rest):
        self.lines.append((text, rest))

    debug = info = warning = error = _keep

    @property
    def texts(self):
        return [text for text, _ in self.lines]


@given(st.lists(st.integers(0, 3)))
def test_exactly_the_first_of_a_kind_passes_and_the_rest_is_counted(kinds):
    limiter = OncePerScope()
    passed = [kind for kind in kinds if limiter.first(kind)]
    assert passed == list(dict.fromkeys(kinds))
    assert limiter.suppressed() == {k: kinds.count(k) - 1 for k in passed if kinds.count(k) > 1}


def test_a_new_scope_says_it_again_and_returns_what_the_old_one_held_back():
    limiter = OncePerScope()
    assert limiter.first("a")
    assert not limiter.first("a")
    assert limiter.next_scope() == {"a": 1}
    assert limiter.first("a")
    assert limiter.next_scope() == {}


def test_a_violation_is_said_in_the_form_people_search_for():
    """Reference 000, "Checking is always on; aborting is opt-in"."""
    log = Lines()
    Narrator(log).tell(FakeEvent("violation", data=VIOLATION))
    assert log.texts == [
        "motion limit violated: joint_motion_generator_velocity_discontinuity: "
        "q_c joint 4 = 294.395 rad/s^2, limit 10 rad/s^2 (not enforced)"
    ]


def test_what_is_no_number_is_none_in_the_record():
    """NaN is no JSON."""
    log = Lines()
    Narrator(log).tell(FakeEvent("violation", data={**VIOLATION, "value": float("nan")}))
    ((_, rest),) = log.lines
    assert rest["record"] == {**VIOLATION, "value": None}


def test_an_enforced_violation_without_a_joint_says_so():
    log = Lines()
    data = {**VIOLATION, "joint": -1, "signal": "commands", "unit": "", "enforced": True}
    Narrator(log).tell(FakeEvent("violation", data=data))
    assert log.texts[0].endswith("commands = 294.395, limit 10 (motion aborted)")


def test_each_error_is_said_once_a_motion_and_again_in_the_next():
    log = Lines()
    narrator = Narrator(log)
    for _ in range(2):
        narrator.tell(FakeEvent("motion_started"))
        for _ in range(1000):
            narrator.tell(FakeEvent("violation", data=VIOLATION))
        narrator.tell(FakeEvent("motion_ended", data={"errors": []}))
    said = [text for text in log.texts if text.startswith("motion limit violated")]
    assert len(said) == 2
    held_back = [rest for text, rest in log.lines if "held back" in text]
    assert [rest["count"] for rest in held_back] == [999, 999]


def test_a_notice_is_said_in_words():
    log = Lines()
    narrator = Narrator(log)
    for _ in range(3):
        narrator.tell(FakeEvent("notice", data={"notice": "foreign_datagram"}))
    narrator.tell(FakeEvent("notice", data={"notice": "something_new"}))
    assert len(log.texts) == 2
    assert "client's address" in log.texts[0]
    assert log.texts[1] == "something new"


def test_replies_are_not_talked_about():
    log = Lines()
    Narrator(log).tell(FakeEvent("reply"))
    assert log.lines == []


def test_faults_are_all_counted_and_the_first_of_a_kind_is_logged():
    log = Lines()
    faults = FaultCounter(log)
    for _ in range(1000):
        faults.count("size_too_large", "127.0.0.1:5", "message size 99999")
    faults.count("not_connected", "127.0.0.1:5", "command 2 came before Connect")
    assert faults.snapshot() == {"tcp_size_too_large": 1000, "tcp_not_connected": 1}
    assert [rest["kind"] for _, rest in log.lines] == ["size_too_large", "not_connected"]


def test_a_second_has_room_for_so_many_lines_and_the_next_one_says_how_many_were_held_back():
    now = [100.0]
    limiter = PerSecond(3, clock=lambda: now[0])
    assert [limiter.take() for _ in range(5)] == [0, 0, 0, None, None]
    now[0] += 1.0
    assert limiter.take() == 2
    assert limiter.take() == 0
