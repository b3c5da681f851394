"""Whether paired measurements prove that one program is worse: an exact randomization test.

Of each pair it is drawn which program runs first, so if the programs do not differ, every pattern
of signs of the pairs' differences is equally likely, whatever drifts and however the noise is
distributed. Wilcoxon's signed rank sum over all patterns then gives an exact probability; nothing
is assumed to be normal, and nothing asymptotic. Ranks instead of sizes, because a machine that was
disturbed for one run must not decide: one pair that is wrong by any amount changes its rank only.

Pure: values in, values out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

#: Probability that two equal programs are told apart, for the whole comparison. Issue 6: 0.2 %.
FALSE_ALARMS = 0.002


@dataclass(frozen=True)
class Verdict:
    """What the pairs say about one metric.

    Attributes:
        change: of the candidate against the base: Hodges and Lehmann's estimate, the median of all
            means of two differences.
        p: probability of a rank sum at least this bad if the programs do not differ.
        proven: whether `p` is at most the level that was asked for.
    """

    change: float
    p: float
    proven: bool


def judge(differences: Sequence[float], level: float) -> Verdict:
    """Return the verdict on `differences`, (pairs,), candidate less base; larger is worse."""
    d = np.asarray(differences, dtype=float)
    p = signed_rank_p(d)
    return Verdict(hodges_lehmann(d), p, p <= level)


def signed_rank_p(differences: npt.NDArray[np.float64]) -> float:
    """Return the probability of a positive rank sum at least as large under random signs.

    Differences of zero say nothing and are left out; equal ones share their ranks.
    """
    d = differences[differences != 0]
    if not len(d):
        return 1.0
    # Twice the rank, so that shared ranks are whole numbers.
    _, inverse, counts = np.unique(np.abs(d), return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    doubled = (2 * last - counts + 1)[inverse]
    observed = int(doubled[d > 0].sum())
    return float(_tail(tuple(sorted(map(int, doubled))))[observed])


@lru_cache(maxsize=1024)
def _tail(doubled_ranks: tuple[int, ...]) -> npt.NDArray[np.float64]:
    """Return for each sum the probability that random signs make it or a larger one."""
    chances = np.ones(1)
    for rank in doubled_ranks:
        longer = np.zeros(len(chances) + rank)
        longer[: len(chances)] += chances / 2
        longer[rank:] += chances / 2
        chances = longer
    tail: npt.NDArray[np.float64] = np.cumsum(chances[::-1])[::-1]
    return tail


def hodges_lehmann(differences: npt.NDArray[np.float64]) -> float:
    """Return the median of the means of all pairs of differences, each with itself included."""
    i, j = np.triu_indices(len(differences))
    return float(np.median((differences[i] + differences[j]) / 2))


def fewest_pairs(level: float) -> int:
    """Return how many pairs it takes to prove anything at `level`: all of them equally bad."""
    return int(np.ceil(-np.log2(level)))
