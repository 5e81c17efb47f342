# SPDX-License-Identifier: MIT
"""References, read back by zarr through fsspec, and by kerchunk's codec where records are interleaved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import fsspec
import numpy as np
import virtualizarr
import xarray
import zarr
from obspec_utils.registry import ObjectStoreRegistry
from obstore.store import LocalStore
from virtualizarr.parsers import KerchunkJSONParser

import polycodec as pc
from polycodec.kerchunk import references


def read(refs: dict[str, Any], name: str) -> Any:
    files = fsspec.filesystem("reference", fo=json.loads(json.dumps(refs)), asynchronous=True)
    store = zarr.storage.FsspecStore(files, read_only=True)
    return zarr.open_group(store, mode="r", zarr_format=2)[name]


def test_columns_of_awkward(tmp_path: Path) -> None:
    path = tmp_path / "a.awkd"
    value = pc.parse(
        '{"type": "3 * {x: float64, j: var * int32}", "value": '
        '[{"x": 1.5, "j": [1, 2]}, {"x": 2.5, "j": []}, {"x": 3.5, "j": [3]}]}'
    )
    pc.save(value, path)
    refs = references(path)
    np.testing.assert_array_equal(read(refs, "x")[:], [1.5, 2.5, 3.5])
    np.testing.assert_array_equal(read(refs, "j.content")[:], [1, 2, 3])


def test_interleaved_columns_of_binary_ply(tmp_path: Path) -> None:
    path = tmp_path / "a.ply"
    records = np.array([(0.5, 1.5, 7), (2.5, 3.5, 8), (4.5, 5.5, 9)], dtype=[("x", "f4"), ("y", "f8"), ("q", "u1")])
    pc.save({"vertex": records}, path, "ply", options={"format": "binary_big_endian"})
    refs = references(path, url=str(path))
    for name in ("x", "y", "q"):
        column = read(refs, f"vertex/{name}")
        np.testing.assert_array_equal(column[:], records[name])


def test_virtualizarr_reads_references(tmp_path: Path) -> None:
    path, written = tmp_path / "a.msgpack", tmp_path / "references.json"
    columns = {"m": np.arange(12, dtype=">i4").reshape(3, 4), "x": np.linspace(0, 1, 5)}
    path.write_bytes(pc.encode(columns, "msgpack-ndarray"))
    refs = references(path, url=path.as_uri())
    written.write_text(json.dumps(refs))
    registry = ObjectStoreRegistry({"file://": LocalStore()})
    virtual = virtualizarr.open_virtual_dataset(written.as_uri(), registry, KerchunkJSONParser())
    place = virtual["m"].data.manifest.dict()["0.0"]
    assert [place["path"], place["offset"], place["length"]] == refs["refs"]["m/0.0"]
    # The columns, read by its own store from the file.
    store = KerchunkJSONParser()(written.as_uri(), registry)
    read = xarray.open_zarr(store, consolidated=False, zarr_format=3)
    for name, column in columns.items():
        np.testing.assert_array_equal(read[name], column)


def test_a_matrix_of_msgpack(tmp_path: Path) -> None:
    path = tmp_path / "a.msgpack"
    matrix = np.arange(12, dtype="<i4").reshape(3, 4)
    path.write_bytes(pc.encode({"m": matrix}, "msgpack-ndarray"))
    np.testing.assert_array_equal(read(references(path), "m")[:], matrix)


def test_decoded_columns_have_no_reference(tmp_path: Path) -> None:
    path = tmp_path / "a.ply"
    pc.save({"vertex": np.array([(0.5,)], dtype=[("x", "f4")])}, path, "ply", options={"format": "ascii"})
    assert [x for x in references(path)["refs"] if x.endswith(".zarray")] == []


def test_xarray_opens_references(tmp_path: Path) -> None:
    path = tmp_path / "a.msgpack"
    path.write_bytes(pc.encode({"t": np.arange(5.0), "n": np.arange(3, dtype="i4")}, "msgpack-ndarray"))
    dataset = xarray.open_dataset(references(path), engine="kerchunk")
    np.testing.assert_array_equal(dataset["t"], np.arange(5.0))
    np.testing.assert_array_equal(dataset["n"], np.arange(3))
