# SPDX-License-Identifier: MIT
"""Arrays of numpy, in both directions, and the protocols for arrays."""

from __future__ import annotations

import array
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import polycodec as pc

DTYPES = [*"?bhilqBHILQefdFD", "S5", "U3", "M8[ns]", "M8[D]", "m8[us]", "m8[h]"]


def same(a: Any, b: Any) -> None:
    assert a.dtype == b.dtype and a.shape == b.shape
    assert a.tobytes() == b.tobytes()


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("code", DTYPES)
def test_each_type_and_byte_order(code: str, order: str) -> None:
    dtype = np.dtype(code).newbyteorder(order)
    given_array = np.arange(12).reshape(3, 4).astype(np.dtype(code)).astype(dtype)
    value = pc.value(given_array)
    same(value.to_numpy(), given_array)
    same(value[1].to_numpy(), given_array[1])
    assert value.to_numpy(copy=True).flags.writeable
    if dtype.kind not in "SUM":
        listed = np.array(value.to_python(), dtype)
        same(listed, given_array)


WIDTHS = {"c": (8, 16), "f": (2, 4, 8, 16)}
TYPES = hnp.scalar_dtypes().filter(lambda d: d.kind not in WIDTHS or d.itemsize in WIDTHS[d.kind])


@given(hnp.arrays(TYPES, hnp.array_shapes(min_side=0)))
def test_any_array_comes_back(given_array: Any) -> None:
    if given_array.dtype.kind == "f" and given_array.dtype.itemsize > 8:
        with pytest.raises(pc.MismatchError):
            pc.value(given_array)
        return
    if given_array.dtype.kind in "mM" and np.datetime_data(given_array.dtype)[0] == "generic":
        with pytest.raises(pc.MismatchError):
            pc.value(given_array)
        return
    back = pc.value(given_array).to_numpy()
    assert back.shape == given_array.shape
    if given_array.dtype.itemsize:
        assert back.tobytes() == given_array.tobytes()


@given(st.data())
def test_strides_of_any_kind(data: Any) -> None:
    base = np.arange(60).reshape(3, 4, 5)
    index = data.draw(hnp.basic_indices(base.shape, allow_newaxis=True))
    view = base[index]
    if isinstance(view, np.ndarray):
        assert np.array_equal(pc.value(view).to_numpy(), view)
        assert np.array_equal(pc.decode(pc.encode(view, "msgpack-ndarray"), "msgpack-ndarray").to_numpy(), view)


def test_a_view_is_of_the_bytes_and_read_only() -> None:
    data = pc.encode(np.arange(100.0), "msgpack-ndarray")
    value = pc.decode(data, "msgpack-ndarray")
    view = value.to_numpy()
    assert not view.flags.writeable and not view.flags.owndata
    start = np.frombuffer(data, "u1").__array_interface__["data"][0]
    assert start < view.__array_interface__["data"][0] < start + len(data)
    with pytest.raises(ValueError):
        view.flags.writeable = True


def test_array_protocol_of_numpy_2() -> None:
    value = pc.value(np.arange(5))
    assert np.asarray(value).tolist() == [0, 1, 2, 3, 4]
    assert np.asarray(value, "f4").dtype == np.float32
    assert np.array(value).flags.writeable
    assert not np.asarray(value, copy=False).flags.writeable
    with pytest.raises(ValueError):
        np.asarray(pc.value(["a", "b"]), copy=False)
    assert np.asarray(pc.value([1, 2])).tolist() == [1, 2]


def test_dlpack() -> None:
    value = pc.value(np.arange(6.0).reshape(2, 3))
    made = np.from_dlpack(value)
    assert made.tolist() == [[0, 1, 2], [3, 4, 5]] and not made.flags.writeable
    assert value.__dlpack_device__() == (1, 0)
    for capsule in (value.__dlpack__(), value.__dlpack__(max_version=(1, 0))):
        assert "dltensor" in repr(capsule)
    with pytest.raises(BufferError):
        pc.value("text").__dlpack__()

    class Tensor:
        def __dlpack__(self) -> Any:
            return value.__dlpack__()

    assert pc.value({"a": Tensor()})["a"] == value


def test_buffer_protocol() -> None:
    value = pc.value(np.arange(6, dtype=">i2").reshape(2, 3))
    view = memoryview(value)
    assert view.readonly and view.format == ">h" and view.shape == (2, 3)
    assert np.asarray(view).tolist() == [[0, 1, 2], [3, 4, 5]]
    assert bytes(memoryview(pc.value(b"abc"))) == b"abc"
    with pytest.raises(BufferError):
        memoryview(pc.value({"a": 1}))
    strided = pc.value(np.arange(10))[2:5]
    assert memoryview(strided).tolist() == [2, 3, 4]


