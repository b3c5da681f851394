"""Addresses of this machine that are free. Must not serve anything."""

from __future__ import annotations

import random
import socket

FCI_PORT = 1337  # libfranka has no way to ask for another one (wire.md 0.2)


def free_loopback(port: int = FCI_PORT, rng: random.Random | None = None) -> str:
    """Return an address 127.x.y.z on which nothing listens to `port`.

    libfranka's port is fixed, so robots of one machine differ by address; on Linux the whole of
    127.0.0.0/8 is there. Two callers get the same address by chance once in millions of times.

    Raises:
        OSError: when no free address was found.
    """
    # Seeded by the system, not by the test's seed: parallel test runs must not draw alike.
    draw = rng or random.SystemRandom()
    for _ in range(100):
        # Away from 127.0.0.x and 127.0.1.1, which systems use themselves, and from .0 and .255.
        address = f"127.{draw.randint(1, 254)}.{draw.randint(0, 255)}.{draw.randint(1, 254)}"
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as sock:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                sock.bind((address, port))
            except OSError:
                continue
        return address
    raise OSError(f"no free loopback address for port {port}")
