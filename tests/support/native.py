"""Builds the small C programs that tests run beside the server; their sources are in src/bench.

The installed package carries the same programs for `franka-sim bench`; tests build their own, so
that a source that was just edited is the one that runs. `cc` is all they need. A program is rebuilt
when its source or flags change; nothing else is cached.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parents[2] / "src" / "bench"

# No contraction: a C client must compute the same doubles as the Python one.
FLAGS = ("-O2", "-std=c11", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off")


def compiler() -> str | None:
    """The C compiler that `cc` or $CC names, or None."""
    return shutil.which(os.environ.get("CC", "cc"))


def build(source: Path) -> Path:
    """Compile one C file and return the program.

    Args:
        source: a self-contained C file; only its name counts when it is one of src/bench.
    Raises:
        RuntimeError: no compiler, or it refused; its words are in the message.
    """
    if (PROGRAMS / source.name).exists():
        source = PROGRAMS / source.name
    cc = compiler()
    if cc is None:
        raise RuntimeError("no C compiler: neither $CC nor cc is on the path")
    key = hashlib.sha256(source.read_bytes() + " ".join((cc, *FLAGS)).encode()).hexdigest()[:16]
    directory = Path(tempfile.gettempdir()) / f"franka-sim-native-{os.getuid()}"
    directory.mkdir(mode=0o700, exist_ok=True)
    if directory.stat().st_uid != os.getuid():
        raise RuntimeError(f"{directory} belongs to another user")
    program = directory / f"{source.stem}-{key}"
    if not program.exists():
        fresh = directory / f"{program.name}.{os.getpid()}"
        done = subprocess.run(
            [cc, *FLAGS, "-o", str(fresh), str(source), "-lm", "-lpthread"],
            capture_output=True,
            text=True,
            timeout=120,
        )
        if done.returncode != 0:
            raise RuntimeError(f"cc refused {source.name}:\n{done.stderr}")
        fresh.replace(program)
    return program
