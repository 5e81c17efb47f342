# SPDX-License-Identifier: MIT
"""Arrays of awkward 2, in both directions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import polycodec as pc

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
