# SPDX-License-Identifier: MIT
from __future__ import annotations

from pathlib import Path
from typing import Any

import numcodecs
import numpy as np
import pytest
import zarr

import polycodec as pc
from polycodec.zarr import PolycodecBytes


@pytest.mark.parametrize("dtype", ["i1", "u2", "i4", "i8", "f4", "f8", "c16", "?", "M8[s]", "m8[ms]", "U3", "S5", ">U2"])
def test_zarr_3_array(dtype: str, tmp_path: Path) -> None:
    data = (np.arange(700).reshape(7, 100) % 5).astype(dtype)
    array = zarr.create_array(
        tmp_path / "a.zarr", shape=data.shape, chunks=(3, 40), dtype=dtype, serializer=PolycodecBytes(), compressors=None
    )
    array[:] = data
    again = zarr.open_array(tmp_path / "a.zarr")  # the codec comes from the entry point
    assert "polycodec" in (tmp_path / "a.zarr/zarr.json").read_text()
    np.testing.assert_array_equal(again[:], data)
    np.testing.assert_array_equal(again[2:5, 35:45], data[2:5, 35:45])


def test_zarr_3_codec_with_filters_and_another_format(tmp_path: Path) -> None:
    codec = PolycodecBytes("dynd", filters=[{"id": "zstd"}])
    array = zarr.create_array(tmp_path / "a.zarr", shape=(100,), chunks=(50,), dtype="f8", serializer=codec)
    array[:] = np.arange(100.0)
    np.testing.assert_array_equal(zarr.open_array(tmp_path / "a.zarr")[:], np.arange(100.0))


def test_a_chunk_of_another_type_is_an_error(tmp_path: Path) -> None:
    array: Any = zarr.create_array(
        tmp_path / "a.zarr", shape=(4,), chunks=(4,), dtype="f8", serializer=PolycodecBytes(), compressors=None
    )
    array[:] = 1
    (tmp_path / "a.zarr/c/0").write_bytes(pc.encode(np.arange(4, dtype="i4"), "msgpack-ndarray"))
    with pytest.raises(pc.MismatchError, match="wrong type"):
        zarr.open_array(tmp_path / "a.zarr")[:]


def test_zarr_2_array(tmp_path: Path) -> None:
    codec = numcodecs.get_codec({"id": "polycodec", "codec": "dynd"})
    array: Any = zarr.create_array(
        tmp_path / "a.zarr", shape=(10,), chunks=(4,), dtype="i4", zarr_format=2, filters=None, compressors=codec
    )
    array[:] = np.arange(10)
    np.testing.assert_array_equal(zarr.open_array(tmp_path / "a.zarr")[:], np.arange(10))
