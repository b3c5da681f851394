"""A gripper client built from wire.md 1.1 and 4 alone. Must not import the code under test."""

from __future__ import annotations

import socket
import struct
from dataclasses import dataclass

HEADER = struct.Struct("<HII")
STATUSES = ("kSuccess", "kFail", "kUnsuccessful", "kAborted")
#: Command ids and request payloads.
HAND = {
    "Connect": (0, "<HH"),
    "Homing": (1, "<"),
    "Grasp": (2, "<5d"),
    "Move": (3, "<2d"),
    "Stop": (4, "<"),
}
VACUUM = {
    "Connect": (0, "<HH"),
    "Vacuum": (1, "<BBq"),
    "DropOff": (2, "<q"),
    "Stop": (3, "<"),
}
HAND_STATE = struct.Struct("<Idd?H")
VACUUM_STATE = struct.Struct("<I???Bii")


@dataclass(frozen=True)
class HandState:
    message_id: int
    width: float
    max_width: float
    is_grasped: bool
    temperature: int


@dataclass(frozen=True)
class VacuumState:
    message_id: int
    in_control_range: bool
    part_detached: bool
    part_present: bool
    device_status: int
    actual_power: int
    vacuum: int


def message(commands: dict, name: str, command_id: int, *values) -> bytes:
    """A whole request."""
    number, layout = commands[name]
    payload = struct.pack(layout, *values)
    return HEADER.pack(number, command_id, HEADER.size + len(payload)) + payload


class RawGripper:
    """One connection to a gripper; replies are matched by command_id and may come in any order."""

    def __init__(self, host: str, port: int, kind: str = "hand", version: int | None = None):
        self.commands = HAND if kind == "hand" else VACUUM
        self._state = (HAND_STATE, HandState) if kind == "hand" else (VACUUM_STATE, VacuumState)
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("", 0))
        self._udp.settimeout(10.0)
        self._tcp = socket.create_connection((host, port), 10.0)
        self._tcp.settimeout(60.0)
        self._tcp.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._next_id = 0
        self._replies: dict[int, tuple[int, bytes]] = {}
        self._buffer = b""
        if version is None:
            version = 3 if kind == "hand" else 1
        try:
            first = self.send("Connect", version, self._udp.getsockname()[1])
            command, payload = self.reply(first)
        except OSError:
            self.close()
            raise
        assert (command, len(payload)) == (0, 4), (command, payload)
        self.status, self.server_version = struct.unpack("<HH", payload)

    def __enter__(self) -> RawGripper:
        return self

    def __exit__(self, *exc) -> None:
        self.close()

    def close(self) -> None:
        self._tcp.close()
        self._udp.close()

    def send_bytes(self, data: bytes) -> None:
        self._tcp.sendall(data)

    def send(self, name: str, *values) -> int:
        """Send a request; returns its command_id."""
        command_id, self._next_id = self._next_id, self._next_id + 1
        self._tcp.sendall(message(self.commands, name, command_id, *values))
        return command_id

    def reply(self, command_id: int) -> tuple[int, bytes]:
        """Wait for the reply to `command_id`: (command, payload)."""
        while command_id not in self._replies:
            self._read()
        return self._replies.pop(command_id)

    def status_of(self, command_id: int) -> str:
        """Wait for the reply to `command_id` and name its status."""
        command, payload = self.reply(command_id)
        assert len(payload) == 2, (command, payload)
        return STATUSES[struct.unpack("<H", payload)[0]]

    def call(self, name: str, *values) -> str:
        """Send a request and wait for its status."""
        return self.status_of(self.send(name, *values))

    def answered(self, command_id: int) -> bool:
        """Whether the reply is there already, without waiting."""
        self._tcp.setblocking(False)
        try:
            while True:
                self._read()
        except BlockingIOError:
            pass
        finally:
            self._tcp.settimeout(60.0)
        return command_id in self._replies

    def state(self) -> HandState | VacuumState:
        """Wait for the next state."""
        layout, make = self._state
        data = self._udp.recv(100)
        assert len(data) == layout.size, len(data)
        return make(*layout.unpack(data))

    def fresh_state(self) -> HandState | VacuumState:
        """Drop what is queued and wait for the next state, as libfranka's readOnce does."""
        self._udp.setblocking(False)
        try:
            while True:
                self._udp.recv(100)
        except BlockingIOError:
            pass
        finally:
            self._udp.settimeout(10.0)
        return self.state()

    def _read(self) -> None:
        data = self._tcp.recv(4096)
        if not data:
            raise ConnectionError("the server closed the connection")
        self._buffer += data
        while len(self._buffer) >= HEADER.size:
            command, command_id, size = HEADER.unpack_from(self._buffer)
            assert size >= HEADER.size, size
            if len(self._buffer) < size:
                return
            self._replies[command_id] = (command, self._buffer[HEADER.size : size])
            self._buffer = self._buffer[size:]
