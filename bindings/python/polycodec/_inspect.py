# SPDX-License-Identifier: MIT
"""Descriptions of values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from polycodec._core import Array, Value, spend, walk

_MAX_ITEMS = 1000  # of lists of nodes that are searched for columns


def describe(value: Value) -> dict[str, Any]:
    """Describes a value and each of its columns."""
    return walk(
        value,
        lambda: {
            "codec": value.codec,
            "type": str(value.type),
            "columns": [_describe_leaf(path, leaf, value.source_range) for path, leaf in leaves(value)],
        },
    )


def leaves(value: Value) -> Iterator[tuple[str, Array]]:
    """Gives the leaves of a value with their paths."""
    yield from _leaves("$", value)


def _leaves(path: str, value: Value) -> Iterator[tuple[str, Array]]:
    _charge(path)
    array = value.array
    if array is not None:
        yield from _array_leaves(path, array)
    elif value.kind in ("object", "map"):
        for name in value.names:
            yield from _leaves(path + step(name), value[name])
    elif value.kind in ("list", "tuple"):
        for i in range(min(len(value), _MAX_ITEMS)):
            yield from _leaves(f"{path}[{i}]", value[i])


def _charge(path: str) -> None:
    spend(1000, 1000 + len(path))


def _array_leaves(path: str, array: Array) -> Iterator[tuple[str, Array]]:
    _charge(path)
    if array.layout == "ndarray":
        yield path, array
    for i, child in enumerate(array.children):
        yield from _array_leaves(path + step(array.names[i]) if array.names else path, child)


def step(name: str) -> str:
    """Returns a name as a step of a path."""
    import json

    return f".{name}" if name.isidentifier() else f"[{json.dumps(name)}]"


def _describe_leaf(path: str, leaf: Array, source: tuple[int, int] | None) -> dict[str, Any]:
    offset = None
    if source is not None and source[0] <= leaf.address < source[0] + source[1]:
        offset = leaf.address - source[0]
    return {
        "path": path,
        "dtype": leaf.typestr,
        "shape": leaf.shape,
        "strides": leaf.strides,
        "offset": offset,
    }
