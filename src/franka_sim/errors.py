"""The robot's 41 errors as a set of named flags, as a client of libfranka knows them.

Errors of the robot are data in the state, never Python exceptions (those of a bad configuration
live in `config`). Order and names come from the core's table; nothing here lists them again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from franka_sim import _engine

#: Printed names in wire order; the place is the bit index.
ERROR_NAMES: tuple[str, ...] = _engine.error_names()

_INDEX = {name: index for index, name in enumerate(ERROR_NAMES)}

# Two C++ members of franka::Errors are spelled unlike the name libfranka prints (wire.md 8).
_MEMBER_TO_PRINTED = {
    "cartesian_position_motion_generator_invalid_frame": (
        "cartesian_position_motion_generator_invalid_frame_flag"
    ),
    "tau_j_range_violation": "tau_J_range_violation",
}


class Errors:
    """An immutable set of the robot's errors.

    Each flag is also an attribute, under the name libfranka prints or its C++ member:
    ``state.current_errors.joint_velocity_violation``.

    Args:
        flags: 41 truth values in wire order; none given means no error.

    Raises:
        ValueError: when there are not exactly 41 flags.
    """

    __slots__ = ("_flags",)

    def __init__(self, flags: Iterable[object] | None = None) -> None:
        values = (
            (False,) * len(ERROR_NAMES) if flags is None else tuple(bool(flag) for flag in flags)
        )
        if len(values) != len(ERROR_NAMES):
            raise ValueError(f"a robot has {len(ERROR_NAMES)} error flags, not {len(values)}")
        self._flags = values

    @staticmethod
    def index_of(name: str) -> int:
        """Return the bit index (0 to 40) of the error called `name`.

        Raises:
            KeyError: when no error has that name.
        """
        return _INDEX[_MEMBER_TO_PRINTED.get(name, name)]

    @classmethod
    def of(cls, *names: str) -> Errors:
        """Return the set that holds exactly the named errors; KeyError for an unknown name."""
        wanted = {cls.index_of(name) for name in names}
        return cls(index in wanted for index in range(len(ERROR_NAMES)))

    def any(self) -> bool:
        """Return whether at least one error is set."""
        return any(self._flags)

    def names(self) -> tuple[str, ...]:
        """Return the names of the errors that are set, in wire order."""
        return tuple(name for name, flag in zip(ERROR_NAMES, self._flags, strict=True) if flag)

    def get(self, name: str) -> bool:
        """Return whether the error called `name` is set; a name that no error has is not set."""
        index = _INDEX.get(_MEMBER_TO_PRINTED.get(name, name))
        return index is not None and self._flags[index]

    def __getattr__(self, name: str) -> bool:
        index = _INDEX.get(_MEMBER_TO_PRINTED.get(name, name))
        if index is None:
            raise AttributeError(f"the robot has no error called {name!r}")
        return self._flags[index]

    def __getitem__(self, index: int) -> bool:
        return self._flags[index]

    def __iter__(self) -> Iterator[bool]:
        return iter(self._flags)

    def __len__(self) -> int:
        return len(self._flags)

    def __bool__(self) -> bool:
        return self.any()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Errors) and self._flags == other._flags

    def __hash__(self) -> int:
        return hash(self._flags)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *ERROR_NAMES]

    def __str__(self) -> str:
        # The form of libfranka's exception texts (wire.md 9).
        return "[" + ", ".join(f'"{name}"' for name in self.names()) + "]"

    def __repr__(self) -> str:
        return f"Errors{self.names()!r}"
