"""`franka-sim judge`: exit codes, JSON, and the one sentence that each wrong use gets."""

from __future__ import annotations

import json
import math
import sys

import numpy as np
import pytest

pytest.importorskip(
    "franka_sim._kernels", reason="the extension module is not built in this environment"
)

from franka_sim.cli import main
from franka_sim.cli.judge import _GENERATORS
from franka_sim.offline import GENERATORS

READY = np.array([0, -math.pi / 4, 0, -3 * math.pi / 4, 0, math.pi / 2, math.pi / 4])
ROW = ",".join(["0"] * 7)


def judge(*argv: str) -> int:
    return main.main(["judge", *argv])


@pytest.fixture
def rest(tmp_path, monkeypatch):
    """A file of 50 samples at rest, in the folder that the command runs in."""
    monkeypatch.chdir(tmp_path)
    np.savetxt("rest.csv", np.tile(READY, (50, 1)), delimiter=",")
    return "rest.csv"


def test_accepted_is_0_and_refused_is_1(rest, capsys):
    assert judge(rest) == 0
    assert capsys.readouterr().out.startswith("rest.csv: accepted (50 samples, joint-position, fr3")
    assert judge(rest, "--lost", "10:40") == 1
    assert "refused at sample 29" in capsys.readouterr().out


def test_json_is_one_object_with_the_whole_record(rest, capsys):
    assert judge(rest, "--json", "--start", "0.01,-0.785,0,-2.356,0,1.571,0.785") == 1
    said = json.loads(capsys.readouterr().out)
    assert said["accepted"] is False
    first = said["violations"][0]
    assert (first["sample"], first["joint"]) == (0, 1)
    assert first["cause"] == "opening_step"
    assert said["errors"] == [first["error"]]
    assert set(said) == {
        "file", "accepted", "robot", "generator", "samples", "lost", "errors", "violations",
        "slowdown", "slowdown_tried_up_to", "at_the_end", "unsolved",
    }  # fmt: skip


def test_single_samples_and_several_spans_can_be_lost(rest, capsys):
    assert judge(rest, "--lost", "10,12:14", "--lost", "20", "--json") == 0
    assert json.loads(capsys.readouterr().out)["lost"] == 4


def test_a_picture_is_written(rest, tmp_path):
    pytest.importorskip(
        "matplotlib", reason="needs matplotlib; the project's test command installs it"
    )
    assert judge(rest, "--plot", "rest.svg") == 0
    assert "<svg" in (tmp_path / "rest.svg").read_text()


def test_the_parser_knows_the_generators_without_importing_them():
    assert tuple(GENERATORS) == _GENERATORS


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        ([], "the following arguments are required: FILE; see franka-sim judge --help"),
        (["--fast", "rest.csv"], "unrecognized arguments: --fast; see franka-sim judge --help"),
        (["rest.csv", "--robot", "fer"], "--robot: fer is not allowed; it must be one of fr3"),
        (
            ["rest.csv", "--generator", "cartesian"],
            "--generator: cartesian is not allowed; it must be one of joint-position, "
            "joint-velocity, torque, cartesian-pose, cartesian-velocity",
        ),
        (
            ["rest.csv", "--lost", "9:9"],
            "--lost: 9:9 is not allowed; it must be FIRST:END with FIRST below END, or one sample",
        ),
        (
            ["rest.csv", "--lost", "all"],
            "--lost: all is not allowed; it must be FIRST:END with FIRST below END, or one sample",
        ),
        (
            ["rest.csv", "--lost", "40:51"],
            "--lost: 40:51 is not allowed; there are 50 samples, counted from 0",
        ),
        (
            ["rest.csv", "--start", "1,2"],
            "--start: 1,2 is not allowed; it must be 7 numbers with commas between",
        ),
        (
            ["rest.csv", "--ee", "inf" + ",0" * 15],
            "--ee: inf,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 is not allowed; "
            "it must be 16 numbers with commas between",
        ),
        (
            ["rest.csv", "--joint-discontinuity-scale", "0"],
            "--joint-discontinuity-scale: 0 is not allowed; it must be a number from 0.01 to 100",
        ),
        (
            ["rest.csv", "--plot", "rest.txt"],
            "--plot: rest.txt is not allowed; its ending must be .png, .pdf or .svg",
        ),
        (["rest.csv", "--plot", "no/rest.png"], "--plot: cannot write no/rest.png"),
        (["rest.mat"], "rest.mat: the ending must be one of .csv, .npz, .parquet"),
        (["none.csv"], "none.csv: cannot be read: No such file or directory"),
        (["none.npz"], "none.npz: cannot be read: No such file or directory"),
    ],
)
def test_a_wrong_command_line_is_one_sentence_and_2(rest, argv, sentence, capsys):
    assert judge(*argv) == 2
    assert capsys.readouterr().err == f"franka-sim judge: {sentence}\n"


