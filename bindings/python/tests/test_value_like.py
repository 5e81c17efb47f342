# SPDX-License-Identifier: MIT
"""Values like lists, dicts and arrays, and as tables of other libraries."""

from __future__ import annotations

import inspect
import logging
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import polycodec as pc

DOCUMENTS = [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}, {"a": 3, "b": "z"}]


def table() -> pc.Value:
    return pc.parse(
        '{"type": "4 * {x: float64, n: ?int64, s: string, z: var * int32}", "value": ['
        '{"x": 1.5, "n": 1, "s": "a", "z": [1]}, {"x": 2.5, "n": null, "s": "bc", "z": []}, '
        '{"x": 3.5, "n": 3, "s": "", "z": [2, 3]}, {"x": 4.5, "n": 4, "s": "d", "z": [4]}]}'
    )


def test_like_a_list() -> None:
    value = pc.value(DOCUMENTS)
    assert [document["a"].to_python() for document in value] == [1, 2, 3]
    assert [x.to_python() for x in reversed(pc.value([1, 2]))] == [2, 1]
    assert list(value) == DOCUMENTS and value.to_list() == DOCUMENTS
    assert pc.value((1, 2)).to_list() == [1, 2] and pc.value(np.arange(3)).to_list() == [0, 1, 2]
    assert pc.value([5, 6, 6]).index(6) == 1 and pc.value([5, 6, 6]).count(6) == 2
    first, *rest = pc.value([1, 2, 3])
    assert first == 1 and rest == [2, 3]
    with pytest.raises(ValueError, match="no item"):
        value.index(7)
    for not_a_list in (1, "abc", {"a": 1}):
        with pytest.raises(pc.MismatchError):
            pc.value(not_a_list).to_list()


def test_like_a_dict() -> None:
    value = pc.value({"a": 1, "b": [1, 2]})
    assert value.keys() == ["a", "b"] and value.values() == [1, [1, 2]] and dict(value.items()) == {"a": 1, "b": [1, 2]}
    assert dict(value) == {**value} == {"a": 1, "b": [1, 2]}
    assert value.get("a") == 1 and value.get("q") is None and value.get("q", 5) == 5 and value["b"].get(9, "none") == "none"
    with pytest.raises(KeyError) as caught:
        value["q"]
    assert isinstance(caught.value, pc.NotFoundError) and "'a', 'b'" in str(caught.value)
    numbers = pc.value({1: "one", (2, 3): "pair", "s": 0})
    assert numbers[1] == "one" and numbers.keys() == [1, (2, 3), "s"] and numbers["s"] == 0
    assert dict(numbers.items()) == {1: "one", (2, 3): "pair", "s": 0}
    with pytest.raises(KeyError):
        numbers[7]
    assert table().keys() == ["x", "n", "s", "z"] and table().items()[0][1].to_python() == [1.5, 2.5, 3.5, 4.5]
    with pytest.raises(TypeError):
        pc.value([1]).keys()
    assert value._ipython_key_completions_() == ["a", "b"]


def test_like_an_array() -> None:
    matrix = pc.value(np.zeros((3, 2), "f4"))
    assert (matrix.shape, matrix.ndim, matrix.dtype, matrix.nbytes) == ((3, 2), 2, np.float32, 24)
    assert matrix[1:].shape == (2, 2) and matrix[0].shape == (2,) and pc.value(1.5).shape == ()
    rows = table()
    assert rows.fields == rows.names and rows.shape == (4,) and rows.dtype is None and rows["x"].dtype == np.float64
    assert rows.nbytes > 4 * 8 and pc.value([1, "a"]).dtype is None and pc.value({"a": 1}).ndim == 1


def test_parts_of_parts_outlive_their_whole() -> None:
    part = pc.decode(pc.encode([{"a": {"b": [1, 2, {"c": 5}]}}], "msgpack-ndarray"), "msgpack-ndarray")[0]["a"]
    inner = part["b"][2]
    del part
    assert inner["c"] == 5 and inner.type == "{c: int64}" and pc.encode(inner, "msgpack-ndarray")
    assert inner.difference(pc.value({"c": 5})) is None and pc.value([inner])[0]["c"].to_python() == 5
    with pytest.raises(TypeError):
        len(pc.Value.__new__(pc.Value))


KEYS: list[Any] = [
    slice(None, None, 2),
    slice(None, None, -1),
    slice(3, 0, -2),
    [0, 2],
    [-1, 1, 1],
    [],
    [True, False, True, False],
    np.array([3, 0], "u1"),
    np.array([False, True, True, False]),
    range(1, 3),
]


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_steps_masks_and_index_arrays(key: Any) -> None:
    chosen = np.arange(4)[list(key) if isinstance(key, range) else key] if not isinstance(key, list) or key else []
    for value in (
        table(),
        *table().values(),
        pc.value(np.arange(12, dtype="i2").reshape(4, 3)),
        pc.value([1, "a", None, {"b": 2}]),
        pc.value((1, "a", None, 2.5)),
        pc.value(np.ma.array([1, 2, 3, 4], mask=[0, 1, 0, 0])),
    ):
        items = value.to_python()
        made = value[key]
        assert made.to_python() == type(items)(items[i] for i in chosen)
        assert made.kind == value.kind and made.metadata == value.metadata
        if value.kind == "array" and len(made):
            assert str(made.type).split(" * ", 1)[1].lstrip("?") == str(value.type).split(" * ", 1)[1].lstrip("?")


