"""The addresses a robot is served on: claimed before anything slow, refused in one sentence."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from typing import Any

from franka_sim.config import Config
from franka_sim.server.tcp import bind, resolve


def claim(config: Config, port: int, key: str, others: Sequence[Any] = ()) -> tuple[str, Any]:
    """Return the IPv4 address of host and a socket bound there to `port`, which `key` set.

    OSError says why not, also when one of the sockets `others` has that port.
    """
    host = config.host
    host_name, port_name = config.name("host"), config.name(key)
    if port and any(taken.getsockname()[1] == port for taken in others):
        raise OSError(errno.EADDRINUSE, f"{port_name}: {port} is taken by another of its ports")
    try:
        address = resolve(host)
    except OSError as error:
        raise OSError(errno.EADDRNOTAVAIL, f"{host_name}: {host} has no IPv4 address") from error
    try:
        return address, bind(address, port)
    except OSError as error:
        code = error.errno or 0
        reason = {
            errno.EADDRINUSE: f"{port_name}: {port} of {host} is in use by another program",
            errno.EACCES: f"{port_name}: {port} needs rights that this user does not have",
            errno.EADDRNOTAVAIL: f"{host_name}: {host} is not an address of this machine",
        }.get(code, f"{port_name}: cannot serve on {host} port {port}: {os.strerror(code)}")
        raise OSError(code, reason) from error
