# SPDX-License-Identifier: MIT
"""Generated objects of each library, beside what the library itself says of them."""

from __future__ import annotations

import datetime
import json
import math
from typing import Any

import awkward as ak
import msgpack
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import xarray as xr
from conftest import IS_FULL, SEED
from hypothesis import given, seed, settings
from hypothesis import strategies as st

import polycodec as pc

print(f"POLYCODEC_PYTHON_SEED={SEED}")
many = settings(max_examples=500 if IS_FULL else 25, deadline=None, database=None)

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
INTS = st.integers(-(2**63), 2**63 - 1)
FLOATS = st.floats(allow_nan=False)
LEAVES = st.none() | st.booleans() | INTS | FLOATS | TEXT | st.binary(max_size=5)
DOCUMENTS = st.recursive(LEAVES, lambda x: st.lists(x, max_size=4) | st.dictionaries(TEXT, x, max_size=4), max_leaves=20)
TIMES = st.datetimes(datetime.datetime(1900, 1, 1), datetime.datetime(2200, 1, 1), timezones=st.just(datetime.UTC))


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
@given(ONE_TYPE | RECORDS | st.lists(TIMES | st.none(), max_size=4))
def test_arrow(items: Any) -> None:
    array = pa.array(items)
    value = pc.value(array)
    assert value.to_python() == array.to_pylist()
    back = value.to_arrow()
    if not isinstance(back, pa.Table):
        back.validate(full=True)
    assert lists(pc.value(back).to_python()) == lists(items)


FRAME = {
    "int8": st.integers(-128, 127),
    "uint64": st.integers(0, 2**64 - 1),
    "float64": st.floats(),
    "bool": st.booleans(),
    "Int64": INTS | st.none(),
    "str": TEXT,
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
