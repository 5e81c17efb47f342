# SPDX-License-Identifier: MIT
"""References to the columns of a file, as kerchunk and VirtualiZarr have them: any program with zarr and fsspec then reads
the columns from the file itself, without polycodec and without the rest of the file."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import polycodec
from polycodec._columns import columns, is_list, ragged

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt


def _leaves(value: polycodec.Value) -> Iterator[tuple[str, npt.NDArray[Any]]]:
    for path, array, _ in columns(value):
        name = "/".join(x.replace("/", "_") for x in path) or "values"
        while is_list(array):
            content, _, index = ragged(array)
            if index is not None:
                break
            stored = array.column("offsets") if array.layout == "list_offsets" else None
            if stored is not None:
                yield f"{name}.offsets", stored
            name, array = f"{name}.content", content
        if array.layout == "ndarray" and array.typestr:
            yield name, array.to_numpy()


def _reference(array: npt.NDArray[Any], base: int, size: int, url: str) -> tuple[dict[str, Any], list[Any]] | None:
    """The metadata and the chunk of an array that lies in the bytes at `base`, or None if it does not."""
    if array.size == 0 or array.dtype.hasobject or any(n < 0 for n in array.strides):
        return None
    start = array.__array_interface__["data"][0] - base
    inner = array[0] if array.ndim else array
    if start < 0 or start >= size or not inner.flags.c_contiguous:
        return None
    step = array.strides[0] if array.ndim else inner.nbytes
    meta: dict[str, Any] = {
        "zarr_format": 2,
        "shape": list(array.shape),
        "chunks": list(array.shape),
        "dtype": array.dtype.str,
        "compressor": None,
        "fill_value": None,
        "order": "C",
        "filters": None,
    }
    length = inner.nbytes * len(array) if array.ndim else inner.nbytes
    if array.ndim and len(array) > 1 and step != inner.nbytes:
        # One member of each record: kerchunk's own codec takes it out of whole records.
        if inner.ndim or step < inner.nbytes:
            return None
        length = step * len(array)
        # Records that end after the column would reach beyond the last byte of it: begin earlier instead.
        before = max(0, start + length - size)
        if before > step - inner.nbytes or before > start:
            return None
        start -= before
        record = {"names": ["member"], "formats": [array.dtype.str], "offsets": [before], "itemsize": step}
        meta["filters"] = [{"id": "record_member", "member": "member", "dtype": record}]
    if start + length > size:
        return None
    return meta, [url, start, length]


def _found(
    path: str | os.PathLike[str], codec: str | None, where: str
) -> dict[str, tuple[dict[str, Any], list[Any]] | None]:
    """The reference to each column, or None for a column that is not in the file as it is."""
    found = {}
    # Offsets are copied out of a mapped file that others may write. In one that was read they are where they were.
    for copy in (False, True):
        value = polycodec.default_registry().open_path(path, codec, copy=copy)
        base, size = value.source_range or (0, 0)
        found = {name: _reference(array, base, size, where) for name, array in _leaves(value)}
        if all(place is not None for name, place in found.items() if name.endswith(".offsets")):
            break
    return found


def references(path: str | os.PathLike[str], *, url: str | None = None, codec: str | None = None) -> dict[str, Any]:
    """Returns references (version 1) to each column that lies in the file as it is.

    A column of lists gives its offsets and its content. Columns that had to be decoded are left out. ``url`` is what the
    references call the file; if not given, its path. Columns inside of records need kerchunk where they are read. A file of
    lists that others may write is read into memory.
    """
    where = url if url is not None else os.path.abspath(path)
    refs: dict[str, Any] = {".zgroup": json.dumps({"zarr_format": 2})}
    for name, found in _found(path, codec, where).items():
        if found is None:
            continue
        for i in range(1, name.count("/") + 1):
            refs["/".join(name.split("/")[:i]) + "/.zgroup"] = json.dumps({"zarr_format": 2})
        meta, chunk = found
        refs[f"{name}/.zarray"] = json.dumps(meta)
        refs[f"{name}/.zattrs"] = json.dumps({"_ARRAY_DIMENSIONS": [f"{name}.{i}" for i in range(len(meta["shape"]))]})
        refs[f"{name}/{'.'.join('0' * max(1, len(meta['shape'])))}"] = chunk
    return {"version": 1, "refs": refs}
