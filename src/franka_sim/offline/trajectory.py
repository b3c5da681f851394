"""A stream of commands at 1 kHz, and how columns are taken for one. Must not know files."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from franka_sim.config import ConfigError

DT = 1e-3  # s, a cycle of the FCI

#: Generator, numbers a sample, name of the signal on the wire.
GENERATORS: dict[str, tuple[int, str]] = {
    "joint-position": (7, "q_c"),
    "joint-velocity": (7, "dq_c"),
    "torque": (7, "tau_J_d"),
    "cartesian-pose": (16, "O_T_EE_c"),
    "cartesian-velocity": (6, "O_dP_EE_c"),
}
_BY_SIGNAL = {signal: name for name, (_, signal) in GENERATORS.items()}
_TIMES = frozenset({"t", "time", "time_s"})
_ELBOWS = frozenset({"elbow", "elbow_c"})
#: Chosen: a hundredth of a cycle, which holds clocks printed with five decimals.
_TIME_TOLERANCE = 1e-5
#: Chosen: an hour at 1 kHz; a clock that jumps further is no clock of one motion.
_LONGEST = 3_600_000


@dataclass(frozen=True)
class Trajectory:
    """Samples, one a cycle.

    Attributes:
        generator: a name of GENERATORS.
        samples: N x 7, 16 or 6 by generator.
        elbows: N x 2 elbow_c, or None.
        lost: N flags: the sample never arrives.
    """

    generator: str
    samples: NDArray[np.float64]
    elbows: NDArray[np.float64] | None
    lost: NDArray[np.bool_]

    @property
    def cartesian(self) -> bool:
        """Whether the arm's joints have to be found."""
        return self.generator.startswith("cartesian")

    def __len__(self) -> int:
        return len(self.samples)


def interpret(
    names: list[str], columns: NDArray[np.float64], generator: str | None = None
) -> Trajectory:
    """Return what named columns say; columns without a telling name are told by their number.

    Raises:
        ConfigError: they are no trajectory, or of several generators.
    """
    # A name may carry an index: q_c[3], q_c_3, elbow_c.0.
    known = _TIMES | _ELBOWS | set(_BY_SIGNAL)
    stems = [_stem(name, known) for name in names]
    signals = sorted({stem for stem in stems if stem in _BY_SIGNAL})
    if len(signals) > 1:
        raise ConfigError(f"it holds {' and '.join(signals)}; one signal is judged at a time")
    if signals:
        told = _BY_SIGNAL[signals[0]]
        if generator not in (None, told):
            raise ConfigError(f"it holds {signals[0]}, which is {told}, not {generator}")
        generator = told
        wanted = [stem in _TIMES | _ELBOWS | set(signals) for stem in stems]
        columns = columns[:, wanted]
        stems = [stem for stem, keep in zip(stems, wanted, strict=True) if keep]
    is_time = np.array([stem in _TIMES for stem in stems])
    is_elbow = np.array([stem in _ELBOWS for stem in stems])
    time, elbows = columns[:, is_time], columns[:, is_elbow]
    samples = columns[:, ~is_time & ~is_elbow]
    if time.shape[1] > 1:
        raise ConfigError("it has more than one column of times")
    generator, with_time, with_elbow = _told_by_number(
        generator, samples.shape[1], bool(time.shape[1]), bool(elbows.shape[1])
    )
    if with_time:
        time, samples = samples[:, :1], samples[:, 1:]
    if with_elbow:
        samples, elbows = samples[:, :-2], samples[:, -2:]
    if elbows.shape[1] and not generator.startswith("cartesian"):
        raise ConfigError(f"{generator} has no elbow")
    if elbows.shape[1] not in (0, 2):
        raise ConfigError(f"an elbow is two columns, not {elbows.shape[1]}")
    trajectory = Trajectory(
        generator,
        np.ascontiguousarray(samples),
        np.ascontiguousarray(elbows) if elbows.shape[1] else None,
        np.zeros(len(samples), bool),
    )
    return _on_the_grid(trajectory, time[:, 0]) if time.shape[1] else trajectory


def _stem(name: str, known: frozenset[str] | set[str]) -> str:
    stem = name if name in known else re.sub(r"[\[._ ]*\d+\]?$", "", name)
    return stem if stem in known else ""


def _told_by_number(
    generator: str | None, count: int, time: bool, elbow: bool
) -> tuple[str, bool, bool]:
    """Return the generator, and whether a time leads and an elbow follows its samples."""
    candidates = ("joint-position", "cartesian-pose", "cartesian-velocity")
    fits = []
    for name in (generator,) if generator else candidates:
        for lead in (False,) if time else (False, True):
            for tail in (False,) if elbow or not name.startswith("cartesian") else (False, True):
                if count == GENERATORS[name][0] + lead + 2 * tail:
                    fits.append((name, lead, tail))
    # Samples alone are the plain reading.
    plain = [fit for fit in fits if not fit[1] and not fit[2]]
    if len(plain or fits) == 1:
        return (plain or fits)[0]
    if fits:
        names = " or ".join(name for name, _, _ in fits)
        raise ConfigError(f"{count} columns can be {names}; say which with --generator")
    if generator:
        raise ConfigError(
            f"{count} columns are no {generator}: {GENERATORS[generator][0]} are needed, with an "
            "optional time before them"
            + (" and an optional elbow of two after them" if "cartesian" in generator else "")
        )
    raise ConfigError(
        f"{count} columns are no trajectory: 7 joints, 16 numbers of a pose or 6 of a twist are "
        "needed, with an optional time before them and an optional elbow of two after them"
    )


def _on_the_grid(trajectory: Trajectory, time: NDArray[np.float64]) -> Trajectory:
    """Return `trajectory` with one row a cycle; cycles without a row are lost."""
    if not np.isfinite(time).all():
        raise ConfigError(f"the time of sample {int(np.argmin(np.isfinite(time)))} is not finite")
    passed = time - time[0]
    cycles = np.round(passed / DT)
    off = np.abs(passed - cycles * DT) > _TIME_TOLERANCE
    if off.any():
        at = int(np.argmax(off))
        raise ConfigError(
            f"sample {at} comes {passed[at] * 1e3:.6g} ms after the first; "
            "commands are whole milliseconds apart"
        )
    steps = np.diff(cycles)
    if (steps < 1).any():
        at = int(np.argmax(steps < 1)) + 1
        raise ConfigError(f"the time of sample {at} is not after that of the sample before it")
    if len(steps) and np.median(steps) != 1:
        raise ConfigError(
            f"most samples are {np.median(steps):g} ms apart, not 1 ms; time is in seconds"
        )
    count = int(cycles[-1]) + 1
    if count > _LONGEST:
        raise ConfigError(f"its times span {passed[-1]:.6g} s; at most an hour is judged")
    row_of = np.full(count, -1)
    row_of[cycles.astype(np.int64)] = np.arange(len(time))
    lost = row_of < 0
    # What a lost cycle would have sent is nobody's to read: the row before it stands there.
    row_of = np.maximum.accumulate(row_of)
    return Trajectory(
        trajectory.generator,
        trajectory.samples[row_of],
        None if trajectory.elbows is None else trajectory.elbows[row_of],
        lost,
    )
