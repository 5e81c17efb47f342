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
from polycodec._kinds import Extension, Time
from polycodec._layouts import Layout

Adapted = tuple[str, Any]


def adapt(thing: Any) -> Adapted:
    """Returns the word for what the encoder does with an object, and the object for it."""
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


def _buffer(view: memoryview) -> Adapted:
    if view.ndim == 1 and view.format in ("B", "b", "c"):
        return "plain", bytes(view)
    import numpy

    return "array", numpy.asarray(view)


_KINDS: tuple[tuple[Any, Any], ...] = (
    (Layout, lambda thing: ("layout", thing)),
    (Time, lambda thing: ("time", thing)),
    (Extension, lambda thing: ("extension", thing)),
    (datetime, lambda thing: ("time", _times.from_datetime(thing))),
    (date, lambda thing: ("time", _times.from_date(thing))),
    (timedelta, lambda thing: ("time", _times.from_timedelta(thing))),
    (complex, lambda thing: ("complex", thing)),
    (Enum, lambda thing: ("plain", thing.value)),
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
    """Returns the object of a library that has layouts of its own."""
    awkward = sys.modules.get("awkward")
    if awkward is not None and isinstance(thing, (awkward.Array, awkward.Record)):
        from polycodec import _from_awkward

        return _from_awkward.adapt(thing)
    masked = sys.modules.get("pandas")
    if masked is not None and isinstance(thing, masked.DataFrame | masked.Series | masked.Index):
        from polycodec import _from_pandas

        return _from_pandas.adapt(thing)
    return None


def _duck(thing: Any) -> Adapted:
    """Returns the object of a library that follows a protocol."""
    if hasattr(thing, "__arrow_c_stream__"):
        return "arrow_stream", thing.__arrow_c_stream__()
    if hasattr(thing, "__arrow_c_array__"):
        return "value", _core.from_arrow_array(*thing.__arrow_c_array__())
    if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        return "plain", _dataclass(thing)
    if isinstance(thing, Mapping):
        return "plain", dict(thing)
    if isinstance(thing, tuple):
        return "plain", tuple(thing)
    if isinstance(thing, (Sequence, Set)):
        return "plain", list(thing)
    if hasattr(thing, "__array__"):
        return "plain", thing.__array__()
    if hasattr(thing, "__dlpack__"):
        return "value", _core.from_dlpack(thing.__dlpack__())
    return "unknown", type(thing).__qualname__
