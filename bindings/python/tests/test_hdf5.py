# SPDX-License-Identifier: MIT
from __future__ import annotations

import contextlib
import json
import pickle
import resource
from pathlib import Path
from typing import Any, ClassVar

import awkward as ak
import h5py
import numpy as np
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


def test_a_missing_name_is_a_key_error(tmp_path: Path) -> None:
    path = tmp_path / "a.h5"
    hdf5.save(ak.Array([[1.5], []]), path, "a")
    for name in ("missing", "a/missing", "missing/a"):
        with pytest.raises(KeyError, match="'missing' is not in the file"):
            hdf5.open(path, name)


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


SCHEMA = json.dumps(
    {
        "awkward0": "0.15.5",
        "schema": {
            "call": ["awkward0", "numpy", "frombuffer"],
            "args": [{"read": "a/1"}, {"dtype": "int64"}, {"json": 2}],
            "id": 0,
        },
    }
)


def made(path: Path, add: Any) -> Path:
    with h5py.File(path, "w") as file:
        group = file.create_group("a")
        group.create_dataset("schema.json", data=np.frombuffer(SCHEMA.encode(), "u1"))
        add(group)
    return path


def external(group: Any) -> None:
    group.create_dataset("1", shape=(16,), dtype="u1", external=[("secret.bin", 0, 16)])


def virtual(group: Any) -> None:
    layout = h5py.VirtualLayout(shape=(16,), dtype="u1")
    layout[:] = h5py.VirtualSource("secret.h5", "x", shape=(16,))
    group.create_virtual_dataset("1", layout)


def virtual_of_this_file(group: Any) -> None:
    group.create_dataset("x", data=np.zeros(16, "u1"))
    layout = h5py.VirtualLayout(shape=(16,), dtype="u1")
    layout[:] = h5py.VirtualSource(".", "a/x", shape=(16,))
    group.create_virtual_dataset("1", layout)


def soft_link(group: Any) -> None:
    group["1"] = h5py.SoftLink("/a/schema.json")


def external_link(group: Any) -> None:
    group["1"] = h5py.ExternalLink("secret.h5", "/x")


def external_group(group: Any) -> None:
    group.file.move("/a", "/b")
    group.file["a"] = h5py.ExternalLink("other.h5", "/a")


def soft_group(group: Any) -> None:
    group.file.move("/a", "/b")
    group.file["a"] = h5py.SoftLink("/b")


@pytest.mark.parametrize(
    "add", [external, virtual, virtual_of_this_file, soft_link, external_link, external_group, soft_group]
)
def test_only_the_file_itself_is_read(add: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret.bin").write_bytes(b"TOPSECRETDATA!!!")
    with h5py.File(tmp_path / "secret.h5", "w") as file:
        file["x"] = np.frombuffer(b"VIRTUALSECRET!!!", "u1")
    made(tmp_path / "other.h5", lambda group: group.create_dataset("1", data=np.zeros(16, "u1")))
    path = made(tmp_path / "a.h5", add)
    with pytest.raises(pc.DeniedError) as caught:
        hdf5.open(path, "a").to_python()
    assert caught.value.detail == "hdf5.refused"
    with h5py.File(path) as file, pytest.raises(pc.DeniedError):
        hdf5.open(file, "a").to_python()


def test_a_denied_dataset_that_the_array_does_not_need(tmp_path: Path) -> None:
    def add(group: Any) -> None:
        group.create_dataset("1", data=np.arange(2, dtype="i8"))
        group["link"] = h5py.SoftLink("/a/1")
        group["again"] = group
        group["type"] = np.dtype("i4")
        group.create_dataset("text", data=["a", "b"], dtype=h5py.string_dtype())
        group.create_dataset("none", data=h5py.Empty("f8"))

    assert hdf5.open(made(tmp_path / "a.h5", add), "a").to_python() == [0, 1]


@pytest.mark.parametrize("size", [10**12, 10**18, 1 << 62])
@pytest.mark.parametrize("how", [{}, {"chunks": (1 << 20,)}, {"chunks": (1 << 20,), "compression": "gzip"}])
def test_sizes_are_bounded(size: int, how: dict[str, Any], tmp_path: Path) -> None:
    path = made(tmp_path / "a.h5", lambda x: x.create_dataset("1", shape=(size,), dtype="u1", fillvalue=7, **how))
    assert path.stat().st_size < 10_000
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(pc.LimitError):
        hdf5.open(path, "a")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000


def test_a_chunk_that_is_larger_than_its_dataset(tmp_path: Path) -> None:
    def add(group: Any) -> None:
        group.create_dataset("1", shape=(16,), maxshape=(None,), dtype="u1", chunks=(1 << 30,), compression="gzip")

    with pytest.raises(pc.LimitError):
        hdf5.open(made(tmp_path / "a.h5", add), "a")


def test_limits_of_a_call(tmp_path: Path) -> None:
    def add(group: Any) -> None:
        group.create_dataset("1", shape=(2,), dtype="i8", chunks=(2,), data=[3, 4])

    path = made(tmp_path / "a.h5", add)
    with pytest.raises(pc.LimitError):
        hdf5.open(path, "a", limits={"max_memory_bytes": 10})
    assert hdf5.open(path, "a").to_python() == [3, 4]


def test_broken_files(tmp_path: Path) -> None:
    path = made(tmp_path / "a.h5", lambda x: x.create_dataset("1", data=np.arange(2, dtype="i8"), chunks=(2,)))
    whole = path.read_bytes()
    for i in range(0, len(whole), 37):
        path.write_bytes(whole[:i] + b"\xff" * 7 + whole[i + 7 :])
        with contextlib.suppress(pc.PolycodecError, OSError, KeyError, RuntimeError, ValueError):
            hdf5.open(path, "a").to_python()
