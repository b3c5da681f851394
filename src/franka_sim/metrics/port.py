"""The metrics port: Prometheus reads over HTTP what the core has counted and measured.

Everything is read when asked for; nothing is kept here, and no cycle waits for it.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from http.server import ThreadingHTTPServer
from typing import Any

from franka_sim.metrics.timing import Certificate, Latency, Timing

#: key of `Simulation.counters`, metric, labels, factor to the metric's unit, meaning.
COUNTERS: tuple[tuple[str, str, Mapping[str, str], float, str], ...] = (
    ("cycles", "cycles", {}, 1, "Cycles since the start"),
    ("slips", "slips", {}, 1, "Times a late cycle moved the clock's grid"),
    ("slipped_ns", "slipped_seconds", {}, 1e-9, "By how much the grid was moved in all"),
    ("lockstep_timeouts", "lockstep_timeouts", {}, 1, "Cycles whose answer lockstep gave up"),
    ("dropped_logs", "dropped_events", {}, 1, "Events that found the queue to Python full"),
    ("udp_received", "datagrams", {}, 1, "Datagrams that arrived"),
    ("udp_malformed", "datagrams_refused", {"reason": "malformed"}, 1, "Datagrams not taken"),
    ("udp_foreign", "datagrams_refused", {"reason": "foreign"}, 1, ""),
    ("udp_overflow", "datagrams_refused", {"reason": "overflow"}, 1, ""),
    ("udp_send_errors", "send_errors", {}, 1, "States the system would not send"),
    ("fresh", "commands", {"arrival": "fresh"}, 1, "Commands by when they arrived"),
    ("late", "commands", {"arrival": "late"}, 1, ""),
    ("duplicate", "commands", {"arrival": "duplicate"}, 1, ""),
    ("unpublished", "commands", {"arrival": "unpublished"}, 1, ""),
    ("superseded", "commands_superseded", {}, 1, "Commands that a newer one of the cycle replaced"),
    ("lost", "lost_cycles", {}, 1, "Cycles without an answer in time"),
    ("extrapolated", "extrapolated_cycles", {}, 1, "Cycles whose reference was extrapolated"),
)
#: Beginnings of the keys of what peers did wrong, and the port that is meant.
FAULTS = (("gripper_tcp_", "gripper"), ("tcp_", "fci"))
#: Histogram of a certificate, metric, meaning.
LATENCIES = (
    ("server_late", "state_lateness_seconds", "From a state being due to its leaving"),
    ("reaction", "client_reaction_seconds", "From a state leaving to its answer arriving"),
    ("round_trip", "round_trip_seconds", "From a state being due to its answer being taken"),
)
#: Upper bounds of the histograms' buckets [us]; chosen: 1, 2, 5 from a processor's speed to a
#: motion's end. Durations are known to a 32nd part, so one that is nearer than that to a bound may
#: be counted above it.
BUCKETS_US = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5)


def missing_library() -> str:
    """Return what to install when the library is not there; empty when it is."""
    try:
        import prometheus_client  # noqa: F401
    except ImportError:
        return "metrics need prometheus-client; install franka-sim-rt[metrics]"
    return ""


class MetricsPort:
    """Answers scrapes from threads of its own. Runs when constructed.

    Args:
        sock: a bound TCP socket; owned from now on.
        counters: what was counted, as `Simulation.counters`.
        timing: the certificates, as `Simulation.timing`.
        about: facts of the run as texts.
    """

    def __init__(
        self,
        sock: socket.socket,
        counters: Callable[[], Mapping[str, int]],
        timing: Callable[[], Timing],
        about: Mapping[str, str],
    ) -> None:
        from prometheus_client import MetricsHandler
        from prometheus_client.core import CollectorRegistry

        # One of its own: the process's figures are not the robot's.
        registry = CollectorRegistry(auto_describe=False)
        registry.register(_Collector(counters, timing, about))
        self._server = _Server(sock, MetricsHandler.factory(registry))
        self._thread = threading.Thread(
            target=self._server.serve_forever, name="metrics", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Close the port; returns when its thread has ended."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    """On a socket that is bound already."""

    daemon_threads = True

    def __init__(self, sock: socket.socket, handler: type) -> None:
        super().__init__(sock.getsockname(), handler, bind_and_activate=False)
        self.socket.close()
        self.socket = sock
        self.server_activate()


class _Collector:
    """What a scrape collects."""

    def __init__(
        self,
        counters: Callable[[], Mapping[str, int]],
        timing: Callable[[], Timing],
        about: Mapping[str, str],
    ) -> None:
        self._counters = counters
        self._timing = timing
        self._about = about

    def collect(self) -> Iterator[Any]:
        from prometheus_client.core import InfoMetricFamily

        yield InfoMetricFamily("franka_sim", "What runs", value=dict(self._about))
        yield from _counter_families(self._counters())
        try:
            timing = self._timing()
        except TimeoutError:
            return  # the cycle is ending; the counters are there all the same
        yield from _certificate_families(timing.connection)


def _counter_families(counts: Mapping[str, int]) -> Iterator[Any]:
    from prometheus_client.core import CounterMetricFamily

    families: dict[str, Any] = {}
    for key, metric, labels, factor, meaning in COUNTERS:
        if metric not in families:
            families[metric] = CounterMetricFamily(
                f"franka_sim_{metric}", meaning, labels=list(labels)
            )
        families[metric].add_metric(list(labels.values()), counts.get(key, 0) * factor)
    faults = families["peer_faults"] = CounterMetricFamily(
        "franka_sim_peer_faults", "What TCP peers did wrong", labels=["port", "kind"]
    )
    for key, count in sorted(counts.items()):
        for prefix, port in FAULTS:
            if key.startswith(prefix):
                faults.add_metric([port, key.removeprefix(prefix)], count)
                break
    yield from families.values()


def _certificate_families(connection: Certificate) -> Iterator[Any]:
    from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily

    owed = CounterMetricFamily(
        "franka_sim_connection_cycles", "Cycles that were owed an answer since the client connected"
    )
    owed.add_metric([], connection.cycles)
    yield owed
    lost = CounterMetricFamily(
        "franka_sim_connection_lost_cycles",
        "Cycles lost since the client connected, by who caused it",
        labels=["culprit"],
    )
    for culprit, count in connection.culprits.items():
        lost.add_metric([culprit.replace(" ", "_")], count)
    yield lost
    late = CounterMetricFamily(
        "franka_sim_connection_late_states",
        "States that left more than a tenth of a period late since the client connected",
    )
    late.add_metric([], connection.late_states)
    yield late
    for name, metric, meaning in LATENCIES:
        latency: Latency = getattr(connection, name)
        family = HistogramMetricFamily(
            f"franka_sim_connection_{metric}", f"{meaning}, since the client connected"
        )
        family.add_metric([], _buckets(latency), latency.mean_ns * latency.count * 1e-9)
        yield family


def _buckets(latency: Latency) -> list[tuple[str, float]]:
    """Return bound [s] and number of durations up to it, as Prometheus has them: cumulative."""
    rows = [(repr(us * 1e-6), float(latency.between(0, us * 1e3))) for us in BUCKETS_US]
    return [*rows, ("+Inf", float(latency.count))]
