"""The gate with real programs and real servers. In lockstep lost cycles are exact, so that the
verdict is too.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from franka_sim.cli import gate as command
from franka_sim.gate import Plan, RunFailedError, runs

CLIENT = Path(__file__).parents[1] / "support" / "gate_client.py"
LOCKSTEP = {"clock": "lockstep", "lockstep_timeout": 0.02}


def client(*more: str) -> str:
    return shlex.join([sys.executable, str(CLIENT)]) + " {host} 60 " + " ".join(more)


@pytest.mark.parametrize(("more", "code"), [((), 0), (("--skip 2",), 1)])
def test_a_client_that_loses_cycles_is_found_and_an_equal_one_is_not(capsys, more, code):
    arguments = ["--base", client(), "--candidate", client(*more)]
    arguments += ["--metric", "lost", "--runs", "9"]
    for key, value in LOCKSTEP.items():
        arguments += ["--server", f"{key}={value}"]
    assert command.main(arguments) == code
    row = capsys.readouterr().out.splitlines()[1].split()
    assert row[0] == "lost"
    assert row[4] == "0.0"  # the base; unit "per 1000 cycles" is three words
    assert (float(row[5]) > 0) is bool(code)


def test_figures_of_a_run_in_real_time_are_in_microseconds_and_in_order():
    metrics = ("reaction_p50", "reaction_p99", "reaction_max", "round_trip_p50", "lost")
    figures = runs.run(Plan(client(), client(), metrics=metrics), client())
    assert 0 < figures["reaction_p50"] <= figures["reaction_p99"] <= figures["reaction_max"]
    assert figures["reaction_max"] < 1e6
    assert 0 <= figures["lost"] < 1000


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("no-such-program {host}", "no-such-program .*: cannot be run: No such file"),
        (f"{sys.executable} -c 'import sys; sys.exit(\"no robot at {{host}}\")'",
         "ended with exit code 1: no robot at 127"),
        (f"{sys.executable} -c 'pass # {{host}}'", "reaction_p50: nothing was measured"),
    ],
)  # fmt: skip
def test_a_program_that_cannot_be_measured_is_one_sentence(text, sentence):
    with pytest.raises(RunFailedError, match=sentence):
        runs.run(Plan(text, text), text)


def test_a_program_that_hangs_is_ended():
    text = f"{sys.executable} -c 'import signal; signal.pause() # {{host}}'"
    with pytest.raises(RunFailedError, match=r"did not end within 0\.5 s"):
        runs.run(Plan(text, text, timeout=0.5), text)


def test_the_fixture_is_the_gate(franka_gate):
    with pytest.raises(ValueError, match=r"has no \{host\}"):
        franka_gate(base="x", candidate="y")
