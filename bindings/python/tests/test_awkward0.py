# SPDX-License-Identifier: MIT
"""Files of the real awkward 0.15, and files that it reads."""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path
from typing import Any

import awkward as ak
import numpy as np
import pytest

import polycodec as pc


def test_each_kind_of_array_opens_as_awkward_2(awkward0: Any, tmp_path: Path) -> None:
    awkward0("write", tmp_path)
    expected = pickle.loads((tmp_path / "items.pickle").read_bytes())
    assert len(expected) >= 36
    different = {}
    for name, items in expected.items():
        array = pc.open(tmp_path / f"{name}.awkd").to_awkward()
        assert isinstance(array, ak.Array)
        if array.to_list() != items:
            different[name] = (array.to_list(), items)
    assert different == {}


def test_nothing_but_numpy_and_awkward_is_needed(awkward0: Any, bare: Any, tmp_path: Path) -> None:
    awkward0("write", tmp_path)
    count, *installed = bare(tmp_path).stdout.split()
    assert int(count) >= 36 and {"numpy", "awkward", "polycodec"} <= set(installed)
    assert not {"pyarrow", "h5py", "zarr", "xarray", "dask", "numcodecs", "pandas", "pip"} & set(installed)
    items = json.loads((tmp_path / "back.json").read_text())
    paths = [tmp_path / f"back{i}.awkd" for i in range(len(items))]
    assert json.loads(awkward0("read", *paths).stdout) == items


def test_columns_are_read_when_they_are_used(awkward0: Any, tmp_path: Path) -> None:
    awkward0("write", tmp_path)
    array = pc.open(tmp_path / "table.awkd").to_awkward()
    assert array["j"][3, 1] == 5.5
    assert ak.sum(array["x"]) == 6


def test_checksums_are_checked_unless_the_file_is_trusted(awkward0: Any, tmp_path: Path) -> None:
    awkward0("write", tmp_path)
    path = tmp_path / "numpy_f8.awkd"
    data = path.read_bytes()
    assert data.count(np.float64(2).tobytes()) == 1
    path.write_bytes(data.replace(np.float64(2).tobytes(), np.float64(3).tobytes()))
    with pytest.raises(pc.FormatError, match="checksum"):
        pc.open(path)
    assert pc.open(path, trusted=True).to_numpy().tolist() == [0, 1, 3, 1]


def test_functions_of_python_are_never_run(awkward0: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    awkward0("write-functions", tmp_path)
    # A module of the name can be imported.
    (tmp_path / "polycodec_test_physics.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    # Objects open as what they are made of, and the class is a name.
    value = pc.open(tmp_path / "objects.awkd")
    assert value.metadata == {"generator": ["polycodec_test_physics", "Particle"]}
    assert value.to_awkward().to_list() == [0, 1, 2]
    # A generator is all that there is of the items.
    path = tmp_path / "generator.awkd"
    with pytest.raises(pc.DeniedError, match="Python functions are never imported or run") as caught:
        pc.open(path)
    assert '["polycodec_test_physics", "generate"]' in str(caught.value) and caught.value.detail == "function.denied"
    with pytest.raises(pc.NotFoundError, match="Python functions are never imported or run"):
        pc.open(path, allowlist=[["awkward0", "*"], ["polycodec_test_physics", "generate"]])
    # The same beside what the codec allows by itself.
    also = [["polycodec_test_physics", "generate"]]
    with pytest.raises(pc.NotFoundError, match="Python functions are never imported or run"):
        pc.open(path, allow_also=also)
    with pytest.raises(pc.NotFoundError, match="Python functions are never imported or run"):
        pc.Registry(allow_also=also).open(path)
    assert "polycodec_test_physics" not in sys.modules


ARRAYS: list[Any] = [
    ak.Array([[1.5, 2.5], [], [3.5]]),
    ak.Array([{"x": 1, "s": "eins", "j": [1.5]}, {"x": 2, "s": "zwei", "j": []}]),
    ak.Array([1, None, 3]),
    ak.Array([[1, None], None, [3]]),
    ak.Array(["a", "zwei", "\u00fc"]),
    ak.Array([[["a"], []], [["b", "c"]]]),
    ak.Array([1, "a", 2]),
    ak.Array(np.arange(6.0).reshape(3, 2)),
    ak.Array([True, False]),
    ak.Array(np.arange(3, dtype="i2")),
    ak.Array([b"\x00\xff", b""]),
    ak.Array([[1, 2], [], [3]])[[2, 0]],
]


def test_awkward_0_reads_arrays_of_awkward_2(awkward0: Any, tmp_path: Path) -> None:
    arrays = [x for x in ARRAYS if x.layout.parameter("__array__") != "bytestring"]  # the answer is JSON
    paths = [tmp_path / f"{i}.awkd" for i in range(len(arrays))]
    for path, array in zip(paths, arrays, strict=True):
        pc.save(array, path)
    assert json.loads(awkward0("read", *paths).stdout) == [x.to_list() for x in arrays]


@pytest.mark.parametrize("array", ARRAYS, ids=lambda a: str(a.type))
def test_arrays_of_awkward_2_come_back(array: Any, tmp_path: Path) -> None:
    pc.save(array, tmp_path / "a.awkd")
    assert pc.open(tmp_path / "a.awkd").to_awkward().to_list() == array.to_list()
