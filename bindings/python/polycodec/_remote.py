# SPDX-License-Identifier: MIT
"""Bytes from URLs, through fsspec."""

from __future__ import annotations

from polycodec._errors import FileError


def read(url: str) -> bytes:
    """Reads all of a URL. Raises FileError, whose cause is the exception of fsspec or of the transport."""
    try:
        import fsspec

        with fsspec.open(url, "rb", cache_type="none") as file:
            data: bytes = file.read()
    except ImportError as error:
        raise FileError(
            f"cannot open '{url}' ({error}): install fsspec and what it needs for this protocol", "io"
        ) from error
    except Exception as error:  # each transport has its own
        raise FileError(f"cannot read '{url}' ({type(error).__name__}: {error})", "io") from error
    return data
