# SPDX-License-Identifier: MIT
"""Files that the engine opens by a URL: here from an object store of fsspec, as any that the engine knows."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import fsspec
import numpy as np
import plyfile
import pytest

from conftest import Query

ROWS = 1000


@pytest.fixture
def store(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> Iterator[fsspec.AbstractFileSystem]:
    """A store with the files a.ply and b.ply, whose x are 0 to 999 and ten times that."""
    made = fsspec.filesystem("memory")
    for name, factor in (("a", 1), ("b", 10)):
        vertex = np.zeros(ROWS, dtype=[("x", "f4"), ("y", "f4")])
        vertex["x"] = np.arange(ROWS) * factor
        plyfile.PlyData([plyfile.PlyElement.describe(vertex, "vertex")]).write(str(tmp_path / "one.ply"))
        made.pipe_file(f"/{name}.ply", (tmp_path / "one.ply").read_bytes())
    connection.register_filesystem(made)
    yield made
    made.rm("/", recursive=True)


@pytest.mark.usefixtures("store")
def test_files_of_an_object_store(sql: Query) -> None:
    table = "read_polycodec({}, at := '$.vertex', filename := true)"
    query = f"SELECT filename, count(*), sum(x) FROM {table} GROUP BY 1 ORDER BY 1"
    total = sum(range(ROWS))
    assert sql(query.format("'memory://a.ply'")) == [("memory://a.ply", ROWS, total)]
    assert sql(query.format("['memory://a.ply', 'memory://b.ply']")) == [
        ("memory://a.ply", ROWS, total),
        ("memory://b.ply", ROWS, 10 * total),
    ]
    assert sql("SELECT codec FROM polycodec_inspect('memory://a.ply') LIMIT 1") == [("ply",)]


@pytest.mark.usefixtures("store")
def test_a_file_that_an_object_store_lacks(sql: Query) -> None:
    with pytest.raises(duckdb.Error, match=r"none\.ply"):
        sql("FROM read_polycodec('memory://none.ply')")


@pytest.mark.usefixtures("store")
def test_a_file_of_an_object_store_has_a_largest_size(sql: Query) -> None:
    sql("SET polycodec_max_input_bytes = 100")
    with pytest.raises(duckdb.Error, match="polycodec_max_input_bytes"):
        sql("FROM read_polycodec('memory://a.ply')")
    sql("RESET polycodec_max_input_bytes")
    assert len(sql("FROM read_polycodec('memory://a.ply', at := '$.vertex')")) == ROWS


def test_a_store_that_the_engine_does_not_know(sql: Query) -> None:
    with pytest.raises(duckdb.Error, match=r"nowhere://a\.ply"):
        sql("FROM read_polycodec('nowhere://a.ply')")
