"""Generated files are what their generators write (style.md 8)."""

from __future__ import annotations

import subprocess
import sys

import pytest
from source_tree import ROOT, relative

#: Generators beside the data they read; those of tools/ have tests of their own.
PLAIN = ["tests/golden/generate_wire_vectors.py", "tests/fuzz/generate_corpus.py"]


@pytest.mark.parametrize("generator", PLAIN)
def test_a_generated_file_is_fresh(generator):
    done = subprocess.run(
        [sys.executable, ROOT / generator, "--check"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_every_generator_is_checked_by_a_test():
    generators = [*(ROOT / "tools").glob("*.py"), *(ROOT / "tests").rglob("generate_*.py")]
    assert generators
    tests = "\n".join(p.read_text() for p in (ROOT / "tests").rglob("test_*.py"))
    for generator in generators:
        assert generator.name in tests, relative(generator)


def test_a_generated_file_says_so_first():
    for name in ("tests/core/wire_v10.inc", "tests/core/fr3_model.inc", "src/_core/robot/fr3.cpp"):
        head = "".join((ROOT / name).read_text().splitlines(keepends=True)[:5]).lower()
        assert "generated from" in head, name
        assert "checked by" in head, name
