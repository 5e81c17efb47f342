# SPDX-License-Identifier: MIT
"""Values as arrays of numpy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy

from polycodec._core import Array, Value, spend, walk
from polycodec._errors import MismatchError

_CONTAINERS = ("list", "tuple", "object", "map")
_UNITS_OF_ARRAY = 2000  # of work, which an array of numpy takes
_BYTES_OF_ARRAY = 1000
_UNITS_OF_MASKED_ROWS = 150_000  # which numpy walks through by name, often


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


def dtype(value: Value) -> Any:
    """Returns the type of the elements that an array of numpy would view, or None."""
    stored = value.array
    if stored is None:
        return None
    if stored.layout == "ndarray":
        return numpy.dtype(stored.typestr) if stored.typestr else None
    try:
        return walk(value, lambda: _view(value)).dtype
    except _CopyNeededError:
        return None


def _charge(count: int, item_size: int) -> None:
    """Charges elements that are about to be copied."""
    spend(_UNITS_OF_ARRAY + count // 4, _BYTES_OF_ARRAY + count * item_size)


def _own(made: Any) -> Any:
    _charge(made.size, made.dtype.itemsize)
    return made.copy()


def to_masked(value: Value) -> Any:
    """Returns a numpy.ma.MaskedArray whose mask says which items are missing. It views the value where that is possible."""
    return walk(value, lambda: _masked(_to_numpy(value, None)))


def _masked(made: Any) -> Any:
    if made.dtype.kind != "O" or isinstance(made, numpy.ma.MaskedArray):
        return numpy.ma.asarray(made)
    spend(made.size, made.size)
    mask = numpy.fromiter((item is None for item in made.flat), bool, made.size)
    return numpy.ma.MaskedArray(made, mask.reshape(made.shape))


def array(value: Value, dtype: Any = None, copy: bool | None = None) -> Any:
    """Returns the array for ``numpy.asarray(value)``, which has nan or NaT where an item is missing, and never a filler."""
    wanted = None if dtype is None else numpy.dtype(dtype)
    try:
        made = to_numpy(value, copy)
        if isinstance(made, numpy.ma.MaskedArray):
            made = walk(value, lambda: _unmasked(made, wanted, copy))
    except MismatchError as error:
        raise ValueError(str(error)) from None
    return made if wanted is None or made.dtype == wanted else walk(value, lambda: _cast(made, wanted))


def _unmasked(made: Any, wanted: Any, copy: bool | None) -> Any:
    """Returns a masked array as a plain one."""
    if not _any(numpy.ma.getmask(made)):
        return numpy.ma.getdata(made)
    fillers = {"f": numpy.nan, "c": numpy.nan, "m": "NaT", "M": "NaT", "O": None}
    kind = (made.dtype if wanted is None else wanted).kind
    if kind not in fillers or made.dtype.names:
        raise MismatchError(f"items are missing, for which {made.dtype} has no value: use to_masked()", "type")
    if copy is False:
        raise MismatchError("items are missing: use to_masked()", "type")
    plain = numpy.ma.getdata(made)
    _charge(plain.size, (wanted or plain.dtype).itemsize)
    plain = plain.astype(plain.dtype if wanted is None else wanted)
    plain[numpy.ma.getmaskarray(made)] = fillers[kind]
    return plain


def _any(mask: Any) -> bool:
    """Returns whether a mask, which has the names of the columns of rows, masks anything."""
    if mask.dtype.names:
        return any(_any(mask[name]) for name in mask.dtype.names)
    return bool(mask.any())


def _cast(made: Any, dtype: Any) -> Any:
    _charge(made.size, dtype.itemsize)
    return made.astype(dtype)


def _view(value: Value) -> Any:
    stored = value.array
    if stored is None:
        if value.kind in ("object", "map"):
            raise MismatchError("an object has no array: index it by name first", "type")
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
        if content.dtype.names:
            spend(_UNITS_OF_MASKED_ROWS)
        return numpy.ma.MaskedArray(content, _spread(missing(stored), content))
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


def missing(stored: Array) -> Any:
    """Returns which items of an array with a mask are missing."""
    mask = stored.column("mask")
    if stored.layout == "option_bits":
        mask = numpy.unpackbits(mask, bitorder="little" if stored.bits_lsb else "big")
    mask = mask[: stored.length]
    return (mask == 0) if stored.mask_valid else (mask != 0)


def _spread(mask: Any, content: Any) -> Any:
    """Returns the mask of all elements of items from that of the items."""
    return numpy.broadcast_to(mask.reshape(-1, *[1] * (content.ndim - 1)), content.shape)


def _copied(value: Value) -> Any:
    """Returns an array of the elements, in a type that numpy chooses."""
    stored = value.array
    if stored is not None:
        return _copied_array(stored)
    if value.kind in ("string", "bytes") or value.kind not in _CONTAINERS:
        return numpy.asarray(value.to_python())
    return _of_items(value)


def _of_items(value: Value) -> Any:
    try:
        items = value.to_python(arrays="numpy")  # which keeps the types of arrays in lists
    except MismatchError:  # numpy has no such type
        items = value.to_python()
    if any(word in str(value.type) for word in ("string", "bytes", "any")):  # all of the width of the longest
        widths = [len(leaf) if isinstance(leaf, str | bytes) else 1 for leaf in _leaves(items)]
        _charge(len(widths), 4 * max(widths, default=0))
    try:
        made = numpy.array(items)
    except ValueError as error:
        raise MismatchError(f"the items have no common shape ({error}): use to_awkward()", "type") from None
    return made if _is_exact(made, items) else numpy.array(items, object)


def _is_exact(made: Any, items: Any) -> bool:
    """Returns whether numpy chose a type that has all items. It makes text of numbers beside text, and floats of numbers
    that int64 does not have, and cuts zeros at the end of text."""
    if made.dtype.kind not in "USfc":
        return True
    return all(a == b or a != a for a, b in zip(_leaves(items), made.reshape(-1).tolist(), strict=True))


def _leaves(item: Any) -> Iterator[Any]:
    if isinstance(item, list | tuple):
        for inner in item:
            yield from _leaves(inner)
    elif isinstance(item, numpy.ndarray):
        yield from item.reshape(-1).tolist()
    else:
        yield item


def _copied_array(stored: Array) -> Any:
    """Returns an array that owns its elements."""
    try:
        return _own(_view_array(stored))
    except _CopyNeededError:
        pass
    if stored.is_string or stored.is_binary:
        return _texts(stored)
    make = _COPIES.get(stored.layout)
    return _of_items(stored.value) if make is None else make(stored)


def _content(stored: Array) -> Any:
    """Returns the array of a part of which not all may be needed: a view where that is possible."""
    try:
        return _view_array(stored)
    except _CopyNeededError:
        return _copied_array(stored)


def _texts(stored: Array) -> Any:
    items = stored.value.to_python()
    if stored.is_binary or any(item.endswith("\0") for item in items):  # which numpy would cut
        return numpy.array(items, object)
    _charge(len(items), 4 * max(map(len, items), default=0))
    return numpy.array(items, "U") if items else numpy.empty(0, "U1")


def _copied_lists(stored: Array) -> Any:
    """Returns lists of one length as a dimension more."""
    length = stored.length
    if stored.layout == "list_fixed":
        content = _content(stored.children[0])[: length * stored.list_size]
        return _own(content.reshape((length, stored.list_size, *content.shape[1:])))
    if stored.layout == "list_offsets":
        starts, stops = stored.column("offsets")[:length], stored.column("offsets")[1 : length + 1]
    else:
        starts, stops = stored.column("starts")[:length], stored.column("stops")[:length]
    spend(length, 32 * length)
    starts = starts.astype("int64")
    counts = numpy.maximum(stops.astype("int64") - starts, 0)
    size = int(counts[0]) if length else 0
    if (counts != size).any():
        raise MismatchError(
            f"the items have no common shape (lists of {counts.min()} to {counts.max()} items): use to_awkward()", "type"
        )
    content = _content(stored.children[0])
    spend(length * size, 8 * length * size)
    return _chosen(content, starts[:, None] + numpy.arange(size) if size else numpy.zeros((length, 0), "int64"))


def _chosen(content: Any, index: Any) -> Any:
    _charge(index.size * max(1, content[:1].size), content.dtype.itemsize)
    return content[index]


def _copied_record(stored: Array) -> Any:
    """Returns rows, whose columns have numbers as names where they have none."""
    columns = [_content(child)[: stored.length] for child in stored.children]
    names = stored.names if stored.names is not None else [str(i) for i in range(len(columns))]
    dtype = [(name, c.dtype, c.shape[1:]) for name, c in zip(names, columns, strict=True)]
    _charge(stored.length, numpy.dtype(dtype).itemsize)
    made: Any = numpy.ma.empty if any(isinstance(c, numpy.ma.MaskedArray) for c in columns) else numpy.empty
    rows = made(stored.length, dtype)
    for name, column in zip(names, columns, strict=True):
        rows[name] = column
    return rows


def _copied_chunks(stored: Array) -> Any:
    chunks = [_content(child) for child in stored.children]
    if not chunks:
        return numpy.empty(0)
    _charge(sum(chunk.size for chunk in chunks), max(chunk.dtype.itemsize for chunk in chunks))
    is_masked = any(isinstance(chunk, numpy.ma.MaskedArray) for chunk in chunks)
    if len({(chunk.dtype if chunk.dtype.kind != "U" else "U", chunk.shape[1:]) for chunk in chunks}) > 1:
        return _of_items(stored.value)  # which finds a type for all
    return (numpy.ma if is_masked else numpy).concatenate(chunks)


def _copied_option(stored: Array) -> Any:
    content = _copied_array(stored.children[0])[: stored.length]
    return _without(content, _spread(missing(stored), content))


def _copied_index(stored: Array) -> Any:
    content, index = _content(stored.children[0]), stored.column("index")[: stored.length]
    _charge(index.size, 16)
    if (index >= 0).all():
        return _chosen(content, index)
    if not len(content):
        content = numpy.zeros((1, *content.shape[1:]), content.dtype)
    chosen = _chosen(content, numpy.maximum(index, 0))
    return _without(chosen, _spread(index < 0, chosen))


def _without(content: Any, mask: Any) -> Any:
    """Returns an array without some of its items: as None among objects and text, else by a mask."""
    if content.dtype.kind not in "OU":
        return numpy.ma.MaskedArray(content, mask)
    _charge(content.size, 8)
    made = content.astype(object)
    made[mask] = None
    return made


_COPIES: dict[str, Callable[[Array], Any]] = {
    "list_offsets": _copied_lists,
    "list_view": _copied_lists,
    "list_fixed": _copied_lists,
    "record": _copied_record,
    "chunked": _copied_chunks,
    "indexed": _copied_index,
    "option_bytes": _copied_option,
    "option_bits": _copied_option,
}
