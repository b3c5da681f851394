"""The bench's own arithmetic and command line; what it measures is nobody's expectation."""

from __future__ import annotations

import json
import struct

import numpy as np
import pytest

from franka_sim.bench import host, lockstep, plan, report
from franka_sim.cli import bench


def row(reference, server, *bounds):
    return report.Row("a.b", "time of something", "us", "a loop", reference, server, bounds)


def test_a_ratio_is_that_of_the_pairs_not_of_the_medians():
    measured = row([1.0, 2.0, 10.0], [3.0, 2.0, 20.0]).as_json()
    assert measured["ratio"] == {"median": 2.0, "min": 1.0, "max": 3.0}
    assert (measured["reference"], measured["server"]) == (2.0, 3.0)
    assert measured["pairs"] == [[1.0, 3.0], [2.0, 2.0], [10.0, 20.0]]
    assert measured["met"] is None


@pytest.mark.parametrize(
    ("bound", "met"),
    [
        (report.Bound("ratio", "<=", 2.0), True),
        (report.Bound("ratio", "<=", 1.99), False),
        (report.Bound("ratio", ">=", 2.0), True),
        (report.Bound("server", ">=", 4.1), False),
        (report.Bound("server", "<=", 4.0, aim=True), True),
    ],
)
def test_a_bound_is_inclusive_and_holds_the_median(bound, met):
    assert row([2.0, 2.0, 2.0], [4.0, 1.0, 100.0], bound).met is met


def test_one_broken_bound_is_enough():
    kept, broken = report.Bound("ratio", ">=", 0.25), report.Bound("server", ">=", 20_000)
    assert row([40_000.0], [19_999.0], kept, broken).met is False


def test_half_a_pair_is_refused():
    with pytest.raises(ValueError, match=r"a\.b: a pair is"):
        row([1.0, 2.0], [1.0])


def test_the_halves_of_a_pair_take_turns_at_being_first():
    order = []

    def half(name):
        def run():
            order.append(name)
            return len(order)

        return run

    found = plan.Plan(pairs=3).alternate("x", half("reference"), half("server"))
    assert order == ["reference", "server", "server", "reference", "reference", "server"]
    assert found == ([1, 4, 5], [2, 3, 6])


def test_the_table_says_what_is_missed_and_that_pairs_are_few():
    findings = report.Findings()
    findings.rows.append(row([10.0], [20.0], report.Bound("ratio", "<=", 1.25)))
    figures = dict.fromkeys(("min", "mean", "p50", "p99", "p99.9", "max"), 1.0)
    findings.latencies.append(report.Latency("a.b", "late by", figures, 5, 2, "fifo:80"))
    findings.skipped["c"] = "something is not installed"
    text = report.table(findings, pairs=1)
    assert "2.00 (2.00, 2.00)" in text
    assert "NO" in text
    assert "fewer than 5" in text
    assert "fifo:80" in text
    assert "c: not measured, something is not installed" in text


def test_a_histogram_has_the_percentiles_of_the_report():
    figures = host.histogram(np.arange(1001.0))
    assert list(figures) == ["min", "mean", "p50", "p99", "p99.9", "max"]
    assert list(figures.values()) == pytest.approx([0, 500, 500, 990, 999, 1000])


def test_the_script_of_the_lockstep_client_is_at_rest_at_both_ends_and_comes_back():
    script = lockstep.velocity_script(5000)
    motions, kind, controller, n = struct.unpack_from("<4I", script)
    assert (motions, kind, controller) == (1, 1, 0)
    assert n == 8001  # two swings there, two back
    dq = np.frombuffer(script, "<f8", offset=16).reshape(n, 7)
    assert dq[0, 0] == dq[-1, 0] == 0
    assert abs(dq[:, 0].sum() * 1e-3) < 1e-9
    # Far inside the limits of joint 1: 2.62 rad/s, 10 rad/s^2, 5000 rad/s^3.
    assert np.abs(dq).max() <= 0.2
    assert np.abs(np.diff(dq, axis=0)).max() * 1e3 < 1


# ---- command line ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (
            ["--pairs", "0"],
            "--pairs: 0 is not allowed; it must be a whole number from 1 to 1000",
        ),
        (
            ["--only", "everything"],
            "--only: everything is not allowed; it must be one of "
            "realtime, lockstep, inside, start, footprint",
        ),
        (["--json", "no/such/folder/x.json"], "--json: cannot write no/such/folder/x.json"),
        (["--fast"], "unrecognized arguments: --fast; see franka-sim bench --help"),
    ],
)
def test_a_wrong_command_line_is_one_sentence_and_2(argv, sentence, capsys):
    assert bench.main(argv) == 2
    assert capsys.readouterr().err == f"franka-sim bench: {sentence}\n"


@pytest.fixture
def measured(monkeypatch):
    """Replaces the measurements: `measured(name=function)`."""
    import types

    def replace(**functions):
        modules = {
            f"franka_sim.bench.{name}": types.SimpleNamespace(measure=measure)
            for name, measure in functions.items()
        }
        monkeypatch.setattr(bench.importlib, "import_module", modules.__getitem__)

    return replace


def test_a_missed_bound_is_reported_and_no_failure(measured, tmp_path, capsys):
    def start(plan, into):
        assert plan.pairs == 7
        into.rows.append(row([1.0], [2.0], report.Bound("ratio", "<=", 1.0)))

    measured(start=start)
    out = tmp_path / "report.json"
    assert bench.main(["--only", "start", "--pairs", "7", "--quick", "--json", str(out)]) == 0
    assert "NO" in capsys.readouterr().out
    written = json.loads(out.read_text())
    assert [entry["met"] for entry in written["rows"]] == [False]
    assert written["pairs"] == 7
    assert written["quick"] is True
    assert written["failures"] == {}
    assert written["about"]["processors"] >= 1


def test_what_fails_to_run_is_1_and_does_not_hide_the_rest(measured, capsys):
    def start(plan, into):
        raise RuntimeError("the server that was started does not listen")

    def footprint(plan, into):
        into.rows.append(row([1.0], [1.0]))

    measured(start=start, footprint=footprint)
    assert bench.main(["--only", "start", "--only", "footprint"]) == 1
    told = capsys.readouterr()
    assert "a.b" in told.out
    assert "start failed to run: RuntimeError: the server that was started" in told.err
