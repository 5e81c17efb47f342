# SPDX-License-Identifier: MIT
"""The serializer family ``polycodec`` of dask.distributed: values travel as frames, and nothing is pickled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from distributed import WorkerPlugin
from distributed.protocol.serialize import register_serialization_family

from polycodec._core import Value, from_frames
from polycodec._errors import FormatError, PolycodecError

FAMILY = "polycodec"
_PLAIN = (bool, int, float, str, bytes, type(None))
_MOST_DEPTH = 64


def dumps(thing: Any) -> tuple[dict[str, Any], list[Any]]:
    """Returns the header and the frames of a value, or of lists, tuples and dicts of values and plain data.

    Raises NotImplementedError for all else, so that distributed asks the next family.
    """
    frames: list[Any] = []
    return {"shape": _take_apart(thing, frames, _MOST_DEPTH)}, frames


def loads(header: dict[str, Any], frames: Sequence[Any]) -> Any:
    """Returns what dumps() was given. Values view the frames, which are checked like any input.

    Raises PolycodecError for a header that dumps() does not write.
    """
    try:
        return _Reader(frames).read(header["shape"], _MOST_DEPTH)
    except PolycodecError:
        raise
    except (LookupError, TypeError, ValueError) as error:
        raise _malformed(f"{type(error).__name__}: {error}") from error


def _malformed(what: str) -> FormatError:
    return FormatError(f"the header does not describe frames of values: {what}", "malformed")


def _take_apart(thing: Any, frames: list[Any], depth: int) -> list[Any]:
    """Describes an object for msgpack: a word, and what the word needs."""
    kind = type(thing)
    if kind is Value:
        first = len(frames)
        frames.extend(memoryview(piece) for piece in thing.to_frames())
        return ["value", first, len(frames)]
    if kind in _PLAIN and not (kind is int and not -(1 << 63) <= thing < 1 << 64):
        return ["plain", thing]
    if depth == 0 or kind not in (list, tuple, dict):
        raise NotImplementedError(f"the family '{FAMILY}' has no form for {kind.__qualname__}")
    if kind is dict:
        keys = [_take_apart(key, frames, 0) for key in thing]
        return ["dict", keys, [_take_apart(item, frames, depth - 1) for item in thing.values()]]
    return [kind.__name__, [_take_apart(item, frames, depth - 1) for item in thing]]


class _Reader:
    """Puts objects together. dumps() uses each frame once, in their order, so that a header cannot multiply them."""

    def __init__(self, frames: Sequence[Any]) -> None:
        self._frames = frames
        self._next = 0

    def read(self, shape: Sequence[Any], depth: int) -> Any:
        if not isinstance(shape, (list, tuple)) or len(shape) < 2:
            raise _malformed("a part of it is not a list")
        word = shape[0]
        if word == "value":
            return self._value(shape[1], shape[2])
        if word == "plain":
            if type(shape[1]) not in _PLAIN:
                raise _malformed("plain data must be a number, a string, bytes or None")
            return shape[1]
        if depth == 0:
            raise _malformed(f"it nests deeper than {_MOST_DEPTH}")
        if word == "dict":
            keys = [self.read(key, 0) for key in shape[1]]
            return dict(zip(keys, [self.read(item, depth - 1) for item in shape[2]], strict=True))
        if word not in ("list", "tuple"):
            raise _malformed("it has a word that dumps() does not write")
        items = [self.read(item, depth - 1) for item in shape[1]]
        return tuple(items) if word == "tuple" else items

    def _value(self, first: Any, end: Any) -> Value:
        if type(first) is not int or type(end) is not int or first != self._next or not first < end <= len(self._frames):
            raise _malformed("the frames of a value must follow those of the one before")
        self._next = end
        return from_frames(self._frames[first:end])


class Family(WorkerPlugin):  # type: ignore[misc]
    """Makes a worker know the family, and use it for values that it fetches from other workers."""

    name = "polycodec-serialization"

    def __init__(self, only: bool) -> None:
        self._families = [FAMILY] if only else [FAMILY, "dask", "pickle"]

    def setup(self, worker: Any) -> None:
        """Prepares a worker. Called by distributed, also on workers that join later."""
        register_family()
        worker.rpc.serializers = worker.rpc.deserializers = self._families


def register_family() -> None:
    """Registers the family in this process. Importing ``polycodec.dask`` does it."""
    register_serialization_family(FAMILY, dumps, loads)


def register(client: Any, *, only: bool = False) -> None:
    """Makes the workers of a client exchange values as frames, those of now and those that join later.

    With ``only`` workers exchange values and plain data (None, booleans, numbers, strings, bytes, and lists, tuples and
    dicts of them) and nothing else, so that no data is ever unpickled. A task that needs anything else from another worker
    waits: distributed tries again and again, and the log of the worker names the type. Functions of tasks are still
    pickled: dask sends them. ``Client(address, serializers=["polycodec"])`` does for a client what this function does for
    workers.
    """
    client.register_plugin(Family(only))


register_family()
