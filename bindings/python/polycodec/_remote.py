# SPDX-License-Identifier: MIT
"""Bytes of file objects and of URLs, as many as the limits of a call allow."""

from __future__ import annotations

import os
from typing import Any

from polycodec import _core
from polycodec._errors import FileError, LimitError, PolycodecError

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
            raise TypeError("the file object gives text: open it in binary mode")
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
    try:
        import fsspec

        with fsspec.open(url, "rb", cache_type="none", **stream) as file:
            return read_all(file, registry, limits)
    except PolycodecError:
        raise
    except ImportError as error:
        raise FileError(
            f"cannot open '{url}' ({error}): install fsspec and what it needs for this protocol", "io"
        ) from error
    except Exception as error:  # each transport has its own
        raise FileError(f"cannot read '{url}' ({type(error).__name__}: {error})", "io") from error
