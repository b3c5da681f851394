"""Merges command line, environment and file into one configuration, in that order of precedence.

Pure but for reading the named file; starts nothing, prints nothing.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

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


@dataclass(frozen=True)
class Config:
    """A complete, checked configuration.

    Attributes:
        values: one value for every key of the option table.
        notes: sentences a user should read although nothing is wrong, e.g. about a variable that
            no option has.
    """

    values: Mapping[str, Any]
    notes: tuple[str, ...] = field(default=())

    def __getattr__(self, key: str) -> Any:
        if key.startswith("_") or key not in BY_KEY:
            raise AttributeError(key)
        return self.values[key]


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
    path = file or first.pop("config", None) or second.pop("config", None)
    second.pop("config", None)
    third = _from_file(Path(path)) if path is not None else {}
    values = _merge(first, second, third, defaults or {})
    _refuse_idle_settings(values, named)
    return Config(values | {"config": path}, tuple(notes))


#: What acts only beside another setting: key, the other key, the values with which it acts.
_ACTS_ONLY_WITH = (
    ("scale", "clock", ("scaled",)),
    ("lockstep_timeout", "clock", ("lockstep",)),
    ("idle", "clock", ("lockstep",)),
    ("priority", "realtime", ("auto", "require")),
)


def _refuse_idle_settings(values: Mapping[str, Any], named: Mapping[str, str]) -> None:
    """Raise ConfigError for a setting that would do nothing: it is never ignored silently."""
    for key, other, acting in _ACTS_ONLY_WITH:
        if values[key] != BY_KEY[key].default and values[other] not in acting:
            name, needed = named.get(key, key), named.get(other, other)
            raise ConfigError(f"{name}: it acts only with {needed} {' or '.join(acting)}")


def _from_arguments(arguments: Mapping[str, Any], named: Mapping[str, str]) -> dict[str, Any]:
    layer = {}
    for key, value in arguments.items():
        if value is None:
            continue
        name = named.get(key, key)
        if key in unbuilt.BY_KEY:
            unbuilt.BY_KEY[key].refuse_unless_harmless(value, name)
        else:
            layer[key] = _known(key, name).check(value, name)
    return layer


def _from_environment(environment: Mapping[str, str], notes: list[str]) -> dict[str, Any]:
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
            layer[key] = BY_KEY[key].parse(text, variable)
    return layer


def _from_file(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as stream:
            table = tomllib.load(stream)
    except OSError as error:
        raise ConfigError(f"config: cannot read {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"config: {path} is not valid TOML: {error}") from None
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
            layer[key] = option.check(value, name)
            if option.kind == "path":  # relative to the file that says it
                layer[key] = str(path.parent / layer[key])
    return layer


def _merge(*layers: Mapping[str, Any]) -> dict[str, Any]:
    """Return all values; `layers` go from the strongest to the weakest."""
    strict_at = next((at for at, layer in enumerate(layers) if "strict" in layer), len(layers))
    strict = strict_at < len(layers) and layers[strict_at]["strict"]
    values = {}
    for option in OPTIONS:
        at = next((at for at, layer in enumerate(layers) if option.key in layer), len(layers))
        if strict and option.key in STRICT and strict_at < at:
            values[option.key] = STRICT[option.key]
        elif at < len(layers):
            values[option.key] = layers[at][option.key]
        else:
            values[option.key] = option.default
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
