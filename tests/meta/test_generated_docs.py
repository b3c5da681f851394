"""The tables under docs/reference/ are what the code's tables say."""

import subprocess
import sys

from source_tree import ROOT


def test_the_documentation_tables_are_fresh():
    pages = [sys.executable, ROOT / "tools" / "generate_docs.py", "--check"]
    done = subprocess.run(pages, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
