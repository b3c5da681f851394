"""The table of options: key, type, unit, range, default and meaning of everything a user can set.

Command line, environment (FRANKA_SIM_<KEY>), TOML file, API and help text are all built from these
rows; a new option is a new row here and its use where it acts.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from franka_sim.config.errors import ConfigError

_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"0", "false", "no", "off"})


@dataclass(frozen=True)
class Option:
    """One thing a user can set.

    Attributes:
        key: name in file and API; ``--key`` with hyphens on the command line.
        kind: ``int``, ``float``, ``bool``, ``str``, ``path``, ``name`` (one of
            `choices` or a path) or ``numbers`` (up to `count` with commas between; missing ones 0).
        default: value when nobody sets it; None means "decided elsewhere", as `meaning` says.
        meaning: one line for the help text.
        unit: unit of a number, as printed.
        low, high: inclusive range of a number.
        choices: allowed words of a ``str``.
        count: how many numbers there are.
        infinite: whether ``inf`` is a value.
        command_line_only: not a key of the file, nor of the API.
        words: other words for a choice; a switch that has grown choices keeps its on and off.
    """

    key: str
    kind: str
    default: Any
    meaning: str
    unit: str = ""
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    count: int = 1
    infinite: bool = False
    command_line_only: bool = False
    words: Mapping[str, str] = field(default_factory=dict)

    @property
    def flag(self) -> str:
        """Name on the command line."""
        return "--" + self.key.replace("_", "-")

    @property
    def variable(self) -> str:
        """Name in the environment."""
        return "FRANKA_SIM_" + self.key.upper()

    @property
    def allowed(self) -> str:
        """What values are allowed, in words."""
        if self.kind == "bool":
            return "true or false"
        if self.choices:
            words = "one of " + ", ".join(self.choices)
            return words + ", or the path of a file" if self.kind == "name" else words
        if self.kind == "path":
            return "the path of a file"
        if self.kind == "str":
            return "a text with something in it"
        noun = "a whole number" if self.kind == "int" else "a number"
        if self.kind == "numbers":
            noun = f"1 to {self.count} numbers with commas between, each"
        text = noun
        if self.low is not None and self.high is not None:
            text += f" from {self.low:g} to {self.high:g}"
        elif self.low is not None:
            text += f" of at least {self.low:g}"
        if self.unit:
            text += f" {self.unit}"
        return text + (" or inf" if self.infinite else "")

    def parse(self, text: str, name: str) -> Any:
        """Return the value that `text` stands for.

        Args:
            text: as written on a command line or in the environment.
            name: what the user calls the option there, for the message.

        Raises:
            ConfigError: when it stands for nothing allowed.
        """
        word = text.strip()
        try:
            if self.kind == "int":
                return self.check(int(word), name)
            if self.kind == "float":
                return self.check(float(word), name)
        except ValueError:  # no number, or (a ConfigError) one out of range
            raise self._refusal(text, name) from None
        if self.kind == "numbers":
            try:
                return self.check([float(part) for part in word.split(",")], name)
            except ValueError:
                raise self._refusal(text, name) from None
        if self.kind == "bool":
            lower = word.lower()
            if lower not in _TRUE | _FALSE:
                raise self._refusal(text, name)
            return lower in _TRUE
        return self.check(word, name)

    def check(self, value: Any, name: str) -> Any:
        """Return `value` as this option's type when it is allowed.

        Raises:
            ConfigError: when type or range do not fit.
        """
        if self.kind == "bool":
            if not isinstance(value, bool):
                raise self._refusal(value, name)
            return value
        if self.kind in ("str", "path", "name"):
            text = value if self.kind == "str" else _as_text(value)
            if self.words:
                text = self.words.get(str(value).lower(), text)
            closed = self.kind == "str" and self.choices
            if not isinstance(text, str) or not text or (closed and text not in self.choices):
                raise self._refusal(value, name)
            return text
        if self.kind == "numbers":
            return self._check_numbers(value, name)
        # A bool is an int to Python, but not to a user.
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self._refusal(value, name)
        if self.kind == "int" and not isinstance(value, int):
            raise self._refusal(value, name)
        if self.kind == "float":
            value = float(value)
            if math.isinf(value) and value > 0 and self.infinite:
                return value
            if not math.isfinite(value):
                raise self._refusal(value, name)
        if (self.low is not None and value < self.low) or (
            self.high is not None and value > self.high
        ):
            raise self._refusal(value, name)
        return value

    def _check_numbers(self, value: Any, name: str) -> tuple[float, ...]:
        given = list(value) if isinstance(value, list | tuple) else [value]
        for x in given:
            fits = isinstance(x, int | float) and not isinstance(x, bool) and math.isfinite(x)
            low = -math.inf if self.low is None else self.low
            high = math.inf if self.high is None else self.high
            if not fits or not low <= x <= high:
                raise self._refusal(value, name)
        if not 1 <= len(given) <= self.count:
            raise self._refusal(value, name)
        return (*map(float, given), *[0.0] * (self.count - len(given)))

    @property
    def default_text(self) -> str:
        """The default as a user would write it."""
        if self.kind == "numbers":
            return ",".join(f"{x:g}" for x in self.default)
        return str(self.default)

    def _refusal(self, value: object, name: str) -> ConfigError:
        shown = value if isinstance(value, str) and value.strip() else repr(value)
        return ConfigError(f"{name}: {shown!s:.200} is not allowed; it must be {self.allowed}")


def _as_text(value: Any) -> Any:
    return os.fspath(value) if isinstance(value, os.PathLike) else value


OPTIONS: tuple[Option, ...] = (
    Option("host", "str", "127.0.0.1", "IPv4 address or name to serve on"),
    Option(
        "port",
        "int",
        1337,
        "TCP port; 0 takes a free one (libfranka only knows 1337)",
        low=0,
        high=65535,
    ),
    Option("robot", "str", "fr3", "which arm", choices=("fr3",)),
    Option(
        "clock",
        "str",
        "realtime",
        "what begins a cycle: the wall clock, the client's answer, or a scaled wall clock",
        choices=("realtime", "lockstep", "scaled"),
    ),
    Option(
        "scale",
        "float",
        1.0,
        "simulated seconds per second of clock 'scaled'",
        low=0.01,
        high=100.0,
    ),
    Option(
        "strict",
        "bool",
        False,
        "behave as the robot does: enforce both kinds of limits and drop late commands",
    ),
    Option(
        "enforce_motion_limits",
        "bool",
        False,
        "abort a motion that breaks a limit; broken limits are logged either way",
    ),
    Option(
        "enforce_comm_constraints", "bool", False, "abort a motion after 20 lost cycles in a row"
    ),
    Option(
        "late_commands",
        "str",
        "apply",
        "a command that misses its cycle is still applied, or dropped",
        choices=("apply", "drop"),
    ),
    Option(
        "joint_discontinuity_scale",
        "float",
        1.0,
        "multiplies the limits on the joint motion that a Cartesian command implies",
        low=0.01,
        high=100.0,
    ),
    Option(
        "start",
        "str",
        "unlocked",
        "the arm starts ready for a client, or with closed brakes (robot mode Other)",
        choices=("unlocked", "locked"),
    ),
    Option(
        "recovery_time",
        "float",
        0.0,
        "least duration of automatic error recovery; robots were reported to take 0.2 to 7.3 s",
        unit="s",
        low=0.0,
        high=60.0,
    ),
    Option(
        "gripper",
        "str",
        "hand",
        "what stands at the flange and has a port of its own",
        choices=("hand", "vacuum", "none"),
        words=dict.fromkeys(_TRUE, "hand") | dict.fromkeys(_FALSE, "none"),
    ),
    Option(
        "gripper_port",
        "int",
        None,
        "TCP port of the gripper; 0 takes a free one (default 1338, vacuum 1339; with another FCI "
        "port than 1337 a free one)",
        low=0,
        high=65535,
    ),
    Option(
        "gripper_object_width",
        "float",
        0.0,
        "width of a thing between the fingers of the hand; 0 is nothing",
        unit="m",
        low=0.0,
        high=0.08,
    ),
    Option(
        "gripper_physics",
        "bool",
        False,
        "the hand is a part of the world: its fingers touch, hold and weigh",
    ),
    Option("unhomed", "bool", False, "the hand starts as after power-up: to be homed"),
    Option("gripper_part", "bool", False, "a part closes the cup of the vacuum gripper"),
    Option("urdf", "path", None, "URDF served to clients instead of the robot's own"),
    Option(
        "end_effector",
        "name",
        "none",
        "what is mounted on the flange: the world's body, and m_ee, I_ee, F_x_Cee, F_T_NE",
        choices=("none", "hand", "pump"),
    ),
    Option(
        "scene",
        "name",
        "none",
        "what stands around the arm: nothing, a table, or an MJCF file with objects",
        choices=("none", "table"),
    ),
    Option(
        "base_tilt",
        "numbers",
        (0.0, 0.0),
        "how the base is mounted: turned about its x axis, then about the world's y axis; "
        "0 on a table, 180 on a ceiling, 90 on a wall",
        unit="deg",
        low=-180.0,
        high=180.0,
        count=2,
    ),
    Option(
        "realism",
        "str",
        "nominal",
        "friction and sensors: none and true, as identified and true, or as identified and noisy; "
        "stands for what of friction, noise, bias and resolution is not given itself",
        choices=("ideal", "nominal", "lab"),
    ),
    Option(
        "friction",
        "float",
        1.0,
        "dry and viscous joint friction, as a factor on what was identified",
        low=0.0,
        high=10.0,
    ),
    Option(
        "friction_compensation_error",
        "float",
        0.0,
        "share of the friction that joint impedance fails to compensate while it moves; "
        "negative: compensates too much",
        low=-1.0,
        high=1.0,
    ),
    Option(
        "torque_bias",
        "float",
        0.0,
        "each joint's torque sensor is off by a constant of up to this, drawn from the seed",
        unit="Nm",
        low=0.0,
        high=20.0,
    ),
    Option(
        "torque_noise",
        "float",
        0.0,
        "standard deviation of the joint torque sensors",
        unit="Nm",
        low=0.0,
        high=20.0,
    ),
    Option(
        "velocity_noise",
        "float",
        0.0,
        "standard deviation of the measured joint velocity",
        unit="rad/s",
        low=0.0,
        high=0.1,
    ),
    Option(
        "encoder_resolution",
        "float",
        0.0,
        "step of the measured joint position; 0 has none",
        unit="rad",
        low=0.0,
        high=0.01,
    ),
    Option(
        "seed",
        "int",
        0,
        "of all noise and bias: the same seed gives the same numbers",
        low=0,
        high=2**63 - 1,
    ),
    Option(
        "realtime",
        "str",
        "auto",
        "real-time rights of the cycle: take what there is, take none, or fail without them",
        choices=("auto", "off", "require"),
    ),
    Option("cpu", "int", -1, "CPU the cycle is pinned to; -1 pins it to none", low=-1, high=4095),
    Option("priority", "int", 80, "SCHED_FIFO priority of the cycle", low=1, high=99),
    Option(
        "spin",
        "int",
        0,
        "busy wait before each cycle instead of the last part of the sleep",
        unit="us",
        low=0,
        high=1000,
    ),
    Option(
        "lockstep_timeout",
        "float",
        0.5,
        "how long clock 'lockstep' waits for an answer before the cycle counts as lost",
        unit="s",
        low=0.001,
        high=86400.0,
        infinite=True,
    ),
    Option(
        "idle",
        "str",
        "rest",
        "when nothing moves in clock 'lockstep', the world rests or runs on",
        choices=("rest", "run"),
    ),
    Option(
        "history",
        "int",
        10000,
        "cycles that are remembered, about 3 kB each",
        unit="cycles",
        low=1,
        high=1_000_000,
    ),
    Option("record", "path", None, "MCAP file that all cycles and events are recorded to"),
    Option(
        "record_on_error",
        "path",
        None,
        "folder that gets an MCAP file of the last cycles at each motion that ends in an error",
    ),
    Option(
        "timing_report",
        "path",
        None,
        "JSON file with the timing of all motions and of the connection, written at the end",
    ),
    Option(
        "metrics_port",
        "int",
        0,
        "TCP port of the same address where Prometheus reads metrics over HTTP; 0: none",
        low=0,
        high=65535,
    ),
    Option(
        "log_level",
        "str",
        "info",
        "least important lines that are shown",
        choices=("debug", "info", "warning", "error"),
    ),
    Option("json_logs", "bool", False, "log lines as JSON objects"),
    Option("config", "path", None, "TOML file with any of these keys", command_line_only=True),
)

BY_KEY: dict[str, Option] = {option.key: option for option in OPTIONS}
