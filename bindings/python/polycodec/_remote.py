# SPDX-License-Identifier: MIT
"""File objects and URLs: as many bytes of them as the limits of a call allow, and what is written to them."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from polycodec import _core
from polycodec._errors import FileError, InvalidError, LimitError, MismatchError, PolycodecError
from polycodec._registry import _is_elsewhere

_LEAST = 1 << 20
_MOST = 1 << 26


def read_all(file: Any, registry: _core.Registry, limits: dict[str, int] | None) -> bytes:
    """Reads a file object to its end. Raises LimitError as soon as it has given more than a call may read."""
    bounds = registry.limits(limits)
    which = min("max_input_bytes", "max_memory_bytes", key=bounds.__getitem__)
    left = bounds[which]
    parts: list[bytes] = []
    step = max(_LEAST, _size_of(file) + 1)  # a second read, of nothing, shows the end
    while data := file.read(min(step, left + 1)):
        if isinstance(data, str):
            raise MismatchError("the file object gives text: open it in binary mode", "type")
        left -= len(data)
        if left < 0:
            raise LimitError(f"the input has more bytes than {which} ({bounds[which]}): raise it", "limit")
        parts.append(data if type(data) is bytes else bytes(data))
        step = min(max(step, _LEAST) * 2, _MOST)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _size_of(file: Any) -> int:
    """The bytes that a file object says that it has, or 0. Only how much is read at once depends on it."""
    try:
        if hasattr(file, "getbuffer"):
            return int(file.getbuffer().nbytes)
        return os.fstat(file.fileno()).st_size
    except (OSError, AttributeError, TypeError, ValueError):
        return 0


def read(url: str, registry: _core.Registry, limits: dict[str, int] | None) -> bytes:
    """Reads all of a URL. Raises FileError, whose cause is the exception of fsspec or of the transport, and LimitError."""
    # As a stream: a server may answer more bytes than it was asked for.
    stream: dict[str, Any] = {"block_size": 0} if url.startswith(("http://", "https://")) else {}
    with _Transport("read", url) as fsspec, fsspec.open(url, "rb", cache_type="none", **stream) as file:
        return read_all(file, registry, limits)


class _Transport:
    """fsspec, whose exceptions, and those of the transport, become FileError."""

    def __init__(self, action: str, url: str) -> None:
        self._action, self._url = action, url

    def __enter__(self) -> Any:
        try:
            import fsspec
        except ImportError as error:
            self._fail(error)
        return fsspec

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: Any) -> None:
        if isinstance(error, Exception) and not isinstance(error, PolycodecError):
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        if isinstance(error, ImportError):
            raise FileError(
                f"cannot open '{self._url}' ({error}): install fsspec and what it needs for this protocol", "io"
            ) from error
        raise FileError(f"cannot {self._action} '{self._url}' ({type(error).__name__}: {error})", "io") from error


def name_of(url: str) -> str:
    """Returns the file name in a URL."""
    return url.split("?")[0].split("#")[0].rsplit("/", 1)[-1]


def _name(place: Any, codec: str | None) -> str:
    """Returns a file name whose extension is that of a URL or a file object."""
    name = name_of(place) if isinstance(place, str) else getattr(place, "name", None)
    if isinstance(name, str) and os.path.basename(name):
        return os.path.basename(name)
    if codec is None:
        raise InvalidError("the file object has no name, whose extension would choose the codec: name the codec", "invalid")
    return "value.zip"  # as codecs of several blobs write them; others do not look at it


def _put(path: Path, place: Any, keep: bool) -> None:
    """Writes the bytes of a file to a URL or a file object."""
    data = path.read_bytes()
    if not isinstance(place, str):
        try:
            place.write(data)
        except TypeError as error:
            raise MismatchError("the file object takes text: open it in binary mode", "type") from error
        return
    with _Transport("write", place) as fsspec:
        if keep and fsspec.core.url_to_fs(place)[0].exists(place):
            raise FileError(f"'{place}' exists: keep=True refuses to replace it", "io")
        with fsspec.open(place, "wb") as file:
            file.write(data)


def save(registry: _core.Registry, value: Any, place: Any, codec: str | None, call: dict[str, Any]) -> None:
    """Encodes an object to a URL or a file object."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / _name(place, codec)
        keep = call.pop("keep", False)
        registry.save(value, path, codec, **call)
        _put(path, place, keep)


def convert(registry: _core.Registry, source: Any, place: Any, codec: str | None, call: dict[str, Any]) -> None:
    """Converts from or to a URL or a file object."""
    with tempfile.TemporaryDirectory() as directory:
        limits = call.get("limits")
        if _is_elsewhere(source, "read"):
            data = read(source, registry, limits) if isinstance(source, str) else read_all(source, registry, limits)
            source = Path(directory) / "from" / _name(source, "any")
            source.parent.mkdir()
            source.write_bytes(data)
        is_path = not _is_elsewhere(place, "write")
        path = place if is_path else Path(directory) / _name(place, codec)
        keep = call.pop("keep", False)
        registry.convert(source, path, codec, keep=keep and is_path, **call)
        if not is_path:
            _put(path, place, keep)
