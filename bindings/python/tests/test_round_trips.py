# SPDX-License-Identifier: MIT
"""Generated objects of each library, beside what the library itself says of them."""

from __future__ import annotations

import datetime
import json
import math
import pickle
from typing import Any

import awkward as ak
import msgpack
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import xarray as xr
from conftest import IS_FULL, SEED
from hypothesis import given, seed, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import polycodec as pc

many = settings(max_examples=500 if IS_FULL else 25, deadline=None, database=None)

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
INTS = st.integers(-(2**63), 2**63 - 1)
FLOATS = st.floats(allow_nan=False)
LEAVES = st.none() | st.booleans() | INTS | FLOATS | TEXT | st.binary(max_size=5)
DOCUMENTS = st.recursive(LEAVES, lambda x: st.lists(x, max_size=4) | st.dictionaries(TEXT, x, max_size=4), max_leaves=20)
BOUNDS = datetime.datetime(1900, 1, 1), datetime.datetime(2200, 1, 1)
NAIVE = st.datetimes(*BOUNDS)
TIMES = st.datetimes(*BOUNDS, timezones=st.just(datetime.UTC))
DURATIONS = st.timedeltas(datetime.timedelta(-9000), datetime.timedelta(9000))


def lists(items: Any) -> Any:
    """Tuples as lists, and nan as a word, which equals itself."""
    if isinstance(items, dict):
        return {name: lists(item) for name, item in items.items()}
    if isinstance(items, list | tuple | np.ndarray):
        return [lists(item) for item in items]
    return "nan" if isinstance(items, float) and math.isnan(items) else items


@seed(SEED)
@many
@given(DOCUMENTS)
def test_msgpack(thing: Any) -> None:
    assert pc.decode(msgpack.packb(thing), "msgpack-ndarray").to_python() == thing
    assert msgpack.unpackb(pc.encode(thing, "msgpack-ndarray"), strict_map_key=False) == thing
    assert pc.value(thing) == thing


OBJECTS = st.recursive(
    LEAVES | NAIVE | TIMES | DURATIONS | st.dates() | st.complex_numbers(allow_nan=False),
    lambda x: st.lists(x, max_size=4) | st.tuples(x, x) | st.dictionaries(TEXT, x, max_size=4),
    max_leaves=12,
)


@seed(SEED)
@many
@given(OBJECTS)
def test_objects(thing: Any) -> None:
    assert pc.value(thing).to_python() == thing
    assert pickle.loads(pickle.dumps(pc.value(thing))).to_python() == thing
    if not isinstance(thing, tuple):
        assert pc.value([thing])[0].to_python() == thing


PLAIN = st.recursive(
    LEAVES | NAIVE | TIMES | DURATIONS,
    lambda x: st.lists(x, max_size=4) | st.dictionaries(TEXT, x, max_size=4),
    max_leaves=12,
)


@seed(SEED)
@many
@given(PLAIN)
def test_objects_in_msgpack(thing: Any) -> None:
    assert pc.decode(pc.encode(thing, "msgpack-ndarray"), "msgpack-ndarray").to_python() == thing


@seed(SEED)
@many
@given(
    st.recursive(
        st.none() | st.booleans() | INTS | FLOATS | TEXT, lambda x: st.lists(x) | st.dictionaries(TEXT, x), max_leaves=9
    )
)
def test_json(thing: Any) -> None:
    assert pc.decode(json.dumps(thing).encode(), "json").to_python() == thing
    assert json.loads(pc.encode(thing, "json")) == thing


def columns(leaf: Any) -> Any:
    """Lists of items of one type, nested."""
    return st.lists(leaf, max_size=4) | st.lists(st.lists(leaf, max_size=3), max_size=4)


ONE_TYPE = st.one_of([columns(x) for x in (INTS, FLOATS, TEXT, st.booleans(), INTS | st.none(), TEXT | st.none())])
RECORDS = st.lists(st.fixed_dictionaries({"a": INTS, "b": TEXT | st.none(), "c": st.lists(FLOATS, max_size=3)}), max_size=4)


@seed(SEED)
@many
@given(ONE_TYPE | RECORDS)
def test_awkward(items: Any) -> None:
    array = ak.Array(items)
    value = pc.value(array)
    assert value.to_python() == array.to_list() == value.to_awkward().to_list()
    assert ak.validity_error(value.to_awkward()) == ""
    assert pc.decode(pc.encode(array, "awkward"), "awkward").to_awkward().to_list() == items
    if array.ndim == 1 and not array.fields and len(items):
        assert value.to_masked().tolist() == items


@seed(SEED)
@many
@given(ONE_TYPE | RECORDS | st.lists(TIMES | st.none(), max_size=4) | st.lists(st.lists(NAIVE), max_size=4))
def test_arrow(items: Any) -> None:
    array = pa.array(items)
    value = pc.value(array)
    assert value.to_python() == array.to_pylist()
    back = value.to_arrow()
    if not isinstance(back, pa.Table):
        back.validate(full=True)
        assert back.type == array.type or pa.types.is_struct(array.type)
    assert lists(pc.value(back).to_python()) == lists(items)


