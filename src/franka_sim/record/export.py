"""Recordings as tables for other tools: CSV, NPZ, Parquet. One row a cycle."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from franka_sim.config import ConfigError
from franka_sim.record.files import Recording


def columns(rows: npt.NDArray[np.void]) -> dict[str, npt.NDArray[Any]]:
    """Return one column a number: ``q`` becomes ``q_0`` to ``q_6``, ``motion`` stays."""
    table: dict[str, npt.NDArray[Any]] = {}
    for name in rows.dtype.names or ():
        values = rows[name]
        if values.ndim == 1:
            table[name] = values
        else:
            table |= {f"{name}_{i}": values[:, i] for i in range(values.shape[1])}
    return table


def _csv(rows: npt.NDArray[np.void], path: Path) -> None:
    table = columns(rows)
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(table)
        # repr keeps every bit of a double; flags are 0 and 1.
        lists = [(v.astype(np.uint8) if v.dtype == bool else v).tolist() for v in table.values()]
        writer.writerows(zip(*lists, strict=True))


def _npz(rows: npt.NDArray[np.void], path: Path) -> None:
    with path.open("wb") as stream:
        arrays: dict[str, Any] = {name: rows[name] for name in rows.dtype.names or ()}
        np.savez_compressed(stream, **arrays)


def _parquet(rows: npt.NDArray[np.void], path: Path) -> None:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ConfigError("Parquet needs pyarrow; install franka-sim-rt[offline]") from None
    pyarrow.parquet.write_table(pyarrow.table(columns(rows)), path)


FORMATS: dict[str, Callable[[npt.NDArray[np.void], Path], None]] = {
    ".csv": _csv,
    ".npz": _npz,
    ".parquet": _parquet,
}


def export(recording: Recording, path: Path) -> None:
    """Write the cycles of `recording` to `path`; its ending says the format.

    Raises:
        ConfigError: for another ending, a missing package, or a file that cannot be written.
    """
    write = FORMATS.get(path.suffix.lower())
    if write is None:
        raise ConfigError(f"{path}: the ending must be one of {', '.join(FORMATS)}")
    try:
        write(recording.rows, path)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written: {error.strerror or error}") from None
