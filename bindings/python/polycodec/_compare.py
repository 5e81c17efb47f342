# SPDX-License-Identifier: MIT
"""What is in a value: the questions that lists and dicts answer."""

from __future__ import annotations

from typing import Any

from polycodec._core import Value
from polycodec._errors import InvalidError, MismatchError, NotFoundError


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
    raise MismatchError(f"a value of the kind {value.kind} has no items", "type")


def get(value: Value, key: Any, default: Any = None) -> Any:
    """Returns a part, or the default if there is none."""
    try:
        return value[key]
    except NotFoundError:
        return default


def to_list(value: Value) -> list[Any]:
    """Returns the items as objects."""
    if value.kind in ("array", "list", "tuple"):
        items = value.to_python()
        if isinstance(items, list | tuple):
            return list(items)
    raise MismatchError(f"a value of the kind {value.kind} is not a list: use to_python()", "type")


def index(value: Value, item: Any) -> int:
    """Returns the place of the first equal item."""
    for i, known in enumerate(to_list(value)):
        if _is_same(known, item):
            return i
    raise InvalidError("no item equals it", "invalid")


def count(value: Value, item: Any) -> int:
    """Returns how many items equal the item."""
    return sum(_is_same(known, item) for known in to_list(value))


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
