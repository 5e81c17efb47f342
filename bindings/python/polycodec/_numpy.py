# SPDX-License-Identifier: MIT
"""Values as arrays of numpy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy

from polycodec._core import Array, Value, spend, walk
from polycodec._errors import MismatchError

_CONTAINERS = ("list", "tuple", "object", "map")
_UNITS_OF_ARRAY = 2000  # of work, which an array of numpy takes
_BYTES_OF_ARRAY = 1000


class _CopyNeededError(Exception):
    """Without a copy numpy cannot hold the value."""


def to_numpy(value: Value, copy: bool | None = False) -> Any:
    """Returns an array that views the value, or with ``copy`` one that owns its elements.

    None as ``copy`` copies where a view is impossible.
    """
    return walk(value, lambda: _to_numpy(value, copy))


def _to_numpy(value: Value, copy: bool | None) -> Any:
    try:
        made = _view(value)
    except _CopyNeededError as reason:
        if copy is False:
            raise MismatchError(f"{reason}: use to_numpy(copy=True)", "type") from None
        return _copied(value)
    return _own(made) if copy else made


def _charge(count: int, item_size: int) -> None:
    """Charges elements that are about to be copied."""
    spend(_UNITS_OF_ARRAY + count // 4, _BYTES_OF_ARRAY + count * item_size)


def _own(made: Any) -> Any:
    _charge(made.size, made.dtype.itemsize)
    return made.copy()


def array(value: Value, dtype: Any = None, copy: bool | None = None) -> Any:
    """Returns the array for ``numpy.asarray(value)``."""
    try:
        made = to_numpy(value, copy)
    except MismatchError as error:
        raise ValueError(str(error)) from None
    return made if dtype is None or made.dtype == dtype else walk(value, lambda: _cast(made, numpy.dtype(dtype)))


def _cast(made: Any, dtype: Any) -> Any:
    _charge(made.size, dtype.itemsize)
    return made.astype(dtype)


def _view(value: Value) -> Any:
    stored = value.array
    if stored is None:
        raise _CopyNeededError(f"a value of the kind {value.kind} is not an array")
    return _view_array(stored)


def _view_array(stored: Array) -> Any:
    spend(_UNITS_OF_ARRAY, _BYTES_OF_ARRAY)
    if stored.layout == "ndarray":
        if not stored.typestr:
            raise _CopyNeededError("numpy has no type for the elements")
        return stored.to_numpy()
    if stored.is_string or stored.is_binary:
        raise _CopyNeededError("strings of any length lie one after another")
    if stored.layout == "list_fixed":
        content = _view_array(stored.children[0])[: stored.length * stored.list_size]
        return content.reshape((stored.length, stored.list_size, *content.shape[1:]))
    if stored.layout == "record" and stored.names:
        return _rows(stored)
    if stored.layout == "chunked" and len(stored.children) == 1:
        return _view_array(stored.children[0])
    if stored.layout in ("option_bytes", "option_bits"):
        content = _view_array(stored.children[0])[: stored.length]
        _charge(content.size + 8 * stored.length, 1)
        return numpy.ma.MaskedArray(content, _missing(stored, content), keep_mask=False)
    raise _CopyNeededError(f"an array of the layout {stored.layout} has no strides")


def _rows(stored: Array) -> Any:
    """Returns rows of structs where all columns lie in one buffer."""
    columns = [_view_array(child) for child in stored.children]
    if any(c.ndim == 0 or isinstance(c, numpy.ma.MaskedArray) or c.dtype.names for c in columns):
        raise _CopyNeededError("the columns are apart")
    if not stored.length:
        raise _CopyNeededError("there are no rows")
    steps = {c.strides[0] for c in columns}
    first = min(child.address for child in stored.children)
    offsets = [child.address - first for child in stored.children]
    span = max(offset + c[:1].nbytes for offset, c in zip(offsets, columns, strict=True))
    if len(steps) != 1 or not 0 < span <= min(steps) or not all(c[:1].flags.c_contiguous for c in columns):
        raise _CopyNeededError("the columns are apart")
    formats = [(c.dtype, c.shape[1:]) for c in columns]
    fields: Any = {"names": stored.names, "formats": formats, "offsets": offsets, "itemsize": span}
    start = columns[offsets.index(0)][:1].reshape(-1).view("uint8")
    rows = numpy.lib.stride_tricks.as_strided(start, (stored.length, span), (min(steps), 1), writeable=False)
    return rows.view(numpy.dtype(fields))[:, 0]


def _missing(stored: Array, content: Any) -> Any:
    mask = stored.column("mask")
    if stored.layout == "option_bits":
        mask = numpy.unpackbits(mask, bitorder="little" if stored.bits_lsb else "big")[: stored.length]
    missing = (mask == 0) if stored.mask_valid else (mask != 0)
    return numpy.broadcast_to(missing.reshape(-1, *[1] * (content.ndim - 1)), content.shape)


def _copied(value: Value) -> Any:
    """Returns an array of the elements, in a type that numpy chooses."""
    stored = value.array
    if stored is not None:
        return _copied_array(stored)
    if value.kind in ("string", "bytes") or value.kind not in _CONTAINERS:
        return numpy.asarray(value.to_python())
    if value.kind in ("object", "map"):
        raise MismatchError("an object has no array: index it by name first", "type")
    return _of_items(value)


def _of_items(value: Value) -> Any:
    items = value.to_python()
    if any(word in str(value.type) for word in ("string", "bytes", "any")):  # all of the width of the longest
        widths = list(_widths(items))
        _charge(len(widths), 4 * max(widths, default=0))
    try:
        return numpy.array(items)
    except ValueError as error:
        raise MismatchError(f"the items have no common shape ({error}): use to_awkward()", "type") from None


def _widths(item: Any) -> Iterator[int]:
    if isinstance(item, list | tuple):
        for inner in item:
            yield from _widths(inner)
    else:
        yield len(item) if isinstance(item, str | bytes) else 1


def _copied_array(stored: Array) -> Any:
    try:
        return _own(_view_array(stored))
    except _CopyNeededError:
        pass
    if stored.layout == "record" and stored.names:
        columns = [_copied_array(child) for child in stored.children]
        dtype = [(name, c.dtype, c.shape[1:]) for name, c in zip(stored.names, columns, strict=True)]
        _charge(stored.length, numpy.dtype(dtype).itemsize)
        made: Any = numpy.ma.empty if any(isinstance(c, numpy.ma.MaskedArray) for c in columns) else numpy.empty
        rows = made(stored.length, dtype)
        for name, column in zip(stored.names, columns, strict=True):
            rows[name] = column[: stored.length]
        return rows
    if stored.layout == "chunked":
        chunks = [_copied_array(child) for child in stored.children]
        _charge(sum(chunk.size for chunk in chunks), max((chunk.dtype.itemsize for chunk in chunks), default=0))
        return numpy.concatenate(chunks)
    if stored.layout == "indexed":
        content, index = _copied_array(stored.children[0]), stored.column("index")
        _charge(len(index) * max(1, content[:1].size), 16 + content.dtype.itemsize)
        if (index >= 0).all():
            return content[index]
        if not len(content):
            content = numpy.zeros(1, content.dtype)
        return numpy.ma.MaskedArray(content[numpy.maximum(index, 0)], index < 0)
    if not (stored.is_string or stored.is_binary or stored.layout in ("option_bytes", "option_bits")):
        return _of_items(stored.value)
    items = stored.value.to_python()
    if stored.is_string:
        _charge(len(items), 4 * max(map(len, items), default=0))
    if stored.is_string or stored.is_binary:
        return numpy.array(items, "U" if stored.is_string else object) if items else numpy.empty(0, "U1")
    return numpy.array(items, object)
