# SPDX-License-Identifier: MIT
"""The columns of a value: what adapters of other libraries have in common."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from polycodec._core import spend, walk

if TYPE_CHECKING:
    import numpy.typing as npt

    from polycodec import Array, Value


_UNITS_OF_COLUMN = 1000  # of work
_BYTES_OF_COLUMN = 500


Column = tuple[tuple[str, ...], "Array", dict[str, Any]]


def columns(value: Value) -> Iterator[Column]:
    """Yields each column of the arrays in a value with its names from the root, and its metadata. Other values are left
    out."""
    yield from walk(value, lambda: list(_columns(value)))


def _columns(value: Value) -> Iterator[Column]:
    spend(_UNITS_OF_COLUMN, _BYTES_OF_COLUMN)
    array = value.array
    if array is not None:
        yield from _of_array((), array, value.metadata)
    else:
        for name in value.names:
            for path, column, metadata in _columns(value[name]):
                yield (name, *path), column, metadata


def _of_array(path: tuple[str, ...], array: Array, metadata: dict[str, Any]) -> Iterator[Column]:
    spend(_UNITS_OF_COLUMN, _BYTES_OF_COLUMN)
    if array.layout != "record" or array.names is None:
        yield path, array, metadata
        return
    for name, child in zip(array.names, array.children, strict=True):
        yield from _of_array((*path, name), child, child.metadata)


def is_list(array: Array) -> bool:
    return array.layout in ("list_offsets", "list_view", "list_fixed") and not (array.is_string or array.is_binary)


def ragged(array: Array) -> tuple[Array, npt.NDArray[np.int64], npt.NDArray[np.int64] | None]:
    """Takes an array of lists apart: its content, the offsets of the lists, and which items of the content they have,
    in order, or None for those from offsets[0] to offsets[-1]."""
    return walk(array, lambda: _ragged(array))


def _charge(items: int) -> None:
    spend(_UNITS_OF_COLUMN + items // 2, 24 * items)


def _ragged(array: Array) -> tuple[Array, npt.NDArray[np.int64], npt.NDArray[np.int64] | None]:
    _charge(array.length)
    content = array.children[0]
    if array.layout == "list_offsets":
        return content, array.column("offsets").astype(np.int64), None
    if array.layout == "list_fixed":
        return content, np.arange(array.length + 1, dtype=np.int64) * array.list_size, None
    starts = array.column("starts").astype(np.int64)
    counts = array.column("stops").astype(np.int64) - starts
    offsets = np.concatenate([[0], np.cumsum(counts)])
    _charge(int(offsets[-1]))
    return content, offsets, np.repeat(starts - offsets[:-1], counts) + np.arange(offsets[-1])


def flat(array: Array) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
    """The numbers in an array of lists of numbers, and the offsets of the lists, which begin with 0."""
    return walk(array, lambda: _flat(array))


def _flat(array: Array) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
    content, offsets, index = ragged(array)
    numbers = content.to_numpy()
    if index is not None:
        spend(0, len(index) * numbers[:1].nbytes)
        return numbers[index], offsets
    return numbers[offsets[0] : offsets[-1]], offsets - offsets[0]