def test_rows_of_structs() -> None:
    rows = np.array([(1, 2.5, [1, 2]), (3, 4.5, [3, 4])], [("x", "<i4"), ("y", ">f8"), ("z", "i2", 2)])
    value = pc.decode(pc.encode(rows, "dynd"), "dynd")
    assert value.names == ["x", "y", "z"]
    assert all(np.array_equal(value.to_numpy(copy=None)[name], rows[name]) for name in "xyz")
    nested = np.zeros((2, 3), [("a", "f4"), ("b", [("c", "u1")])])
    nested["b"]["c"] = 7
    made = pc.value(nested)
    assert made.type == "2 * 3 * {a: float32, b: {c: uint8}}"
    assert made[1][2].to_python() == {"a": 0.0, "b": {"c": 7}}


def test_rows_in_one_buffer_are_viewed() -> None:
    header = b"ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\nproperty uchar q\n"
    body = np.array([(1.5, 1), (2.5, 2), (3.5, 3)], [("x", "<f4"), ("q", "u1")])
    value = pc.decode(header + b"end_header\n" + body.tobytes(), "ply")
    rows = value["vertex"].to_numpy()
    assert rows.dtype.names == ("x", "q") and rows["q"].tolist() == [1, 2, 3] and rows["x"][2] == 3.5
    assert not rows.flags.owndata and not rows.flags.writeable


def test_masked() -> None:
    masked = np.ma.array([1, 2, 3], mask=[False, True, False])
    value = pc.value(masked)
    assert value.type == "3 * ?int64" and value.to_python() == [1, None, 3]
    back = value.to_numpy()
    assert isinstance(back, np.ma.MaskedArray) and back.tolist() == [1, None, 3]
    square = pc.value(np.ma.masked_greater(np.arange(4).reshape(2, 2), 2))
    assert square.to_python() == [[0, 1], [2, None]]
    assert square.to_numpy().tolist() == [[0, 1], [2, None]]


def test_missing_items_are_never_fillers() -> None:
    numbers = pc.value(np.ma.array([1, 99, 3], mask=[False, True, False]))
    with pytest.raises(ValueError, match="to_masked"):
        np.asarray(numbers)
    with pytest.raises(ValueError, match="to_masked"):
        np.sum(numbers)
    assert numbers.to_masked().tolist() == [1, None, 3] and np.ma.sum(numbers.to_masked()) == 4
    assert np.isnan(np.asarray(numbers, "f8")[1]) and np.asarray(numbers, object).tolist() == [1, None, 3]
    floats = np.asarray(pc.value(np.ma.array([1.5, 9.5], mask=[False, True])))
    assert floats[0] == 1.5 and np.isnan(floats[1])
    with pytest.raises(ValueError, match="to_masked"):
        np.asarray(pc.value(np.ma.array([1.5, 9.5], mask=[False, True])), copy=False)
    times = np.asarray(pc.value(np.ma.array(["2020-01-01", "2020-01-02"], "M8[D]", mask=[False, True])))
    assert times[0] == np.datetime64("2020-01-01") and np.isnat(times[1])
    rows = np.ma.array([(1, 2.5)], [("a", "i4"), ("b", "f8")], mask=[(True, False)])
    with pytest.raises(ValueError, match="to_masked"):
        np.asarray(pc.value(rows))
    assert np.asarray(pc.value(np.ma.array([1, 2], mask=[False, False]))).tolist() == [1, 2]
    assert pc.value([1, 2]).to_masked().tolist() == [1, 2] and pc.value(["a", None]).to_masked().tolist() == ["a", None]


def test_lists_keep_the_type_that_is_stored() -> None:
    ak = pytest.importorskip("awkward")

    def lists(content: Any, counts: list[int]) -> Any:
        offsets = ak.index.Index64(np.cumsum([0, *counts]))
        return pc.value(ak.Array(ak.contents.ListOffsetArray(offsets, ak.contents.NumpyArray(content))))

    for dtype in ("u8", "i2", "f4", "u1", "c8", "M8[s]"):
        content = np.arange(6).astype(dtype)
        made = np.asarray(lists(content, [2, 2, 2]))
        assert made.dtype == content.dtype and np.array_equal(made, content.reshape(3, 2))
    wide = np.array([2**63 + 1, 3], "u8")
    assert np.asarray(lists(wide, [2])).tolist() == [wide.tolist()]
    assert np.asarray(lists(wide, [])).shape == (0, 0) and np.asarray(lists(wide, [])).dtype == np.uint64
    views = ak.contents.ListArray(ak.index.Index64([1, 0]), ak.index.Index64([3, 2]), ak.contents.NumpyArray(np.arange(3)))
    assert np.asarray(pc.value(ak.Array(views))).tolist() == [[1, 2], [0, 1]]
    with pytest.raises(pc.MismatchError, match="to_awkward"):
        lists(wide, [1, 0, 1]).to_numpy(copy=True)


