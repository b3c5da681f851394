"""Starts and ends the processes that are measured or that disturb, and reads what they cost."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from franka_sim.testing import free_loopback

PORT = 1337  # pylibfranka knows no other
_TICKS_PER_S = os.sysconf("SC_CLK_TCK")
_ENDING_S = 10.0  # chosen: what a process may take to end when asked to
#: Ends with its parent, also when that is killed.
_HOG = """
import os, sys
parent, core = int(sys.argv[1]), int(sys.argv[2])
os.sched_setaffinity(0, {core})
while os.getppid() == parent:
    for _ in range(1000000):
        pass
"""


@dataclass(frozen=True)
class Host:
    """A running `host` process; `about` is what it said when it was ready."""

    process: subprocess.Popen[str]
    about: dict[str, Any]

    @property
    def host(self) -> str:
        """Address that is served."""
        return str(self.about["host"])

    @property
    def scheduling(self) -> str:
        """Scheduling class that the cycle obtained, as periodic_sender takes it."""
        realtime = self.about["realtime"]
        fifo = realtime["policy"] == "SCHED_FIFO"
        return f"fifo:{realtime['priority']}" if fifo else "other"

    def live_cycle(self) -> dict[str, Any]:
        """Ask for the histogram of the cycles so far."""
        assert self.process.stdin is not None
        print("live_cycle", file=self.process.stdin, flush=True)
        return _line(self.process)


@contextlib.contextmanager
def host(serve: dict[str, Any] | None, *, load: bool = False) -> Iterator[Host]:
    """Run a server in a process of its own (None: only the load) for as long as the block.

    Args:
        serve: options of the server; address and port are chosen here.
        load: three spinning threads and the garbage collector in the same process.
    """
    options = None if serve is None else {"host": free_loopback(PORT), "port": PORT, **serve}
    command = [sys.executable, "-m", "franka_sim.bench.host"]
    with subprocess.Popen(
        [*command, json.dumps({"serve": options, "load": load})],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield Host(process, _line(process))
        finally:
            _end(process)


@contextlib.contextmanager
def command_line_server(**options: Any) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Run ``franka-sim serve`` for as long as the block; yields the process and its address.

    It is not waited for: it may not serve yet.
    """
    address = free_loopback(PORT)
    arguments = ["serve", "--host", address, "--port", str(PORT), "--log-level", "error"]
    for key, value in options.items():
        arguments += ["--" + key.replace("_", "-"), str(value)]
    command = [sys.executable, "-c", "from franka_sim.cli.main import run; run()", *arguments]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("FRANKA_SIM_")}
    with subprocess.Popen(command, env=environment) as process:
        try:
            yield process, address
        finally:
            process.send_signal(signal.SIGTERM)
            _end(process)


@contextlib.contextmanager
def hogs() -> Iterator[None]:
    """Keep every processor of this process busy for as long as the block."""
    with contextlib.ExitStack() as stack:
        for core in sorted(os.sched_getaffinity(0)):
            process = subprocess.Popen([sys.executable, "-c", _HOG, str(os.getpid()), str(core)])
            stack.callback(process.wait)
            stack.callback(process.kill)
        yield


def cpu_seconds(pid: int) -> float:
    """Return the processor time of a process so far, user and system [s]."""
    # The name in the second field may hold spaces and brackets.
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS_PER_S


def resident_mb(pid: int) -> float:
    """Return the resident memory of a process [MB, 10^6 bytes]."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024 / 1e6
    raise RuntimeError(f"process {pid} has no resident memory")


def interpreter_mb(code: str) -> float:
    """Return the resident memory of an interpreter that has run `code` [MB, 10^6 bytes]."""
    command = f"{code}\nprint(flush=True)\ninput()"
    with subprocess.Popen(
        [sys.executable, "-c", command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        memory = resident_mb(process.pid)
        process.communicate("\n")
    return memory


def _line(process: subprocess.Popen[str]) -> dict[str, Any]:
    assert process.stdout is not None
    # An editable install may say that it is built anew before anything else.
    for line in process.stdout:
        if line.startswith("{"):
            return dict(json.loads(line))
    raise RuntimeError("the server process ended by itself; its words are above")


def _end(process: subprocess.Popen[Any]) -> None:
    if process.stdin:
        process.stdin.close()
    try:
        process.wait(_ENDING_S)
    except subprocess.TimeoutExpired:
        process.kill()
