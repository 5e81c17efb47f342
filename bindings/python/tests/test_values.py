# SPDX-License-Identifier: MIT
"""Values: parts, types, text, comparison, Jupyter."""

from __future__ import annotations

import copy
import gc
import sys
import weakref

import numpy as np
import pytest

import polycodec as pc

TYPED = '{"type": "3 * {x: float64, y: ?string, z: var * int32}", "value": [{"x": 1.5, "y": null, "z": [1]}, '
TYPED += '{"x": 2.5, "y": "b", "z": [2, 3]}, {"x": 3.5, "y": "c", "z": []}]}'


@pytest.fixture
def rows() -> pc.Value:
    return pc.parse(TYPED)


def test_equality_is_that_of_the_objects() -> None:
    nan = float("nan")
    assert pc.value(1) == 1 and pc.value("a") == "a" and pc.value(None) == None  # noqa: E711
    assert pc.value({"b": [1, 2]})["b"] == [1, 2] and pc.value([1, 2]) != [1, 3]
    assert pc.value(np.int32(1)) == pc.value(np.int64(1)) and pc.value(0.0) == pc.value(-0.0)
    assert pc.value(nan) != pc.value(nan) and pc.value([nan]) != [nan]
    same = pc.value(np.array([1.0, nan]))
    assert same != same and same[:1] == [1.0]
    assert pc.value(1) != "1" and pc.value(1) != object()
    assert pc.value(np.arange(1)) == np.arange(1)
    with pytest.raises(ValueError, match="ambiguous"):
        pc.value([1, 2]) == np.array([1, 2])  # noqa: B015


def test_what_is_in_a_value() -> None:
    value = pc.value([1, 2.5, "a", [3], {"x": 1}, None])
    assert all(item in value for item in (1, 2.5, "a", [3], {"x": 1}, None, np.int8(1), np.array([3]), pc.value("a")))
    assert not any(item in value for item in (7, "b", [4], np.array([1, 2]), object(), {}))
    table = pc.parse(TYPED)
    assert "x" in table and "q" not in table and table[0].to_python() in table
    assert "x" in pc.value([{"x": 1}]) and "a" in pc.value({"a": 1}) and 1 not in pc.value({"a": 1})
    assert [] not in pc.value({"a": 1}) and "bc" in pc.value("abcd") and 5 not in pc.value("abcd")
    assert np.int64(2) in pc.value(np.arange(3)) and float("nan") not in pc.value([float("nan")])
    with pytest.raises(TypeError):
        1 in pc.value(5)  # noqa: B015


def test_objects_iterate_over_their_names() -> None:
    assert list(pc.value({"a": 1, "b": 2})) == ["a", "b"] and list(pc.value({1: 2})) == [1]
    assert [item.to_python() for item in pc.value([1, 2])] == [1, 2]
    with pytest.raises(TypeError):
        iter(pc.value(5))


def test_parts_by_name_path_index_and_slice(rows: pc.Value) -> None:
    assert rows.names == ["x", "y", "z"]
    assert rows["x"].to_python() == [1.5, 2.5, 3.5]
    assert rows["$.x"].to_python() == [1.5, 2.5, 3.5]
    assert rows[1].to_python() == {"x": 2.5, "y": "b", "z": [2, 3]}
    assert rows[-1]["y"].to_python() == "c"
    assert rows[1:].to_python() == rows.to_python()[1:]
    assert rows[1:]["z"][0].to_python() == [2, 3]
    assert rows["z", 1, 0].to_python() == 2
    assert [row["x"].to_python() for row in rows] == [1.5, 2.5, 3.5]


def test_parts_of_nodes() -> None:
    value = pc.value({"a": [1, 2.5, None], "b": {"c": (True, b"x")}, "$.a": "name"})
    assert value["a"][1:].to_python() == [2.5, None]
    assert value["b"]["c"][1].to_python() == b"x"
    assert value["$.a"].to_python() == "name"  # a member of this name comes before the path
    assert value["$.b.c"].to_python() == (True, b"x")
    assert value["b.c"].to_python() == (True, b"x")
    assert value["b"]["c"][:1].to_python() == (True,)
    assert len(value) == 3 and len(value["a"]) == 3


