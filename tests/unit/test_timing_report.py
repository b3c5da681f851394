"""Where a timing report may go: checked before the robot starts, and links stay links."""

import os

import pytest

from franka_sim.metrics import report


def test_a_report_follows_a_link_and_leaves_it_one(tmp_path):
    target, link = tmp_path / "real.json", tmp_path / "link.json"
    target.write_text("old")
    link.symlink_to(target)
    assert report.refusal(link) == ""
    report.write(link, {"a": 1})
    assert link.is_symlink()
    assert '"a": 1' in target.read_text()


def test_a_pipe_a_device_a_folder_and_a_place_that_takes_no_file_are_refused(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert report.refusal(pipe) == f"{pipe} is not a regular file"
    assert report.refusal(tmp_path / "none" / "x") == f"{tmp_path / 'none'} is no folder"
    assert report.refusal(tmp_path) == f"{tmp_path} is a folder"
    from pathlib import Path

    assert report.refusal(Path("/dev/null")) == "/dev/null is not a regular file"
    assert report.refusal(Path("/proc/x.json")) != ""


@pytest.mark.parametrize("before", [None, "kept"])
def test_asking_leaves_no_file_behind_and_an_old_one_as_it_is(tmp_path, before):
    path = tmp_path / "r.json"
    if before is not None:
        path.write_text(before)
    assert report.refusal(path) == ""
    assert [p.name for p in tmp_path.iterdir()] == ([] if before is None else ["r.json"])
    assert before is None or path.read_text() == before
