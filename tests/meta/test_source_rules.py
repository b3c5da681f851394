"""Rules on the source that no compiler checks (style.md 2, 7 and 8)."""

from __future__ import annotations

import re
import subprocess
import warnings
from pathlib import Path

import pytest
from source_tree import CORE, CYCLE_ROOMS, ROOT, bare, cpp_files, relative

#: style.md 2, Size. Tables are exempt.
WARN_LINES, FAIL_LINES = 400, 600
TABLES = {
    "src/_core/robot/fr3.cpp",
    "tests/core/fr3_model.inc",
    "tests/core/fr3_clearance.inc",
    "tests/core/wire_v10.inc",
}
CODE = {".hpp", ".cpp", ".c", ".inc", ".py", ".pyx", ".pxd", ".pyi", ".cmake"}

#: What reads a clock or sleeps; engine/clock.cpp alone may.
CLOCK = re.compile(
    r"\b(clock_gettime|clock_nanosleep|nanosleep|usleep|gettimeofday|sleep_for|sleep_until|"
    r"steady_clock|system_clock|high_resolution_clock|timerfd_\w+)\b|\btime\s*\(\s*(nullptr|0|NULL)"
)

#: Words that have no place in a cycle.
FORBIDDEN = re.compile(
    r"\bnew\b|\bdelete\s+\w|\bmalloc\b|\bcalloc\b|\brealloc\b|std::string\b|std::to_string|"
    r"std::mutex|std::lock_guard|std::unique_lock|std::condition_variable|std::shared_ptr|"
    r"std::make_unique|std::make_shared|std::vector|std::deque|std::map|std::function|"
    r"\b[fs]?n?printf\b|std::cout|std::cerr|\bthrow\b|\btry\b"
)
CONSTRUCTION = "construction and configuration only (style.md 4)"
#: file, word: why it may stand there.
ALLOWED = {
    ("engine/settings.hpp", "std::string"): "read once at start",
    ("engine/udp.hpp", "std::string"): CONSTRUCTION,
    ("engine/udp.cpp", "std::string"): CONSTRUCTION,
    ("engine/udp.cpp", "throw"): CONSTRUCTION,
    ("engine/tool_link.hpp", "std::string"): CONSTRUCTION,
    ("engine/tool_link.cpp", "std::string"): CONSTRUCTION,
    ("engine/tool_link.cpp", "throw"): CONSTRUCTION,
    ("engine/engine.cpp", "throw"): CONSTRUCTION,
    ("engine/pacing.cpp", "throw"): "start(), before the thread runs a cycle",
    ("engine/history.cpp", "std::make_unique"): CONSTRUCTION,
}

#: Places of one machine: the words are put together so that this file is clean itself.
PLACES = re.compile(r"(?<![\w.$}])/(?:" + "|".join(["tmp", "opt", "home", "work", "root"]) + r")/")
#: Files that must name such a place, and why.
PLACES_ALLOWED: dict[str, str] = {}


def tracked() -> list[Path]:
    """Return the files of the project; skips where there is no git to ask."""
    done = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-co", "--exclude-standard"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode != 0:
        pytest.skip("needs a git checkout; the project's test command runs in one")
    return [ROOT / name for name in done.stdout.splitlines() if (ROOT / name).is_file()]


@pytest.mark.filterwarnings("default")
def test_no_file_is_too_long_to_be_read_in_one_sitting():
    too_long = []
    for path in tracked():
        if path.suffix not in CODE or relative(path) in TABLES:
            continue
        lines = len(path.read_text().splitlines())
        if lines > FAIL_LINES:
            too_long.append(f"{relative(path)}: {lines}")
        elif lines > WARN_LINES:
            warnings.warn(f"{relative(path)} has {lines} lines, over {WARN_LINES}", stacklevel=1)
    assert not too_long


def test_every_source_file_says_first_what_lives_in_it():
    """style.md 2: first lines of every file."""
    for path in tracked():
        text = path.read_text() if path.suffix in CODE else ""
        if not text.strip():
            continue
        if path.suffix in {".hpp", ".cpp", ".c", ".inc"}:
            assert text.startswith(("//", "/*")), relative(path)
        elif path.suffix == ".py":
            # After a shebang, if there is one.
            first = next(line for line in text.splitlines() if not line.startswith("#!"))
            assert first.startswith(('"""', 'r"""', "#")), relative(path)


def test_only_the_clock_reads_a_clock():
    for room in (*CYCLE_ROOMS, "bind"):
        for path in cpp_files(room):
            if path == CORE / "engine" / "clock.cpp":
                continue
            found = CLOCK.search(bare(path.read_text()))
            assert found is None, f"{relative(path)}: {found[0] if found else ''}"


def test_only_the_engine_asks_what_time_it_is():
    """wire/ and judge/ are pure: no clock, no socket (architecture.md, Rooms)."""
    for room in CYCLE_ROOMS:
        for path in cpp_files(room):
            if room != "engine":
                assert "monotonic_ns" not in bare(path.read_text()), relative(path)


def test_cycle_rooms_do_without_heap_locks_strings_and_output():
    used = set()
    for room in CYCLE_ROOMS:
        for path in cpp_files(room):
            name = path.relative_to(CORE).as_posix()
            for match in FORBIDDEN.finditer(bare(path.read_text())):
                key = (name, match[0])
                used.add(key)
                assert key in ALLOWED, f"{name}: {match[0]}"
    assert used == set(ALLOWED), "an exception that nothing needs any more"


def test_no_sleep_in_tests_of_the_core():
    """style.md 7, rule 10."""
    for path in (ROOT / "tests" / "core").rglob("*.[ch]pp"):
        found = re.search(r"sleep_for|sleep_until|\busleep\b|nanosleep", bare(path.read_text()))
        assert found is None, relative(path)


def test_no_file_names_a_place_of_one_machine():
    for path in tracked():
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        found = PLACES.search(text)
        if found and relative(path) not in PLACES_ALLOWED:
            line = text.count("\n", 0, found.start()) + 1
            pytest.fail(f"{relative(path)}:{line}: {found[0]}")


def test_the_rules_see_what_they_are_for():
    """Each pattern finds an example; comments and literals do not count."""
    assert FORBIDDEN.search(bare("auto* p = new int;"))
    assert not FORBIDDEN.search(bare('// a new one\nf("throw"); std::string_view v; renew();'))
    assert not FORBIDDEN.search(bare("constexpr long kSecond = 1'000'000'000; // new"))
    assert CLOCK.search(bare("std::chrono::steady_clock::now()"))
    assert not CLOCK.search(bare("lifetime(0); // clock_gettime"))
    assert PLACES.search("see /" + "tmp/x")
    assert not PLACES.search("docs/" + "work/x and a/" + "tmp/b")
