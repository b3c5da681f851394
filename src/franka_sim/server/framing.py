"""Cuts a byte stream into messages by their header, within strict bounds.

Knows sizes only: no command, no version, no socket.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from franka_sim.server.tables import HEADER


@dataclass(frozen=True)
class Frame:
    """One whole message: header fields (size with the header) and payload."""

    command: int
    command_id: int
    size: int
    payload: bytes


class FramingError(Exception):
    """The stream cannot be a sequence of FCI messages; it cannot be resynchronised."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind


class Framer:
    """Collects bytes and gives back whole messages, in order.

    The size field is judged as soon as the header is complete, so that a hostile size never makes
    the buffer grow.

    Args:
        limit: largest message accepted, in bytes, header included. May be changed between messages.
        header: command id, command_id, size of the whole message.
    """

    def __init__(self, limit: int, header: struct.Struct = HEADER) -> None:
        self.limit = limit
        self._header = header
        self._buffer = bytearray()

    def feed(self, data: bytes) -> None:
        """Append bytes as they came from the stream, cut anywhere."""
        self._buffer += data

    def __len__(self) -> int:
        """Return the number of bytes that wait to become messages."""
        return len(self._buffer)

    def next_frame(self) -> Frame | None:
        """Return the next whole message, or None until more bytes come.

        Raises:
            FramingError: when the size field is impossible; the stream is then useless.
        """
        if len(self._buffer) < self._header.size:
            return None
        command, command_id, size = self._header.unpack_from(self._buffer)
        if size < self._header.size:
            raise FramingError(
                "size_too_small",
                f"message size {size} is smaller than its {self._header.size}-byte header",
            )
        if size > self.limit:
            raise FramingError(
                "size_too_large",
                f"message size {size} is larger than the {self.limit} bytes allowed",
            )
        if len(self._buffer) < size:
            return None
        payload = bytes(self._buffer[self._header.size : size])
        del self._buffer[:size]
        return Frame(command, command_id, size, payload)
