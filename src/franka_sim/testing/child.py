"""Process behind a `RemoteSimulation`: serves a robot and answers calls while its parent lives.

The parent holds one end of a socket pair: through the other come the channels on which it calls,
and its end is the end of this process. Nothing here is a port that others could reach.
"""

from __future__ import annotations

import itertools
import os
import select
import signal
import socket
import threading
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from operator import attrgetter
from typing import Any

from franka_sim.testing.remote import METHODS, VALUES, OrderNumber

#: Chosen: a parent that died with its end of the socket kept open by a fork is noticed within this.
_PARENT_CHECK_S = 1.0
#: Chosen: orders that somebody may still ask after.
_MOST_ORDERS = 10_000
_orders: dict[int, Any] = {}
_orders_lock = threading.Lock()
_numbers = itertools.count(1)
#: What a caller did wrong, or waited for in vain; all else is a defect and comes with its stack.
_EXPECTED = (OSError, RuntimeError, TypeError, ValueError)


def main(control_fd: int) -> None:
    """Serve until the parent closes its end of `control_fd`."""
    # Ctrl-C goes to the whole group of processes; the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = os.getppid()
    with socket.socket(fileno=control_fd) as control:
        first = _next_channel(control, parent)
        if first is None:
            return
        try:
            options = first.recv()
        except (EOFError, ConnectionError):
            return
        try:
            simulation = _start(options)
        except Exception as error:
            _send(first, False, error)
            return
        with simulation:
            about = {
                "host": simulation.host,
                "port": simulation.port,
                "config": simulation.config,
            }
            _send(first, True, about)
            channel: Connection | None = first
            while channel is not None:
                threading.Thread(
                    target=_answer_calls, args=(simulation, channel), daemon=True
                ).start()
                channel = _next_channel(control, parent)


def _start(options: dict[str, Any]) -> Any:
    from franka_sim.config import load
    from franka_sim.log.setup import configure
    from franka_sim.simulation import Simulation

    config = load(options)
    configure(config.log_level, config.json_logs)
    return Simulation(config)


def _next_channel(control: socket.socket, parent: int) -> Connection | None:
    """Return the next channel that the parent opens; None when it is gone."""
    while os.getppid() == parent:
        if not select.select([control], [], [], _PARENT_CHECK_S)[0]:
            continue
        try:
            data, fds, _, _ = socket.recv_fds(control, 1, 1)
        except ConnectionError:
            return None
        return Connection(fds[0]) if data else None
    return None


def _answer_calls(simulation: Any, channel: Connection) -> None:
    with channel:
        while True:
            try:
                name, args, kwargs = channel.recv()
            except (EOFError, ConnectionError):
                return
            try:
                good, value = True, _carry_out(simulation, name, args, kwargs)
            except BaseException as error:
                if not isinstance(error, _EXPECTED):
                    error.add_note(traceback.format_exc())
                good, value = False, error
            try:
                _send(channel, good, value)
            except ConnectionError:
                return


def _send(channel: Connection, good: bool, value: Any) -> None:
    try:
        channel.send((good, value))
    except ConnectionError:
        raise
    except Exception as error:  # what is sent may be anything, and so may what pickling it raises
        channel.send((False, RuntimeError(f"{value!r:.500} cannot be sent: {error}")))


def _carry_out(simulation: Any, name: str, args: Any, kwargs: Any) -> Any:
    if name in VALUES:
        return attrgetter(name)(simulation)
    if name in METHODS:
        return _sendable(attrgetter(name)(simulation)(*args, **kwargs))
    if name in _HELPS:
        return _HELPS[name](simulation, *args, **kwargs)
    if name in _ORDER_CALLS:
        return _ORDER_CALLS[name](*args)
    raise ValueError(f"name: {name!r} is not allowed; it must be one of the table in remote.py")


def _sendable(value: Any) -> Any:
    """Return `value`, or what stands for it: an order ends here, not there."""
    from franka_sim.gripper.orders import Order

    if not isinstance(value, Order):
        return value
    with _orders_lock:
        number = next(_numbers)
        _orders[number] = value
        while len(_orders) > _MOST_ORDERS:
            del _orders[next(iter(_orders))]
    return OrderNumber(number)


def _order(number: int) -> Any:
    with _orders_lock:
        if number not in _orders:
            raise RuntimeError(f"more than {_MOST_ORDERS} commands were given after this one")
        return _orders[number]


def _order_wait(number: int, timeout: float) -> str:
    return str(_order(number).wait(timeout))


def _order_value(number: int, name: str) -> Any:
    if name not in ("done", "cycle"):
        raise ValueError(f"name: {name!r} is not allowed; it must be done or cycle")
    return getattr(_order(number), name)


def _events_from(simulation: Any, number: int) -> list[Any]:
    return [event for event in simulation.events if event.number >= number]


def _wait_past(simulation: Any, number: int, timeout: float) -> None:
    """Return when there are more than `number` events, or after `timeout` seconds."""
    try:
        simulation.wait_for(lambda sim: sim.event_count > number, timeout)
    except TimeoutError:
        return


#: What waiting there needs beside the methods of the simulation.
_HELPS: dict[str, Callable[..., Any]] = {"events_from": _events_from, "wait_past": _wait_past}
_ORDER_CALLS: dict[str, Callable[..., Any]] = {
    "order_value": _order_value,
    "order_wait": _order_wait,
}
