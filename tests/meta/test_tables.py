"""Totality of the core's tables (style.md 5): they are walked, so a new row is tested or fails."""

from __future__ import annotations

import re

import pytest
from source_tree import ROOT

from franka_sim import _engine

if not hasattr(_engine, "assumed"):
    pytest.skip(
        "needs the compiled core; the project's test command builds it", allow_module_level=True
    )


def test_every_wire_field_has_exactly_one_meaning():
    wire = [row[0] for row in _engine.wire_fields(10)]
    meanings = [row[0] for row in _engine.field_meanings()]
    assert len(set(wire)) == len(wire)
    assert sorted(meanings) == sorted(wire)


def test_meanings_stand_in_wire_order():
    assert [r[0] for r in _engine.field_meanings()] == [r[0] for r in _engine.wire_fields(10)]


def test_every_meaning_says_what_it_is_and_where_it_comes_from():
    for name, _unit, _frame, origin, meaning, source in _engine.field_meanings():
        assert origin in {
            "physics", "model", "command", "configuration", "constant", "state",
        }, name  # fmt: skip
        assert len(meaning) > 3, name
        assert len(source) > 3, name


def test_every_check_names_a_known_error_a_unit_and_a_source():
    names = set(_engine.error_names())
    for signal, condition, unit, error, source in _engine.checks():
        assert error in names, (signal, condition)
        assert unit, (signal, condition)
        assert condition, signal
        assert len(source) > 3, (signal, condition)


def test_every_error_is_raised_by_a_check_or_says_why_never():
    raised = {row[3] for row in _engine.checks()}
    never = [name for name, reason in _engine.unraised() if len(reason) > 20]
    assert len(set(never)) == len(never)
    assert raised.isdisjoint(never)
    assert raised | set(never) == set(_engine.error_names())


def test_every_transition_has_a_source_that_is_no_guess():
    """A source is a document with its place, or `chosen: why` (style.md 5)."""
    known = re.compile(
        r"wire\.md \d|reference \d{3}|robot-model\.md \d|needs\.md \d|issue \d|chosen: \w"
    )
    rows = _engine.transitions()
    assert len(rows) == 11 * 16
    for row in rows:
        assert known.search(row["source"]), (row["state"], row["input"], row["source"])


def test_every_assumption_names_a_test_that_exists():
    """style.md 5: the ASSUMED row names the test that pins it, as `file: words of its name`."""
    rows = _engine.assumed()
    assert rows
    ids = []
    for row in rows:
        fields = list(row.values()) if isinstance(row, dict) else list(row)
        ident, test = fields[0], fields[-1]
        ids.append(ident)
        assert all(len(f) > 1 for f in fields), ident
        file, _, words = test.partition(": ")
        found = list((ROOT / "tests").rglob(file))
        assert len(found) == 1, f"{ident}: {file}"
        text = found[0].read_text()
        names = re.findall(r'TEST_CASE(?:_\w+)?\(\s*((?:"(?:\\.|[^"\\])*"\s*)+)', text)
        names += re.findall(r"def (test_\w+)", text)
        spaced = [re.sub(r'"\s*"|"|_', lambda m: " " if m[0] == "_" else "", n) for n in names]
        assert any(words.lower() in n.lower() for n in spaced), f"{ident}: no test with '{words}'"
    assert len(set(ids)) == len(ids)
