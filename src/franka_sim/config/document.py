"""Writes the reference page of options: ``python -m franka_sim.config.document``.

The page is committed; a test compares it with what this writes.
"""

from __future__ import annotations

import math

from franka_sim.config.options import OPTIONS, Option
from franka_sim.config.unbuilt import UNBUILT

_HEAD = """\
.. Generated from src/franka_sim/config/options.py and unbuilt.py by
.. ``python -m franka_sim.config.document``; checked by tests/unit/test_config.py. Do not edit.

Options
=======

Each option of ``franka-sim serve`` is an argument, an environment variable and a key of the TOML
file. An argument wins over a variable, a variable over the file, the file over the default.
``strict`` switches on both kinds of enforcement and drops late commands, except where the same
layer or a stronger one says otherwise.

"""

_UNBUILT = """
Not built yet
-------------

These options of the field are refused by name (exit code 2) unless they ask for nothing that is
missing:

"""


def page() -> str:
    """Return the reference page as reStructuredText."""
    return _HEAD + "\n".join(_entry(option) for option in OPTIONS) + _UNBUILT + _refused()


def _entry(option: Option) -> str:
    where = f"``{option.flag}``, ``{option.variable}``"
    if not option.command_line_only:
        where += f", ``{option.key}``"
    return f"{where}\n   {_sentence(option.meaning)} Allowed: {option.allowed}.{_default(option)}\n"


def _default(option: Option) -> str:
    if option.default is None:
        return ""
    value = option.default
    shown = str(value).lower() if isinstance(value, bool) else str(value)
    if isinstance(value, float) and math.isfinite(value):
        shown = f"{value:g}"
    unit = f" {option.unit}" if option.unit else ""
    return f" Default: ``{shown}``{unit}."


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:] + "."


def _refused() -> str:
    return "".join(f"* ``{row.flag}``: {row.what}\n" for row in UNBUILT)


if __name__ == "__main__":
    print(page(), end="")