@pytest.mark.parametrize(
    ("text", "argv", "sentence"),
    [
        ("", [], "there is no sample in it"),
        ("a,b\n", [], "there is no sample in it"),
        (f"{ROW}\n{ROW[:-1]}x\n", [], "line 2 is not a row of numbers"),
        (f"{ROW}\n0,0\n", [], "line 2 has 2 columns, those before it 7"),
        (
            "0,0,0\n",
            [],
            "3 columns are no trajectory: 7 joints, 16 numbers of a pose or 6 of a twist are "
            "needed, with an optional time before them and an optional elbow of two after them",
        ),
        (
            f"0,{ROW}\n",
            [],
            "8 columns can be joint-position or cartesian-velocity; say which with --generator",
        ),
        (
            f"{ROW}\n",
            ["--generator", "torque", "--lost", "0:9"],
            None,
        ),
        (
            "0,0\n",
            ["--generator", "torque"],
            "2 columns are no torque: 7 are needed, with an optional time before them",
        ),
        (
            "0,0\n",
            ["--generator", "cartesian-pose"],
            "2 columns are no cartesian-pose: 16 are needed, with an optional time before them "
            "and an optional elbow of two after them",
        ),
        ("q_c,dq_c\n0,0\n", [], "it holds dq_c and q_c; one signal is judged at a time"),
        (
            ",".join(f"q_c[{k}]" for k in range(7)) + f"\n{ROW}\n",
            ["--generator", "torque"],
            "it holds q_c, which is joint-position, not torque",
        ),
        (
            "time,t," + ",".join(f"q_c[{k}]" for k in range(7)) + f"\n0,0,{ROW}\n",
            [],
            "it has more than one column of times",
        ),
        (
            ",".join(f"q_c[{k}]" for k in range(7)) + f",elbow_0,elbow_1\n{ROW},0,0\n",
            [],
            "joint-position has no elbow",
        ),
        (
            ",".join(f"O_dP_EE_c[{k}]" for k in range(6)) + ",elbow\n0,0,0,0,0,0,0\n",
            [],
            "an elbow is two columns, not 1",
        ),
        (
            f"0,{ROW}\nnan,{ROW}\n",
            ["--generator", "torque"],
            "the time of sample 1 is not finite",
        ),
        (
            f"0,{ROW}\n0.0015,{ROW}\n",
            ["--generator", "torque"],
            "sample 1 comes 1.5 ms after the first; commands are whole milliseconds apart",
        ),
        (
            f"0,{ROW}\n0.001,{ROW}\n0.001,{ROW}\n",
            ["--generator", "torque"],
            "the time of sample 2 is not after that of the sample before it",
        ),
        (
            f"0,{ROW}\n1,{ROW}\n2,{ROW}\n",
            ["--generator", "torque"],
            "most samples are 1000 ms apart, not 1 ms; time is in seconds",
        ),
        (
            f"0,{ROW}\n0.001,{ROW}\n0.002,{ROW}\n4000,{ROW}\n",
            ["--generator", "torque"],
            "its times span 4000 s; at most an hour is judged",
        ),
    ],
)
def test_a_file_that_is_no_trajectory_is_one_sentence_and_2(rest, text, argv, sentence, capsys):
    with open("bad.csv", "w") as stream:
        stream.write(text)
    assert judge("bad.csv", *argv) == 2
    wanted = (
        f"bad.csv: {sentence}"
        if sentence
        else "--lost: 0:9 is not allowed; there are 1 samples, counted from 0"
    )
    assert capsys.readouterr().err == f"franka-sim judge: {wanted}\n"


