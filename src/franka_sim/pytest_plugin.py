"""pytest plugin: a robot for tests of clients, on an address of its own, in a process of its own.

Fixtures `franka_sim_server` and `franka_sim`, marker `franka_sim`. It loads in every pytest run
where the package is installed, so it imports nothing but the table of options until a test asks for
a robot.
"""

from __future__ import annotations

import argparse
from collections import OrderedDict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from franka_sim.config.errors import ConfigError
from franka_sim.config.options import BY_KEY, OPTIONS, Option

if TYPE_CHECKING:
    from franka_sim.gate import Comparison
    from franka_sim.testing import RemoteSimulation

#: What a robot is like that nobody asks to be otherwise: what CI needs.
DEFAULTS: dict[str, Any] = {"clock": "lockstep", "strict": True}
#: Each server has an address of its own, and libfranka knows one port only.
_OURS = frozenset({"host", "port"})
#: Options of the command line that the help names; the others are there as well.
_SHOWN = ("clock", "strict", "scene", "end_effector", "realism", "log_level", "config")
#: Servers of other options that are kept for later tests; the one unused longest ends. Chosen.
_KEPT = 4
_PREFIX = "franka-sim-"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup(
        "franka-sim",
        "robots of the fixtures franka_sim and franka_sim_server; every option of "
        "'franka-sim serve' is there with --franka-sim- before its name",
    )
    for option in OPTIONS:
        if option.key in _OURS:
            continue
        flag = f"--{_PREFIX}{option.key.replace('_', '-')}"
        default = DEFAULTS.get(option.key, option.default)
        text = f"{option.meaning} (default {default})".replace("%", "%%")
        shown = text if option.key in _SHOWN else argparse.SUPPRESS
        dest = f"franka_sim_{option.key}"
        if option.kind == "bool":
            no = flag.replace(_PREFIX, f"{_PREFIX}no-")
            group.addoption(flag, dest=dest, action="store_const", const="true", help=shown)
            group.addoption(
                no, dest=dest, action="store_const", const="false", help=argparse.SUPPRESS
            )
        else:
            metavar = option.unit.upper() or option.kind.upper()
            group.addoption(flag, dest=dest, metavar=metavar, help=shown)
    parser.addini(
        "franka_sim",
        "options of the fixtures' robots, one 'key = value' a line, as in the server's file",
        type="linelist",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "franka_sim(**options): options of the robot that the fixture franka_sim gives to this "
        "test, e.g. clock='realtime', strict=False; nearer markers win",
    )
    try:
        _given(config)
    except ConfigError as error:
        raise pytest.UsageError(str(error)) from None


@pytest.fixture(scope="session")
def franka_sim_servers(request: pytest.FixtureRequest) -> Iterator[Servers]:
    """Servers of this session by their options; for fixtures of your own that need another one."""
    with Servers(DEFAULTS | _given(request.config)) as servers:
        yield servers


@pytest.fixture(scope="session")
def franka_sim_server(franka_sim_servers: Servers) -> RemoteSimulation:
    """A robot for the whole session, of the options of command line and ini file.

    `host` is its address. It is reset after each test that asks for `franka_sim`.
    """
    return franka_sim_servers.get({})


@pytest.fixture
def franka_sim(
    request: pytest.FixtureRequest, franka_sim_servers: Servers
) -> Iterator[RemoteSimulation]:
    """A robot as it is when it starts, and everything a test may do to it: a `Simulation`.

    It is that of `franka_sim_server` unless a marker asks for other options.
    """
    wishes: dict[str, Any] = {}
    for marker in reversed(list(request.node.iter_markers("franka_sim"))):
        if marker.args:
            pytest.fail(
                f"the marker franka_sim takes options by name, not {marker.args[0]!r}",
                pytrace=False,
            )
        wishes |= marker.kwargs
    try:
        simulation = franka_sim_servers.get(wishes)
    except (ConfigError, OSError) as error:
        pytest.fail(f"franka_sim: {error}", pytrace=False)
    simulation.reset()
    yield simulation
    # Here as well: the next test may only use the server.
    franka_sim_servers.give_back(simulation)


@pytest.fixture(scope="session")
def franka_gate() -> Callable[..., Comparison]:
    """Compare two client programs: ``franka_gate(base="...", candidate="...", runs=18)``.

    Takes the fields of `franka_sim.gate.Plan` and returns a `franka_sim.gate.Comparison`; a test
    asserts that it has not ``regressed``.
    """

    def gate(base: str, candidate: str, **options: Any) -> Comparison:
        from franka_sim.gate import Plan, compare

        return compare(Plan(base, candidate, **options), say=print)

    return gate


class Servers:
    """Running servers by their options. A context manager that ends them all.

    Args:
        defaults: options of all of them, unless asked otherwise.
    """

    def __init__(self, defaults: dict[str, Any]) -> None:
        self._defaults = defaults
        self._running: OrderedDict[str, RemoteSimulation] = OrderedDict()

    def get(self, wishes: dict[str, Any]) -> RemoteSimulation:
        """Return a running server with these options beside the session's; started if need be.

        Raises:
            ConfigError: for an option that does not exist, or a value that is not allowed.
        """
        for key in wishes:
            if key in _OURS:
                raise ConfigError(f"{key}: the fixtures choose a free address themselves")
        from franka_sim.testing import RemoteSimulation

        options = self._defaults | wishes
        key = repr(sorted(options.items()))
        if key in self._running:
            self._running.move_to_end(key)
            if self._running[key].running:
                return self._running[key]
            self._running.pop(key).stop()
        simulation = self._running[key] = RemoteSimulation(**options)
        own = repr(sorted(self._defaults.items()))
        for unused in [k for k in self._running if k != own][:-_KEPT]:
            self._running.pop(unused).stop()
        return simulation

    def give_back(self, simulation: RemoteSimulation) -> None:
        """Put a server back to its start; one that cannot be is ended, the next is a new one."""
        try:
            simulation.reset()
        except BaseException:
            self._running = OrderedDict(
                (key, one) for key, one in self._running.items() if one is not simulation
            )
            simulation.stop()
            raise

    def __enter__(self) -> Servers:
        return self

    def __exit__(self, *exc: object) -> None:
        while self._running:
            self._running.popitem()[1].stop()


def _given(config: pytest.Config) -> dict[str, Any]:
    """Return the options of the ini file and of the command line, which wins."""
    given = {}
    for line in config.getini("franka_sim"):
        key, separator, text = (part.strip() for part in line.partition("="))
        name = f"franka_sim: {key}"
        key = key.replace("-", "_")
        if not separator or key not in BY_KEY or key in _OURS:
            raise ConfigError(
                f"franka_sim: {line!r} is no 'key = value' of an option of the server"
            )
        value = BY_KEY[key].parse(text.strip("\"'"), name)
        given[key] = _absolute(
            BY_KEY[key], value, config.inipath.parent if config.inipath else None
        )
    for option in OPTIONS:
        text = config.getoption(f"franka_sim_{option.key}", None)
        if text is not None:
            flag = f"--{_PREFIX}{option.key.replace('_', '-')}"
            value = option.parse(text, flag)
            given[option.key] = _absolute(option, value, config.invocation_params.dir)
    return given


def _absolute(option: Option, value: Any, folder: Path | None) -> Any:
    """Return `value`; a path as it is from `folder`, wherever a test may have gone."""
    is_path = option.kind == "path" or (option.kind == "name" and value not in option.choices)
    return str((folder or Path()) / value) if is_path else value
