# SPDX-License-Identifier: MIT
"""Columnar arrays for the encoder."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

STRING, BINARY, BITS_LSB, MASK_VALID = 1, 2, 4, 8


@dataclass
class Layout:
    """A columnar array: structure columns and children, which are layouts or arrays of numpy.

    The names are those of ``polycodec/abi.h``. ``columns`` has the offsets, starts, stops, index, tags or mask. Children
    are layouts, arrays of numpy, or values that are arrays.
    """

    layout: str
    length: int
    columns: dict[str, Any] = field(default_factory=dict)
    children: list[Any] = field(default_factory=list)
    names: list[str] | None = None
    flags: int = 0
    list_size: int = 0
    metadata: dict[str, Any] | None = None


def annotated(array: Any, metadata: dict[str, Any]) -> Any:
    """Returns a layout or an array of numpy with metadata."""
    if not metadata:
        return array
    made = array if isinstance(array, Layout) else Layout("ndarray", len(array), {}, [array])
    made.metadata = metadata
    return made


def record(length: int, columns: dict[str, Any]) -> Layout:
    """Returns an array of records of named columns."""
    return Layout("record", length, {}, list(columns.values()), list(columns))


def fixed(content: Any, length: int, size: int) -> Layout:
    """Returns an array of lists of one size."""
    return Layout("list_fixed", length, {}, [content], list_size=size)


def option(content: Any, missing: Any) -> Layout:
    """Returns an array with missing items, where ``missing`` is an array of booleans."""
    return Layout("option_bytes", len(missing), {"mask": missing}, [content])


def strings(data: Any, offsets: Any, flags: int = STRING) -> Layout:
    """Returns an array of strings (or bytes) from their bytes and offsets."""
    return Layout("list_offsets", len(offsets) - 1, {"offsets": offsets}, [data], flags=flags)
