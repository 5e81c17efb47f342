# SPDX-License-Identifier: MIT
"""Values as arrays of awkward 2, whose buffers are read when they are first used."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import awkward
import numpy

from polycodec._core import Array, Value, columnar, spend, walk
from polycodec._errors import MismatchError
from polycodec._numpy import missing

Form = dict[str, Any]

_UNITS_OF_FORM = 6000  # of work
_BYTES_OF_FORM = 3000
_UNITS_OF_CONTENT = 100_000  # that awkward makes of columns
_BYTES_OF_CONTENT = 20_000
_UNITS_OF_UNION = 1_000_000


class Buffers(Mapping[str, Any]):
    """Buffers by name, each made when it is first asked for."""

    def __init__(self) -> None:
        self._make: dict[str, Callable[[], Any]] = {}

    def add(self, key: str, make: Callable[[], Any]) -> None:
        """Adds a buffer."""
        self._make[key] = make

    def __getitem__(self, key: str) -> Any:
        return self._make[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._make)

    def __len__(self) -> int:
        return len(self._make)


def to_awkward(value: Value) -> Any:
    """Returns an awkward.Array of the items, or an awkward.Record for an object."""
    return walk(value, lambda: _to_awkward(value))


def _to_awkward(value: Value) -> Any:
    stored = _column(value)
    if stored is not None:
        return _array(stored, value.metadata)
    if value.kind == "object":
        columns = {name: _column(value[name]) for name in value.names}
        if not columns:
            return awkward.Record(awkward.record.Record(awkward.contents.RecordArray([], [], 1), 0))
        arrays = {
            name: None if column is None else _array(column, value[name].metadata) for name, column in columns.items()
        }
        if None not in columns.values() and len({len(array) for array in arrays.values() if array is not None}) == 1:
            return awkward.zip(arrays, depth_limit=1)
        members = {name: value[name].to_python() if array is None else array for name, array in arrays.items()}
        return _held(awkward.Record, members)
    if value.kind in ("list", "tuple"):
        made = _of_columns(value)
        return _held(awkward.from_iter, value.to_python()) if made is None else made
    raise MismatchError(f"a value of the kind {value.kind} is not an array: use to_python()", "type")


def _column(value: Value) -> Array | None:
    """Returns the array of a value unless it is a single element."""
    stored = value.array
    return None if stored is None or (stored.layout == "ndarray" and not stored.shape) else stored


def _of_columns(value: Value) -> Any:
    """Returns a list of documents of one type by way of columns, without objects of Python. None for any other list."""
    columns = columnar(value)
    stored = None if columns is None else _column(columns)
    return None if stored is None else awkward.from_regular(_array(stored, value.metadata), axis=None)


def _held(make: Callable[[Any], Any], items: Any) -> Any:
    """Returns what awkward makes of objects of Python. It makes floats of integers that are beside floats."""
    numbers = list(_numbers(items))
    if any(isinstance(x, float) for x in numbers) and any(isinstance(x, int) and abs(x) > 2**53 for x in numbers):
        raise MismatchError("awkward would round integers that are beside floats: use to_python()", "type")
    try:
        return make(items)
    except (TypeError, ValueError, OverflowError, RuntimeError) as error:
        raise MismatchError(f"awkward cannot hold the items ({error}): use to_python()", "type") from error


def _numbers(item: Any) -> Iterator[Any]:
    if isinstance(item, dict | list | tuple):
        for inner in item.values() if isinstance(item, dict) else item:
            yield from _numbers(inner)
    elif isinstance(item, int | float):
        yield item


def _array(stored: Array, metadata: Any) -> Any:
    buffers = Buffers()
    form = _described(_Form(buffers).form(stored, stored.length), metadata)
    return awkward.from_buffers(form, stored.length, buffers, buffer_key="{form_key}-{attribute}")


def _read(stored: Array, length: int) -> Any:
    """Returns the content for the first ``length`` items, all of whose columns are read."""
    spend(_UNITS_OF_CONTENT + 4 * length, _BYTES_OF_CONTENT + 64 * length)
    buffers = Buffers()
    form = _Form(buffers, copies=True).form(stored, length)
    columns = {key: buffers[key]() for key in buffers}
    return awkward.from_buffers(form, length, columns, buffer_key="{form_key}-{attribute}", highlevel=False)


class _Form:
    """Makes forms, with the lengths that they say, and adds the buffers for them."""

    def __init__(self, buffers: Buffers, *, copies: bool = False) -> None:
        self._buffers = buffers
        self._copies = copies  # of all leaves: they are charged
        self._count = 0

    def _key(self) -> str:
        self._count += 1
        return f"node{self._count}"

    def _add(self, key: str, attribute: str, make: Callable[[], Any]) -> None:
        self._buffers.add(f"{key}-{attribute}", make)

    def _index(self, stored: Array, key: str, attribute: str, column: str, wide: bool = True) -> str:
        """Adds a structure column as integers that awkward has."""
        numbers = stored.column(column)
        allowed = {"int32": "i32", "uint32": "u32", "int64": "i64"} if wide else {"int8": "i8", "uint8": "u8"}
        dtype = numbers.dtype if numbers.dtype.name in allowed else numpy.dtype("int64" if wide else "int8")
        self._add(key, attribute, lambda: numpy.ascontiguousarray(numbers, dtype))
        return allowed[dtype.name]

    def form(self, stored: Array, length: int) -> Form:
        """Returns the form for the first ``length`` items of an array."""
        # Of each item a form reads some columns of integers.
        spend(_UNITS_OF_FORM + length // 2, _BYTES_OF_FORM + (0 if stored.layout == "ndarray" else 16 * length))
        make = getattr(self, "_" + stored.layout, None)
        if make is None:
            return self._items(stored, length)
        return _described(make(stored, self._key(), length), stored.metadata)

    def _items(self, stored: Array, length: int) -> Form:
        """Returns the form of an array without columns of its own, whose items Python reads."""
        part = stored.value[:length]
        if part.type.endswith("* null"):
            none = awkward.index.Index64(numpy.full(length, -1))
            return self._content(awkward.contents.IndexedOptionArray(none, awkward.contents.EmptyArray()))
        return self._content(_held(awkward.from_iter, part.to_python()).layout)

    def _content(self, content: Any) -> Form:
        key = self._key()
        form, _, container = awkward.to_buffers(content, buffer_key=key + "{form_key}-{attribute}")
        for name, buffer in container.items():
            self._buffers.add(name, functools.partial(_same, buffer))
        made: Form = _prefix(form.to_dict(), key)
        return made

    def _ndarray(self, stored: Array, key: str, length: int) -> Form:
        shape = stored.shape
        if stored.typestr[1:2] in ("S", "U", "") or not shape:
            return self._items(stored, length)
        name = numpy.dtype(stored.typestr).newbyteorder("=").name
        native = stored.to_numpy()[:length]
        if self._copies or not (native.flags.c_contiguous and native.dtype.isnative):
            spend(native.size // 4, native.nbytes)

        def make() -> Any:
            return numpy.ascontiguousarray(native, native.dtype.newbyteorder("=")).reshape(-1)

        self._add(key, "data", make)
        form: Form = {"class": "NumpyArray", "primitive": name, "form_key": key}
        # awkward cannot read arrays of several dimensions late.
        for size in reversed(shape[1:]):
            form = {"class": "RegularArray", "size": size, "content": form, "form_key": self._key()}
        return form

    def _text(self, stored: Array, made: Form) -> Form:
        if stored.is_string or stored.is_binary:
            word = "string" if stored.is_string else "bytestring"
            made["parameters"] = {"__array__": word}
            made["content"]["parameters"] = {"__array__": "char" if stored.is_string else "byte"}
        return made

    def _list_offsets(self, stored: Array, key: str, length: int) -> Form:
        offsets = stored.column("offsets")
        word = self._index(stored, key, "offsets", "offsets")
        used = int(offsets[length]) if length else 0
        content = self.form(stored.children[0], max(used, 0))
        return self._text(stored, {"class": "ListOffsetArray", "offsets": word, "content": content, "form_key": key})

    def _list_view(self, stored: Array, key: str, length: int) -> Form:
        starts, stops = stored.column("starts")[:length], stored.column("stops")[:length]
        word = "i64"
        self._add(key, "starts", lambda: numpy.ascontiguousarray(starts, "int64"))
        self._add(key, "stops", lambda: numpy.ascontiguousarray(stops, "int64"))
        used = int(stops[stops > starts].max(initial=0))
        content = self.form(stored.children[0], used)
        made = {"class": "ListArray", "starts": word, "stops": word, "content": content, "form_key": key}
        return self._text(stored, made)

    def _list_fixed(self, stored: Array, key: str, length: int) -> Form:
        content = self.form(stored.children[0], length * stored.list_size)
        made = {"class": "RegularArray", "size": stored.list_size, "content": content, "form_key": key}
        return self._text(stored, made)

    def _record(self, stored: Array, key: str, length: int) -> Form:
        contents = [self.form(child, length) for child in stored.children]
        return {"class": "RecordArray", "fields": stored.names, "contents": contents, "form_key": key}

    def _union(self, stored: Array, key: str, length: int) -> Form:
        tags, index = stored.column("tags")[:length].astype("int64"), stored.column("index")[:length].astype("int64")
        contents = []
        for tag, child in enumerate(stored.children):
            contents.append(_read(child, int(index[tags == tag].max(initial=-1)) + 1))
        if len(contents) == 1:
            made = awkward.contents.IndexedArray.simplified(awkward.index.Index64(index), contents[0])
        else:
            made = _unified(tags, index, contents) if contents else awkward.contents.EmptyArray()
        return self._content(made)

    def _option_bytes(self, stored: Array, key: str, length: int) -> Form:
        if stored.children[0].layout in _CHOOSING:
            return self._indexed(stored, key, length)
        mask = stored.column("mask")[:length]
        self._add(key, "mask", lambda: numpy.ascontiguousarray(mask != 0, "int8"))
        return {
            "class": "ByteMaskedArray",
            "mask": "i8",
            "valid_when": stored.mask_valid,
            "content": self.form(stored.children[0], length),
            "form_key": key,
        }

    def _option_bits(self, stored: Array, key: str, length: int) -> Form:
        if stored.children[0].layout in _CHOOSING:
            return self._indexed(stored, key, length)
        mask = stored.column("mask")
        self._add(key, "mask", lambda: numpy.ascontiguousarray(mask, "uint8"))
        return {
            "class": "BitMaskedArray",
            "mask": "u8",
            "valid_when": stored.mask_valid,
            "lsb_order": stored.bits_lsb,
            "content": self.form(stored.children[0], length),
            "form_key": key,
        }

    def _indexed(self, stored: Array, key: str, length: int) -> Form:
        """Returns the form of items that are chosen or missing, which awkward has once and not in itself or in a union."""
        index, content = _choice(stored, length)
        used = int(index.max(initial=-1)) + 1
        is_option = bool((index < 0).any())
        if content.layout in ("union", "chunked"):
            return self._content(_chosen(index, _read(content, used)))
        self._add(key, "index", lambda: index)
        made = {"class": "IndexedOptionArray" if is_option else "IndexedArray", "index": "i64", "form_key": key}
        return {**made, "content": self.form(content, used)}

    def _chunked(self, stored: Array, key: str, length: int) -> Form:
        if len(stored.children) == 1:
            return self.form(stored.children[0], length)
        chunks = [_read(child, child.length) for child in stored.children]
        if not chunks:
            joined = awkward.contents.EmptyArray()
        elif _merging_rounds(chunks):
            lengths = [chunk.length for chunk in chunks]
            index = numpy.concatenate([numpy.arange(size) for size in lengths])
            joined = _unified(numpy.repeat(numpy.arange(len(chunks)), lengths), index, chunks)
        else:
            joined = awkward.concatenate(chunks, highlevel=False)
        return self._content(joined[:length])


# Layouts that a layout of missing items cannot have as its content in awkward.
_CHOOSING = ("option_bytes", "option_bits", "indexed", "union", "chunked")


def _choice(stored: Array, length: int) -> tuple[Any, Array]:
    """Returns the array that the items of nested layouts of missing or chosen items are in, and where, or -1."""
    index = numpy.arange(length)
    while True:
        spend(length, 32 * length)
        if stored.layout == "indexed":
            next_index = stored.column("index").astype("int64")
        elif stored.layout in ("option_bytes", "option_bits"):
            next_index = numpy.where(missing(stored), -1, numpy.arange(stored.length))
        elif stored.layout == "chunked" and len(stored.children) == 1:
            stored = stored.children[0]
            continue
        else:
            return index, stored
        if len(next_index):
            index = numpy.where(index < 0, -1, next_index[index])
        stored = stored.children[0]


def _chosen(index: Any, content: Any) -> Any:
    """Returns the items of a content that an index chooses, or -1 where one is missing."""
    if not (index < 0).any():
        return content[index] if content.length else content
    if not content.is_union:
        return awkward.contents.IndexedOptionArray.simplified(awkward.index.Index64(index), content)
    # Each alternative may miss items, and those that are missing are of the first.
    tags, places = numpy.asarray(content.tags.data), numpy.asarray(content.index.data).astype("int64")
    contents = []
    for part in content.contents:
        all_of_it = awkward.index.Index64(numpy.append(numpy.arange(part.length), -1))
        contents.append(awkward.contents.IndexedOptionArray.simplified(all_of_it, part))
    tags = numpy.where(index < 0, 0, tags[index] if len(tags) else 0)
    places = numpy.where(index < 0, contents[0].length - 1, places[index] if len(places) else 0)
    return _unified(tags, places, contents)


def _unified(tags: Any, index: Any, contents: list[Any]) -> Any:
    """Returns a union, whose contents of like types are one unless that would change numbers."""
    spend(_UNITS_OF_UNION, _BYTES_OF_CONTENT)
    cast = "same_kind"
    if _merging_rounds(contents):  # or only what no item refers to does
        index, chosen = numpy.array(index), contents
        contents = []
        for tag, content in enumerate(chosen):
            used = numpy.flatnonzero(tags == tag)
            contents.append(awkward.to_packed(content[index[used]], highlevel=False))
            index[used] = numpy.arange(len(used))
        cast = "equiv" if _merging_rounds(contents) else cast
    wide = _count_wide(contents) if cast == "equiv" else 0
    tags8, index64 = awkward.index.Index8(tags.astype("int8")), awkward.index.Index64(index)
    made = awkward.contents.UnionArray.simplified(tags8, index64, contents, mergecastable=cast)
    # What has been merged may be of a type like that of another content, which came before.
    before = 0
    while made.is_union and len(made.contents) != before:
        before = len(made.contents)
        made = awkward.contents.UnionArray.simplified(made.tags, made.index, made.contents, mergecastable=cast)
    # Unions inside of records are merged all the same.
    if cast == "equiv" and _count_wide([made]) < wide:
        raise MismatchError("awkward would round integers that it merges with floats: use to_python()", "type")
    return made


def _count_wide(contents: list[Any]) -> int:
    """Returns how many integers a float may not have."""
    leaves = [numpy.asarray(leaf) for content in contents for leaf in _leaves(content)]
    return sum(int(((leaf > 2**53) | (leaf < -(2**53))).sum()) for leaf in leaves if leaf.dtype.kind in "iu")


def _merging_rounds(contents: list[Any]) -> bool:
    """Returns whether numbers of the contents change where awkward merges them to one type."""
    leaves = [numpy.asarray(leaf) for content in contents for leaf in _leaves(content)]
    numbers = [leaf for leaf in leaves if leaf.dtype.kind in "iufc"]
    return bool(numbers) and numpy.result_type(*numbers).kind not in "iu" and _count_wide(contents) > 0


def _leaves(content: Any) -> Iterator[Any]:
    if content.is_numpy:
        yield content.data
    elif content.is_record or content.is_union:
        for part in content.contents:
            yield from _leaves(part)
    elif not content.is_unknown:
        yield from _leaves(content.content)


def _described(form: Form, metadata: Any) -> Form:
    """Returns a form with metadata as its parameters."""
    if metadata and isinstance(metadata, Mapping):
        form["parameters"] = {**metadata, **(form.get("parameters") or {})}
    return form


def _same(buffer: Any) -> Any:
    return buffer


def _prefix(form: Any, prefix: str) -> Any:
    """Returns a form whose keys begin with a prefix."""
    if isinstance(form, list):
        return [_prefix(item, prefix) for item in form]
    if not isinstance(form, dict):
        return form
    return {key: prefix + item if key == "form_key" and item else _prefix(item, prefix) for key, item in form.items()}
