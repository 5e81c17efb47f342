# SPDX-License-Identifier: MIT
"""Values one after another in a file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from types import TracebackType
from typing import Any

from polycodec import _core
from polycodec._registry import Registry, default_registry

_CHUNK = 1 << 16


def read_values(
    source: Any,
    codec: str,
    *,
    options: Any = None,
    registry: Registry | None = None,
    **call: Any,
) -> Iterator[_core.Value]:
    """Gives the values of a path, a buffer or a file object. Memory is bounded by the largest value."""
    of = registry or default_registry()
    if not hasattr(source, "read"):
        stream = _core.Stream(of, codec, options, source, **call)
        while (value := stream.next()) is not None:
            yield value
        return
    stream = _core.Stream(of, codec, options, None, **call)
    while True:
        while (value := stream.next()) is not None:
            yield value
        data = source.read(_CHUNK)
        if not data:
            break
        stream.feed(data)
    stream.end()
    while (value := stream.next()) is not None:
        yield value


class Writer:
    """Writes values one after another to a new file, or to a file object.

    A file of the name is replaced when the writer is closed without an exception, and stays as it was otherwise.
    ``keep=True`` refuses to replace one.
    """

    def __init__(
        self,
        target: Any,
        codec: str,
        *,
        options: Any = None,
        keep: bool = False,
        sync: bool = False,
        registry: Registry | None = None,
        **call: Any,
    ) -> None:
        is_path = isinstance(target, (str, bytes, os.PathLike))
        self._file = None if is_path else target
        path = target if is_path else None
        self._writer = _core.Writer(registry or default_registry(), codec, options, path, keep, sync, **call)
        self._open = True

    def append(self, value: Any) -> None:
        """Encodes the next value."""
        data = self._writer.append(value)
        if self._file is not None:
            self._file.write(data)

    def close(self) -> None:
        """Writes the end of the stream and puts the file in place."""
        if self._open:
            self._open = False
            data = self._writer.finish()
            if self._file is not None:
                self._file.write(data)
            self._writer.close()

    def __enter__(self) -> Writer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            self._open = False
            self._writer.close()
