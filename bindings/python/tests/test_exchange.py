# SPDX-License-Identifier: MIT
"""Arrow, pandas, polars, and pickle."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import polycodec as pc

pa = pytest.importorskip("pyarrow")

TABLE = pa.table({"x": [1.5, None, 3.5], "s": ["a", "b", None], "l": [[1], [], [2, 3]]})


def test_tables() -> None:
    value = pc.value(TABLE)
    assert value.names == ["x", "s", "l"]
    assert value.to_python() == TABLE.to_pylist()
    assert value.to_arrow().to_pylist() == TABLE.to_pylist()
    assert pa.table(pc.decode(pc.encode(TABLE, "dynd"), "dynd")).to_pylist() == TABLE.to_pylist()


@pytest.mark.parametrize(
    "array",
    [
        pa.array([1, 2, None]),
        pa.array(["a", None]),
        pa.array([[1.5], None, []]),
        pa.array([{"a": 1, "b": "x"}]),
        pa.array([b"x"]),
        pa.array([True, None]),
        pa.array(["a", "b", "a"]).dictionary_encode(),
        pa.array(np.array(["2020-01-01"], "M8[us]")),
        pa.chunked_array([[1], [2, 3]]),
    ],
    ids=lambda array: str(array.type),
)
def test_arrays(array: Any) -> None:
    value = pc.value(array)
    if not pa.types.is_timestamp(array.type):
        assert value.to_python() == array.to_pylist()
    made = value.to_arrow()
    made = made if isinstance(made, pa.Array) else made.to_struct_array().combine_chunks()
    assert made.to_pylist() == array.to_pylist()


def test_numbers_are_shared() -> None:
    numbers = np.arange(1000.0)
    numbers.flags.writeable = False
    value = pc.value(numbers)
    array = pa.array(value)
    assert array.buffers()[1].address == value.to_numpy().__array_interface__["data"][0]
    del value
    assert array[999].as_py() == 999.0


def test_pandas() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"a": [1, 2], "b": ["x", None]})
    assert pc.value(frame).to_python() == [{"a": 1, "b": "x"}, {"a": 2, "b": None}]
    assert pc.value(frame["a"]).to_python() == [1, 2]
    assert pc.value({"frame": frame})["frame"]["a"].to_numpy().tolist() == [1, 2]
    assert pc.value(frame).to_arrow().to_pandas().equals(frame)


def test_polars() -> None:
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"a": [1, 2], "b": ["x", None]})
    assert pc.value(frame).to_python() == frame.to_dicts()
    assert pc.value(frame["a"]).to_python() == [1, 2]
    assert pl.from_arrow(pc.value(frame).to_arrow()).equals(frame)
    assert pl.DataFrame(pc.value(frame)).equals(frame)


VALUE = pc.value({"big": np.arange(100_000.0), "small": [1, "two"]})


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(protocol: int) -> None:
    assert pickle.loads(pickle.dumps(VALUE, protocol)) == VALUE


def test_buffers_travel_out_of_band() -> None:
    buffers: list[pickle.PickleBuffer] = []
    head = pickle.dumps(VALUE, 5, buffer_callback=buffers.append)
    assert len(head) < 2000 and sum(buffer.raw().nbytes for buffer in buffers) >= 800_000
    back = pickle.loads(head, buffers=buffers)
    assert back == VALUE
    address = back["big"].to_numpy().__array_interface__["data"][0]
    assert address == VALUE["big"].to_numpy().__array_interface__["data"][0]


def test_frames_are_checked() -> None:
    frames = [bytes(frame) for frame in VALUE.to_frames()]
    assert pc.from_frames(frames) == VALUE
    with pytest.raises(pc.FormatError):
        pc.from_frames([frames[0][:-5], *frames[1:]])
    with pytest.raises(pc.PolycodecError):
        pc.from_frames([frames[0], frames[1][:100]])
    writable = [bytearray(frame) for frame in frames]
    value = pc.from_frames(writable)
    writable[1][:] = bytes(len(writable[1]))
    assert value == VALUE


def test_other_processes() -> None:
    program = "import pickle, sys; print(pickle.load(sys.stdin.buffer)['big'].to_numpy().sum())"
    ran = subprocess.run([sys.executable, "-c", program], input=pickle.dumps(VALUE, 5), stdout=subprocess.PIPE, check=True)
    assert float(ran.stdout) == VALUE["big"].to_numpy().sum()


def raw(kind: Any, length: int, buffers: list[Any], **more: Any) -> Any:
    return pa.Array.from_buffers(kind, length, [None if x is None else pa.py_buffer(x) for x in buffers], **more)


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8"])
def test_an_index_of_a_dictionary_that_is_negative(dtype: str) -> None:
    words = pa.array(["a", "b"])
    kind = pa.dictionary(pa.from_numpy_dtype(dtype), pa.string())

    def of(index: list[int], mask: bytes | None = None) -> Any:
        buffers = [None if mask is None else pa.py_buffer(mask), pa.py_buffer(np.array(index, dtype).tobytes())]
        return pa.DictionaryArray.from_buffers(kind, len(index), buffers, words)

    assert pc.value(of([1, 0, 1])).to_python() == ["b", "a", "b"]
    for wrong in (-1, -128, 2):
        with pytest.raises(pc.InvalidError):
            pc.value(of([0, wrong]))
        with pytest.raises(pc.InvalidError):
            pc.value(of([0, wrong], b"\3"))
        assert pc.value(of([0, wrong], b"\1")).to_python() == ["a", None]


@pytest.mark.parametrize("dtype", ["i2", "i4", "i8"])
def test_ends_of_runs(dtype: str) -> None:
    values = pa.array([1.5, 2.5, 3.5])
    kind = pa.run_end_encoded(pa.from_numpy_dtype(dtype), pa.float64())

    def of(ends: list[int], length: int, offset: int = 0) -> Any:
        children = [pa.array(np.array(ends, dtype)), values]
        return pa.Array.from_buffers(kind, length, [None], 0, offset, children)

    assert pc.value(of([1, 3, 4], 4)).to_python() == [1.5, 2.5, 2.5, 3.5]
    assert pc.value(of([1, 3, 9], 3, 2)).to_python() == [2.5, 3.5, 3.5]
    for wrong in ([-5, 2, 4], [1, 1, 4], [3, 2, 4], [0, 2, 4]):
        with pytest.raises(pc.InvalidError, match="run"):
            pc.value(of(wrong, 4))


def test_extension_types_keep_their_names() -> None:
    import uuid

    found = pc.value(pa.array([uuid.UUID(int=1).bytes], pa.uuid()))
    assert found.metadata == {"ARROW:extension:name": "arrow.uuid"}
    assert pc.value(pa.array([1, 0], pa.int8()).cast(pa.bool8())).metadata == {"ARROW:extension:name": "arrow.bool8"}
    tensors = pa.FixedShapeTensorArray.from_numpy_ndarray(np.arange(12.0).reshape(2, 3, 2))
    found = pc.value(pa.table({"t": tensors, "x": [1, 2]}))["t"]
    assert found.metadata["ARROW:extension:name"] == "arrow.fixed_shape_tensor"
    assert '"shape":[3,2]' in found.metadata["ARROW:extension:metadata"]
    assert found.to_python() == [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]]
    # A codec that cannot keep them tells it as a loss.
    with pytest.raises(pc.UnsupportedError, match="ARROW:extension:name"):
        pc.encode(found, "dynd")


def test_a_tuple_and_complex_numbers_are_ours() -> None:
    for value in (pc.value(np.array([1 + 2j])), pc.value(pc.value([(1, "a"), (2, "b")]).to_arrow())):
        assert pc.value(pa.array(value)).metadata == {}
