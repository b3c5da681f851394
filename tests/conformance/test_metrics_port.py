"""The metrics port, scraped over HTTP: what the counters and the certificates say, under the names
and units that Prometheus expects.
"""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import threading
import urllib.request

import pytest
from needs import needs
from raw_client import RawClient

from franka_sim.config import ConfigError
from franka_sim.metrics.port import COUNTERS, FAULTS
from franka_sim.testing import free_loopback

PORT = 9464  # what Prometheus' list of ports gives exporters of this kind; any other would do

pytestmark = needs("prometheus_client", "prometheus-client")


def scrape(host: str) -> str:
    with urllib.request.urlopen(f"http://{host}:{PORT}/metrics", timeout=20) as answer:
        assert answer.headers["Content-Type"].startswith("text/plain")
        return answer.read().decode()


def values(text: str) -> dict[str, float]:
    """Samples by name and labels as written."""
    rows = [line.rpartition(" ") for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in rows}


def hold(raw: RawClient, cycles: int) -> None:
    q_d = raw.start("kJointPosition", "kJointImpedance").q_d
    assert raw.play([{"q_c": q_d}] * cycles).status is None
    assert raw.finish(q_c=q_d) == "kSuccess"


@pytest.fixture
def server(serve):
    return serve(host=free_loopback(), strict=False, lockstep_timeout=0.05, metrics_port=PORT)


def test_a_scrape_says_what_the_counters_say(server):
    with RawClient(server.host) as raw:
        server.lose(7)
        hold(raw, 50)
        counters = server.counters()
        found = values(scrape(server.host))
    assert found["franka_sim_lost_cycles_total"] == counters["lost"] == 7
    assert found['franka_sim_commands_total{arrival="fresh"}'] == counters["fresh"] > 40
    assert found["franka_sim_cycles_total"] >= counters["cycles"]
    assert found['franka_sim_connection_lost_cycles_total{culprit="planned"}'] == 7
    assert found['franka_sim_connection_lost_cycles_total{culprit="client_late"}'] == 0
    assert (
        found['franka_sim_info{clock="lockstep",robot="fr3",version="'
              + re.search(r'version="([^"]*)"', "".join(found))[1] + '"}'] == 1
    )  # fmt: skip


def test_every_counter_has_a_metric(server):
    keys = {row[0] for row in COUNTERS}
    for key in server.counters():
        assert key in keys or key.startswith(tuple(prefix for prefix, _ in FAULTS)), key


def test_histograms_are_cumulative_seconds(serve):
    server = serve(host=free_loopback(), clock="realtime", strict=False, metrics_port=PORT)
    with RawClient(server.host) as raw:
        hold(raw, 300)
        timing = server.timing().connection
        text = scrape(server.host)
    found = values(text)
    for name, latency in (
        ("client_reaction", timing.reaction),
        ("state_lateness", timing.server_late),
        ("round_trip", timing.round_trip),
    ):
        metric = f"franka_sim_connection_{name}_seconds"
        assert f"# TYPE {metric} histogram" in text
        pattern = re.compile(re.escape(metric) + r'_bucket{le="([^"]+)"}')
        buckets = [(float(m[1]), n) for key, n in found.items() if (m := pattern.match(key))]
        assert [le for le, _ in buckets] == sorted(le for le, _ in buckets)
        counts = [n for _, n in buckets]
        assert counts == sorted(counts)
        assert counts[-1] == found[f"{metric}_count"] >= latency.count > 250
        # A sum of seconds: the mean lies between the extremes.
        mean = found[f"{metric}_sum"] / found[f"{metric}_count"]
        assert latency.lowest_ns * 1e-9 <= mean
        # Half of all lie below the first bound that is a bin above the median.
        median = latency.quantile_ns(0.5) * 1e-9
        at_median = next(n for le, n in buckets if le > median * (1 + 1 / 32))
        assert at_median >= counts[-1] / 2


def test_hostile_peers_are_counted_by_port_and_kind(server):
    with RawClient(server.host, connect=False) as raw:
        raw.send_bytes(b"\xff" * 12)
        server.wait_for(lambda sim: sim.counters().get("tcp_size_too_large"))
    found = values(scrape(server.host))
    assert found['franka_sim_peer_faults_total{kind="size_too_large",port="fci"}'] == 1


def test_counters_of_the_port_go_on_over_a_reset(server):
    with RawClient(server.host) as raw:
        hold(raw, 20)
    server.reset()
    assert server.counters()["fresh"] == 0
    assert values(scrape(server.host))['franka_sim_commands_total{arrival="fresh"}'] >= 20


def test_without_the_option_there_is_no_port_and_with_it_none_stays(serve):
    host = free_loopback()
    server = serve(host=host)
    with pytest.raises(OSError):  # noqa: PT011
        scrape(host)
    server.stop()
    before = threading.active_count()
    server = serve(host=host, metrics_port=PORT)
    assert "franka_sim_cycles_total" in scrape(host)
    server.stop()
    assert threading.active_count() == before
    with pytest.raises(OSError):  # noqa: PT011
        scrape(host)


def test_a_port_in_use_is_one_sentence(serve):
    host = free_loopback()
    with (
        socket.create_server((host, PORT)),
        pytest.raises(OSError, match=f"metrics_port: {PORT} of {host} is in use"),
    ):
        serve(host=host, metrics_port=PORT)
    serve(host=host)  # nothing of the failed start is left


def test_without_the_library_it_is_one_sentence_and_2(monkeypatch):
    code = (
        "import sys; sys.modules['prometheus_client'] = None;"
        "from franka_sim.cli.main import main;"
        f"sys.exit(main(['serve', '--host', '{free_loopback()}', '--metrics-port', '{PORT}']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == (
        "franka-sim serve: --metrics-port: metrics need prometheus-client; "
        "install franka-sim-rt[metrics]\n"
    )


def test_a_port_that_is_none_is_refused(serve):
    with pytest.raises(ConfigError, match=r"^metrics_port: 70000 is not allowed"):
        serve(metrics_port=70000)
