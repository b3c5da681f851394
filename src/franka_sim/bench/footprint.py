"""What a server costs: processor time idle and moving, and memory."""

from __future__ import annotations

import socket
import time

from franka_sim.bench import processes, programs
from franka_sim.bench.plan import Plan
from franka_sim.bench.report import Bound, Findings, Row
from franka_sim.server.probe import probe

HISTORY = 10_000  # cycles: ten seconds
BOUNDS = {"idle": Bound("server", "<=", 6.0), "moving": Bound("server", "<=", 12.0)}
RESIDENT = Bound("server", "<=", 150.0)
_STARTING_S = 30.0
_SETTLING_S = 0.5  # chosen: start-up and the handshake are over


def measure(plan: Plan, into: Findings) -> None:
    """Add rows for processor time of the states idle and moving, and one for memory."""
    with processes.host({}) as host:
        scheduling = host.scheduling
    resident: list[float] = []
    for condition, bound in BOUNDS.items():
        moving = condition == "moving"

        def server(moving: bool = moving) -> float:
            share, memory = _server(plan.seconds, moving)
            resident.append(memory)
            return share

        references, servers = plan.alternate(
            f"footprint {condition}", lambda: _bare_loop(plan.seconds, scheduling), server
        )
        client = "moves the arm" if moving else "reads"
        into.rows.append(
            Row(
                name=f"footprint.{condition}",
                what=f"processor time of the server while a client {client}, no spin",
                unit="% of a core",
                against="bare C loop that sends 1377 bytes at 1 kHz",
                reference=references,
                server=servers,
                bounds=[bound],
                notes={"seconds": plan.seconds, "scheduling": scheduling},
            )
        )
    bare = processes.interpreter_mb("import numpy, mujoco")
    into.rows.append(
        Row(
            name="footprint.memory",
            what=f"resident memory after a motion, history of {HISTORY} cycles",
            unit="MB",
            against="an interpreter that has imported numpy and mujoco",
            reference=[bare] * len(resident),
            server=resident,
            bounds=[RESIDENT],
        )
    )


def _server(seconds: float, moving: bool) -> tuple[float, float]:
    """Return processor share [%] and resident memory [MB] of a server of its own."""
    with processes.command_line_server(history=HISTORY) as (process, host):
        if not probe(host, processes.PORT, _STARTING_S).ready:
            raise RuntimeError("the server that was started is not ready")
        count = int((seconds + 60) * 1000)
        with programs.client(host, processes.PORT, moving=moving, count=count) as client:
            time.sleep(_SETTLING_S)
            share = _share(process.pid, seconds)
            if client.poll() is not None:
                raise RuntimeError("the client ended before the measurement did")
        return share, processes.resident_mb(process.pid)


def _bare_loop(seconds: float, scheduling: str) -> float:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sink:
        sink.bind(("127.0.0.1", 0))
        count = int((seconds + 60) * 1000)
        with programs.bare_loop(sink.getsockname()[1], scheduling, count) as sender:
            time.sleep(_SETTLING_S)
            return _share(sender.pid, seconds)


def _share(pid: int, seconds: float) -> float:
    begin, cpu = time.monotonic(), processes.cpu_seconds(pid)
    time.sleep(seconds)
    return 100.0 * (processes.cpu_seconds(pid) - cpu) / (time.monotonic() - begin)
