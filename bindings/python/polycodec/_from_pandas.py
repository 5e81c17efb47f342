# SPDX-License-Identifier: MIT
"""Tables and columns of pandas for the encoder."""

from __future__ import annotations

from typing import Any

import numpy
import pandas

from polycodec import _core
from polycodec._errors import MismatchError
from polycodec._from_numpy import plain_array
from polycodec._kinds import Annotated
from polycodec._layouts import Layout, record
from polycodec._losses import Loss


def adapt(thing: Any) -> tuple[str, Any, list[Loss]]:
    """Returns the columns of a frame, or the array of a series. An index that does more than count the rows is a column."""
    losses: list[Loss] = []
    attrs = getattr(thing, "attrs", {})
    if isinstance(thing, pandas.Index):
        thing = thing.to_frame(index=False) if thing.nlevels > 1 else thing.to_series(range(len(thing)))
    elif not _only_counts(thing.index):
        losses.append(("retyped", "", "the index, which becomes a column"))
        thing = thing.reset_index()
    if isinstance(thing, pandas.DataFrame):
        made: Any = _frame(thing, losses)
    else:
        if thing.name is not None:
            losses.append(("note", "", f"the name {thing.name!r}"))
        made = _column(thing, "", losses)
    if attrs:
        return "annotated", Annotated(made, {str(name): item for name, item in attrs.items()}), losses
    return "layout" if isinstance(made, Layout) else "value" if isinstance(made, _core.Value) else "array", made, losses


def _only_counts(index: Any) -> bool:
    return isinstance(index, pandas.RangeIndex) and (index.start, index.step, index.name) == (0, 1, None)


def _frame(frame: Any, losses: list[Loss]) -> Layout:
    columns: dict[str, Any] = {}
    for i, name in enumerate(frame.columns):
        if not isinstance(name, str):
            losses.append(("retyped", f"[{str(name)!r}]", f"the name {name!r}, which becomes text"))
        if str(name) in columns:
            raise MismatchError(f"a frame with two columns of the name {str(name)!r}: rename one", "type")
        columns[str(name)] = _column(frame.iloc[:, i], f".{name}", losses)
    return record(len(frame), columns)


def _column(column: Any, path: str, losses: list[Loss]) -> Any:
    """Returns an array of numpy, or the value of the array of Arrow that pandas makes. For that it needs pyarrow."""
    if isinstance(column.dtype, numpy.dtype) and column.dtype.kind in "biufcSUV":
        return plain_array(column.to_numpy())
    import pyarrow

    from polycodec import _from_arrow

    try:
        made = pyarrow.Array.from_pandas(column)
        losses += _from_arrow.losses(made, path)
        return _core.value(made)
    except (pyarrow.ArrowException, TypeError, ValueError) as error:
        raise MismatchError(
            f"Arrow has no type for the column {column.name!r} ({error}): convert it first", "type"
        ) from error