@pytest.mark.parametrize(
    ("arrays", "sentence"),
    [
        ({}, "there is no sample in it"),
        ({"q_c": np.zeros((0, 7))}, "there is no sample in it"),
        (
            {"O_T_EE_c": np.zeros((2, 4, 4))},
            "O_T_EE_c is float64 of shape (2, 4, 4); numbers in one or two dimensions are needed",
        ),
        (
            {"name": np.array(["a"])},
            "name is <U1 of shape (1,); numbers in one or two dimensions are needed",
        ),
        (
            {"q_c": np.zeros((2, 7)), "time": np.zeros(3)},
            "time has 3 rows, those before it 2",
        ),
        ({"q_c": np.array([None])}, "not an NPZ file of numbers"),
    ],
)
def test_an_npz_that_is_no_trajectory_is_one_sentence_and_2(rest, arrays, sentence, capsys):
    np.savez("bad.npz", **arrays)
    assert judge("bad.npz") == 2
    assert capsys.readouterr().err == f"franka-sim judge: bad.npz: {sentence}\n"


def test_what_only_ends_like_an_npz_or_parquet_is_refused(rest, capsys):
    with open("bad.npz", "w") as stream:
        stream.write("no")
    assert judge("bad.npz") == 2
    assert capsys.readouterr().err == "franka-sim judge: bad.npz: not an NPZ file of numbers\n"
    pytest.importorskip("pyarrow", reason="needs pyarrow; the project's test command installs it")
    with open("bad.parquet", "w") as stream:
        stream.write("no")
    assert judge("bad.parquet") == 2
    assert capsys.readouterr().err == "franka-sim judge: bad.parquet: not a Parquet file\n"


def test_a_parquet_without_samples_or_numbers_is_refused(rest, capsys):
    pyarrow = pytest.importorskip(
        "pyarrow", reason="needs pyarrow; the project's test command installs it"
    )
    from pyarrow import parquet

    parquet.write_table(pyarrow.table({"q_c": pyarrow.array([], "float64")}), "bad.parquet")
    assert judge("bad.parquet") == 2
    assert capsys.readouterr().err == "franka-sim judge: bad.parquet: there is no sample in it\n"
    parquet.write_table(pyarrow.table({"q_c": ["a"]}), "bad.parquet")
    assert judge("bad.parquet") == 2
    assert capsys.readouterr().err == (
        "franka-sim judge: bad.parquet: column q_c does not hold numbers\n"
    )


def test_what_is_not_installed_is_refused_by_name(rest, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert judge("rest.parquet") == 2
    assert capsys.readouterr().err == (
        "franka-sim judge: rest.parquet: reading Parquet needs pyarrow; "
        "install franka-sim-rt[offline]\n"
    )
    assert judge(rest, "--plot", "rest.png") == 2
    assert capsys.readouterr().err == (
        "franka-sim judge: --plot: drawing needs matplotlib; install franka-sim-rt[plot]\n"
    )


def test_a_first_pose_far_from_the_ready_pose_needs_its_joints(rest, capsys):
    pose = np.eye(4).T.reshape(1, 16)
    pose[0, 12] = -0.5
    np.savez("far.npz", O_T_EE_c=pose)
    assert judge("far.npz") == 2
    assert capsys.readouterr().err == (
        "franka-sim judge: no joints near the ready pose reach the first pose; "
        "give those the motion starts from with --start\n"
    )
