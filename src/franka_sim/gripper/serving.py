"""Puts the gripper of one robot together: port, desk, Python face."""

from __future__ import annotations

import socket

from franka_sim.gripper.door import ToolDoor
from franka_sim.gripper.hand import Hand
from franka_sim.gripper.orders import Orders
from franka_sim.gripper.pump import Pump
from franka_sim.gripper.reception import ToolDesk
from franka_sim.gripper.tables import HAND, standard_port
from franka_sim.server.tcp import Port

_FCI_PORT = 1337


def port_for(kind: str, asked: int | None, fci_port: int) -> int:
    """Return the TCP port to serve a gripper on; 0 is any free one.

    Client libraries know one port only, as they do for the robot. A robot somewhere else is one of
    several, or a test's: its gripper must not be in the way of another's.
    """
    if asked is not None:
        return asked
    return standard_port(kind) if fci_port == _FCI_PORT else 0


class Gripper:
    """A gripper with its port, not started.

    Args:
        sock: a bound socket; owned from now on.
        engine: the doors of the robot whose tool it is.
        kind: ``hand`` or ``vacuum``.
    """

    def __init__(self, sock: socket.socket, engine: ToolDoor, kind: str) -> None:
        orders = Orders(engine, kind)
        self.tool: Hand | Pump = (Hand if kind == HAND else Pump)(engine, orders)
        self._desk = ToolDesk(engine, kind, orders.answered)
        self.port = Port(sock, self._desk, engine.tool_event_fd, "gripper-tcp")

    def let_clients_go(self, timeout: float) -> None:
        """End all sessions; TimeoutError when that took longer than `timeout` seconds."""
        self.port.run(self._desk.let_go, timeout)

    def faults(self) -> dict[str, int]:
        """Return what peers did wrong, by kind, each called ``gripper_tcp_<kind>``."""
        return {f"gripper_{kind}": n for kind, n in self._desk.faults.snapshot().items()}
