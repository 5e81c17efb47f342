# SPDX-License-Identifier: MIT
"""Values as arrays of awkward 2, whose buffers are read when they are first used."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import awkward
import numpy

from polycodec._core import Array, Value, spend, walk
from polycodec._errors import MismatchError

Form = dict[str, Any]

_UNITS_OF_FORM = 6000  # of work
_BYTES_OF_FORM = 3000


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
    stored = value.array
    if stored is not None:
        return _array(stored)
    if value.kind == "object":
        members = {name: value[name] for name in value.names}
        if members and all(_is_column(member) for member in members.values()):
            lengths = {len(member) for member in members.values()}
            columns = {name: _to_awkward(member) for name, member in members.items()}
            if len(lengths) == 1:
                return awkward.zip(columns, depth_limit=1)
        return awkward.Record(
            {name: _to_awkward(member) if _is_column(member) else member.to_python() for name, member in members.items()}
        )
    if value.kind in ("list", "tuple"):
        return awkward.Array(value.to_python())
    raise MismatchError(f"a value of the kind {value.kind} is not an array: use to_python()", "type")


def _is_column(value: Value) -> bool:
    return value.array is not None


def _array(stored: Array, *, copies: bool = False) -> Any:
    buffers = Buffers()
    form = _Form(buffers, copies=copies).form(stored, stored.length)
    return awkward.from_buffers(form, stored.length, buffers, buffer_key="{form_key}-{attribute}")


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
        made: Form = make(stored, self._key(), length)
        metadata = stored.metadata
        if metadata:
            made.setdefault("parameters", {}).update(metadata)
        return made

    def _items(self, stored: Array, length: int) -> Form:
        """Returns the form of an array without columns of its own, whose items Python reads."""
        content = awkward.Array(stored.value[:length].to_python()).layout
        return self._content(content)

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
            return numpy.ascontiguousarray(native, native.dtype.newbyteorder("="))

        self._add(key, "data", make)
        return {
            "class": "NumpyArray",
            "primitive": name,
            "inner_shape": list(shape[1:]),
            "form_key": key,
        }

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
        tags, index = stored.column("tags")[:length], stored.column("index")[:length]
        self._add(key, "tags", lambda: numpy.ascontiguousarray(tags, "int8"))
        self._add(key, "index", lambda: numpy.ascontiguousarray(index, "int64"))
        contents = []
        for tag, child in enumerate(stored.children):
            used = index[tags == tag]
            contents.append(self.form(child, int(used.max()) + 1 if len(used) else 0))
        return {"class": "UnionArray", "tags": "i8", "index": "i64", "contents": contents, "form_key": key}

    def _option_bytes(self, stored: Array, key: str, length: int) -> Form:
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
        index = stored.column("index")[:length]
        self._add(key, "index", lambda: numpy.ascontiguousarray(index, "int64"))
        used = int(index.max(initial=-1)) + 1
        content = self.form(stored.children[0], used)
        return {"class": "IndexedOptionArray", "index": "i64", "content": content, "form_key": key}

    def _chunked(self, stored: Array, key: str, length: int) -> Form:
        if len(stored.children) == 1:
            return self.form(stored.children[0], length)
        chunks = [_array(child, copies=True) for child in stored.children]
        return self._content(awkward.concatenate(chunks)[:length].layout)


def _same(buffer: Any) -> Any:
    return buffer


def _prefix(form: Any, prefix: str) -> Any:
    """Returns a form whose keys begin with a prefix."""
    if isinstance(form, list):
        return [_prefix(item, prefix) for item in form]
    if not isinstance(form, dict):
        return form
    return {key: prefix + item if key == "form_key" and item else _prefix(item, prefix) for key, item in form.items()}
