"""RobotState, RobotMode and Duration against libfranka's texts and formulas."""

import numpy as np
import pytest
from fake_engine import STATE_DTYPE

from franka_sim.errors import Errors
from franka_sim.state import Duration, RobotMode, RobotState


def test_modes_print_as_libfranka_prints_them():
    """Texts: wire.md 1.5."""
    assert [str(mode) for mode in RobotMode] == [
        "Other",
        "Idle",
        "Move",
        "Guiding",
        "Reflex",
        "User stopped",
        "Automatic error recovery",
    ]
    assert f"{RobotMode.UserStopped}" == "User stopped"


def test_a_state_has_the_fields_of_its_record_with_libfrankas_names():
    record = np.zeros((), STATE_DTYPE)
    record["message_id"] = 1234
    record["q"] = np.arange(7)
    record["robot_mode"] = 4
    record["errors"][6] = 1
    record["reflex_reason"][25] = 1
    record["control_command_success_rate"] = 0.97
    state = RobotState(record)
    assert state.time == Duration(1234)
    assert state.time.to_sec() == pytest.approx(1.234)
    assert state.robot_mode is RobotMode.Reflex
    assert state.current_errors == Errors.of("joint_reflex")
    assert state.last_motion_errors == Errors.of("communication_constraints_violation")
    assert state.control_command_success_rate == 0.97
    assert state.q.tolist() == [0, 1, 2, 3, 4, 5, 6]
    assert state.O_T_EE.shape == (16,)
    with pytest.raises(AttributeError, match="no_such"):
        _ = state.no_such


def test_a_state_is_a_snapshot_that_nobody_can_change():
    record = np.zeros((), STATE_DTYPE)
    state = RobotState(record)
    record["q"] = 1.0
    assert not state.q.any()
    with pytest.raises(ValueError, match="read-only"):
        state.q[0] = 1.0


def test_totals_combine_end_effector_and_load_about_their_common_centre():
    """Two point masses of 1 and 3 kg, 1 m apart along x: reduced mass 3/4 kg across the axis."""
    record = np.zeros((), STATE_DTYPE)
    record["m_ee"], record["m_load"] = 1.0, 3.0
    record["F_x_Cload"] = [1.0, 0.0, 0.0]
    state = RobotState(record)
    assert state.m_total == 4.0
    assert state.F_x_Ctotal.tolist() == [0.75, 0.0, 0.0]
    assert np.allclose(state.I_total.reshape(3, 3), np.diag([0.0, 0.75, 0.75]))


def test_no_mass_at_all_has_its_centre_at_the_flange():
    state = RobotState(np.zeros((), STATE_DTYPE))
    assert state.F_x_Ctotal.tolist() == [0, 0, 0]
    assert not state.I_total.any()


def test_durations_order_and_subtract():
    assert Duration(3) - Duration(1) == Duration(2)
    assert Duration(1) < Duration(2) <= Duration(2)
    assert Duration(5).to_msec() == 5
