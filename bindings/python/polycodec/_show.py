# SPDX-License-Identifier: MIT
"""Values as text, as tables of HTML, and for pyarrow."""

from __future__ import annotations

import html as _html
import math
from typing import Any

from polycodec._core import Value, walk
from polycodec._errors import LimitError

_MAX_TYPE = 120
_MAX_ROWS = 10
_MAX_COLUMNS = 12
_MAX_CELL = 60


def to_arrow(value: Value) -> Any:
    """Returns a pyarrow.Table for records, and a pyarrow.Array for everything else."""
    import pyarrow

    stored = value.array
    if stored is not None and stored.layout == "record" and stored.names:
        return pyarrow.table(value)
    return pyarrow.array(value)


def shape(value: Value) -> tuple[int, ...]:
    """Returns the dimensions that all items have."""
    stored = value.array
    if stored is None:
        return (len(value),) if value.kind in ("list", "tuple", "object", "map", "string", "bytes") else ()
    return stored.shape if stored.layout == "ndarray" else (stored.length,)


def ndim(value: Value) -> int:
    """Returns the number of the dimensions that all items have."""
    return len(shape(value))


def nbytes(value: Value) -> int:
    """Returns the bytes of the elements of an array of numbers, and else those of all buffers."""
    stored = value.array
    if stored is not None and stored.layout == "ndarray":
        return math.prod(stored.shape) * stored.item_size
    from polycodec._sizeof import size_of

    return size_of(value)


def text(value: Value) -> str:
    """Returns the type and shape of the value, and its codec."""
    codec = f", codec={value.codec!r}" if value.codec else ""
    return f"<polycodec.Value type={_type(value, _MAX_TYPE)!r}, shape={shape(value)}{codec}>"


def _type(value: Value, size: int) -> str:
    """Returns the type of a value, or what shows that it is too large to be found out."""
    try:
        return _cut(str(value.type), size)
    except LimitError:
        return "..."


def _cut(text: str, size: int) -> str:
    return text if len(text) <= size else text[: size - 3] + "..."


# Colors are those of the page, so that light and dark themes fit. Notebooks push tables and cells to the right.
_LEFT = "text-align:left;white-space:nowrap;padding:2px 10px 2px 0"
_RIGHT = "text-align:right;white-space:nowrap;padding:2px 10px 2px 0;font-variant-numeric:tabular-nums"
_FAINT = "opacity:0.6"


def html(value: Value) -> str:
    """Returns a table of the first rows, or of the members, for notebooks."""
    return walk(value, lambda: _html_of(value))


def _html_of(value: Value) -> str:
    facts = [x for x in (value.codec, _dimensions(value)) if x]
    head = f"<code>{_html.escape(_type(value, _MAX_TYPE))}</code>"
    if facts:
        head += f' <span style="{_FAINT}">{_html.escape(", ".join(facts))}</span>'
    return f'<div style="overflow-x:auto"><p style="margin:4px 0">{head}</p>{_body(value)}</div>'


def _dimensions(value: Value) -> str:
    if value.kind in ("object", "map"):
        return f"{len(value)} members"
    if value.kind not in ("array", "list", "tuple") or not shape(value):
        return ""
    return " \u00d7 ".join(map(str, shape(value))) + (" items" if len(shape(value)) == 1 else "")


def _body(value: Value) -> str:
    if value.kind in ("object", "map") and value.names:
        members = [(name, value[name]) for name in value.names[:_MAX_ROWS]]
        rows = [[name, _type(part, _MAX_TYPE), _cell(part)] for name, part in members]
        return _table(["member", "type", "value"], rows, len(value.names) - _MAX_ROWS, "members", index=False)
    dimensions = shape(value)
    if value.kind not in ("array", "list", "tuple") or not dimensions:
        return f'<pre style="margin:4px 0;white-space:pre-wrap">{_html.escape(_cell(value, 10 * _MAX_CELL))}</pre>'
    if not len(value):
        return f'<p style="margin:4px 0;{_FAINT}">no items</p>'
    names: list[Any] = list(value.names[:_MAX_COLUMNS])
    more = len(value.names) - _MAX_COLUMNS
    if len(dimensions) > 1:  # the second dimension across
        names = list(range(min(dimensions[1], _MAX_COLUMNS)))
        more = dimensions[1] - _MAX_COLUMNS
    rows = []
    for i in range(min(len(value), _MAX_ROWS)):
        try:
            row = value[i]
            cells = [_cell(row[name]) for name in names] if names and row.kind != "null" else [_cell(row)]
            cells += [""] * (len(names) - len(cells))
        except LimitError:
            cells = ["..."] * max(1, len(names))
        rows.append([str(i), *cells, *(["..."] if more > 0 else [])])
    heads = [*map(str, names), *(["..."] if more > 0 else [])]
    return _table(["", *(heads if names else ["item"])], rows, len(value) - _MAX_ROWS, "rows", index=True)


def _cell(value: Value, size: int = _MAX_CELL) -> str:
    try:
        return _content(value, size)
    except LimitError:
        return "..."


def _content(value: Value, size: int) -> str:
    if value.kind == "string":
        return _cut(value.to_python(), size)
    if value.kind == "bytes" or (value.array is not None and value.array.typestr[1:2] == "S" and not shape(value)):
        return _cut(str(value.to_python()), size)
    if shape(value) and len(value) > 100:
        return _dimensions(value)
    return _cut(value.to_text(plain=True), size)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _table(head: list[str], rows: list[list[str]], more: int, what: str, *, index: bool) -> str:
    styles = [_RIGHT if all(_is_number(row[i]) for row in rows) else _LEFT for i in range(len(head))]
    if index:
        styles[0] = f"{_RIGHT};{_FAINT}"
    heads = "".join(f'<th style="{style}">{_html.escape(name)}</th>' for name, style in zip(head, styles, strict=True))
    body = "".join(
        "<tr>"
        + "".join(f'<td style="{style}">{_html.escape(cell)}</td>' for cell, style in zip(row, styles, strict=True))
        + "</tr>"
        for row in rows
    )
    rest = f'<p style="margin:4px 0;{_FAINT}">{more} more {what}</p>' if more > 0 else ""
    return f'<table style="margin:4px 0"><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>{rest}'
