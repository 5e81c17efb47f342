# SPDX-License-Identifier: MIT
"""What tells whether a file has changed: size, time and hash."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from polycodec.dask._files import is_url


@dataclass(frozen=True)
class Stamp:
    """The size of a file in bytes, and when it was changed: nanoseconds since 1970, or None if nobody knows."""

    size: int
    mtime_ns: int | None


def stamp_of(location: str) -> Stamp:
    """Returns size and time of a path or URL. Raises OSError if it is not there."""
    if not is_url(location):
        status = os.stat(location)
        return Stamp(status.st_size, status.st_mtime_ns)
    import fsspec

    system, path = fsspec.core.url_to_fs(location)
    entry = system.info(path)
    changed: Any = next(
        (entry[key] for key in ("mtime", "LastModified", "last_modified", "created") if entry.get(key)), None
    )
    if isinstance(changed, datetime):
        changed = changed.timestamp()
    is_number = isinstance(changed, (int, float))
    return Stamp(int(entry["size"] or 0), int(changed * 1_000_000) * 1000 if is_number else None)


def sha256_of(location: str) -> str:
    """Returns the SHA-256 of a file, in hexadecimal digits."""
    with open(location, "rb", buffering=0) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
