# SPDX-License-Identifier: MIT
"""Many files as one table, beside plyfile and numpy."""

import re
import zipfile
from pathlib import Path

import duckdb
import numpy as np
import plyfile
import pytest

from conftest import VECTORS, Query

VERTEX = [("x", "f4"), ("y", "f4"), ("z", "f4"), ("red", "u1")]


def write_ply(path: Path, vertex: np.ndarray, text: bool = False, order: str = "<") -> None:
    element = plyfile.PlyElement.describe(vertex, "vertex")
    plyfile.PlyData([element], text=text, byte_order=order).write(str(path))


def some_vertices(count: int, seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    vertex = np.zeros(count, dtype=VERTEX)
    for name in "xyz":
        vertex[name] = random.normal(size=count)
    vertex["red"] = random.integers(0, 256, size=count)
    return vertex


@pytest.fixture(scope="module")
def clouds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """500 files, of text and of both byte orders."""
    folder = tmp_path_factory.mktemp("clouds")
    for i in range(500):
        (folder / f"{i % 7}").mkdir(exist_ok=True)
        write_ply(folder / f"{i % 7}" / f"{i:03}.ply", some_vertices(5 + i % 50, i), i % 3 == 0, "<>"[i % 2])
    return folder


def test_500_files_as_plyfile_reads_them(sql: Query, clouds: Path) -> None:
    expected = []
    for path in sorted(clouds.glob("*/*.ply")):
        vertex = plyfile.PlyData.read(str(path))["vertex"]
        x = np.asarray(vertex["x"], dtype="f8")
        expected.append((str(path), len(x), float(x.min()), float(x.max()), int(np.sum(vertex["red"], dtype="i8"))))
    found = sql(
        "SELECT filename, count(*), min(x), max(x), sum(red) FROM read_polycodec(?, at := '$.vertex', filename := true)"
        " GROUP BY filename ORDER BY filename",
        [str(clouds / "*" / "*.ply")],
    )
    assert found == expected
    # Every row, in the order of each file.
    rows = sql(
        "SELECT list({'x': x, 'y': y, 'z': z, 'red': red}) FROM read_polycodec(?, at := '$.vertex', filename := true)"
        " GROUP BY filename ORDER BY filename",
        [str(clouds / "**" / "*.ply")],
    )
    for path, (vertices,) in zip(sorted(clouds.glob("*/*.ply")), rows, strict=True):
        vertex = plyfile.PlyData.read(str(path))["vertex"]
        assert [tuple(v.values()) for v in vertices] == [tuple(v.item() for v in row) for row in vertex.data]


def test_lists_of_names(sql: Query, clouds: Path) -> None:
    names = [str(clouds / "0" / "000.ply"), str(clouds / "1" / "*1.ply")]
    (files,) = sql("SELECT count(DISTINCT filename) FROM read_polycodec(?, at := '$.vertex', filename := true)", [names])[0]
    assert files == 1 + len(list((clouds / "1").glob("*1.ply")))


def test_rows_without_columns(sql: Query, clouds: Path) -> None:
    expected = sum(5 + i % 50 for i in range(500))
    assert sql("SELECT count(*) FROM read_polycodec(?, at := '$.vertex')", [str(clouds / "*" / "*.ply")]) == [(expected,)]
    (files,) = sql(
        "SELECT DISTINCT filename FROM read_polycodec(?, at := '$.vertex', filename := true)",
        [str(clouds / "0" / "007.ply")],
    )
    assert files == (str(clouds / "0" / "007.ply"),)


def test_numbers_that_nobody_asks_for_are_not_parsed(sql: Query, tmp_path: Path) -> None:
    """The other columns of a text hold what is no number, after the first row, which tells the types."""
    rows = "\n".join(["0 0.5 0"] + [f"bad {i} worse" for i in range(1, 100)])
    header = "".join(f"property float {name}\n" for name in "xyz")
    path = tmp_path / "text.ply"
    path.write_text(f"ply\nformat ascii 1.0\nelement vertex 100\n{header}end_header\n{rows}\n")
    assert sql("SELECT sum(y) FROM read_polycodec(?, at := '$.vertex')", [str(path)]) == [(sum(range(1, 100)) + 0.5,)]
    for column in "xz":
        with pytest.raises(duckdb.Error, match=rf"\.{column}"):
            sql(f"SELECT sum({column}) FROM read_polycodec(?, at := '$.vertex')", [str(path)])


def test_columns_that_nobody_asks_for_are_not_read(sql: Query, tmp_path: Path) -> None:
    """Damage in one column is found by those who read it, and by nobody else."""
    with zipfile.ZipFile(VECTORS / "awkward" / "table.awkd") as archive:
        blobs = {name: archive.read(name) for name in archive.namelist()}
    columns = [row[0] for row in sql("DESCRIBE FROM read_polycodec(?)", [str(VECTORS / "awkward" / "table.awkd")])]
    expected = sql(f'SELECT "{columns[0]}" FROM read_polycodec(?)', [str(VECTORS / "awkward" / "table.awkd")])
    alone = []  # for each blob: the columns that can be read without it
    for broken in blobs:
        if broken.endswith(".json"):
            continue
        path = tmp_path / "broken.awkd"
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in blobs.items():
                archive.writestr(name, content[: len(content) // 2] if name == broken else content)
        readable = []
        for column in columns:
            try:
                # The types come from the whole file that is before it.
                files = [str(VECTORS / "awkward" / "table.awkd"), str(path)]
                assert sql(f'SELECT "{column}" FROM read_polycodec(?)', [files])
                readable.append(column)
            except duckdb.Error:
                pass
        alone.append(readable)
    assert expected
    assert all(len(readable) < len(columns) for readable in alone)
    assert any(readable for readable in alone)


def test_chosen_columns(sql: Query, clouds: Path) -> None:
    file = str(clouds / "0" / "000.ply")
    for at in ("$.vertex", "vertex"):
        names = [row[0] for row in sql("DESCRIBE FROM read_polycodec(?, at := ?, columns := ['red', 'x'])", [file, at])]
        assert names == ["red", "x"]
    with pytest.raises(duckdb.BinderException, match=r"no column 'blue': the file has STRUCT.*\"red\" UTINYINT"):
        sql("FROM read_polycodec(?, at := '$.vertex', columns := ['blue'])", [file])


def test_unlike_files(sql: Query, tmp_path: Path) -> None:
    write_ply(tmp_path / "a.ply", np.array([(1, 2.5)], dtype=[("i", "u1"), ("x", "f4")]))
    write_ply(tmp_path / "b.ply", np.array([(-3, 4.25, 7)], dtype=[("i", "i4"), ("x", "f8"), ("n", "i2")]))
    files = [str(tmp_path / "a.ply"), str(tmp_path / "b.ply")]
    with pytest.raises(
        duckdb.InvalidInputException, match=r"b\.ply'.*\"n\" SMALLINT.*a\.ply'.*\"i\" UTINYINT.*union_by_name"
    ):
        sql("SELECT i FROM read_polycodec(?, at := '$.vertex')", [files])
    query = "FROM read_polycodec(?, at := '$.vertex', union_by_name := true) ORDER BY ALL"
    assert sql(query, [files]) == [(-3, 4.25, 7), (1, 2.5, None)]
    assert [row[1] for row in sql(f"DESCRIBE {query}", [files])] == ["INTEGER", "DOUBLE", "SMALLINT"]
    assert sql("SELECT n FROM read_polycodec(?, at := '$.vertex', union_by_name := true) ORDER BY n", [files]) == [
        (7,),
        (None,),
    ]


def test_faces_of_three_and_of_four(sql: Query) -> None:
    """Lists of one length are arrays. A file with several lengths makes them lists."""
    triangle, both = (str(VECTORS / "ply" / name) for name in ("own_crlf_ascii.ply", "own_list_then_scalar_then_list.ply"))
    assert sql("DESCRIBE FROM read_polycodec(?, at := '$.face')", [triangle])[0][1] == "INTEGER[3]"
    assert sql("FROM read_polycodec(?, at := '$.face')", [triangle])
    assert sql("FROM read_polycodec(?)", [both])


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("read_polycodec('{clouds}/none.ply')", "none.ply': cannot open"),
        ("read_polycodec('{clouds}/none*.ply')", "no file matches"),
        ("read_polycodec('{clouds}/0/000.ply', at := '$.vertx')", "did you mean 'vertex'"),
        ("read_polycodec('{clouds}/0/000.ply', at := '.')", "invalid path"),
        ("read_polycodec('{clouds}/0/000.ply', codec := 'plyy')", "plyy"),
        ("read_polycodec('{clouds}/0/000.ply', options := '{{}}')", "'options' without 'codec'"),
        ("read_polycodec('{clouds}/0/000.ply', columns := [])", "name at least one column"),
        ("read_polycodec(NULL)", "invalid first argument"),
        ("read_polycodec([])", "invalid first argument"),
        ("read_polycodec('http://*.example')", "list the URLs"),
    ],
)
def test_errors_say_what_to_do(sql: Query, clouds: Path, query: str, message: str) -> None:
    with pytest.raises(duckdb.Error, match=message):
        sql("FROM " + query.format(clouds=clouds))


def test_the_advice_of_an_error_reads_the_file(sql: Query, tmp_path: Path) -> None:
    file = tmp_path / "a.ply"
    file.write_text("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1,5\n")
    with pytest.raises(duckdb.Error) as refused:
        sql("FROM read_polycodec(?, at := '$.vertex')", [str(file)])
    advice = re.search(r"codec := 'NAME', (options := '[^']*')", str(refused.value))
    assert advice is not None, refused.value
    assert sql(f"FROM read_polycodec(?, at := '$.vertex', codec := 'ply', {advice[1]})", [str(file)]) == [(1.5,)]
