# SPDX-License-Identifier: MIT
"""What is known of a file before its partitions are read: type, rows, and the layout that other libraries see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from polycodec._core import Value
from polycodec._errors import MismatchError, PolycodecError
from polycodec._inspect import step
from polycodec.dask._files import File, is_url
from polycodec.dask._opening import Failure, Opening, failure_of
from polycodec.dask._ranges import Ranges, ranges_of


@dataclass(frozen=True)
class Description:
    """The type of a file, its rows (None: it has none), and for collections of arrays its form or its dtype and shape.

    ``columns`` are the paths of the members of an object of columns, which must be named where rows of it are read.
    """

    file: File
    type: str
    rows: int | None
    form: dict[str, Any] | None = None
    dtype: str | None = None
    shape: tuple[int, ...] | None = None
    ranges: Ranges | None = None
    columns: tuple[str, ...] | None = None


def describe_batch(opening: Opening, files: Sequence[File], wanted: str) -> list[Description | Failure]:
    """Describes files one after another. ``wanted`` is "rows", "array" (with dtype) or "awkward" (with form)."""
    return [_describe(opening, file, wanted) for file in files]


def _describe(opening: Opening, file: File, wanted: str) -> Description | Failure:
    try:
        whole = opening.whole(file)
        value = opening.part_of(whole, file)
        rows = rows_of(value)
        ranges = ranges_of(value, rows, whole.source_range) if is_url(file.location) and rows is not None else None
        form = dtype = shape = None
        if wanted == "awkward":
            form = _form(value, file)
        elif wanted == "array":
            array = _numpy(value, file)
            dtype, shape = array.dtype.str, array.shape
        columns = None
        if rows is not None and value.kind == "object" and opening.columns is None:
            columns = tuple((opening.at or "$") + step(name) for name in value.names)
        return Description(file, str(value.type), rows, form, dtype, shape, ranges, columns)
    except PolycodecError as error:
        return failure_of(file, error)


def rows_of(value: Value) -> int | None:
    """Returns the rows of a value: the length of an array or list, or of the columns of an object that has no other
    members. None: the value cannot be cut into rows."""
    if value.array is not None or value.kind in ("list", "tuple"):
        return len(value)
    if value.kind != "object":
        return None
    lengths = {len(value[name]) if value[name].array is not None else None for name in value.names}
    return lengths.pop() if len(lengths) == 1 else None


def _form(value: Value, file: File) -> dict[str, Any]:
    import awkward

    from polycodec.dask._unify import without_metadata

    array = value.to_awkward()
    if not isinstance(array, awkward.Array):
        raise MismatchError(
            f"{file.source}: a value of the type {value.type} has no rows: name an array in it with at=", "type"
        )
    form: dict[str, Any] = without_metadata(array).layout.form.to_dict()
    return form


def _numpy(value: Value, file: File) -> Any:
    import numpy

    array = numpy.asarray(value) if value.array is not None else None
    if array is None or array.ndim == 0 or array.dtype == object:
        raise MismatchError(
            f"{file.source}: a value of the type {value.type} has no array of numbers: name one with at=", "type"
        )
    return array
