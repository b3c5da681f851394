"""Runs two client programs in turn, each against a fresh server, and compares what was measured.

Figures come from the server's timing certificate: kernel stamps of states that left and of answers
that arrived, so a client needs no change and cannot flatter itself.
"""

from __future__ import annotations

import math
import random
import shlex
import statistics as plain
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from franka_sim.gate import statistics
from franka_sim.gate.statistics import FALSE_ALARMS, Verdict


@dataclass(frozen=True)
class Metric:
    """One figure of a run; smaller is better.

    Attributes:
        name: as the user writes it.
        latency: histogram of the certificate; empty for the share of lost cycles.
        share: quantile of it.
        decides: whether a proven regression fails the gate; else it is only told.
    """

    name: str
    unit: str
    latency: str
    share: float
    decides: bool

    @property
    def relative(self) -> bool:
        """Whether runs are compared by ratio; counts that may be zero are by difference."""
        return bool(self.latency)

    def difference(self, base: float, candidate: float) -> float:
        """Return by how much the candidate is worse: logarithm of the ratio, or difference."""
        return math.log(candidate / base) if self.relative else candidate - base


#: What can be compared. Medians decide: they are what a program does; tails advise, because on an
#: ordinary kernel they are mostly what the machine did.
METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        *(
            Metric(f"{latency}_{name}", "us", latency, share, name == "p50")
            for latency in ("reaction", "round_trip")
            for name, share in (("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("max", 1.0))
        ),
        Metric("lost", "per 1000 cycles", "", 0.0, True),
    )
}
DEFAULT_METRICS = ("reaction_p50", "reaction_p99", "lost")
#: Pairs of runs. Chosen: the fewest in which any single disturbed pair, however wrong, cannot hide
#: a regression of all others (18 at a level of 0.1 %: two deciding metrics).
DEFAULT_RUNS = 18
#: What {seconds} in a command stands for; chosen: 18 runs are half a minute.
DEFAULT_SECONDS = 1.7
DEFAULT_TIMEOUT = 60.0


class RunFailedError(RuntimeError):
    """A program could not be measured; the text is the sentence for the user."""


@dataclass(frozen=True)
class Plan:
    """What is compared, and how.

    Attributes:
        base, candidate: commands; ``{host}``, ``{port}`` and ``{seconds}`` are filled in.
        runs: of each program.
        metrics: names of METRICS.
        seconds: value of ``{seconds}``.
        timeout: longest run [s].
        seed: of the order within the pairs; None draws one.
        server: options of the servers, as for `franka_sim.serve`; realtime by default.
    """

    base: str
    candidate: str
    runs: int = DEFAULT_RUNS
    metrics: Sequence[str] = DEFAULT_METRICS
    seconds: float = DEFAULT_SECONDS
    timeout: float = DEFAULT_TIMEOUT
    seed: int | None = None
    server: Mapping[str, Any] = field(default_factory=dict)

    @property
    def level(self) -> float:
        """Level of each deciding metric: together they keep the rate of false alarms."""
        return FALSE_ALARMS / max(1, sum(METRICS[name].decides for name in self.metrics))

    def check(self) -> None:
        """Raise ValueError with one sentence when the plan cannot be carried out."""
        if not self.metrics:
            raise ValueError("metric: there must be at least one of " + ", ".join(METRICS))
        for name in self.metrics:
            if name not in METRICS:
                known = ", ".join(METRICS)
                raise ValueError(f"metric: {name} is not allowed; it must be one of {known}")
        fewest = statistics.fewest_pairs(self.level)
        if self.runs < fewest:
            raise ValueError(
                f"runs: {self.runs} is not allowed; it must be a whole number of at least "
                f"{fewest}, or nothing could be proven at a false alarm rate of {FALSE_ALARMS:.1%}"
            )
        for key, command in (("base", self.base), ("candidate", self.candidate)):
            if "{host}" not in command:
                raise ValueError(f"{key}: {command} has no {{host}}: it would not find the server")
            try:
                shlex.split(command)
            except ValueError as error:
                raise ValueError(f"{key}: {command} is no command: {error}") from None


