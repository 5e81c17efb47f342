# SPDX-License-Identifier: MIT
"""Arrays and scalars of numpy for the encoder."""

from __future__ import annotations

from typing import Any

import numpy

from polycodec import _times
from polycodec._errors import MismatchError
from polycodec._layouts import Layout, fixed, option, record, strings


def adapt(thing: Any) -> tuple[str, Any]:
    """Returns what the encoder does with an array or scalar."""
    if thing is numpy.ma.masked:
        return "plain", None
    if isinstance(thing, numpy.generic):
        return _scalar(thing)
    if thing.ndim == 0 and thing.dtype.kind in "OVT":
        return "plain", thing.item() if thing.dtype.kind != "V" else _fields(thing[()])
    if thing.dtype.kind == "O":
        return "plain", thing.tolist()
    plain = plain_array(thing)
    return ("layout" if isinstance(plain, Layout) else "array"), plain


def _scalar(thing: Any) -> tuple[str, Any]:
    if thing.dtype.kind == "m":
        return "time", _times.from_numpy(thing)
    if thing.dtype.kind == "V" and thing.dtype.names:
        return "plain", _fields(thing)
    if thing.dtype.kind in "SUVO":
        return "plain", bytes(thing) if thing.dtype.kind == "V" else thing.item()
    # An array without dimensions keeps the width of the number, and that a time has no zone.
    return "array", plain_array(numpy.asarray(thing))


def _fields(row: Any) -> dict[str, Any]:
    return {name: row[name] for name in row.dtype.names}


def plain_array(thing: Any) -> Any:
    """Returns a layout, or an array whose elements have a type of the value model."""
    if isinstance(thing, numpy.ma.MaskedArray):
        return _masked(thing)
    if thing.ndim > 1 and thing.dtype.kind in "VT" and (thing.dtype.names or thing.dtype.kind == "T"):
        rows, size = thing.shape[0], thing.shape[1]
        inner = thing.reshape((rows * size, *thing.shape[2:]))
        return fixed(plain_array(inner), rows, size)
    if thing.dtype.names:
        return record(len(thing), {name: plain_array(thing[name]) for name in thing.dtype.names})
    if thing.dtype.kind == "T":
        return _strings(thing)
    if thing.dtype.kind in "mM":
        name, step = numpy.datetime_data(thing.dtype)
        if name == "generic":
            raise MismatchError("array of times without a unit: give it one, such as 's'", "type")
        return thing if step == 1 else thing.astype(f"{thing.dtype.kind}8[{name}]")
    if thing.dtype.kind in "SUV" and thing.dtype.itemsize == 0:
        return thing.astype(thing.dtype.kind + "1")
    if thing.dtype.kind == "O":
        raise MismatchError("column of objects: convert it to a list", "type")
    return numpy.asarray(thing)


def _masked(thing: Any) -> Any:
    missing = numpy.ma.getmaskarray(thing)
    if thing.dtype.names:
        return record(len(thing), {name: plain_array(thing[name]) for name in thing.dtype.names})
    if thing.ndim == 1:
        return option(plain_array(numpy.ma.getdata(thing)), missing)
    rows, size = thing.shape[0], thing.shape[1]
    return fixed(_masked(thing.reshape((rows * size, *thing.shape[2:]))), rows, size)


def _strings(thing: Any) -> Layout:
    """Returns the strings of an array of StringDType, where what its na_object is for is missing."""
    encoded = [item.encode() if isinstance(item, str) else b"" for item in thing]
    offsets = numpy.zeros(len(encoded) + 1, "int64")
    numpy.cumsum([len(item) for item in encoded], out=offsets[1:])
    made = strings(numpy.frombuffer(b"".join(encoded), "uint8"), offsets)
    missing = numpy.fromiter((not isinstance(item, str) for item in thing), bool, len(encoded))
    return option(made, missing) if missing.any() else made
