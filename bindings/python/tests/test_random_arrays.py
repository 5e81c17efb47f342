# SPDX-License-Identifier: MIT
"""Random files of the real awkward 0.15 by every way out of a value. POLYCODEC_PYTHON_SEED chooses others, 0 each time."""

from __future__ import annotations

import datetime
import pickle
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import awkward as ak
import numpy as np
import pyarrow as pa
from conftest import IS_FULL, SEED, peer

import polycodec as pc

COUNT = 2000 if IS_FULL else 200


def plain(x: Any) -> Any:
    """An item without what libraries choose: tuples for lists, numbers of numpy, zones of times in UTC."""
    if isinstance(x, np.timedelta64) and np.datetime_data(x.dtype)[0] == "generic":
        return int(x)
    if isinstance(x, np.datetime64 | np.timedelta64):
        x = None if np.isnat(x) else x.astype("M8[us]" if isinstance(x, np.datetime64) else "m8[us]").item()
    if isinstance(x, np.ma.core.MaskedConstant):
        return None
    if isinstance(x, np.generic):
        return plain(x.item())
    if isinstance(x, datetime.datetime):
        return x.replace(tzinfo=None)
    if isinstance(x, datetime.date):
        return datetime.datetime(x.year, x.month, x.day)
    if isinstance(x, float | complex) and x != x:
        return "nan"
    if isinstance(x, dict):
        return [plain(item) for item in x.values()]
    if isinstance(x, list | tuple | np.ndarray):
        return [plain(item) for item in x]
    return x


def column(array: Any, name: str) -> Any:
    if not isinstance(array, np.ma.MaskedArray):
        return array[name]
    return np.ma.MaskedArray(np.ma.getdata(array)[name], np.ma.getmaskarray(array)[name])


def listed(array: Any) -> Any:
    """The items of an array of numpy. Its own tolist() fails for masked rows in rows."""
    if array.ndim > 1:
        return [listed(row) for row in array]
    if array.dtype.names:
        columns = [listed(column(array, name)) for name in array.dtype.names]
        return [list(row) for row in zip(*columns, strict=True)] if columns else [[] for _ in array]
    return plain(array.tolist())


def same(found: Any, item: Any) -> bool:
    """Whether numpy has an item. All elements of a missing row are missing there, and a float is nan where it is."""
    if isinstance(found, list):
        items = item if isinstance(item, list) else [None] * len(found) if item is None else []
        return len(found) == len(items) and all(map(same, found, items))
    return bool(found == item) or (item is None and found == "nan")


def may_round(value: pc.Value) -> bool:
    """Whether awkward may round integers where it merges types, which then stay apart: a part of a union may have more
    items than the union uses."""
    return "int64" in str(value.type)


def failures(path: Path, expected: Any) -> Iterator[str]:
    value = pc.open(path)
    items = plain(value.to_python())
    if expected is not None and items != plain(expected):
        yield f"to_python: {items}, not {plain(expected)}"
    try:
        array = value.to_awkward()
    except pc.MismatchError as problem:
        if "would round" not in str(problem) or not may_round(value):
            yield f"to_awkward: {problem!r}"
        return
    if plain(array.to_list()) != items:
        yield f"to_awkward: {array.to_list()}, not {items}"
    error = ak.validity_error(array)
    if error and not ("is mergeable" in error and "int64" in str(array.type)):
        yield f"to_awkward: {error}"
    for name, made in (("to_masked", value.to_masked), ("to_numpy", lambda: value.to_numpy(copy=True))):
        try:
            if not same(listed(made()), items):
                yield f"{name}: {listed(made())}, not {items}"
        except pc.MismatchError as problem:
            if "common shape" not in str(problem):
                yield f"{name}: {problem!r}"
    try:
        if not same(listed(np.asarray(value)), items):
            yield f"asarray: {listed(np.asarray(value))}, not {items}"
    except ValueError as problem:
        if "common shape" not in str(problem) and "to_masked" not in str(problem):
            yield f"asarray: {problem!r}"
    try:
        arrow = value.to_arrow()
        arrow.validate(full=True)
        # Extension types are metadata of fields, which a single array of pyarrow has not.
        if "complex" not in str(value.type) and plain(pc.value(arrow).to_python()) != items:
            yield f"to_arrow: {pc.value(arrow).to_python()}, not {items}"
    except (pc.PolycodecError, pa.ArrowException) as problem:
        if "no common Arrow type" not in str(problem):
            yield f"to_arrow: {problem!r}"
    try:
        back = pc.decode(pc.encode(array, "awkward"), "awkward")
        if plain(back.to_python()) != items:
            yield f"back: {back.to_python()}, not {items}"
    except pc.MismatchError as problem:
        if "without a unit" not in str(problem):  # of a filler
            yield f"back: {problem!r}"


def test_files_of_awkward_0(tmp_path: Path) -> None:
    peer("random_awkward0.py", tmp_path, SEED, COUNT)
    wanted = pickle.loads((tmp_path / "items.pickle").read_bytes())
    assert len(wanted) == COUNT
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, items in wanted.items():
            try:
                problems = list(failures(tmp_path / name, items))
            except Exception as problem:
                problems = [f"{type(problem).__name__}: {problem}"]
            if problems:
                found[name] = problems
    shown = "\n".join(f"{name}: {problem[:300]}" for name, problems in list(found.items())[:40] for problem in problems)
    assert not found, f"{len(found)} of {COUNT} files (seed {SEED}):\n{shown}"
