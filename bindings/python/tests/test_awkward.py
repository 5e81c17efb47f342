# SPDX-License-Identifier: MIT
"""Arrays of awkward 2, in both directions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polycodec as pc
from polycodec._layouts import Layout, option, strings

ak = pytest.importorskip("awkward")

JAGGED = ak.Array([[{"x": 1, "y": [1.5]}, {"x": 2, "y": []}], [], [{"x": 3, "y": [2.5, 3.5]}]])
BITS = ak.contents.BitMaskedArray(
    ak.index.IndexU8(np.array([0b00000101], "u1")), ak.contents.NumpyArray(np.arange(3)), True, 3, True
)
ARRAYS = {
    "numbers": ak.Array([1.5, 2.5]),
    "booleans": ak.Array([True, False]),
    "jagged": JAGGED,
    "reversed": JAGGED[::-1],
    "filtered": JAGGED[JAGGED.x > 1],
    "strings": ak.Array(["a", "", "bcd"]),
    "bytes": ak.Array([b"x", b"yz"]),
    "missing": ak.Array([1, None, 3]),
    "missing strings": ak.Array(["a", None]),
    "missing lists": ak.Array([[1], None, []]),
    "masked": ak.mask(ak.Array([1, 2, 3]), [True, False, True]),
    "bits": ak.Array(BITS),
    "union": ak.Array([1, "two", [3]]),
    "regular": ak.to_regular(ak.Array([[1, 2], [3, 4]])),
    "regular of jagged": ak.to_regular(ak.Array([[[1], []], [[2, 3], [4]]]), axis=1),
    "tuples": ak.Array([(1, 2.5), (3, 4.5)]),
    "records": ak.Array([{"a": {"b": 1}}, {"a": {"b": 2}}]),
    "times": ak.Array(np.array(["2020-01-01", "2021-02-03"], "M8[s]")),
    "dictionary": ak.str.to_categorical(ak.Array(["a", "b", "a"])) if hasattr(ak, "str") else ak.Array(["a"]),
    "three dimensions": ak.Array(np.arange(24).reshape(2, 3, 4)),
    "big endian": ak.Array([[1, 2], [3]]),
    "empty": ak.Array([]),
    "empty lists": ak.Array([[], []]),
    "unsigned": ak.values_astype(ak.Array([[1], [2, 3]]), "uint16"),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_each_form_comes_back(name: str) -> None:
    array = ARRAYS[name]
    back = pc.value(array).to_awkward()
    assert ak.to_list(back) == ak.to_list(array)
    assert pc.value(array).to_python() == ak.to_list(array) or name == "times"
    assert ak.validity_error(back) == ""


@pytest.mark.parametrize("name", ["jagged", "filtered", "missing", "missing strings", "strings", "records", "union"])
def test_awkward_0_files(name: str) -> None:
    array = ARRAYS[name]
    value = pc.decode(pc.encode(array, "awkward"))
    assert value.codec == "awkward"
    assert ak.to_list(value.to_awkward()) == ak.to_list(array)


C, I64 = ak.contents, ak.index.Index64
MASK = np.array([False, True, False])


def indexed(content: Any, index: Any) -> Any:
    return Layout("indexed", len(index), {"index": np.asarray(index)}, [content])


def union(tags: Any, index: Any, contents: Any) -> Any:
    return Layout("union", len(tags), {"tags": np.array(tags, "i1"), "index": np.array(index)}, contents)


FLOATS = np.array([1.5, 2.5, 3.5])
TEXT = strings(np.frombuffer(b"abc", "u1"), np.array([0, 1, 3]))
# Layouts that files of Awkward 0.x have, and awkward 2 does not.
NESTED = {
    "a mask of a mask": option(option(FLOATS, MASK), MASK[::-1]),
    "a mask of an index": option(indexed(FLOATS, [2, -1, 0]), MASK),
    "an index of a mask": indexed(option(FLOATS, MASK), [1, 0, 2, -1]),
    "an index of an index": indexed(indexed(FLOATS, [2, 1, 0]), [0, 0, 2]),
    "an unsigned index": indexed(FLOATS, np.array([2, 0], "u1")),
    "a mask of a union": option(union([0, 1, 0], [0, 1, 2], [FLOATS, TEXT]), MASK),
    "an index of a union": indexed(union([0, 1, 0], [0, 1, 2], [FLOATS, TEXT]), [2, 1, 1]),
    "a union of one": union([0, 0], [2, 1], [FLOATS]),
    "a union of options": union([0, 1, 0], [0, 1, 1], [option(FLOATS, MASK), option(TEXT, MASK[:2])]),
    "a union with an option": union([0, 1, 0], [0, 1, 1], [FLOATS, option(TEXT, MASK[:2])]),
    "a union of unions": union([0, 1, 0], [0, 0, 1], [union([0, 1], [0, 0], [FLOATS, TEXT]), np.arange(2)]),
    "a mask of a union that rounds": option(union([0, 1, 0], [0, 1, 2], [FLOATS, np.array([1, 2**60 + 1])]), MASK[::-1]),
    "an empty mask of a union": option(union([], np.zeros(0, "i8"), [FLOATS, TEXT]), MASK[:0]),
    "a union that awkward merges": union([0, 1, 0], [0, 1, 2], [FLOATS, np.arange(2)]),
    "a union that merging rounds": union([0, 1, 0], [0, 1, 2], [FLOATS, np.array([1, 2**60 + 1])]),
    "chunks that joining rounds": Layout("chunked", 4, {"offsets": np.array([0, 3, 4])}, [FLOATS, np.array([2**60 + 1])]),
    "lists of rows": Layout("list_offsets", 2, {"offsets": np.array([0, 1, 3])}, [np.arange(6).reshape(3, 2)]),
    "rows without items": np.zeros((0, 3, 2), "f4"),
    "rows of nothing": np.zeros((2, 0), "f4"),
    "no chunks": Layout("chunked", 0, {"offsets": np.array([0])}, []),
    "empty rows of structs": np.zeros(0, [("x", "<i4"), ("z", "<f4", 2)]),
    "a mask of chunks": option(Layout("chunked", 3, {"offsets": np.array([0, 1, 3])}, [FLOATS[:1], FLOATS[1:]]), MASK),
}


@pytest.mark.parametrize("name", NESTED)
def test_layouts_that_awkward_2_simplifies(name: str) -> None:
    value = pc.value(NESTED[name])
    array = value.to_awkward()
    assert array.to_list() == value.to_python()
    assert ak.validity_error(array) == "" or "rounds" in name
    assert pc.value(array).to_python() == value.to_python()
    if "rows" not in name:  # which numpy cannot list, or of several lengths
        assert value.to_masked().tolist() == value.to_python()


def test_an_index_is_an_option_only_where_items_are_missing() -> None:
    assert str(pc.value(indexed(FLOATS, [2, 0])).to_awkward().type) == "2 * float64"
    assert str(pc.value(indexed(FLOATS, [2, -1])).to_awkward().type) == "2 * ?float64"


def test_empty_lists_anywhere(tmp_path: Path) -> None:
    layout = C.ListArray(I64([0, 9]), I64([2, 9]), C.NumpyArray(np.arange(4)))
    pc.save(ak.Array(layout), tmp_path / "a.awkd")
    assert pc.open(tmp_path / "a.awkd").to_python() == [[0, 1], []]
    fixed = pc.value(np.array([b"ab", b"", b"c", b""], "S4")).to_awkward()
    assert pc.decode(pc.encode(fixed, "awkward"), "awkward").to_python() == fixed.to_list()


def test_integers_beside_floats_are_not_rounded() -> None:
    assert pc.value([1, 0.5]).to_awkward().to_list() == [1.0, 0.5]
    with pytest.raises(pc.MismatchError, match="round"):
        pc.value([2**60 + 1, 0.5]).to_awkward()
    with pytest.raises(pc.MismatchError, match="cannot hold"):
        pc.value([2**100]).to_awkward()


def test_what_is_no_array() -> None:
    assert pc.value({}).to_awkward().to_list() == {}
    with pytest.raises(pc.MismatchError):
        pc.value(np.array(5)).to_awkward()
    assert pc.value({"a": np.array(5)}).to_awkward().to_list() == {"a": 5}


def test_parts_of_rows() -> None:
    value = pc.value(JAGGED)
    assert ak.to_list(value[1:].to_awkward()) == ak.to_list(JAGGED[1:])
    assert ak.to_list(value[0].to_awkward()) == ak.to_list(JAGGED[0])
    assert ak.to_list(value[2]["y"].to_awkward()) == [[2.5, 3.5]]


def test_columns_are_read_when_they_are_used() -> None:
    from polycodec import _awkward

    value = pc.value(ak.Array({"a": np.arange(5), "b": np.arange(5.0)}))
    stored = value.array
    assert stored is not None
    buffers = _awkward.Buffers()
    form = _awkward._Form(buffers).form(stored, stored.length)
    asked = [key for key in buffers if "data" in key]
    used: list[str] = []

    class Watched(_awkward.Buffers):
        def __getitem__(self, key: str) -> Any:
            make = buffers[key]

            def read() -> Any:
                used.append(key)
                return make()

            return read

    array = ak.from_buffers(form, 5, Watched(), buffer_key="{form_key}-{attribute}")
    assert used == []
    assert ak.sum(array.b) == 10.0
    assert len(asked) == 2 and len(used) == 1


def test_columns_are_viewed() -> None:
    data = pc.encode(ak.Array([[1.5, 2.5], [3.5]]), "dynd")
    content = pc.decode(data, "dynd").to_awkward().layout.content.data
    start = np.frombuffer(data, "u1").__array_interface__["data"][0]
    address = np.asarray(content).__array_interface__["data"][0]
    # The elements of the file may lie at any address: then awkward needs a copy.
    assert start <= address < start + len(data) or (address % 8 == 0 and ak.to_list(content) == [1.5, 2.5, 3.5])


def test_objects_and_scalars() -> None:
    record = pc.value({"a": np.arange(3), "b": 5}).to_awkward()
    assert isinstance(record, ak.Record) and ak.to_list(record) == {"a": [0, 1, 2], "b": 5}
    columns = pc.value({"a": np.arange(3), "b": np.arange(3.0)}).to_awkward()
    assert ak.to_list(columns) == [{"a": i, "b": float(i)} for i in range(3)]
    assert ak.to_list(pc.value([1, [2]]).to_awkward()) == [1, [2]]
    assert pc.value(JAGGED[0, 0]).to_python() == {"x": 1, "y": [1.5]}
    with pytest.raises(pc.MismatchError):
        pc.value(5).to_awkward()


def test_chunks() -> None:
    arrow = pytest.importorskip("pyarrow")
    chunked = arrow.chunked_array([[[1], [2, 3]], [[]], [[4]]])
    assert ak.to_list(pc.value(chunked).to_awkward()) == [[1], [2, 3], [], [4]]
    many = pc.value(arrow.chunked_array([[i, -i] if i % 3 else [] for i in range(20_000)], arrow.int64()))
    assert many.to_python() == [x for i in range(20_000) if i % 3 for x in (i, -i)]


def test_empty_lists_may_be_anywhere() -> None:
    for offsets in ([4], [4, 4], [0, 2, 2]):
        content = ak.contents.NumpyArray(np.arange(2.0) if offsets[-1] == 2 else np.arange(0.0))
        array = ak.Array(ak.contents.ListOffsetArray(ak.index.Index64(np.array(offsets)), content))
        assert ak.validity_error(array) == ""
        assert pc.decode(pc.encode(array, "awkward"), "awkward").to_awkward().to_list() == array.to_list()


def test_alternatives_that_are_alike_once_others_are_merged() -> None:
    value = pc.value({"a": [[1.5], [[1], "x"], ["y", 2]]})["a"]
    made = value.to_awkward()
    assert ak.validity_error(made) == ""
    assert made.to_list() == value.to_python()
