"""What lines look like, for programs and for users of the library."""

import io
import json
import logging

import pytest

from franka_sim.log.setup import configure, logger


@pytest.fixture(autouse=True)
def _as_before():
    target = logging.getLogger("franka_sim")
    before = (target.handlers[:], target.level, target.propagate)
    yield
    target.handlers[:], target.level, target.propagate = before


def test_json_lines_are_one_object_each_with_event_level_time_and_fields():
    out = io.StringIO()
    configure("info", json_lines=True, stream=out)
    logger().info("serving", port=1337)
    logger().debug("not shown")
    (line,) = out.getvalue().splitlines()
    row = json.loads(line)
    assert (row["event"], row["level"], row["port"]) == ("serving", "info", 1337)
    assert "timestamp" in row


def test_console_lines_are_plain_where_there_is_no_terminal():
    out = io.StringIO()
    configure("warning", stream=out)
    logger().info("not shown")
    logger().warning("100 % lost", count=3)
    assert "100 % lost" in out.getvalue()
    assert "count=3" in out.getvalue()
    assert "\x1b" not in out.getvalue()


def test_configuring_twice_does_not_say_things_twice():
    out = io.StringIO()
    configure(stream=io.StringIO())
    configure(stream=out)
    logger().info("once")
    assert out.getvalue().count("once") == 1


def test_a_user_of_the_library_gets_ordinary_log_records(caplog):
    with caplog.at_level(logging.INFO, "franka_sim"):
        logger().info("client connected", peer="127.0.0.1:5")
    assert caplog.messages == ["client connected peer='127.0.0.1:5'"]


def test_a_record_is_shown_by_json_lines_alone():
    record = {"error": "tau_J_range_violation", "value": 90.0, "joint": 1}
    for json_lines in (True, False):
        out = io.StringIO()
        configure("info", json_lines=json_lines, stream=out)
        logger().warning("motion limit violated", record=record)
        if json_lines:
            assert json.loads(out.getvalue())["record"] == record
        else:
            assert "tau_J" not in out.getvalue()


def test_a_user_of_the_library_is_not_shown_records(caplog):
    with caplog.at_level(logging.INFO, "franka_sim"):
        logger().warning("motion limit violated", record={"value": 90.0})
    assert caplog.messages == ["motion limit violated"]
