"""Where the project's sources are and how to read them without comments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORE = ROOT / "src" / "_core"
PACKAGE = ROOT / "src" / "franka_sim"
#: Rooms whose code runs in a cycle, and `client`, whose code could: it keeps the same rules.
CYCLE_ROOMS = (
    "base", "wire", "robot", "plant", "gripper", "client", "judge", "control", "motion", "engine",
)  # fmt: skip

_COMMENT_OR_STRING = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'", re.DOTALL
)


def cpp_files(room: str) -> Iterator[Path]:
    """Yield the C++ files of one room."""
    yield from sorted(p for p in (CORE / room).rglob("*") if p.suffix in {".hpp", ".cpp"})


def bare(text: str) -> str:
    """Return C++ without comments and literals, lines kept."""

    def blank(match: re.Match[str]) -> str:
        # A digit separator is no literal.
        return re.sub(r"[^\n]", " ", match[0])

    return _COMMENT_OR_STRING.sub(blank, re.sub(r"(?<=\d)'(?=\d)", "", text))


def relative(path: Path) -> str:
    """Return `path` as written from the project's root."""
    return path.relative_to(ROOT).as_posix()
