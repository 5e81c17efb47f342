# SPDX-License-Identifier: MIT
"""Files as collections of dask."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import awkward as ak
import numpy as np
import pytest
from distributed import Client
from five_formats import write

import polycodec as pc
from polycodec.dask import Failure, find, read

TIMEOUT = 300


def save(directory: Path, things: dict[str, Any]) -> str:
    """Writes files by name, and returns the pattern for them."""
    for name, thing in things.items():
        pc.save(thing, directory / name)
    return str(directory / "*")


def test_values_of_five_formats(client: Client, tmp_path: Path) -> None:
    paths = [write(tmp_path, index) for index in range(10)]
    delayed = read(paths, columns="$.vertex.y").to_delayed()
    values = client.gather(client.compute(delayed), direct=False)
    assert [value["vertex"].to_python() for value in values] == [
        [{"y": y} for y in range(3 + index % 5)] for index in range(10)
    ]


def test_a_bag_of_values_of_any_type(client: Client, tmp_path: Path) -> None:
    pattern = save(tmp_path, {"a.msgpack": [1, 2], "b.ygg": {"x": np.zeros(3)}, "c.dynd": "text"})
    bag = read(pattern).to_bag()
    assert bag.npartitions == 3
    assert bag.map(lambda value: value.kind).compute() == ["list", "object", "string"]


def test_an_array_has_the_rows_of_all_files(client: Client, tmp_path: Path) -> None:
    rows = [np.arange(6.0).reshape(3, 2), np.arange(20, dtype="i2").reshape(10, 2), np.ones((1, 2), ">f4")]
    pattern = save(tmp_path, {f"{i}.msgpack": {"x": array} for i, array in enumerate(rows)})
    array = read(pattern, at="$.x", chunks=4).to_dask_array()
    assert array.chunks == ((3, 4, 4, 2, 1), (2,))
    assert array.dtype == np.float64  # int16, float32 and float64 unified
    np.testing.assert_array_equal(array.compute(), np.concatenate(rows))
    np.testing.assert_array_equal(array[3:9].compute(), np.concatenate(rows)[3:9])


def test_rows_and_chunks_of_each_file(client: Client, tmp_path: Path) -> None:
    pattern = save(tmp_path, {"a.msgpack": np.arange(100), "b.dynd": np.arange(100, 200)})
    array = read(pattern, rows=slice(10, 35), chunks=10).to_dask_array()
    assert array.chunks == ((10, 10, 5, 10, 10, 5),)
    np.testing.assert_array_equal(array.compute(), np.r_[10:35, 110:135])
    sizes = [len(value) for value in read(pattern, chunks="200 B").to_bag().compute()]
    assert sum(sizes) == 200 and max(sizes) <= 25 and len(sizes) >= 8


def test_an_awkward_array_of_all_files(client: Client, tmp_path: Path) -> None:
    jagged = [[{"pt": [1.5, 2.5], "n": 1}, {"pt": [], "n": 2}], [{"pt": [3.5], "n": 3}]]
    pattern = save(tmp_path, {f"{i}.awkd": ak.Array(rows) for i, rows in enumerate(jagged)})
    array = read(pattern).to_dask_awkward()
    assert array.npartitions == 2
    assert array.fields == ["pt", "n"]
    assert array.compute().to_list() == jagged[0] + jagged[1]
    import dask_awkward as dak

    assert dak.sum(array.pt).compute() == 7.5
    assert read(pattern, chunks=1).to_dask_awkward().n.compute().to_list() == [1, 2, 3]


def test_types_are_unified(client: Client, tmp_path: Path) -> None:
    pattern = save(tmp_path, {"a.awkd": {"x": np.arange(2, dtype="i4")}, "b.awkd": {"x": np.array([0.5])}})
    array = read(pattern).to_dask_awkward()
    assert str(array.compute().type) == "3 * {x: float64}"
    parts = [array.partitions[i].compute() for i in range(2)]
    assert [str(part.type) for part in parts] == ["2 * {x: float64}", "1 * {x: float64}"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"x": np.arange(2)}, {"y": np.arange(2)}),
        ({"x": np.arange(2)}, {"x": ak.Array([["a"], []])}),
    ],
)
def test_unlike_types_are_an_error_that_shows_both(client: Client, tmp_path: Path, first: Any, second: Any) -> None:
    pattern = save(tmp_path, {"a.awkd": first, "b.awkd": second})
    types = [str(pc.open(tmp_path / name).type) for name in ("a.awkd", "b.awkd")]
    with pytest.raises(pc.MismatchError) as caught:
        read(pattern).to_dask_awkward()
    assert all(name in str(caught.value) for name in ("'a.awkd'", "'b.awkd'", *types))


def test_unlike_rows_are_an_error_that_shows_both(client: Client, tmp_path: Path) -> None:
    pattern = save(tmp_path, {"a.msgpack": np.zeros((2, 3)), "b.msgpack": np.zeros((2, 4))})
    with pytest.raises(pc.MismatchError, match=r"2 \* 3 \* float64.*2 \* 4 \* float64"):
        read(pattern).to_dask_array()


@pytest.mark.parametrize("chunks", [None, 2])
def test_files_that_cannot_be_read(client: Client, tmp_path: Path, chunks: int | None) -> None:
    pattern = save(tmp_path, {"a.msgpack": np.arange(3), "c.msgpack": np.arange(3)})
    (tmp_path / "b.msgpack").write_bytes((tmp_path / "a.msgpack").read_bytes()[:-1])
    with pytest.raises(pc.FormatError, match=r"b\.msgpack"):
        read(pattern, chunks=chunks).to_bag().compute()
    good = 2 if chunks is None else 4
    assert len(read(pattern, chunks=chunks, on_error="skip").to_bag().compute()) == good
    collected = read(pattern, chunks=chunks, on_error="collect")
    failures = [item for item in collected.to_bag().compute() if isinstance(item, Failure)]
    assert [(item.source, item.code) for item in failures] == [("b.msgpack", "truncated")]
    assert collected.to_dask_array().sum().compute() == 6
    assert [item.source for item in collected.errors] == ["b.msgpack"]
    delayed = read(pattern, on_error="skip").to_delayed()
    assert [item is None for item in client.gather(client.compute(delayed))] == [False, True, False]


def test_what_has_no_rows(client: Client, tmp_path: Path) -> None:
    pattern = save(tmp_path, {"a.msgpack": {"x": np.arange(3), "run": 7}})
    with pytest.raises(pc.MismatchError, match=r"a\.msgpack.*at="):
        read(pattern).to_dask_array()
    with pytest.raises(pc.MismatchError, match=r"a\.msgpack.*at="):
        read(pattern).to_dask_awkward()
    (value,) = read(pattern, chunks=2).to_bag().compute()
    assert value.to_python(arrays="numpy")["run"] == 7


def test_threads_of_a_file_are_one_by_default(client: Client, tmp_path: Path) -> None:
    files = read(save(tmp_path, {"a.msgpack": [1]}))
    assert files._opening.threads == 1
    assert read(str(tmp_path / "*"), threads=2).to_bag().count().compute() == 1


@pytest.mark.parametrize(("arguments", "match"), [({"on_error": "x"}, "on_error"), ({"chunks": 0}, "chunks")])
def test_wrong_arguments(tmp_path: Path, arguments: dict[str, Any], match: str) -> None:
    with pytest.raises(pc.InvalidError, match=match):
        read(save(tmp_path, {"a.msgpack": [1]}), **arguments)


def test_names_of_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.ply", "b/c.ply", "b/d/e.ply", "b/.hidden/f.ply", "b/.g.ply"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(name.encode())

    def sources(files: Any) -> list[str]:
        return [file.source for file in find(files)]

    monkeypatch.chdir(tmp_path)
    assert sources(tmp_path) == sources(".") == ["a.ply", "b/c.ply", "b/d/e.ply"]
    assert sources("**/*.ply") == ["a.ply", "b/c.ply", "b/d/e.ply"]
    assert sources("b/*.ply") == sources(["b/c.ply"]) == sources("b/c.ply") == ["c.ply"]
    assert sources(["b/c.ply", tmp_path / "b/d/e.ply"]) == ["c.ply", "d/e.ply"]
    assert [(file.location, file.size) for file in find("b/c.ply")] == [(str(tmp_path / "b/c.ply"), 7)]
    with pytest.raises(pc.NotFoundError, match="none"):
        find("none/*")
    with pytest.raises(pc.InvalidError, match="at least one"):
        find([])
    with pytest.raises(pc.InvalidError, match="mixed"):
        find(["a.ply", "memory://a.ply"])
