"""Arrays of states and their datagrams: kernels against golden bytes and the one-state codec."""

import json
from pathlib import Path

import numpy as np
import pytest

from franka_sim import _engine, _kernels

GOLDEN = json.loads((Path(__file__).parent.parent / "golden" / "robot_v10.json").read_text())
STATE = next(v for v in GOLDEN["vectors"] if v.get("struct") == "RobotState")


def golden_state():
    state = np.zeros(1, _engine.state_dtype)
    for name, value in STATE["values"].items():
        state[name] = value
    return state


def test_each_of_many_states_encodes_to_the_golden_bytes():
    states = np.repeat(golden_state(), 5)
    states["message_id"][3] = 7
    datagrams = _kernels.encode_states(10, states)
    expected = bytes.fromhex(STATE["hex"])
    assert datagrams.shape == (5, 1377)
    assert datagrams[0].tobytes() == datagrams[4].tobytes() == expected
    assert datagrams[3].tobytes() == (7).to_bytes(8, "little") + expected[8:]


def test_many_datagrams_decode_to_the_golden_values():
    row = np.frombuffer(bytes.fromhex(STATE["hex"]), np.uint8)
    states = _kernels.decode_states(10, np.stack([row] * 3))
    for name, value in STATE["values"].items():
        np.testing.assert_array_equal(
            states[name][2], np.asarray(value).reshape(states[name][2].shape)
        )


def test_results_are_written_into_the_array_that_is_given():
    states = np.repeat(golden_state(), 2)
    out = np.empty((2, 1377), np.uint8)
    assert _kernels.encode_states(10, states, out=out) is out
    back = np.empty(2, _engine.state_dtype)
    assert _kernels.decode_states(10, out, out=back) is back
    np.testing.assert_array_equal(back["q"], states["q"])


@pytest.mark.parametrize("shape", [(3, 1376), (1377,), (2, 1378)])
def test_datagrams_of_another_size_are_refused(shape):
    with pytest.raises(ValueError, match="datagrams: N x 1377 bytes"):
        _kernels.decode_states(10, np.zeros(shape, np.uint8))


def test_a_version_that_is_not_built_in_is_refused_by_number():
    with pytest.raises(ValueError, match="FCI version 3 is not built in"):
        _kernels.encode_states(3, golden_state())


def test_records_of_another_dtype_are_refused():
    with pytest.raises(ValueError, match="state_dtype"):
        _kernels.encode_states(10, np.zeros(4))
