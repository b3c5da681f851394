"""Dependencies point one way (style.md 2, Direction)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from source_tree import CORE, CYCLE_ROOMS, PACKAGE, ROOT, cpp_files, relative

#: The allowed edges of style.md section 2; every room may see itself and base.
EDGES = {
    "base": set(),
    "wire": set(),
    "robot": set(),
    "plant": set(),
    "gripper": set(),
    "client": {"robot"},
    "judge": {"wire", "robot"},
    "control": {"robot", "judge"},
    "motion": {"wire", "judge"},
    "engine": {"wire", "robot", "plant", "gripper", "judge", "control", "motion"},
}
#: Headers of others, and the only rooms that may name them.
OUTSIDE = {
    r"(Eigen|unsupported)/.*": {"robot", "control"},
    r"ruckig/.*": {"control"},
    r"(netinet|arpa)/.*|sys/.*|(poll|pthread|sched|unistd|fcntl)\.h|thread": {"engine"},
    r"chrono|ctime|time\.h": {"engine"},
    r"(pybind11|numpy)/.*|Python\.h": set(),
    r"(mujoco/.*|mj\w*\.h)": set(),
    r"iostream|fstream|cstdio|mutex|shared_mutex|condition_variable|regex|(unordered_)?map": set(),
}

#: Which part of the Python package may import which (beside itself and _engine's tables).
PYTHON_EDGES = {
    "errors": {"_engine"},
    "state": {"errors", "_engine"},
    "events": set(),
    "log": {"metrics"},
    "metrics": {"_engine"},
    "record": {"_engine", "config", "log", "metrics"},
    "watching": {"config", "log", "metrics", "record", "server"},
    "config": set(),
    "robots": set(),
    "plants": {"_engine", "robots"},
    "rate_limiting": {"_limiting"},
    "server": {"_engine", "_kernels", "log"},
    "gripper": {"_engine", "log", "server"},
    "scene": {"robots"},
    "assembly": {"_engine", "config", "plants", "robots", "scene", "world"},
    "world": set(),
    "claim": {"config", "server"},
    "side": {"world"},
    "simulation": {
        "assembly",
        "config",
        "errors",
        "events",
        "gripper",
        "server",
        "state",
        "metrics",
        "watching",
        "claim",
        "side",
    },
    "peer": {"config", "simulation"},
    "testing": {"config", "gripper", "log", "server", "simulation"},
    "gate": {"testing"},
    "pytest_plugin": {"config", "gate", "testing"},
    "offline": {"_engine", "_kernels", "config"},
    "bench": {
        ".",
        "_engine",
        "_kernels",
        "config",
        "plants",
        "robots",
        "server",
        "simulation",
        "state",
        "testing",
    },
    "cli": {
        ".",
        "bench",
        "config",
        "errors",
        "gate",
        "log",
        "offline",
        "record",
        "server",
        "simulation",
    },
    "__init__": {"config", "errors", "events", "peer", "simulation", "state"},
}


def includes(path: Path) -> Iterator[tuple[str, str]]:
    """Yield (quote or angle, name) of every include."""
    for match in re.finditer(r'^\s*#\s*include\s+(["<])([^">]+)', path.read_text(), re.MULTILINE):
        yield match[1], match[2]


@pytest.mark.parametrize("room", CYCLE_ROOMS)
def test_a_room_includes_only_what_it_may_see(room):
    allowed = EDGES[room] | {"base", room}
    for path in cpp_files(room):
        for quote, name in includes(path):
            if quote == '"':
                assert name.split("/")[0] in allowed, f"{relative(path)} includes {name}"


@pytest.mark.parametrize("room", CYCLE_ROOMS)
def test_headers_from_outside_stay_in_their_rooms(room):
    for path in cpp_files(room):
        for quote, name in includes(path):
            for pattern, rooms in OUTSIDE.items():
                if quote == "<" and re.fullmatch(pattern, name):
                    assert room in rooms, f"{relative(path)} includes <{name}>"


def test_every_folder_of_the_core_is_a_room_with_edges():
    folders = {p.name for p in CORE.iterdir() if p.is_dir()}
    assert folders == set(EDGES) | {"bind"}


def test_the_build_links_exactly_the_allowed_edges():
    text = (ROOT / "CMakeLists.txt").read_text()
    built = {
        row.split()[0]: set(row.split()[1:]) - {"base"}
        for row in re.findall(r"^fsim_room\(([^)]*)\)", text, re.MULTILINE)
    }
    assert built == EDGES


def part_of(path: Path) -> str:
    """Return the part of the package a module belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_parts(path: Path) -> Iterator[str]:
    """Yield the parts of the package that a module imports, at any depth of its code."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{relative(path)}: relative import"
            names = (node.module or "").split(".")
            if names[0] == "franka_sim":
                yield from [names[1]] if len(names) > 1 else [a.name for a in node.names]
        elif isinstance(node, ast.Import):
            for alias in node.names:
                names = alias.name.split(".")
                if names[0] == "franka_sim":
                    yield names[1] if len(names) > 1 else "."


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=relative)
def test_a_module_imports_only_what_its_part_may_see(path):
    part = part_of(path)
    assert part in PYTHON_EDGES, f"{part} has no row in the table of edges"
    for name in imported_parts(path):
        allowed = name == part or name in PYTHON_EDGES[part] or name == "__version__"
        assert allowed, f"{relative(path)} imports franka_sim.{name}"


def test_the_table_of_python_edges_has_no_cycle():
    seen: dict[str, int] = {}

    def depth(part: str, path: tuple[str, ...]) -> int:
        assert part not in path, f"cycle: {' -> '.join((*path, part))}"
        if part not in seen:
            below = [depth(p, (*path, part)) for p in PYTHON_EDGES.get(part, ()) if p != "."]
            seen[part] = 1 + max(below, default=0)
        return seen[part]

    for part in PYTHON_EDGES:
        depth(part, ())
