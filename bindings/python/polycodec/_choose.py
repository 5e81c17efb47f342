# SPDX-License-Identifier: MIT
"""Items and columns that a step, a mask, an array of indices or a list of names chooses, as in numpy."""

from __future__ import annotations

from typing import Any

import numpy

from polycodec._core import Array, Value, spend, value, walk
from polycodec._errors import MismatchError, NotFoundError
from polycodec._layouts import Layout, annotated, record

_UNITS_OF_COLUMN = 4000  # of work
_BYTES_OF_COLUMN = 3000


def choose(of: Value, key: Any) -> Value:
    """Returns the items that ``key`` chooses. Steps of numbers are views; what else is chosen is copied, or indexed."""
    if isinstance(key, list) and key and all(isinstance(name, str) for name in key):
        return _columns(of, key)
    if key is Ellipsis:
        return of
    return walk(of, lambda: _chosen(of, key))


def _columns(of: Value, names: list[str]) -> Value:
    if of.kind in ("object", "map"):
        return value({name: of[name] for name in names})
    if of.array is None or not of.names:
        raise MismatchError("only records and objects have names: index the value by numbers", "type")
    return value(annotated(record(len(of), {name: of[name] for name in names}), of.metadata))


def _chosen(of: Value, key: Any) -> Value:
    stored = of.array
    if stored is None and of.kind not in ("list", "tuple"):
        raise MismatchError("an index must be a name, a path, an integer, a slice, or a tuple of these", "type")
    index = _indices(key, len(of))
    spend(len(index), 64 * len(index))
    if stored is None:
        items = [of[int(i)] for i in index]
        return value(items if of.kind == "list" else tuple(items))
    return value(annotated(_array(stored, key if isinstance(key, slice) else index, index), of.metadata))


def _indices(key: Any, length: int) -> Any:
    """Returns the numbers of the items, none of them negative."""
    if isinstance(key, slice):
        return numpy.arange(length)[key]
    if isinstance(key, Value):
        key = key.to_numpy(copy=None)
    try:
        given = numpy.asarray(key)
    except (TypeError, ValueError):
        given = numpy.empty(0, object)
    if not given.size and isinstance(key, list | tuple | range):
        given = given.astype(numpy.int64)
    if given.dtype.kind not in "biu" or given.ndim != 1:
        raise MismatchError(
            "an index must be a name, a path, an integer, a slice, a mask, a list of integers or names, or a tuple of them",
            "type",
        )
    if given.dtype.kind == "b":
        if len(given) != length:
            raise NotFoundError(f"a mask of {len(given)} items for a value of {length} items", "not_found")
        return numpy.flatnonzero(given)
    if given.dtype.kind == "u" and (given >= max(length, 1)).any():
        raise NotFoundError(f"index {int(given.max())} of a value of {length} items", "not_found")
    given = given.astype(numpy.int64)
    outside = (given < -length) | (given >= length)
    if outside.any():
        raise NotFoundError(f"index {int(given[outside][0])} of a value of {length} items", "not_found")
    return numpy.where(given < 0, given + length, given)


def _array(stored: Array, key: Any, index: Any) -> Any:
    spend(_UNITS_OF_COLUMN + len(index), _BYTES_OF_COLUMN + 16 * len(index))
    if stored.layout == "ndarray" and stored.typestr and stored.shape:
        numbers = stored.to_numpy()
        spend(numbers[:1].size * len(index) // 4, numbers[:1].nbytes * len(index))
        made = numbers[key]
        made.flags.writeable = False
        return annotated(made, stored.metadata)
    if stored.layout == "record":
        children = [_array(child, key, index) for child in stored.children]
        return Layout("record", len(index), {}, children, stored.names, metadata=stored.metadata or None)
    if stored.layout in ("list_offsets", "list_view"):
        if stored.layout == "list_offsets":
            offsets = stored.column("offsets")
            starts, stops = offsets[:-1], offsets[1:]
        else:
            starts, stops = stored.column("starts"), stored.column("stops")
        columns = {"starts": starts[index].astype(numpy.int64), "stops": stops[index].astype(numpy.int64)}
        flags = (1 if stored.is_string else 0) | (2 if stored.is_binary else 0)
        content = stored.children[0].value
        return Layout("list_view", len(index), columns, [content], flags=flags, metadata=stored.metadata or None)
    return Layout("indexed", len(index), {"index": index}, [stored.value])
