"""Pushes that a scene brings along: texts of its `<custom>` element. Must not carry them out."""

from __future__ import annotations

import tomllib
from typing import Any

#: Texts whose name begins like this are pushes.
NAME = "push"


def pushes(spec: Any, prefix: str) -> list[tuple[str, dict[str, Any]]]:
    """Return name and keywords (those of `Simulation.push`) of each push of a scene.

    Args:
        spec: the composed mujoco.MjSpec.
        prefix: what the scene's names carry in it.

    Raises:
        ValueError: names the text that does not hold keywords.
    """
    found = []
    for text in spec.texts:
        name = text.name.removeprefix(prefix)
        if text.name.startswith(prefix) and name.startswith(NAME):
            found.append((name, _keywords(name, text.data)))
    return found


def _keywords(name: str, data: str) -> dict[str, Any]:
    try:
        parsed: dict[str, Any] = tomllib.loads(f"push = {{{data}}}")["push"]
    except tomllib.TOMLDecodeError as error:
        raise ValueError(
            f"text {name!r}: {data!r:.120} is not of the form "
            f'link = "flange", force = [0, 0, -10]: {error}'
        ) from None
    return parsed
