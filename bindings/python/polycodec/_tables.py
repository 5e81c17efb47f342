# SPDX-License-Identifier: MIT
"""Values as tables of pandas and polars, and as datasets of xarray."""

from __future__ import annotations

from typing import Any

from polycodec._core import Value, columnar, spend, walk

_UNITS_OF_COLUMN = 20_000  # of work
_BYTES_OF_COLUMN = 10_000


def columns(value: Value) -> dict[str, Value] | None:
    """Returns the columns of records, or of an object whose members are arrays of one length. None for other values."""
    if value.kind == "list":
        made = columnar(value)
        value = value if made is None else made
    stored = value.array
    if stored is not None:
        return dict(value.items()) if stored.layout == "record" and value.names else None
    if value.kind != "object" or not value.names:
        return None
    members = dict(value.items())
    lengths = {len(member) if member.shape and member.kind in ("array", "list") else -1 for member in members.values()}
    return members if len(lengths) == 1 and -1 not in lengths else None


def to_pandas(value: Value) -> Any:
    """Returns a pandas.DataFrame, or a pandas.Series."""
    return walk(value, lambda: _to_pandas(value))


def _to_pandas(value: Value) -> Any:
    import pandas

    table = columns(value)
    made = _series(value) if table is None else pandas.DataFrame({name: _series(part) for name, part in table.items()})
    made.attrs.update(value.metadata)
    return made


def _series(value: Value) -> Any:
    import pandas

    stored = value.array
    length = len(value)
    spend(_UNITS_OF_COLUMN + 4 * length, _BYTES_OF_COLUMN + 32 * length)
    if stored is not None and stored.layout == "ndarray" and len(stored.shape) == 1 and stored.typestr[1:2] in "biufcmM":
        numbers = stored.to_numpy()
        made = pandas.Series(numbers.astype(numbers.dtype.newbyteorder("="), copy=False))
    elif stored is None:
        made = pandas.Series(value.to_python())
    else:
        made = _of_arrow(value)
    zone = value.metadata.get("timezone")
    if isinstance(zone, str) and made.dtype.kind == "M" and getattr(made.dtype, "tz", None) is None:
        made = made.dt.tz_localize("UTC").dt.tz_convert(zone)
    return made


def _of_arrow(value: Value) -> Any:
    """Returns text, lists and what is missing. Integers stay integers beside what is missing."""
    import pandas

    try:
        import pyarrow
    except ImportError:
        return pandas.Series(value.to_python(), dtype=object)
    array = pyarrow.array(value)
    if not array.null_count:
        return array.to_pandas()
    dtype = getattr(pandas, f"{_NULLABLE.get(str(array.type), '')}Dtype", None)
    return array.to_pandas() if dtype is None else array.to_pandas(types_mapper={array.type: dtype()}.get)


# By the name of the type in Arrow.
_NULLABLE = {
    "bool": "Boolean",
    "float": "Float32",
    "double": "Float64",
    **{f"{sign}int{size}": f"{sign.upper()}Int{size}" for sign in ("", "u") for size in (8, 16, 32, 64)},
}


def to_polars(value: Value) -> Any:
    """Returns a polars.DataFrame, or a polars.Series."""
    import polars

    table = columns(value)
    if table is None:
        return polars.Series(value)
    return polars.DataFrame([polars.Series(part).alias(name) for name, part in table.items()])


def to_xarray(value: Value) -> Any:
    """Returns an xarray.Dataset."""
    from polycodec.xarray import dataset_of

    return dataset_of(value)
