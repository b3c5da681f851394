"""Reads CSV, NPZ and Parquet into named columns. Must not know what a column means.

Errors are ConfigErrors of one sentence that begins with the file's name.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from franka_sim.config import ConfigError
from franka_sim.offline.trajectory import Trajectory, interpret


def load(path: str | Path, generator: str | None = None) -> Trajectory:
    """Return the trajectory in a file.

    Args:
        path: a CSV, NPZ or Parquet file, told apart by its ending.
        generator: what its samples are; None: what its columns say.

    Raises:
        ConfigError: the file cannot be read, or its columns are no trajectory.
    """
    file = Path(path)
    readers = {".csv": _csv, ".npz": _npz, ".parquet": _parquet}
    reader = readers.get(file.suffix.lower())
    if reader is None:
        raise ConfigError(f"{file}: the ending must be one of {', '.join(readers)}")
    try:
        names, columns = reader(file)
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read: {error.strerror or error}") from None
    try:
        return interpret(names, columns, generator)
    except ConfigError as error:
        raise ConfigError(f"{file}: {error}") from None


def _csv(file: Path) -> tuple[list[str], NDArray[np.float64]]:
    names: list[str] = []
    rows: list[list[float]] = []
    with file.open(newline="", encoding="utf-8-sig", errors="replace") as stream:
        for number, fields in enumerate(csv.reader(stream), 1):
            # An empty line, or a remark.
            if not any(field.strip() for field in fields) or fields[0].lstrip().startswith("#"):
                continue
            try:
                row = [float(field) for field in fields]
            except ValueError:
                if rows or names:
                    raise ConfigError(f"{file}: line {number} is not a row of numbers") from None
                names = [field.strip() for field in fields]
                continue
            width = len(rows[0]) if rows else len(names or row)
            if len(row) != width:
                raise ConfigError(
                    f"{file}: line {number} has {len(row)} columns, those before it {width}"
                )
            rows.append(row)
    if not rows:
        raise ConfigError(f"{file}: there is no sample in it")
    return names or [""] * len(rows[0]), np.array(rows)


def _npz(file: Path) -> tuple[list[str], NDArray[np.float64]]:
    names: list[str] = []
    columns: list[NDArray[np.float64]] = []
    # An .npz that is none is a ValueError or zipfile.BadZipFile, a pickle a ValueError.
    try:
        with np.load(file, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
    except OSError:
        raise
    except Exception:
        raise ConfigError(f"{file}: not an NPZ file of numbers") from None
    for name, array in arrays.items():
        if array.ndim not in (1, 2) or array.dtype.kind not in "fiu":
            raise ConfigError(
                f"{file}: {name} is {array.dtype} of shape {array.shape}; "
                "numbers in one or two dimensions are needed"
            )
        table = array.astype(np.float64)
        if table.ndim == 1:
            table = table[:, np.newaxis]
        if columns and len(table) != len(columns[0]):
            raise ConfigError(
                f"{file}: {name} has {len(table)} rows, those before it {len(columns[0])}"
            )
        columns.append(table)
        names += [name] * table.shape[1]
    if not columns or not len(columns[0]):
        raise ConfigError(f"{file}: there is no sample in it")
    return names, np.hstack(columns)


def _parquet(file: Path) -> tuple[list[str], NDArray[np.float64]]:
    try:
        from pyarrow import ArrowException, parquet
    except ModuleNotFoundError:
        raise ConfigError(
            f"{file}: reading Parquet needs pyarrow; install franka-sim-rt[offline]"
        ) from None
    try:
        table = parquet.read_table(file)
    except ArrowException:
        raise ConfigError(f"{file}: not a Parquet file") from None
    if not table.num_rows or not table.num_columns:
        raise ConfigError(f"{file}: there is no sample in it")
    columns = []
    for name in table.column_names:
        try:
            columns.append(np.asarray(table[name].to_numpy(), dtype=np.float64))
        except (ValueError, TypeError):
            raise ConfigError(f"{file}: column {name} does not hold numbers") from None
    return list(table.column_names), np.column_stack(columns)
