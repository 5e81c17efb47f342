# SPDX-License-Identifier: MIT
"""What a value cannot keep of the types of pyarrow. The library itself reads arrays of Arrow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow

from polycodec._losses import Loss


def losses(thing: Any, path: str = "") -> list[Loss]:
    """Returns what is lost of a table or an array of pyarrow."""
    if hasattr(thing, "schema"):
        return [loss for field in thing.schema for loss in _of_type(field.type, f"{path}.{field.name}")]
    return list(_of_type(thing.type, path))


def _of_type(kind: Any, path: str) -> Iterator[Loss]:
    types = pyarrow.types
    if types.is_map(kind):
        yield "retyped", path, "a map, which becomes a list of records of key and value"
        yield from _of_type(kind.key_type, f"{path}.key")
        yield from _of_type(kind.item_type, f"{path}.value")
    elif types.is_dictionary(kind):
        if kind.ordered:
            yield "retyped", path, "the order of the categories"
        yield from _of_type(kind.value_type, path)
    elif types.is_struct(kind):
        for field in kind:
            yield from _of_type(field.type, f"{path}.{field.name}")
    elif types.is_nested(kind) and hasattr(kind, "value_type"):
        yield from _of_type(kind.value_type, path)
