# SPDX-License-Identifier: MIT
"""polycodec.awkward0: the functions of the archived library, beside the library itself."""

from __future__ import annotations

import importlib.util
import io
import json
import logging
import lzma
import os
import pickle
import sys
import types
import zipfile
import zlib
from pathlib import Path
from typing import Any

import awkward as ak
import numpy as np
import pytest

import polycodec as pc
from polycodec import awkward0 as module

JAGGED = ak.Array([[1.5, 2.5], [], [3.5]])


def listed(array: Any) -> Any:
    return array.tolist() if hasattr(array, "tolist") else array


def test_files_of_the_library(awkward0: Any, tmp_path: Path) -> None:
    awkward0("write", tmp_path)
    expected = pickle.loads((tmp_path / "items.pickle").read_bytes())
    for name, items in expected.items():
        loaded = module.load(tmp_path / f"{name}.awkd")
        assert ak.to_list(loaded) == items, name
        with zipfile.ZipFile(tmp_path / f"{name}.awkd") as file:
            blobs = {one: file.read(one) for one in file.namelist()}
        assert ak.to_list(module.deserialize(blobs, ".json")) == items, name
    assert isinstance(module.load(tmp_path / "numpy_f8.awkd"), np.ndarray)


def test_the_library_reads_what_is_saved(awkward0: Any, tmp_path: Path) -> None:
    things: dict[str, Any] = {
        "jagged": JAGGED,
        "numbers": np.arange(3),
        "strings": ak.Array(["a", "bc"]),
        "rows": ak.Array([{"x": 1}]),
    }
    for name, thing in things.items():
        module.save(str(tmp_path / name), thing)
    read = awkward0("read", *(tmp_path / f"{name}.awkd" for name in things)).stdout
    assert json.loads(read) == [ak.to_list(thing) for thing in things.values()]


def test_a_file_of_several_arrays_is_a_dict(tmp_path: Path) -> None:
    path = tmp_path / "many.awkd"
    module.save(path, {"x": np.arange(3), "y": JAGGED})
    module.save(path, np.arange(2.0), name="z")  # appends
    with module.load(path) as file:
        assert list(file) == ["x", "y", "z"] and len(file) == 3 and "3 members" in repr(file)
        assert file["x"].tolist() == [0, 1, 2] and file["y"].to_list() == JAGGED.to_list() and file["z"].tolist() == [0, 1]
        with pytest.raises(KeyError, match="'x', 'y', 'z'"):
            file["q"]
    with open(path, "rb") as opened, module.load(opened) as again:
        assert list(again) == ["x", "y", "z"] and again["y"].to_list() == JAGGED.to_list()
    assert pc.open(path)["x"] == [0, 1, 2]
    module.save(path, {"only": np.arange(1)}, mode="w")
    assert list(module.load(path)) == ["only"]
    with pytest.raises(OSError):
        module.save(path, np.arange(1), mode="x")
    with pytest.raises(ValueError, match="mode"):
        module.save(path, np.arange(1), mode="r")


def test_conflicts_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    path = tmp_path / "a.awkd"
    module.save(path, {"x": np.arange(3)})
    before = path.read_bytes()
    for arrays in ({"x": np.arange(1)}, {"new": np.arange(1), "x": np.arange(2)}, {"p": np.arange(1), "pq": np.arange(1)}):
        with pytest.raises(KeyError) as caught:
            module.save(path, arrays)
        assert isinstance(caught.value, pc.PolycodecError)
    assert path.read_bytes() == before and sorted(os.listdir(tmp_path)) == ["a.awkd"]
    storage: dict[str, bytes] = {}
    module.serialize(JAGGED, storage, "y")
    kept = dict(storage)
    with pytest.raises(KeyError, match="'y'"):
        module.serialize(np.arange(3), storage, "y")
    assert storage == kept


def test_any_mapping_is_a_store() -> None:
    storage: dict[str, Any] = {"other": b"stays"}
    module.serialize(JAGGED, storage, "a", delimiter="/", suffix=".raw", schemasuffix=".json")
    assert set(module.keys(storage, "a.json")) == set(storage) - {"other"} and "a.json" in storage
    assert all(name.startswith("a/") and name.endswith(".raw") for name in storage if name not in ("a.json", "other"))
    assert module.deserialize(storage, "a.json").to_list() == JAGGED.to_list()
    arrays = {name: np.frombuffer(data, "u1") for name, data in storage.items()}  # as a file of HDF5 gives them
    assert module.deserialize(arrays, "a.json").to_list() == JAGGED.to_list()
    plain: dict[str, Any] = {}
    module.serialize(np.arange(4), plain)
    assert module.deserialize(plain).tolist() == [0, 1, 2, 3] and "" in plain
    with pytest.raises(KeyError):
        module.deserialize(storage, "none")
    for broken in (b"no JSON", b"{}", b"[]"):
        with pytest.raises(pc.FormatError):
            module.deserialize({"a": broken}, "a")


