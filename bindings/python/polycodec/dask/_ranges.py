# SPDX-License-Identifier: MIT
"""Byte ranges of rows in files that have their numbers as they are in memory, for files over a network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from polycodec import _core
from polycodec._core import Array, Value
from polycodec._errors import FileError
from polycodec.dask._files import File


@dataclass(frozen=True)
class Part:
    """Rows of one run of bytes: the member's name (None: the value itself), its first byte, bytes a row, and dtype."""

    name: str | None
    offset: int
    stride: int
    dtype: Any
    shape: tuple[int, ...]


@dataclass(frozen=True)
class Ranges:
    """The parts of a file, from which any rows of its value can be made."""

    parts: tuple[Part, ...]

    def read(self, file: File, rows: tuple[int, int]) -> Value:
        """Reads the bytes of some rows, and no others, and returns their value."""
        made = {part.name: _rows(part, file, rows) for part in self.parts}
        return _core.value(made[None] if None in made else made)


def ranges_of(value: Value, rows: int, source: tuple[int, int] | None) -> Ranges | None:
    """Returns where the rows of a value are in its file, or None if they are not there as they are.

    ``source`` has the address and the size of the bytes of the file. The value must be an array of numbers, interleaved
    records of numbers, or an object of arrays of numbers.
    """
    if source is None or rows == 0:
        return None
    if value.array is not None:
        found = [_part(None, value.array, source, rows)]
    elif value.kind == "object":
        members = [(name, value[name].array) for name in value.names]
        found = [_part(name, array, source, rows) if array is not None else None for name, array in members]
    else:
        found = [None]
    parts = tuple(part for part in found if part is not None)
    if len(parts) != len(found) or not parts:
        return None
    return Ranges(parts)


def _part(name: str | None, array: Array, source: tuple[int, int], rows: int) -> Part | None:
    if array.length != rows:
        return None
    if array.layout == "ndarray":
        return _plain(name, array, source)
    if array.layout != "record" or not array.names:
        return None
    leaves = [_plain(None, child, source) if child.layout == "ndarray" else None for child in array.children]
    plain = [leaf for leaf in leaves if leaf is not None]
    first = min((leaf.offset for leaf in plain), default=0)
    if len(plain) != len(array.children) or len({leaf.stride for leaf in plain}) != 1:
        return None
    stride = plain[0].stride
    if any(leaf.offset - first + leaf.dtype.itemsize * int(np.prod(leaf.shape)) > stride for leaf in plain):
        return None
    formats = [(leaf.dtype, leaf.shape) if leaf.shape else leaf.dtype for leaf in plain]
    offsets = [leaf.offset - first for leaf in plain]
    dtype = np.dtype({"names": array.names, "formats": formats, "offsets": offsets, "itemsize": stride})
    return Part(name, first, stride, dtype, ())


def _plain(name: str | None, array: Array, source: tuple[int, int]) -> Part | None:
    """Returns the part of an array of numbers whose rows are contiguous and follow each other in the file."""
    if not source[0] <= array.address < source[0] + source[1] or array.typestr[1:2] not in ("i", "u", "f", "c", "b"):
        return None
    numbers = array.to_numpy()
    if array.strides[0] <= 0 or not numbers[0].flags.c_contiguous:
        return None
    return Part(name, array.address - source[0], array.strides[0], numbers.dtype, array.shape[1:])


def _rows(part: Part, file: File, rows: tuple[int, int]) -> Any:
    import fsspec

    item = part.dtype.itemsize * int(np.prod(part.shape, dtype=np.int64))
    count = rows[1] - rows[0]
    start = part.offset + rows[0] * part.stride
    size = (count - 1) * part.stride + item if count else 0
    try:
        system, path = fsspec.core.url_to_fs(file.location)
        data = system.cat_file(path, start=start, end=start + size) if size else b""
    except Exception as error:  # each transport has its own
        raise FileError(f"{file.source}: cannot read bytes {start} to {start + size} ({error})", "io") from error
    if len(data) != size:
        raise FileError(f"{file.source}: {len(data)} bytes came of {size} from byte {start}: the file has changed", "io")
    inner = np.empty(part.shape, part.dtype).strides
    return np.ndarray((count, *part.shape), part.dtype, data, strides=(part.stride, *inner))
