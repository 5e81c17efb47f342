# SPDX-License-Identifier: MIT
"""Objects of Python and of other libraries as something that the encoder knows."""

from __future__ import annotations

import dataclasses
import sys
from array import array as array_type
from collections.abc import Mapping, Sequence, Set
from datetime import date, datetime, timedelta
from enum import Enum
from typing import Any

from polycodec import _core, _times
from polycodec._kinds import Annotated, Extension, Time
from polycodec._layouts import Layout
from polycodec._losses import Loss

Adapted = tuple[str, Any] | tuple[str, Any, list[Loss]]


def adapt(thing: Any) -> Adapted:
    """Returns the word for what the encoder does with an object, the object for it, and what this one cannot keep."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(thing, (numpy.ndarray, numpy.generic)):
        from polycodec import _from_numpy

        return _from_numpy.adapt(thing)
    for kind, convert in _KINDS:
        if isinstance(thing, kind):
            adapted: Adapted = convert(thing)
            return adapted
    return _library(thing) or _duck(thing)


def _dataclass(thing: Any) -> dict[str, Any]:
    return {field.name: getattr(thing, field.name) for field in dataclasses.fields(thing)}


def _lost_of_arrow(thing: Any) -> list[Loss]:
    if type(thing).__module__.split(".")[0] != "pyarrow":
        return []
    from polycodec import _from_arrow

    return _from_arrow.losses(thing)


def _buffer(view: memoryview) -> Adapted:
    if view.ndim == 1 and view.format in ("B", "b", "c"):
        return "plain", bytes(view)
    import numpy

    return "array", numpy.asarray(view)


_KINDS: tuple[tuple[Any, Any], ...] = (
    (Layout, lambda thing: ("layout", thing)),
    (Time, lambda thing: ("time", thing)),
    (Extension, lambda thing: ("extension", thing)),
    (Annotated, lambda thing: ("annotated", thing)),
    (datetime, _times.adapt),
    (date, lambda thing: ("time", _times.from_date(thing))),
    (timedelta, _times.adapt),
    (complex, lambda thing: ("complex", thing)),
    (Enum, lambda thing: ("plain", thing.value, [("note", "", f"the class {type(thing).__qualname__}")])),
    (bool, lambda thing: ("plain", bool(thing))),
    (int, lambda thing: ("plain", int(thing))),
    (float, lambda thing: ("plain", float(thing))),
    (str, lambda thing: ("plain", str.__str__(thing))),
    (bytes, lambda thing: ("plain", bytes(thing))),
    (bytearray, lambda thing: ("plain", bytes(thing))),
    (memoryview, _buffer),
    (array_type, lambda thing: _buffer(memoryview(thing))),
)


def _library(thing: Any) -> Adapted | None:
    """Returns the object of a library that has kinds of its own."""
    awkward = sys.modules.get("awkward")
    if awkward is not None and isinstance(thing, (awkward.Array, awkward.Record)):
        from polycodec import _from_awkward

        return _from_awkward.adapt(thing)
    pandas = sys.modules.get("pandas")
    if pandas is not None:
        if thing is pandas.NA or thing is pandas.NaT:
            return "plain", None
        if isinstance(thing, pandas.DataFrame | pandas.Series | pandas.Index):
            from polycodec import _from_pandas

            return _from_pandas.adapt(thing)
    xarray = sys.modules.get("xarray")
    if xarray is not None and isinstance(thing, xarray.Dataset | xarray.DataArray):
        return "plain", thing.to_dict(data="array")
    msgpack = sys.modules.get("msgpack")
    if msgpack is not None:
        if isinstance(thing, msgpack.ExtType):
            return "extension", Extension("msgpack.ext", {"code": thing.code, "data": thing.data})
        if isinstance(thing, msgpack.Timestamp):
            return "time", Time(thing.seconds, thing.nanoseconds, _times.NANOSECOND, False)
    return None


def _duck(thing: Any) -> Adapted:
    """Returns the object of a library that follows a protocol."""
    if hasattr(thing, "__arrow_c_stream__"):
        return "arrow_stream", thing.__arrow_c_stream__(), _lost_of_arrow(thing)
    if hasattr(thing, "__arrow_c_array__"):
        return "value", _core.from_arrow_array(*thing.__arrow_c_array__()), _lost_of_arrow(thing)
    if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        return "plain", _dataclass(thing), [("note", "", f"the class {type(thing).__qualname__}")]
    if isinstance(thing, Mapping):
        return "plain", dict(thing)
    if isinstance(thing, tuple):
        names = getattr(thing, "_fields", None)
        return ("plain", tuple(thing), [("retyped", "", "the names of a tuple")]) if names else ("plain", tuple(thing))
    if isinstance(thing, Set):
        return "plain", list(thing), [("retyped", "", "a set, which becomes a list")]
    if isinstance(thing, Sequence):
        return "plain", list(thing)
    if hasattr(thing, "__array__"):
        return "plain", thing.__array__()
    if hasattr(thing, "__dlpack__"):
        return "value", _core.from_dlpack(thing.__dlpack__())
    return "unknown", type(thing).__qualname__
