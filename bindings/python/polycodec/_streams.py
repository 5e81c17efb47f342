# SPDX-License-Identifier: MIT
"""Values one after another in a file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any

from polycodec import _core
from polycodec._call import CallOptions, Json, StreamOptions, explicit
from polycodec._errors import FileError, InvalidError, MismatchError, UnsupportedError
from polycodec._registry import Registry, _expanded, default_registry

if TYPE_CHECKING:
    from typing_extensions import Unpack

_CHUNK = 1 << 16


@explicit(StreamOptions)
def read_values(
    source: Any,
    codec: str,
    *,
    options: Json = None,
    registry: Registry | None = None,
    **call: Unpack[CallOptions],
) -> Iterator[_core.Value]:
    """Gives the values of a path, a buffer or a file object one after another. Memory is bounded by the largest value.

    Raises FormatError at the first value that breaks a rule, after those before it were given.
    """
    of = registry or default_registry()
    if not hasattr(source, "read"):
        stream = _core.Stream(of, codec, options, _expanded(source), **call)
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
    """Writes values one after another to a new file, or to a file object that is open for writing bytes.

    The extension of the file chooses the codec if none is named.

    The file appears, or a file of the name is replaced, when the writer is closed without an exception, and stays as it was
    otherwise. ``keep=True`` refuses to replace one.

    ``append=True`` adds the values to those that the file has, which are checked first; without a file it makes one. Each
    value is in the file as soon as it is appended. An exception in ``with`` takes back the values of this writer. Raises
    UnsupportedError for a codec whose streams have a beginning or an end of their own.
    """

    def __init__(
        self,
        target: Any,
        codec: str | None = None,
        *,
        options: Json = None,
        keep: bool = False,
        append: bool = False,
        sync: bool = False,
        registry: Registry | None = None,
        **call: Unpack[CallOptions],
    ) -> None:
        is_path = isinstance(target, (str, bytes, os.PathLike))
        of = registry or default_registry()
        if append and (keep or not is_path):
            raise InvalidError("append=True is for a path, and without keep=True")
        path: Any = _expanded(target) if is_path else None
        if codec is None:
            if options is not None:
                raise MismatchError("options need a codec: name it", "type")
            codec, options = _format_for(of, path if is_path else _name_of(target))
        self._file = None if is_path else target
        self._appended: _Appended | None = None
        if append and os.path.exists(path):
            if _core.Writer(of, codec, options, None, False, False, **call).finish():
                raise UnsupportedError(f"streams of the codec '{codec}' cannot be continued: write a new file")
            for _ in read_values(path, codec, options=options, registry=of):
                pass
            self._file = self._appended = _Appended(path, sync)
            path = None
        self._writer = _core.Writer(of, codec, options, path, keep, sync, **call)
        self._open = True

    def append(self, value: Any) -> None:
        """Encodes the next value. Raises UnsupportedError for what the codec cannot represent; those before it stay."""
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
            if self._appended is not None:
                self._appended.close()

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
            if self._appended is not None:
                self._appended.take_back()


def _name_of(file: Any) -> str:
    from polycodec._remote import _name

    return _name(file, None)


def _format_for(registry: Registry, path: Any) -> tuple[str, Any]:
    """Returns the codec and the options that the name of a file says."""
    chosen = registry.format_for(path)
    if "filters" in chosen:
        raise UnsupportedError("values one after another cannot be compressed: choose a name without that extension")
    return chosen["codec"], chosen.get("options")


class _Appended:
    """A file that grows."""

    def __init__(self, path: Any, sync: bool) -> None:
        self._sync = sync
        try:
            self._file = open(path, "r+b", buffering=0)
        except OSError as error:
            raise FileError(f"cannot append to '{os.fsdecode(path)}' ({error})", "io") from error
        self._size = self._file.seek(0, os.SEEK_END)

    def write(self, data: bytes) -> None:
        view = memoryview(data)
        try:
            while view:
                view = view[self._file.write(view) :]
        except OSError as error:
            raise FileError(f"cannot append to '{os.fsdecode(self._file.name)}' ({error})", "io") from error

    def take_back(self) -> None:
        self._file.truncate(self._size)
        self._file.close()

    def close(self) -> None:
        if self._sync:
            os.fsync(self._file.fileno())
        self._file.close()
