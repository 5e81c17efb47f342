# SPDX-License-Identifier: MIT
"""The serializer family ``polycodec`` of dask.distributed: values travel as frames, and nothing is pickled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from distributed import WorkerPlugin
from distributed.protocol.serialize import register_serialization_family

from polycodec._core import Value, from_frames

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
    """Returns what dumps() was given. Values view the frames, which are checked like any input."""
    return _put_together(header["shape"], frames)


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


def _put_together(shape: Sequence[Any], frames: Sequence[Any]) -> Any:
    word = shape[0]
    if word == "value":
        return from_frames(frames[shape[1] : shape[2]])
    if word == "plain":
        return shape[1]
    if word == "dict":
        keys = (_put_together(key, frames) for key in shape[1])
        return dict(zip(keys, (_put_together(item, frames) for item in shape[2]), strict=True))
    items = (_put_together(item, frames) for item in shape[1])
    return tuple(items) if word == "tuple" else list(items)


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
