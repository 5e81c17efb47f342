# SPDX-License-Identifier: MIT
"""What values keep of the objects of other libraries: each case is checked, and is a row of the table in docs/python.md,
which `python bindings/python/tests/adapters.py docs/python.md` writes."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import enum
import sys
import zoneinfo
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import awkward as ak
import msgpack
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import xarray as xr

import polycodec as pc

BEGIN, END = "<!-- adapters: written by bindings/python/tests/adapters.py -->\n", "<!-- end of adapters -->\n"


@dataclass
class Case:
    """A part of an object, what becomes of it, and whether that is so. The loss that is reported is found out."""

    library: str
    part: str
    becomes: str
    thing: Callable[[], Any]
    holds: Callable[[pc.Value], bool]

    def losses(self) -> list[tuple[str, str, str]]:
        """Makes the value and returns what was reported. Raises AssertionError if the part is not there."""
        found: list[tuple[str, str, str]] = []
        value = pc.value(self.thing(), on_loss=lambda *loss: found.append(loss))
        assert self.holds(value), f"{self.library}, {self.part}: {value.to_text()}"
        return found


class Color(enum.Enum):
    RED = 1


@dataclasses.dataclass
class Point:
    x: int


Pair = collections.namedtuple("Pair", "x y")
BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")
NOON = datetime.datetime(2020, 1, 1, 12)
FRAME = pd.DataFrame({"a": [1, 2]})


def _attrs(thing: Any, **attrs: Any) -> Any:
    thing.attrs.update(attrs)
    return thing


def _field(kind: pa.DataType, items: Any, **metadata: str) -> pa.Table:
    return pa.table([pa.array(items, kind)], schema=pa.schema([pa.field("a", kind, metadata=metadata or None)]))


def _dataset() -> xr.Dataset:
    return xr.Dataset({"a": ("x", [1.0, 2.0], {"units": "m"})}, {"x": [10, 20]}, {"title": "t"})


_ordered = pd.CategoricalDtype(["b", "a"], ordered=True)
CASES = [
    Case("Python", "class of a dataclass", "object", lambda: Point(1), lambda v: v == {"x": 1}),
    Case("Python", "names of a namedtuple", "tuple", lambda: Pair(1, 2), lambda v: v == (1, 2)),
    Case("Python", "class of an Enum", "its value", lambda: Color.RED, lambda v: v == 1),
    Case("Python", "set", "list", lambda: {1}, lambda v: v == [1]),
    Case(
        "Python",
        "datetime in UTC",
        "timestamp",
        lambda: NOON.replace(tzinfo=datetime.UTC),
        lambda v: "12:00:00.000000Z" in v.to_text(),
    ),
    Case("Python", "datetime without a zone", "time without a zone", lambda: NOON, lambda v: v == NOON),
    Case(
        "Python",
        "datetime of a zone",
        "timestamp in UTC",
        lambda: NOON.replace(tzinfo=BERLIN),
        lambda v: "11:00:00.000000Z" in v.to_text(),
    ),
    Case("numpy", "mask", "missing items", lambda: np.ma.array([1, 2], mask=[0, 1]), lambda v: v == [1, None]),
    Case(
        "numpy",
        "StringDType with na_object",
        "missing items",
        lambda: np.array(["a", None], np.dtypes.StringDType(na_object=None)),
        lambda v: v == ["a", None],
    ),
    Case("numpy", "byte order", "byte order", lambda: np.arange(2, dtype=">i4"), lambda v: v.to_numpy().dtype == ">i4"),
    Case("pandas", "index that counts rows", "order of the rows", lambda: FRAME, lambda v: v.names == ["a"]),
    Case(
        "pandas",
        "any other index",
        "column",
        lambda: FRAME.set_index(pd.Index([5, 6], name="k")),
        lambda v: v == [{"k": 5, "a": 1}, {"k": 6, "a": 2}],
    ),
    Case(
        "pandas",
        "MultiIndex",
        "columns",
        lambda: FRAME.set_index(pd.MultiIndex.from_tuples([(1, "x"), (2, "y")], names=["i", "j"])),
        lambda v: v.names == ["i", "j", "a"],
    ),
    Case("pandas", "attrs", "metadata", lambda: _attrs(FRAME.copy(), unit="m"), lambda v: v.metadata == {"unit": "m"}),
    Case("pandas", "name of a Series", "", lambda: FRAME["a"], lambda v: v == [1, 2]),
    Case("pandas", "column name that is not text", "text", lambda: pd.DataFrame({7: [1]}), lambda v: v.names == ["7"]),
    Case("pandas", "NaN in numbers", "NaN", lambda: pd.Series([1.5, np.nan]), lambda v: v.type == "2 * float64"),
    Case("pandas", "NA, NaT", "missing items", lambda: pd.Series([1, None], dtype="Int64"), lambda v: v == [1, None]),
    Case(
        "pandas",
        "nanoseconds",
        "nanoseconds",
        lambda: pd.Timestamp("2020-01-01T00:00:00.000000001Z"),
        lambda v: v == np.datetime64("2020-01-01T00:00:00.000000001"),
    ),
    Case(
        "pandas",
        "time zone",
        "metadata `timezone`",
        lambda: pd.Series(pd.to_datetime(["2020-01-01"]).tz_localize("Europe/Berlin")),
        lambda v: v.metadata == {"timezone": "Europe/Berlin"},
    ),
    Case(
        "pandas",
        "Period",
        "integers; metadata of the extension type",
        lambda: pd.Series(pd.period_range("2020", periods=1, freq="Y")),
        lambda v: v.metadata["ARROW:extension:name"] == "pandas.period",
    ),
    Case(
        "pandas",
        "categories",
        "index over strings",
        lambda: pd.Series(["a", "b", "a"], dtype="category"),
        lambda v: v == ["a", "b", "a"] and v.array is not None and v.array.layout == "indexed",
    ),
    Case("pandas", "order of categories", "", lambda: pd.Series(["a"], dtype=_ordered), lambda v: v == ["a"]),
    Case(
        "awkward",
        "record names, `__doc__`, other parameters",
        "metadata",
        lambda: ak.Array([{"pt": 1.0}], with_name="Momentum4D"),
        lambda v: ak.parameters(v.to_awkward()) == {"__record__": "Momentum4D"},
    ),
    Case(
        "awkward",
        "categorical",
        "metadata",
        lambda: ak.str.to_categorical(ak.Array(["a", "a"])),
        lambda v: ak.is_categorical(v.to_awkward()),
    ),
    Case("awkward", "attrs", "", lambda: ak.Array([1], attrs={"run": 1}), lambda v: v == [1]),
    Case(
        "Arrow",
        "metadata of fields (units) and schemas",
        "metadata",
        lambda: _field(pa.int64(), [1], unit="m").replace_schema_metadata({"title": "t"}),
        lambda v: (v.metadata, v["a"].metadata) == ({"title": "t"}, {"unit": "m"}),
    ),
    Case(
        "Arrow",
        "time zone",
        "metadata `timezone`",
        lambda: pa.array([0], pa.timestamp("us", "UTC")),
        lambda v: v.to_arrow().type == pa.timestamp("us", "UTC") and v.to_python()[0].tzinfo is datetime.UTC,
    ),
    Case(
        "Arrow",
        "no time zone",
        "time without a zone",
        lambda: pa.array([0], pa.timestamp("us")),
        lambda v: v.to_arrow().type == pa.timestamp("us") and v.to_python()[0].tzinfo is None,
    ),
    Case(
        "Arrow",
        "extension type",
        "storage; metadata of the extension type",
        lambda: pa.array([b"\0" * 16], pa.uuid()),
        lambda v: v.metadata["ARROW:extension:name"] == "arrow.uuid",
    ),
    Case(
        "Arrow",
        "map",
        "lists of records of `key` and `value`",
        lambda: pa.array([[("a", 1)]], pa.map_(pa.string(), pa.int8())),
        lambda v: v == [[{"key": "a", "value": 1}]],
    ),
    Case(
        "Arrow",
        "order of a dictionary",
        "",
        lambda: pa.DictionaryArray.from_arrays(pa.array([0], pa.int8()), ["a"], ordered=True),
        lambda v: v == ["a"],
    ),
    Case(
        "polars",
        "time zone",
        "metadata `timezone`",
        lambda: pl.DataFrame({"t": [NOON.replace(tzinfo=BERLIN)]}),
        lambda v: v["t"].metadata == {"timezone": "Europe/Berlin"},
    ),
    Case(
        "xarray",
        "dims, coords, attrs",
        "the object of `to_dict()`",
        _dataset,
        lambda v: xr.Dataset.from_dict(v.to_python(arrays="numpy")).identical(_dataset()),
    ),
    Case(
        "msgpack",
        "ExtType",
        "`Extension`",
        lambda: msgpack.ExtType(5, b"x"),
        lambda v: msgpack.unpackb(pc.encode(v, "msgpack-ndarray")) == msgpack.ExtType(5, b"x"),
    ),
    Case(
        "msgpack",
        "Timestamp",
        "timestamp",
        lambda: msgpack.Timestamp(10**12, 7),
        lambda v: msgpack.unpackb(pc.encode(v, "msgpack-ndarray")) == msgpack.Timestamp(10**12, 7),
    ),
]


def table() -> str:
    """Returns the rows of the table."""
    rows = ["| library | part of an object | in the value | reported as |", "|---|---|---|---|"]
    for case in CASES:
        classes = ", ".join(f"`{name}`" for name in sorted({loss[0] for loss in case.losses()}))
        rows.append(f"| {case.library} | {case.part} | {case.becomes or 'not kept'} | {classes} |")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    path = Path(sys.argv[1])
    before, rest = path.read_text().split(BEGIN)
    path.write_text(before + BEGIN + table() + END + rest.split(END)[1])