CHOSEN = """{"type": "3 * ?{x: int64, \\"b.c\\": string}",
  "value": {"$layout": {"layout": "chunked", "length": 3, "children": [
    {"type": "2 * ?{x: int64, \\"b.c\\": string}", "value": [{"x": 1, "b.c": "a"}, null]},
    {"type": "1 * {x: int64, \\"b.c\\": string}", "value": [{"x": 3, "b.c": "c"}]}]}}}"""


def test_columns_of_records_in_chunks_and_missing() -> None:
    rows = pc.parse(CHOSEN)
    x = rows["x"]
    assert rows.names == ["x", "b.c"]
    assert x.to_python() == rows["$.x"].to_python() == [1, None, 3]
    assert rows["b.c"].to_python() == ["a", None, "c"]  # a name, as no path leads there
    assert rows[1:]["x"].to_python() == [None, 3]
    assert rows["x"][1:].to_python() == rows["x", 1:].to_python() == [None, 3]
    with pytest.raises(pc.NotFoundError, match=r"'x', 'b\.c'"):
        rows["y"]
    assert "<th" in rows._repr_html_() and "null" in rows._repr_html_()
    del rows
    assert x[0].to_python() == 1 and str(x.type) == "3 * ?int64"
    arrow = pytest.importorskip("pyarrow")
    chunks = [arrow.array([{"x": 10 * i}, {"x": None}]) for i in range(3)]
    assert pc.value(arrow.chunked_array(chunks))["x"].to_python() == [0, None, 10, None, 20, None]


def test_wrong_parts(rows: pc.Value) -> None:
    with pytest.raises(pc.NotFoundError, match="'x', 'y', 'z'") as caught:
        rows["q"]
    assert caught.value.code == "not_found" and caught.value.path == "$"
    with pytest.raises(LookupError):
        rows["q"]
    with pytest.raises(IndexError):
        rows[3]
    with pytest.raises(IndexError):
        rows[-4]
    with pytest.raises(pc.MismatchError, match="an index must be"):
        rows[1.5]
    with pytest.raises(TypeError):
        len(pc.value(1))


def test_type_reads_values(rows: pc.Value) -> None:
    assert isinstance(rows["x"].type, str) and rows["x"].type == "3 * float64"
    assert rows["x"].type.parse("[4, 5, 6]").to_numpy().tolist() == [4.0, 5.0, 6.0]


def test_text(rows: pc.Value) -> None:
    assert repr(rows["x"]) == "<polycodec.Value type='3 * float64', shape=(3,)>"
    assert rows["x"].to_text(plain=True) == "[1.5, 2.5, 3.5]"
    exact = '{"type": "2 * int8", "value": {"$list": [1, 2]}}'
    assert pc.parse(exact).to_text() == '{"type": "2 * int8", "value": [1, 2]}'
    assert pc.parse(exact).to_text(exact=True) == exact
    with pytest.raises(pc.InvalidError):
        pc.parse(exact).to_text(plain=True, exact=True)
    assert "shape=(2, 3)" in repr(pc.value(np.zeros((2, 3))))
    assert len(repr(pc.value({f"member{i}": i for i in range(1000)}))) < 300


def test_html_shows_a_table_and_escapes() -> None:
    table = pc.parse('{"type": "2 * {a: int32, b: string}", "value": [{"a": 1, "b": "<b>"}, {"a": 2, "b": "x"}]}')
    html = table._repr_html_()
    assert html.count("<tr>") == 3 and "&lt;b&gt;" in html and "<b>" not in html
    assert "more" in pc.value(list(range(50)))._repr_html_()
    assert ">5</pre>" in pc.value(5)._repr_html_()