@dataclass(frozen=True)
class Comparison:
    """What was found.

    Attributes:
        plan: what was asked for.
        seed: that gave the order.
        base, candidate: figures of each run by metric, pair by pair.
        verdicts: by metric.
    """

    plan: Plan
    seed: int
    base: Sequence[Mapping[str, float]]
    candidate: Sequence[Mapping[str, float]]
    verdicts: Mapping[str, Verdict]

    @property
    def regressions(self) -> tuple[str, ...]:
        """Metrics that decide and are proven worse."""
        return tuple(n for n, v in self.verdicts.items() if v.proven and METRICS[n].decides)

    @property
    def advice(self) -> tuple[str, ...]:
        """Metrics that only advise and are proven worse."""
        return tuple(n for n, v in self.verdicts.items() if v.proven and not METRICS[n].decides)

    @property
    def regressed(self) -> bool:
        """Whether the candidate is proven to be worse."""
        return bool(self.regressions)

    def median(self, side: str, name: str) -> float:
        """Return the median over the runs of ``base`` or ``candidate``."""
        runs = self.base if side == "base" else self.candidate
        return plain.median(run[name] for run in runs)


Measure = Callable[[Plan, str], Mapping[str, float]]


def compare(
    plan: Plan, say: Callable[[str], None] = lambda text: None, measure: Measure | None = None
) -> Comparison:
    """Run both programs `plan.runs` times in turn and return what that proves.

    Args:
        say: told what goes on, a line at a time.
        measure: runs one command and returns its figures; tests put another one here.

    Raises:
        ValueError: when the plan cannot be carried out.
        RunFailedError: when a program failed, or nothing was measured of it.
        ConfigError, OSError: when the server cannot start.
    """
    plan.check()
    seed = random.SystemRandom().getrandbits(32) if plan.seed is None else plan.seed
    draw = random.Random(seed)
    found: dict[str, list[Mapping[str, float]]] = {"base": [], "candidate": []}
    for pair in range(1, plan.runs + 1):
        order = ["base", "candidate"]
        if draw.random() < 0.5:
            order.reverse()
        for side in order:
            found[side].append((measure or run)(plan, getattr(plan, side)))
        say(f"pair {pair} of {plan.runs}")
    verdicts = {}
    for name in plan.metrics:
        pairs = zip(found["base"], found["candidate"], strict=True)
        differences = [METRICS[name].difference(b[name], c[name]) for b, c in pairs]
        verdicts[name] = statistics.judge(differences, plan.level)
    return Comparison(plan, seed, found["base"], found["candidate"], verdicts)


def run(plan: Plan, command: str) -> dict[str, float]:
    """Run `command` once against a fresh server and return its figures."""
    from franka_sim.testing import RemoteSimulation

    with RemoteSimulation(**{"log_level": "error", **plan.server}) as simulation:
        filled = (
            command.replace("{host}", simulation.host)
            .replace("{port}", str(simulation.port))
            .replace("{seconds}", f"{plan.seconds:g}")
        )
        _run_client(filled, plan.timeout)
        connection = simulation.timing(timeout=10.0).connection
    return {name: _figure(METRICS[name], connection, command) for name in plan.metrics}


def _run_client(command: str, timeout: float) -> None:
    try:
        done = subprocess.run(
            shlex.split(command), capture_output=True, text=True, errors="replace", timeout=timeout
        )
    except OSError as error:
        raise RunFailedError(f"{command}: cannot be run: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise RunFailedError(f"{command}: did not end within {timeout:g} s") from None
    if done.returncode != 0:
        words = (done.stderr.strip() or done.stdout.strip()).splitlines()
        last = f": {words[-1]}" if words else ""
        raise RunFailedError(f"{command}: ended with exit code {done.returncode}{last}")


def _figure(metric: Metric, connection: Any, command: str) -> float:
    if not metric.latency:
        if not connection.cycles:
            raise RunFailedError(f"{command}: {metric.name}: it commanded no motion")
        return 1000.0 * float(connection.lost) / float(connection.cycles)
    latency = getattr(connection, metric.latency)
    if not latency.count:
        raise RunFailedError(
            f"{command}: {metric.name}: nothing was measured; it must command a motion, and clock "
            "lockstep measures no reaction"
        )
    # A bin of the histogram is never empty of time: the ratio stays finite.
    return max(float(latency.quantile_ns(metric.share)), 1.0) / 1e3