def test_a_step_is_a_view_and_keeps_the_metadata() -> None:
    data = pc.encode(pc.Annotated(np.arange(1000.0), {"unit": "cm"}), "msgpack-ndarray", on_loss="warn")
    column = pc.decode(data, "msgpack-ndarray")
    view = column[::2].to_numpy()
    assert np.shares_memory(view, column.to_numpy()) and view[3] == 6.0
    assert pc.value(pc.Annotated(np.arange(9), {"unit": "cm"}))[[1, 2]].metadata == {"unit": "cm"}


def test_columns_by_a_list_of_names() -> None:
    assert table()[["s", "x"]].to_python()[1] == {"s": "bc", "x": 2.5}
    assert pc.value({"a": 1, "b": 2, "c": 3})[["c", "a"]] == {"c": 3, "a": 1}
    assert table()["x", [0, 3]].to_python() == [1.5, 4.5]
    with pytest.raises(KeyError):
        table()[["q"]]


@pytest.mark.parametrize("key", [[4], [-5], np.array([9], "u8"), [True], np.array([True] * 5)], ids=str)
def test_indices_that_are_not_there(key: Any) -> None:
    for value in (table(), table()["x"], pc.value([1, 2, 3, 4])):
        with pytest.raises(IndexError) as caught:
            value[key]
        assert isinstance(caught.value, pc.PolycodecError)


@pytest.mark.parametrize("key", [1.5, None, [1.5], ["a", 1], np.zeros((2, 2), int), object()])
def test_keys_that_choose_nothing(key: Any) -> None:
    for value in (table(), pc.value([1, 2])):
        with pytest.raises(pc.MismatchError, match="an index must be"):
            value[key]


@given(st.lists(st.integers(-100, 100)), st.slices(8))
def test_slices_are_those_of_lists(items: list[int], key: slice) -> None:
    assert pc.value(items)[key].to_python() == items[key]
    assert pc.value(np.array(items, "i8"))[key].to_python() == items[key]


def test_tables_of_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    frame = table().to_pandas()
    assert list(frame.columns) == ["x", "n", "s", "z"] and frame["x"].dtype == np.float64
    assert frame["n"].dtype == pandas.Int64Dtype() and frame["n"].isna().tolist() == [False, True, False, False]
    assert frame["s"].tolist() == ["a", "bc", "", "d"] and [list(x) for x in frame["z"]] == [[1], [], [2, 3], [4]]
    columns = pc.value({"t": np.arange(3.0), "ok": np.array([True, False, True]), "when": np.arange(3).astype("M8[s]")})
    made = columns.to_pandas()
    assert made.shape == (3, 3) and made["ok"].dtype == bool and made["when"].dtype.kind == "M"
    series = pc.value(pc.Annotated(np.arange(3, dtype=">i4"), {"unit": "cm"})).to_pandas()
    assert isinstance(series, pandas.Series) and series.attrs == {"unit": "cm"} and series.tolist() == [0, 1, 2]
    wide = pc.value(np.ma.array([2**63 - 1, 0], mask=[False, True])).to_pandas()
    assert wide[0] == 2**63 - 1
    again = pandas.DataFrame({"a": [1, 2], "b": ["x", None]}, index=[5, 6])
    assert pc.value(again).to_pandas()["a"].tolist() == [1, 2]
    rows = pc.value([{"a b": 1, "é": [0.5]}, {"a b": 2, "é": []}])
    assert rows.to_pandas()["a b"].dtype == np.int64
    assert rows.to_awkward()["é"].tolist() == [[0.5], []]
    with pytest.raises(TypeError):
        pc.value(5).to_pandas()


def test_tables_of_polars() -> None:
    pytest.importorskip("polars")
    frame = table().to_polars()
    assert frame.columns == ["x", "n", "s", "z"] and frame["n"].to_list() == [1, None, 3, 4] and frame.height == 4
    columns = pc.value({"t": np.arange(3.0), "n": np.arange(3)}).to_polars()
    assert columns.shape == (3, 2) and columns["t"].to_list() == [0.0, 1.0, 2.0]
    assert pc.value(np.arange(3)).to_polars().to_list() == [0, 1, 2]


def test_datasets_of_xarray() -> None:
    pytest.importorskip("xarray")
    dataset = pc.value({"t": pc.Annotated(np.arange(3.0), {"unit": "s"})}).to_xarray()
    assert dataset["t"].attrs == {"units": "s"} and dataset["t"].values.tolist() == [0.0, 1.0, 2.0]


def test_everything_public_has_a_docstring() -> None:
    missing = []
    for owner in (pc.Value, pc.Array, pc.Registry, pc.Schema, pc.Channel, pc.Writer, pc.Codec):
        for name in dir(owner):
            words = getattr(owner, name).__doc__ or ""
            if words.startswith((f"{name}(", "(self)")):  # the signature, which nanobind writes
                words = words.partition("\n\n")[2]
            if not name.startswith("_") and not words:
                missing.append(f"{owner.__name__}.{name}")
    assert missing == []
    assert "Raises" in (pc.Value.__doc__ or "") and "on_loss" in (pc.open.__doc__ or "")


def test_help_shows_the_keyword_arguments() -> None:
    for function, words in (
        (pc.open, "columns rows lazy timeout"),
        (pc.save, "metadata keep root on_loss"),
        (pc.convert, "from_codec"),
    ):
        parameters = inspect.signature(function).parameters
        assert set(words.split()) <= set(parameters), parameters
    assert inspect.signature(pc.open).parameters["lazy"].default is False


def test_the_log_is_that_of_python(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "polycodec"):
        pc.Registry(environment=False).decode(b"v 1.5D+03 0 0\n", "obj", tolerant=True)
    assert any("1.5D+03" in record.getMessage() for record in caplog.records)
    assert all(record.name.startswith("polycodec") for record in caplog.records)