def test_html_of_each_kind() -> None:
    """What was looked at as pictures, in light and dark notebooks."""
    matrix = pc.value(np.arange(10000).reshape(100, 100))._repr_html_()
    assert "100 \u00d7 100" in matrix and ">111</td>" in matrix and "90 more rows" in matrix  # the second dimension across
    assert matrix.count("<th ") == 14 and ">...</th>" in matrix
    assert "no items" in pc.value([])._repr_html_()
    assert "text &amp; text" in pc.value("text & text")._repr_html_()
    assert "b&#x27;ab&#x27;" in pc.value({"a": b"ab"})._repr_html_()
    members = pc.value({f"c{i}": np.arange(3) for i in range(20)})._repr_html_()
    assert "20 members" in members and "10 more members" in members
    # Numbers are right-aligned and text is not; no color is set, so that themes keep theirs.
    columns = pc.parse('{"type": "1 * {a: int32, b: string}", "value": [{"a": 1, "b": "x"}]}')._repr_html_()
    assert 'text-align:right;white-space:nowrap;padding:2px 10px 2px 0;font-variant-numeric:tabular-nums">1<' in columns
    assert 'text-align:left;white-space:nowrap;padding:2px 10px 2px 0">x<' in columns
    assert not any("color" in x for x in (matrix, members, columns))


def test_equality(rows: pc.Value) -> None:
    assert rows == pc.parse(TYPED)
    assert rows != rows[1:]
    assert rows != 3
    assert pc.value(2).difference(pc.value(2.0)) is not None
    assert pc.value(2).difference(pc.value(2.0), numbers=True) is None
    difference = pc.value({"a": [1, 2]}).difference(pc.value({"a": [1, 3]}))
    assert difference is not None and difference["path"] == "$.a[1]"
    with pytest.raises(TypeError):
        hash(rows)


def test_parts_keep_the_value_alive(rows: pc.Value) -> None:
    part = rows["x"]
    view = part.to_numpy()
    gone = weakref.ref(rows)
    del rows, part
    gc.collect()
    assert view.tolist() == [1.5, 2.5, 3.5]
    assert gone() is None or gone() is not None  # the fixture may hold it


def test_bytes_live_as_long_as_views() -> None:
    data = pc.encode({"a": np.arange(1000.0)}, "msgpack-ndarray")
    before = sys.getrefcount(data)
    value = pc.decode(data, "msgpack-ndarray")
    assert sys.getrefcount(data) == before + 1
    view = value["a"].to_numpy()
    del value
    gc.collect()
    assert sys.getrefcount(data) == before + 1
    del view
    gc.collect()
    assert sys.getrefcount(data) == before


def test_a_buffer_that_changes_is_copied() -> None:
    data = bytearray(pc.encode({"a": np.arange(1000.0)}, "msgpack-ndarray"))
    value = pc.decode(data, "msgpack-ndarray")
    for i in range(len(data)):
        data[i] = 0xFF
    assert value["a"].to_numpy()[999] == 999.0


def test_references_and_extensions() -> None:
    extension = pc.Extension("msgpack.ext", {"type": 5, "data": b"abc"})
    assert pc.value(extension).to_python() == extension
    assert pc.value(extension).kind == "extension"
    with pytest.raises(TypeError):
        copy.copy(object.__new__(pc.Value))  # a value is never empty


def test_scalars_are_numbers() -> None:
    value = pc.value({"n": 3, "x": 2.5, "zero": 0, "list": [], "array": np.arange(3), "one": np.float32(1.5)})
    assert int(value["n"]) == 3 and float(value["x"]) == 2.5 and float(value["one"]) == 1.5
    assert "abcd"[value["n"]] == "d"
    assert value["n"] and value["array"] and not value["zero"] and not value["list"]
    with pytest.raises(TypeError):
        int(value["list"])
    with pytest.raises(TypeError):
        range(value["x"])
