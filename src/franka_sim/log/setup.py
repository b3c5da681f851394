"""The package's logger: structured, on top of the standard library's logger ``franka_sim``.

As a library it is as quiet as any other; programs call `configure` to get lines on stderr. Global
structlog settings belong to the user and are neither read nor changed.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import MutableMapping
from typing import Any, TextIO

import structlog

_NAME = "franka_sim"
#: Key of what only JSON lines show: values that the sentence of a line has in words.
RECORD = "record"
_stamp = structlog.processors.TimeStamper(fmt="iso", utc=True)
_to_text = structlog.processors.KeyValueRenderer(
    key_order=["event"], drop_missing=True, sort_keys=False
)


def _hand_over(logger: Any, method: str, event: MutableMapping[str, Any]) -> Any:
    """Leave rendering to our own handler if there is one, or make a plain text for anybody's."""
    if any(isinstance(handler, _Handler) for handler in logger.handlers):
        return structlog.stdlib.ProcessorFormatter.wrap_for_formatter(logger, method, event)
    text = str(event.pop("event", ""))
    exc_info = event.pop("exc_info", None)
    event.pop("level", None)
    event.pop(RECORD, None)
    if event:
        text += " " + str(_to_text(logger, method, event))
    return (text,), {"exc_info": exc_info}


def _drop_record(_logger: Any, _method: str, event: Any) -> Any:
    event.pop(RECORD, None)
    return event


class _Handler(logging.StreamHandler[TextIO]):
    """Our handler, told apart from a user's by its type."""


def logger() -> Any:
    """Return the package's logger: ``logger().warning("what happened", key=value)``."""
    return structlog.wrap_logger(
        logging.getLogger(_NAME),
        processors=[structlog.stdlib.filter_by_level, structlog.stdlib.add_log_level, _hand_over],
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )


def configure(level: str = "info", json_lines: bool = False, stream: TextIO | None = None) -> None:
    """Write lines of `level` and above to `stream` (stderr by default).

    Args:
        level: ``debug``, ``info``, ``warning`` or ``error``.
        json_lines: one JSON object a line instead of text; colours only appear on a terminal.
    """
    out = sys.stderr if stream is None else stream
    processors: list[Any] = [structlog.stdlib.ProcessorFormatter.remove_processors_meta, _stamp]
    if json_lines:
        processors += [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    else:
        processors.append(_drop_record)
        processors.append(
            structlog.dev.ConsoleRenderer(
                colors=out.isatty(),
                exception_formatter=structlog.dev.plain_traceback,
                pad_event_to=0,
                sort_keys=False,
            )
        )
    handler = _Handler(out)
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(processors=processors))
    target = logging.getLogger(_NAME)
    for old in [h for h in target.handlers if isinstance(h, _Handler)]:
        target.removeHandler(old)
    target.addHandler(handler)
    target.setLevel(level.upper())
    target.propagate = False
