# SPDX-License-Identifier: MIT
"""What is in a value."""

from __future__ import annotations

from typing import Any

from polycodec._core import Value


def contains(value: Value, key: object, /) -> bool:
    """Returns whether an item equals ``key``, or a member or a column has the name."""
    if isinstance(key, Value):
        key = key.to_python()
    elif hasattr(key, "tolist"):  # numpy
        key = key.tolist()
    if isinstance(key, str) and key in value.names:
        return True
    items = value.to_python()
    if isinstance(items, list | tuple):
        return any(_is_same(item, key) for item in items) or any(
            isinstance(item, dict) and _has(item, key) for item in items
        )
    if isinstance(items, str | bytes | dict):
        return _has(items, key)
    raise TypeError(f"a value of the kind {value.kind} has no items")


def _has(items: Any, key: Any) -> bool:
    try:
        return key in items
    except TypeError:  # a key that is not hashable, or no text
        return False


def _is_same(item: Any, key: Any) -> bool:
    try:
        return bool(item == key)
    except (TypeError, ValueError):  # an array of several items
        return False
