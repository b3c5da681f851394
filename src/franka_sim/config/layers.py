"""Merges command line, environment and file into one configuration, in that order of precedence.

Pure but for reading the named file; starts nothing, prints nothing.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from franka_sim.config import unbuilt
from franka_sim.config.errors import ConfigError
from franka_sim.config.options import BY_KEY, OPTIONS, Option

_PREFIX = "FRANKA_SIM_"

#: What `strict` means for the switches that are not given themselves.
STRICT = {
    "enforce_motion_limits": True,
    "enforce_comm_constraints": True,
    "late_commands": "drop",
}


#: What `realism` means for the settings that are not given themselves. Friction: what menagerie
#: identified behind Franka's own compensation (robot-model.md 4), or none. Lab: noise and bias of
#: three recorded robots (robot-model.json, control.noise_estimate); chosen: steps
#: of 20 bits a turn, below the 1.6e-5 rad to which recorded robots hold (robot-model.md 8), and a
#: compensation that is 10 % off, as one friction for four joints must be.
REALISM: dict[str, dict[str, Any]] = {
    "ideal": {"friction": 0.0},
    "nominal": {"friction": 1.0},
    "lab": {
        "friction": 1.0,
        "friction_compensation_error": 0.1,
        "torque_bias": 0.5,
        "torque_noise": 0.05,
        "velocity_noise": 7e-4,
        "encoder_resolution": 6e-6,
    },
}
_EXACT = dict.fromkeys(
    (
        "friction_compensation_error",
        "torque_bias",
        "torque_noise",
        "velocity_noise",
        "encoder_resolution",
    ),
    0.0,
)


@dataclass(frozen=True)
class Config:
    """A complete, checked configuration.

    Attributes:
        values: one value for every key of the option table.
        notes: sentences a user should read although nothing is wrong, e.g. about a variable that
            no option has.
        names: how each given key was given: option, variable or line of a file.
    """

    values: Mapping[str, Any]
    notes: tuple[str, ...] = field(default=())
    names: Mapping[str, str] = field(default_factory=dict)

    def name(self, key: str) -> str:
        """Return how the user named `key`, for a sentence about its value."""
        return self.names.get(key, key)

    def __getattr__(self, key: str) -> Any:
        if key.startswith("_") or key not in BY_KEY:
            raise AttributeError(key)
        return self.values[key]


class _Given(NamedTuple):
    """One value and how the user named it."""

    value: Any
    name: str


def load(
    arguments: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] | None = None,
    file: str | Path | None = None,
    *,
    name_of: Mapping[str, str] | None = None,
    defaults: Mapping[str, Any] | None = None,
) -> Config:
    """Return the configuration that arguments, environment and file make together.

    An argument wins over a variable, a variable over the file, the file over the default. `strict`
    is expanded in the layer that gives it, so that a lower layer cannot soften it.

    Args:
        arguments: values by key, already of the option's type; None values count as not given.
        environment: variables; None reads none.
        file: TOML file; None takes the one that FRANKA_SIM_CONFIG names, if any.
        name_of: how arguments are called in messages; the key itself by default.
        defaults: values that replace defaults of the table.

    Raises:
        ConfigError: for an unknown key, a value out of range, or an unreadable file.
    """
    notes: list[str] = []
    named = name_of or {}
    first = _from_arguments(arguments or {}, named)
    second = _from_environment(environment or {}, notes)
    files = [layer.pop("config", None) for layer in (first, second)]
    given = _Given(file, named.get("config", "config")) if file else files[0] or files[1]
    third = _from_file(Path(given.value), given.name) if given else {}
    fourth = {key: _Given(value, key) for key, value in (defaults or {}).items()}
    merged = _merge(first, second, third, fourth)
    values = {key: merged[key].value for key in merged}
    names = {key: merged[key].name for key in merged}
    _refuse_idle_settings(values, names)
    _refuse_odd_files(values, names)
    return Config(values | {"config": given.value if given else None}, tuple(notes), names)


#: What acts only beside another setting: key, the other key, the values with which it acts.
_ACTS_ONLY_WITH = (
    ("scale", "clock", ("scaled",)),
    ("lockstep_timeout", "clock", ("lockstep",)),
    ("idle", "clock", ("lockstep",)),
    ("priority", "realtime", ("auto", "require")),
    ("gripper_port", "gripper", ("hand", "vacuum")),
    ("gripper_object_width", "gripper", ("hand",)),
    ("gripper_physics", "gripper", ("hand",)),
    ("unhomed", "gripper", ("hand",)),
    ("gripper_part", "gripper", ("vacuum",)),
)


def _refuse_idle_settings(values: Mapping[str, Any], names: Mapping[str, str]) -> None:
    """Raise ConfigError for a setting that would do nothing: it is never ignored silently."""
    for key, other, acting in _ACTS_ONLY_WITH:
        if values[key] != BY_KEY[key].default and values[other] not in acting:
            # The other is named as this one was: both on the command line, say.
            needed = BY_KEY[other].flag if names[key].startswith("--") else other
            raise ConfigError(f"{names[key]}: it acts only with {needed} {' or '.join(acting)}")


#: Files that are read.
_INPUT_FILES = ("urdf", "scene", "end_effector")


def _refuse_odd_files(values: Mapping[str, Any], names: Mapping[str, str]) -> None:
    """Raise ConfigError for a pipe or device where a file is read: reading one may never end."""
    for key in _INPUT_FILES:
        value = values.get(key)
        if isinstance(value, str) and value not in BY_KEY[key].choices:
            _refuse_odd_file(Path(value), names[key])


def _refuse_odd_file(path: Path, name: str) -> None:
    if path.exists() and not path.is_file() and not path.is_dir():
        raise ConfigError(f"{name}: {path} is not a regular file")


def _from_arguments(arguments: Mapping[str, Any], named: Mapping[str, str]) -> dict[str, _Given]:
    layer = {}
    for key, value in arguments.items():
        if value is None:
            continue
        name = named.get(key, key)
        if key in unbuilt.BY_KEY:
            unbuilt.BY_KEY[key].refuse_unless_harmless(value, name)
        else:
            layer[key] = _Given(_known(key, name).check(value, name), name)
    return layer


def _from_environment(environment: Mapping[str, str], notes: list[str]) -> dict[str, _Given]:
    layer = {}
    for variable, text in environment.items():
        if not variable.startswith(_PREFIX):
            continue
        key = variable.removeprefix(_PREFIX).lower()
        if key in unbuilt.BY_KEY:
            unbuilt.BY_KEY[key].refuse_unless_harmless(text, variable)
        elif key not in BY_KEY:
            # Not an error: the prefix is shared with images and scripts around the server.
            notes.append(f"{variable} is not a setting of franka-sim{_did_you_mean(key, _PREFIX)}")
        elif text.strip():  # an empty variable is one that was unset the only way some shells can
            layer[key] = _Given(BY_KEY[key].parse(text, variable), variable)
    return layer


def _from_file(path: Path, given: str) -> dict[str, _Given]:
    _refuse_odd_file(path, given)
    try:
        with path.open("rb") as stream:
            table = tomllib.load(stream)
    except OSError as error:
        raise ConfigError(f"{given}: cannot read {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{given}: {path} is not valid TOML: {error}") from None
    layer = {}
    for written, value in table.items():
        key = written.replace("-", "_")
        name = f"{written} in {path}"
        if key in unbuilt.BY_KEY:
            unbuilt.BY_KEY[key].refuse_unless_harmless(value, name)
        elif key in BY_KEY and BY_KEY[key].command_line_only:
            raise ConfigError(f"{name}: a config file cannot name another one")
        else:
            option = _known(key, name)
            checked = option.check(value, name)
            # A path is relative to the file that says it.
            if option.kind == "path" or (option.kind == "name" and checked not in option.choices):
                checked = str(path.parent / checked)
            layer[key] = _Given(checked, name)
    return layer


def _merge(*layers: Mapping[str, _Given]) -> dict[str, _Given]:
    """Return a value for each key; `layers` go from the strongest to the weakest."""

    def found(key: str) -> tuple[int, _Given]:
        at = next((at for at, layer in enumerate(layers) if key in layer), len(layers))
        given = layers[at][key] if at < len(layers) else _Given(BY_KEY[key].default, key)
        return at, given

    # A word that stands for others is expanded in the layer that gives it.
    implied: dict[str, tuple[int, _Given]] = {}
    at, strict = found("strict")
    if strict.value:
        implied |= {key: (at, _Given(value, strict.name)) for key, value in STRICT.items()}
    at, realism = found("realism")
    meant = _EXACT | REALISM[realism.value]
    implied |= {key: (at, _Given(value, realism.name)) for key, value in meant.items()}
    values = {}
    for option in OPTIONS:
        at, given = found(option.key)
        if option.key in implied and implied[option.key][0] < at:
            given = implied[option.key][1]
        values[option.key] = given
    return values


def _known(key: str, name: str) -> Option:
    if key not in BY_KEY:
        raise ConfigError(f"{name}: there is no such option{_did_you_mean(key, '')}")
    return BY_KEY[key]


def _did_you_mean(key: str, prefix: str) -> str:
    near = difflib.get_close_matches(key, BY_KEY, n=1)
    if not near:
        return ""
    shown = prefix + near[0].upper() if prefix else near[0]
    return f"; did you mean {shown}?"