@pytest.mark.parametrize(
    "rules,compressed",
    [
        (None, False),
        (False, False),
        (True, True),
        (zlib.compress, True),
        (lzma.compress, True),
        ((zlib.compress, ("zlib", "decompress")), True),
        ({"minsize": 10**6, "pair": (zlib.compress, ("zlib", "decompress"))}, False),
        ([{"types": [np.floating], "pair": zlib.compress}], False),
        ([{"types": np.integer, "contexts": "*.nothing", "enc": zlib.compress}], False),
        ([{"types": np.integer, "enc": zlib.compress, "dec": ("zlib", "decompress")}], True),
        (module.compression, True),
    ],
)
def test_compression(rules: Any, compressed: bool) -> None:
    storage: dict[str, bytes] = {}
    module.serialize(np.zeros(5000, "i8"), storage, "a", compression=rules)
    assert (sum(map(len, storage.values())) < 20_000) is compressed
    assert module.deserialize(storage, "a").tolist() == [0] * 5000


def test_the_default_compresses_integers_fast(tmp_path: Path) -> None:
    numbers = np.arange(100_000)
    pc.save(numbers, tmp_path / "a.awkd")
    with zipfile.ZipFile(tmp_path / "a.awkd") as archive:
        (blob,) = (archive.read(name) for name in archive.namelist() if name.endswith(".raw"))
    assert blob[:2] == b"\x78\x01" and len(blob) < 200_000  # the head of zlib says the level
    assert zlib.decompress(blob) == numbers.tobytes()


def test_compression_without_a_partner() -> None:
    with pytest.raises(pc.UnsupportedError, match="partner"):
        module.serialize(np.arange(3), {}, compression=bytes)


def test_the_whitelist_allows_functions() -> None:
    storage: dict[str, bytes] = {}
    module.serialize(np.zeros(5000, "i8"), storage, "a", compression=True)
    for allowed in ("*", ["*"], [["*"]], [["numpy", "*"], ["zlib", "decompress"], ["awkward0", "*"]]):
        assert len(module.deserialize(storage, "a", whitelist=allowed)) == 5000
    with pytest.raises(pc.DeniedError):
        module.deserialize(storage, "a", whitelist=[["numpy", "frombuffer"], ["awkward0", "numpy", "frombuffer"]])


def test_hdf5_is_a_dict(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "a.h5", "w") as file:
        arrays = module.hdf5(file)
        arrays["x"] = JAGGED
        arrays["n"] = np.arange(3)
        file["plain"] = np.arange(4)
        assert list(arrays) == ["n", "x"] and len(arrays) == 2 and "x" in arrays
        assert arrays["x"].to_list() == JAGGED.to_list() and arrays["n"].tolist() == [0, 1, 2]
        with pytest.raises(KeyError, match="delete"):
            arrays["x"] = np.arange(2)
        del arrays["x"]
        arrays["x"] = np.arange(2)
        assert arrays["x"].tolist() == [0, 1] and dict(arrays).keys() == {"n", "x"}
        with pytest.raises(KeyError):
            del arrays["plain"]
        assert "plain" in file


def test_file_objects() -> None:
    file = io.BytesIO()
    module.save(file, {"a": np.arange(3)})
    module.save(file, {"b": JAGGED})
    file.seek(0)
    assert list(module.load(file)) == ["a", "b"]


def test_the_reader_of_weaver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """weaver-core, a program for analyses, reads .awkd files by the functions of the archived library."""
    source = Path(__file__).resolve().parents[3] / "build/peers/weaver/weaver/utils/data/fileio.py"
    if not source.exists():
        pytest.skip("weaver-core is missing: scripts/fetch_peers.sh gets it")
    # It is read alone: the package needs torch.
    for name in ("weaver", "weaver.utils", "weaver.utils.data", "weaver.utils.data.tools", "weaver.utils.logger", "tqdm"):
        package = types.ModuleType(name)
        package.__path__ = []
        package.__dict__.update(_concat=ak.concatenate, _logger=logging.getLogger("weaver"), warn_n_times=print)
        monkeypatch.setitem(sys.modules, name, package)
    monkeypatch.setitem(sys.modules, "awkward0", module)
    monkeypatch.setattr(ak, "from_awkward0", lambda array: array, raising=False)  # which awkward 2 has no more
    spec = importlib.util.spec_from_file_location("weaver.utils.data.fileio", source)
    assert spec is not None and spec.loader is not None
    fileio = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fileio)
    path = tmp_path / "a.awkd"
    module.save(path, {"pt": JAGGED, "label": np.array([1, 0, 1])})
    read = fileio._read_files([str(path)], ["pt", "label"], (0.4, 1))
    assert read["label"].tolist() == [0, 1] and read["pt"].to_list() == [[], [3.5]]
