"""Builds command-line parsers from the option table and turns their errors into one sentence.

argparse, because every option here is a row of a table and not a function signature, because its
errors can be replaced whole, and because it costs no start-up time.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Any, NoReturn

from franka_sim.config import ConfigError, Option
from franka_sim.config.unbuilt import UNBUILT


class Parser(argparse.ArgumentParser):
    """A parser whose errors are ConfigErrors of one sentence."""

    def error(self, message: str) -> NoReturn:
        raise ConfigError(f"{message.removeprefix('argument ')}; see {self.prog} --help")


def add_options(parser: argparse.ArgumentParser, options: Iterable[Option]) -> None:
    """Add one argument for each option, and hidden ones for what is known but not built."""
    for option in options:
        text = option.meaning.replace("%", "%%")
        if option.default is not None and option.kind != "bool":
            unit = f" {option.unit}" if option.unit else ""
            text += f" (default {option.default_text}{unit})"
        if option.kind == "bool":
            parser.add_argument(
                option.flag, dest=option.key, action="store_const", const="true", help=text
            )
            parser.add_argument(
                "--no-" + option.flag.removeprefix("--"),
                dest=option.key,
                action="store_const",
                const="false",
                help=argparse.SUPPRESS,
            )
        else:
            words = [*option.choices, "FILE"] if option.kind == "name" else option.choices
            if option.kind == "numbers":
                words = [",".join([option.unit.upper()] * option.count)]
            meta = "|".join(words) or option.unit.upper() or option.kind.upper()
            if not option.words:
                parser.add_argument(option.flag, dest=option.key, metavar=meta, help=text)
                continue
            # A switch that has grown choices.
            parser.add_argument(
                option.flag, dest=option.key, nargs="?", const="true", metavar=meta, help=text
            )
            parser.add_argument(
                "--no-" + option.flag.removeprefix("--"),
                dest=option.key,
                action="store_const",
                const="false",
                help=f"the same as {option.flag} {option.words['false']}",
            )
    for row in UNBUILT:
        flags = [flag for flag in (row.short, row.flag) if flag]
        if row.takes_value:
            parser.add_argument(*flags, dest=row.key, help=argparse.SUPPRESS)
        else:
            parser.add_argument(
                *flags, dest=row.key, action="store_const", const="true", help=argparse.SUPPRESS
            )


def read(
    parser: argparse.ArgumentParser, options: Iterable[Option], argv: list[str]
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the given values by key, and what each key is called on the command line.

    Raises:
        ConfigError: for an unknown argument or a value out of range.
        SystemExit: with code 0 after ``--help``.
    """
    given = {key: text for key, text in vars(parser.parse_args(argv)).items() if text is not None}
    by_key = {option.key: option for option in options}
    names = {key: "--" + key.replace("_", "-") for key in given}
    values = {
        key: by_key[key].parse(text, names[key]) if key in by_key else text
        for key, text in given.items()
    }
    return values, names