def test_items_of_several_types_are_objects() -> None:
    ak = pytest.importorskip("awkward")
    items: list[Any]
    for items in ([1, "x"], [1, "x", 2.5], [2**63 + 1, -1], ["a\0", "b"], [b"a\0"], [2**60 + 1, 0.5], [None, "a"]):
        assert np.asarray(pc.value(items)).tolist() == items
    assert np.asarray(pc.value(ak.Array([1, "x", 2.5]))).tolist() == [1, "x", 2.5]
    assert np.asarray(pc.value([1, 2.5])).dtype == np.float64
    single = np.asarray(pc.value([np.ones(2, "f4"), np.zeros(2, "f4")]))
    assert single.dtype == np.float32 and single.shape == (2, 2)
    assert np.asarray(pc.value(ak.Array([(1, 2.5)]))).tolist() == [(1, 2.5)]


def test_masks_of_masks() -> None:
    ak = pytest.importorskip("awkward")
    arrow = pytest.importorskip("pyarrow")
    chunks = pc.value(arrow.chunked_array([[1, None], [3]]))
    assert chunks.to_numpy(copy=True).tolist() == [1, None, 3]
    pairs = pc.value(arrow.array([[1, None], None, [3, 4]], arrow.list_(arrow.int16(), 2)))
    assert pairs.to_numpy(copy=True).tolist() == [[1, None], [None, None], [3, 4]]
    assert pairs.to_numpy(copy=True).dtype == np.int16
    rows = pc.value(ak.Array([{"a": 1, "b": None}, None, {"a": 2, "b": 3.5}]))
    assert rows.to_masked().tolist() == [(1, None), None, (2, 3.5)] or rows.to_masked()["b"].tolist() == [None, None, 3.5]


def test_what_numpy_cannot_view() -> None:
    words = pc.parse('{"type": "2 * string", "value": ["a", "bc"]}')
    with pytest.raises(pc.MismatchError, match="copy=True"):
        words.to_numpy()
    assert words.to_numpy(copy=True).tolist() == ["a", "bc"]
    jagged = pc.parse('{"type": "2 * var * int32", "value": [[1], [2, 3]]}')
    with pytest.raises(pc.MismatchError, match="to_awkward"):
        jagged.to_numpy(copy=True)
    wide = pc.parse('{"type": "2 * int128", "value": [1, -2]}')
    assert wide.to_python() == [1, -2]
    with pytest.raises(pc.MismatchError):
        wide.to_numpy()


def test_scalars_keep_their_width() -> None:
    assert pc.value(np.float32(1.5)).type == "float32"
    assert pc.value(np.int16(3)).to_python() == 3
    assert pc.value(np.str_("a")).to_python() == "a"
    assert pc.value(np.array([1, "a", None], object)).to_python() == [1, "a", None]
    assert pc.value(np.array(["a", "bcd"], np.dtypes.StringDType())).to_python() == ["a", "bcd"]


def test_arrays_of_the_standard_library() -> None:
    assert pc.value(array.array("d", [1, 2])).to_numpy().tolist() == [1, 2]
    assert pc.value(memoryview(b"abc")).to_python() == b"abc"
    assert pc.value(bytearray(b"abc")).to_python() == b"abc"


def test_a_value_does_not_change_with_the_array() -> None:
    numbers = np.arange(3)
    value = pc.value(numbers)
    numbers[0] = 99
    assert value.to_python() == [0, 1, 2]


def test_arrays_in_documents() -> None:
    value = pc.decode(pc.encode({"a": np.arange(3), "b": [np.ones(2)]}, "msgpack-ndarray"), "msgpack-ndarray")
    assert value.to_python() == {"a": [0, 1, 2], "b": [[1.0, 1.0]]}
    mixed = value.to_python(arrays="numpy")
    assert isinstance(mixed["a"], np.ndarray) and mixed["b"][0].tolist() == [1.0, 1.0]