FRAME = {
    "int8": st.integers(-128, 127),
    "uint64": st.integers(0, 2**64 - 1),
    "float64": st.floats(),
    "bool": st.booleans(),
    "Int64": INTS | st.none(),
    "str": TEXT,
    "datetime64[us]": NAIVE,
    "datetime64[us, UTC]": TIMES,
    "timedelta64[us]": DURATIONS,
    "category": TEXT,
}


@seed(SEED)
@many
@given(st.data(), st.integers(0, 4))
def test_pandas(data: Any, n: int) -> None:
    made = {
        dtype: pd.Series(data.draw(st.lists(items, min_size=n, max_size=n)), dtype=dtype) for dtype, items in FRAME.items()
    }
    frame = pd.DataFrame(made)
    frame.index = pd.Index(data.draw(st.lists(INTS, min_size=n, max_size=n)), name="key", dtype="int64")
    value = pc.value(frame)
    assert value.names == ["key", *FRAME]
    for name in FRAME:
        expected = [None if item is pd.NA else item for item in frame[name].tolist()]
        assert lists(value[name].to_python()) == lists(expected)
    back = value.to_arrow().to_pandas(types_mapper={pa.int64(): pd.Int64Dtype()}.get if n else None)
    assert lists(back["float64"].tolist()) == lists(frame["float64"].tolist())
    assert np.asarray(value["uint64"]).dtype == np.uint64 and np.asarray(value["int8"]).dtype == np.int8


COLUMNS = {
    "i": (pl.Int16, st.integers(-(2**15), 2**15 - 1) | st.none()),
    "s": (pl.String, TEXT | st.none()),
    "t": (pl.Datetime("us"), NAIVE),
    "z": (pl.Datetime("us", "UTC"), TIMES | st.none()),
    "d": (pl.Duration("us"), DURATIONS),
    "l": (pl.List(pl.List(pl.UInt8)), st.lists(st.lists(st.integers(0, 255), max_size=3), max_size=3)),
    "r": (
        pl.Struct({"a": pl.Float32, "b": pl.List(pl.String)}),
        st.fixed_dictionaries({"a": st.floats(width=32), "b": st.lists(TEXT)}),
    ),
}


@seed(SEED)
@many
@given(st.data(), st.integers(0, 4))
def test_polars(data: Any, n: int) -> None:
    made = {
        name: pl.Series(data.draw(st.lists(x, min_size=n, max_size=n)), dtype=kind) for name, (kind, x) in COLUMNS.items()
    }
    frame = pl.DataFrame(made)
    value = pc.value(frame)
    for name in COLUMNS:
        assert lists(value[name].to_python()) == lists(frame[name].to_list())
    assert lists(pl.DataFrame(value).to_dicts()) == lists(frame.to_dicts())


TYPES = hnp.nested_dtypes(
    hnp.boolean_dtypes()
    | hnp.integer_dtypes()
    | hnp.floating_dtypes(sizes=(16, 32, 64))
    | hnp.unicode_string_dtypes(max_len=3),
    max_leaves=4,
)


@seed(SEED)
@many
@given(TYPES.flatmap(lambda dtype: hnp.arrays(dtype, st.integers(0, 3))))
def test_numpy(array: Any) -> None:
    value = pc.value(array)
    if array.dtype.names is None or array.dtype.names:
        assert lists(value.to_python()) == lists([record(item) for item in array])


def record(item: Any) -> Any:
    """An item of a structured array with the names of its fields."""
    if isinstance(item, np.ndarray):
        return [record(x) for x in item]
    if isinstance(item, np.void) and item.dtype.names:
        return {name: record(item[name]) for name in item.dtype.names}
    return item.item()


@seed(SEED)
@many
@given(st.integers(0, 3), st.integers(0, 3), st.dictionaries(TEXT.filter(bool), INTS | TEXT, max_size=3))
def test_xarray(n: int, m: int, attrs: Any) -> None:
    dataset = xr.Dataset({"a": (("x", "y"), np.arange(float(n * m)).reshape(n, m), attrs)}, {"x": np.arange(n)}, attrs)
    back = pc.decode(pc.encode(dataset, "msgpack-ndarray"), "msgpack-ndarray")
    assert xr.Dataset.from_dict(back.to_python(arrays="numpy")).identical(dataset)


@pytest.mark.parametrize("dtype", ["?", *"bhilqBHILQefdFD", "M8[s]", "m8[us]", "U3", "S2"])
def test_masks_of_numpy(dtype: str) -> None:
    generator = np.random.default_rng(SEED)
    for shape in ((5,), (3, 2), (0,), (2, 0)):
        data = generator.integers(0, 100, shape).astype(dtype)
        mask = generator.random(shape) < 0.4
        made = pc.value(np.ma.MaskedArray(data, mask)).to_masked()
        assert made.dtype == data.dtype and made.shape == shape
        assert np.array_equal(np.ma.getmaskarray(made), mask) and np.array_equal(np.ma.getdata(made)[~mask], data[~mask])
