# SPDX-License-Identifier: MIT
from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any, ClassVar

import awkward as ak
import h5py
import pytest

import polycodec as pc
from polycodec import hdf5


def test_arrays_that_awkward_0_wrote(awkward0: Any, tmp_path: Path) -> None:
    awkward0("write-hdf5", tmp_path)
    expected = pickle.loads((tmp_path / "items.pickle").read_bytes())
    path = tmp_path / "arrays.h5"
    assert {x: hdf5.open(path, x).to_awkward().to_list() for x in expected} == expected


def test_awkward_0_reads_what_we_write(awkward0: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.h5"
    arrays = {"jagged": ak.Array([[1.5], [], [2.5, 3.5]]), "table": ak.Array([{"x": 1, "s": "a"}, {"x": 2, "s": "b"}])}
    for name, array in arrays.items():
        hdf5.save(array, path, name)
    assert json.loads(awkward0("read-hdf5", path, *arrays).stdout) == [x.to_list() for x in arrays.values()]
    with h5py.File(path) as file:
        assert hdf5.open(file, "jagged").to_awkward().to_list() == [[1.5], [], [2.5, 3.5]]
    with pytest.raises(ValueError, match="name already exists"):
        hdf5.save(arrays["table"], path, "table")
    with pytest.raises(KeyError):
        hdf5.open(path, "missing")


def test_datasets_are_blobs(tmp_path: Path) -> None:
    first, second = tmp_path / "a.h5", tmp_path / "b.h5"
    items = [[1.5], [], [2.5, 3.5]]
    hdf5.save(ak.Array(items), first, "a")
    with h5py.File(first) as file, h5py.File(second, "w") as other:
        # The same blobs, which do not lie in the file as they are.
        for name, dataset in file["a"].items():
            other.create_dataset(f"a/{name}", data=dataset[()], chunks=True, compression="gzip")
    plain, packed = hdf5.open(first, "a"), hdf5.open(second, "a")
    first.unlink()
    assert plain.to_awkward().to_list() == packed.to_awkward().to_list() == items
    assert plain == packed


def test_a_store_that_fails() -> None:
    class Broken:
        blobs: ClassVar = [("a.json", 4)]

        def read(self, i: int) -> bytes:
            raise OSError("the disk is gone")

    with pytest.raises(pc.FileError, match="the disk is gone") as caught:
        pc.default_registry().decode_store(Broken(), "awkward", options={"array": "a"})
    assert isinstance(caught.value.__cause__, OSError)
