# SPDX-License-Identifier: MIT
"""Files of object stores and web servers, through fsspec."""

from __future__ import annotations

from pathlib import Path

import fsspec
import numpy as np
import pytest
from distributed import Client
from five_formats import write
from web import serve

import polycodec as pc
from polycodec.dask import convert, find, read

ROWS = 40_000
RECORDS = np.zeros(ROWS, [("x", "<f4"), ("n", "<i4")])
RECORDS["x"], RECORDS["n"] = np.arange(ROWS) / 2, np.arange(ROWS)


def test_a_store_in_memory(tmp_path: Path) -> None:
    """The store is memory of one process, so the workers are threads of this one."""
    memory = fsspec.filesystem("memory")
    paths = [write(tmp_path, index) for index in range(5)]
    for path in paths:
        memory.pipe_file(f"/in/below/{path.name}", path.read_bytes())
    with Client(processes=False, n_workers=1, threads_per_worker=2, dashboard_address=":0", timeout=300) as client:
        assert [file.source for file in find("memory://in/**")] == [f"below/{path.name}" for path in paths]
        arguments = {"to": "dynd", "out": "memory://out", "client": client, "report": tmp_path / "report"}
        report = convert("memory://in", **arguments)
        assert report.count("converted") == 5, report
        for path in paths:
            output = pc.open(f"memory://out/below/{path.stem}.dynd")
            source = pc.open(path)
            assert pc.default_registry().address(output, logical=True) == pc.default_registry().address(
                source, logical=True
            )
        assert convert("memory://in", **arguments).count("skipped") == 5
        memory.pipe_file(f"/in/below/{paths[0].name}", paths[0].read_bytes()[:-1])
        again = convert("memory://in", **arguments)
        assert (again.count("failed"), again.count("skipped")) == (1, 4)
        with pytest.raises(pc.InvalidError, match="report="):
            convert("memory://in", to="dynd", out="memory://out", client=client)


@pytest.mark.parametrize(
    ("name", "thing", "at"),
    [
        ("plain.msgpack", RECORDS["x"].reshape(-1, 4), None),
        ("columns.msgpack", {"x": np.ascontiguousarray(RECORDS["x"]), "n": np.ascontiguousarray(RECORDS["n"])}, None),
        ("records.ply", {"vertex": RECORDS}, "$.vertex"),
    ],
)
def test_chunks_over_http_are_ranges_of_bytes(
    client: Client, tmp_path: Path, name: str, thing: object, at: str | None
) -> None:
    options = {"format": "binary_little_endian"} if name.endswith(".ply") else None
    pc.save(thing, tmp_path / name, options=options, codec="ply" if options else None)
    local = read(tmp_path / name, at=at, chunks=1000).to_bag().compute()
    with serve(tmp_path) as served:
        files = read(f"{served.url}/{name}", at=at, chunks=1000)
        delayed = files.to_delayed()
        assert len(delayed) == len(local) >= 10
        served.sent.clear()  # of the description, which reads all
        value = client.compute(delayed[3]).result(300)
        size = (tmp_path / name).stat().st_size
        assert 0 < served.sent[name] <= 1.05 * size / len(local) + 100
        assert value == local[3]
        assert value.type == local[3].type
        assert files.to_bag().map(len).sum().compute() == sum(map(len, local))


def test_files_without_ranges_over_http(client: Client, tmp_path: Path) -> None:
    pc.save({"vertex": RECORDS[:100]}, tmp_path / "a.ygg")
    local = read(tmp_path / "a.ygg", at="$.vertex", chunks=30).to_bag().compute()
    with serve(tmp_path) as served:
        remote = read(f"{served.url}/a.ygg", at="$.vertex", chunks=30).to_bag().compute()
        assert remote == local
        assert [len(value) for value in remote] == [30, 30, 30, 10]
        with pytest.raises((pc.FileError, FileNotFoundError)):
            read(f"{served.url}/missing.ygg").to_bag().compute()
