"""Fixtures of the kernel benchmarks: a plain reference is timed in the same run, right beside."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import pytest

PAIRS = 5


@pytest.fixture
def compare(benchmark: Any) -> Callable[[Callable[[], Any], Callable[[], Any]], Any]:
    """Benchmark a kernel; put its ratio to a plain reference into ``extra_info``.

    ``compare(kernel, plain)`` returns what the kernel returned. Both run alternately in pairs, each
    for some milliseconds; the ratios' median, least and greatest are kept. Under
    ``--benchmark-disable`` each runs once.
    """

    def run(kernel: Callable[[], Any], plain: Callable[[], Any]) -> Any:
        if benchmark.disabled:
            plain()
        else:
            ratios = [_seconds(kernel) / _seconds(plain) for _ in range(PAIRS)]
            benchmark.extra_info["ratio_to_plain"] = {
                "median": statistics.median(ratios),
                "min": min(ratios),
                "max": max(ratios),
            }
        return benchmark(kernel)

    return run


def _seconds(call: Callable[[], Any]) -> float:
    """Return what one call takes, from some milliseconds of calls [s]."""
    calls = 0
    begin = time.perf_counter()
    while (elapsed := time.perf_counter() - begin) < 5e-3:
        call()
        calls += 1
    return elapsed / calls
