"""Errors as a client sees them; names and order from wire.md 8 (hand copy in fake_engine)."""

import copy

import fake_engine
import pytest

from franka_sim.errors import ERROR_NAMES, Errors


def test_there_are_41_errors_in_the_order_of_the_wire():
    assert list(ERROR_NAMES) == fake_engine.ERROR_NAMES
    assert len(ERROR_NAMES) == 41


def test_no_error_set_means_any_is_false_and_no_names():
    errors = Errors()
    assert not errors.any()
    assert not errors
    assert errors.names() == ()
    assert str(errors) == "[]"


def test_a_set_flag_is_seen_by_index_name_attribute_and_text():
    flags = [0.0] * 41
    flags[3] = flags[25] = 1.0
    errors = Errors(flags)
    assert errors.any()
    assert errors.names() == ("joint_velocity_violation", "communication_constraints_violation")
    assert errors.get("joint_velocity_violation")
    assert errors.joint_velocity_violation
    assert not errors.joint_reflex
    assert errors[25]
    assert not errors[24]
    assert str(errors) == '["joint_velocity_violation", "communication_constraints_violation"]'


def test_an_unknown_name_is_not_set_but_no_attribute_and_no_index():
    errors = Errors([1] * 41)
    assert errors.get("no_such_error") is False
    with pytest.raises(AttributeError, match="no_such_error"):
        _ = errors.no_such_error
    with pytest.raises(KeyError):
        Errors.index_of("no_such_error")


@pytest.mark.parametrize(
    ("member", "printed", "index"),
    [
        (
            "cartesian_position_motion_generator_invalid_frame",
            "cartesian_position_motion_generator_invalid_frame_flag",
            31,
        ),
        ("tau_j_range_violation", "tau_J_range_violation", 34),
    ],
)
def test_the_two_members_spelled_unlike_their_print_work_under_both(member, printed, index):
    """wire.md 8, "naming trap"."""
    errors = Errors.of(member)
    assert errors.names() == (printed,)
    assert errors.get(member)
    assert errors.get(printed)
    assert getattr(errors, member)
    assert Errors.index_of(member) == Errors.index_of(printed) == index


def test_another_number_of_flags_is_refused():
    with pytest.raises(ValueError, match="41 error flags, not 37"):
        Errors([False] * 37)


def test_errors_compare_hash_and_copy_as_values():
    a, b = Errors.of("joint_reflex"), Errors.of("joint_reflex")
    assert a == b
    assert hash(a) == hash(b)
    assert a != Errors()
    assert copy.deepcopy(a) == a
