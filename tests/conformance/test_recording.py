"""Recordings of a served robot: every cycle is in them, others decode them, and they explain.

mcap's own reader and the ROS 1 decoder of its authors are the independent readers.
"""

from __future__ import annotations

import json

import numpy as np
import pytest
from raw_client import RawClient
from trajectories import quintic, shifted

from franka_sim.cli import main
from franka_sim.config import ConfigError

pytest.importorskip("mcap", reason="the project's test command installs it")
JUMP = "joint_position_motion_generator_start_pose_invalid"


def move(raw: RawClient, jump: float = 0.0) -> None:
    """One short motion; with a jump, one that is refused on its first command."""
    start = raw.start("kJointPosition", "kJointImpedance").q_d
    samples = [{"q_c": shifted(start, 3, jump + quintic(0.1, 0.5, k))} for k in range(501)]
    played = raw.play(samples)
    if jump:
        assert played.errors == (JUMP,)
        assert raw.automatic_error_recovery() == "kSuccess"
        return
    assert raw.finish(**samples[-1]) == "kSuccess"


@pytest.fixture(scope="module")
def recorded(module_serve, tmp_path_factory):
    """A run with a good motion and a refused one: (file, rows of the history, events)."""
    file = tmp_path_factory.mktemp("record") / "run.mcap"
    with module_serve(record=str(file), history=100_000, strict=True) as server:
        with RawClient(server.host) as raw:
            move(raw)
            move(raw, jump=0.2)
        server.stop()
        return file, server.history(), server.events


def test_a_recording_holds_every_cycle_bit_for_bit_and_every_event(recorded):
    from mcap.reader import make_reader
    from mcap_ros1.decoder import DecoderFactory

    file, rows, events = recorded
    with file.open("rb") as stream:
        reader = make_reader(stream, decoder_factories=[DecoderFactory()])
        cycles, told = [], []
        for _, channel, message, decoded in reader.iter_decoded_messages(["/franka_sim/cycle"]):
            assert channel.message_encoding == "ros1"
            assert message.log_time == decoded.message_id * 1_000_000
            cycles.append(decoded)
        for _, _, message in reader.iter_messages(["/franka_sim/event"]):
            told.append(json.loads(message.data))
    assert [c.message_id for c in cycles] == rows["message_id"].tolist()
    for cycle, row in zip(cycles[::97], rows[::97], strict=True):
        assert list(cycle.q) == row["q"].tolist()
        assert list(cycle.O_T_EE) == row["O_T_EE"].tolist()
        assert list(cycle.command_q_c) == row["command"]["q_c"].tolist()
        assert list(cycle.errors) == row["errors"].tolist()
        assert (cycle.robot_mode, cycle.flags) == (row["robot_mode"], row["flags"])
    kinds = [event.kind for event in events if event.kind != "reply"]
    assert [event["kind"] for event in told] == kinds


def test_the_schema_names_unit_and_frame_of_every_field(recorded):
    from mcap.reader import make_reader

    file, rows, _ = recorded
    with file.open("rb") as stream:
        (schema,) = [
            s for s in make_reader(stream).get_summary().schemas.values() if s.encoding == "ros1msg"
        ]
    lines = dict(
        (line.split()[1], line.partition("#")[2]) for line in schema.data.decode().splitlines()[1:]
    )
    assert set(rows.dtype.names) - {"command"} <= set(lines)
    assert lines["q"].startswith(" [rad, frame joint]")
    assert lines["O_F_ext_hat_K"].startswith(" [N, Nm, frame O]")
    assert all(comment.startswith(" [") for comment in lines.values())


def test_why_names_the_error_the_limit_and_the_cause(recorded, capsys):
    file, _, _ = recorded
    assert main.main(["record", "why", str(file)]) == 0
    told = capsys.readouterr().out
    assert "motion 2 ended at cycle" in told
    assert f"motion limit violated: {JUMP}: q_c joint 4 = 0.2 rad, limit 0.1 rad" in told
    assert "cause: the first command is away from where the robot stands" in told


def test_info_counts_cycles_motions_and_losses(recorded, capsys):
    file, rows, _ = recorded
    assert main.main(["record", "info", str(file)]) == 0
    told = capsys.readouterr().out
    assert f"{len(rows)} cycles, robot fr3" in told
    assert "0 missing between" in told
    assert "2 motions, 0 cycles lost" in told


@pytest.mark.parametrize("ending", [".csv", ".npz", ".parquet"])
def test_an_export_holds_what_was_recorded(recorded, tmp_path, capsys, ending):
    file, rows, _ = recorded
    out = tmp_path / f"run{ending}"
    if ending == ".parquet":
        pytest.importorskip("pyarrow", reason="the project's test command installs it")
    assert main.main(["record", "export", str(file), str(out)]) == 0
    if ending == ".npz":
        q = np.load(out)["q"]
    elif ending == ".csv":
        table = np.genfromtxt(out, delimiter=",", names=True)
        q = np.stack([table[f"q_{i}"] for i in range(7)], axis=1)
    else:
        import pyarrow.parquet

        table = pyarrow.parquet.read_table(out)
        q = np.stack([table[f"q_{i}"].to_numpy() for i in range(7)], axis=1)
    np.testing.assert_array_equal(q, rows["q"])


@pytest.mark.parametrize("signal", ["q", "dq", "tau_J", "O_T_EE", "elbow", "flags"])
def test_a_plot_is_a_picture(recorded, tmp_path, capsys, signal):
    pytest.importorskip("matplotlib", reason="the project's test command installs it")
    file, _, _ = recorded
    out = tmp_path / "p.png"
    assert main.main(["record", "plot", str(file), "--signal", signal, "--out", str(out)]) == 0
    assert out.read_bytes().startswith(b"\x89PNG")


def test_an_error_is_recorded_with_what_came_before_and_after(serve, tmp_path):
    folder = tmp_path / "errors"
    server = serve(record_on_error=str(folder))
    with RawClient(server.host) as raw:
        move(raw)
        move(raw, jump=0.2)
    server.stop()
    (file,) = folder.iterdir()
    assert file.name.endswith(f"-{JUMP}.mcap")
    from franka_sim.record.files import read

    recording = read(file)
    ended = recording.of_kind("motion_ended")[-1]
    assert ended["data"]["errors"] == [JUMP]
    numbers = recording.rows["message_id"]
    assert numbers[0] < ended["cycle"] < numbers[-1]
    assert recording.about["error"] == JUMP
    assert json.loads(recording.about["options"])["clock"] == "lockstep"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is no recording"),
        (b"\x89MCAP0\r\n", "is no recording"),
        (b"q" * 500, "is no recording"),
    ],
)
def test_what_is_no_recording_is_refused_in_a_sentence(tmp_path, capsys, content, sentence):
    file = tmp_path / "x.mcap"
    file.write_bytes(content)
    for action in (["info"], ["why"], ["plot"]):
        assert main.main(["record", *action, str(file)]) == 2
        assert sentence in capsys.readouterr().err
    assert main.main(["record", "info", str(tmp_path / "none.mcap")]) == 2
    assert "No such file" in capsys.readouterr().err


def test_a_recording_that_cannot_be_written_is_refused_before_the_robot_starts(serve, tmp_path):
    with pytest.raises(ConfigError, match=r"^record: .* cannot be written: .* is no folder"):
        serve(record=str(tmp_path / "none" / "x.mcap"))
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(ConfigError, match=r"^record_on_error: .* is a file, not a folder"):
        serve(record_on_error=str(file))
