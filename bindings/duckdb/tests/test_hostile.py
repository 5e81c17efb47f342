# SPDX-License-Identifier: MIT
"""Damaged files are errors. A crash would end the process of the tests."""

import json
import random
import struct
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import duckdb
import pytest

from conftest import VECTORS, Query, decode

SEEDS = [
    *sorted((VECTORS / "awkward").glob("jagged*.awkd")),
    *sorted((VECTORS / "awkward").glob("union*.awkd")),
    *sorted((VECTORS / "ply").glob("*.ply"))[:20],
    *sorted((VECTORS / "msgpack_ndarray").glob("nd_*.msgpack"))[:20],
]


def test_mutated_files(sql: Query, tmp_path: Path) -> None:
    source = random.Random(1)
    outcomes = {"rows": 0, "error": 0}
    for _ in range(400):
        seed = source.choice(SEEDS)
        content = bytearray(seed.read_bytes())
        for _ in range(source.randint(1, 4)):
            if content:
                content[source.randrange(len(content))] = source.randrange(256)
        if source.random() < 0.2:
            del content[source.randrange(len(content) + 1) :]
        path = tmp_path / f"damaged{seed.suffix}"
        path.write_bytes(content)
        try:
            sql("FROM read_polycodec(?)", [str(path)])
            sql("FROM polycodec_inspect(?)", [str(path)])
            outcomes["rows"] += 1
        except duckdb.Error:
            outcomes["error"] += 1
    assert outcomes["rows"] > 20, outcomes
    assert outcomes["error"] > 20, outcomes


def test_files_that_are_known_to_be_bad(sql: Query) -> None:
    bad = [
        path for path in sorted((VECTORS / "ply" / "bad").glob("*.ply")) if decode(str(path), "--from", "ply").returncode
    ]
    assert len(bad) > 10
    for path in bad:
        with pytest.raises(duckdb.Error, match="read_polycodec"):
            sql("FROM read_polycodec(?, codec := 'ply')", [str(path)])


def test_lists_that_share_their_items(sql: Query, tmp_path: Path) -> None:
    """A small file that describes a row of 10^12 items is rejected."""
    size = 1000

    def view(child: object, notation: str) -> object:
        column = {"type": f"{size} * int64", "value": [0] * size}
        stops = {"type": f"{size} * int64", "value": [size] * size}
        body = {"layout": "list_view", "length": size, "starts": column, "stops": stops}
        return {"type": notation, "value": {"$layout": {**body, "children": [child]}}}

    value: object = {"type": f"{size} * int8", "value": [1] * size}
    notation = "int8"
    for _ in range(4):
        notation = f"var * {notation}"
        value = view(value, f"{size} * {notation}")
    path = tmp_path / "shared.json"
    path.write_text(json.dumps(value))
    with pytest.raises(duckdb.Error, match=r"items in lists|limit"):
        sql("SELECT count(value) FROM read_polycodec(?, codec := 'text')", [str(path)])


def test_too_many_columns(sql: Query, tmp_path: Path) -> None:
    path = tmp_path / "wide.json"
    path.write_text(json.dumps({f"c{i}": i for i in range(5000)}))
    with pytest.raises(duckdb.Error, match="a table has at most 4096"):
        sql("FROM read_polycodec(?, codec := 'text')", [str(path)])


def _call(name: str, *arguments: Any) -> dict[str, Any]:
    return {"call": ["awkward0", *name.split(".")], "args": list(arguments)}


def _numbers(blob: str, kind: str, count: int) -> dict[str, Any]:
    return _call("numpy.frombuffer", {"read": blob}, {"dtype": kind}, {"json": count})


def _archive(path: Path, blobs: dict[str, bytes], schema: dict[str, Any]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in blobs.items():
            archive.writestr(name, content)
        archive.writestr(".json", json.dumps({"awkward0": "0.15.5", "schema": schema}))
    return path


def _table_of_itself(path: Path, levels: int) -> Path:
    at = {**_numbers("1.raw", "int64", 3), "id": 1}
    for level in range(levels):
        pairs = [["x", at], ["y", {"ref": at["id"]}]]
        at = {**_call("Table.frompairs", {"pairs": pairs}, {"json": 0}), "id": level + 2}
    return _archive(path, {"1.raw": struct.pack("<3q", 0, 1, 2)}, at)


def _lists_of_all(path: Path, lists: int, levels: int) -> Path:
    blobs = {
        "1.raw": struct.pack(f"<{lists}q", *[0] * lists),
        "2.raw": struct.pack(f"<{lists}q", *[lists] * lists),
        "3.raw": struct.pack(f"<{lists}d", *range(lists)),
    }
    at = _numbers("3.raw", "float64", lists)
    for _ in range(levels):
        at = _call("JaggedArray", _numbers("1.raw", "int64", lists), _numbers("2.raw", "int64", lists), at)
    return _archive(path, blobs, at)


QUERY = """
import json, resource, sys
import duckdb
from conftest import connect
connection = connect()
connection.execute("SET threads = 1")
connection.execute("FROM read_polycodec(?)", [sys.argv[3]]).fetchall()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    connection.execute(sys.argv[1], [sys.argv[2]]).fetchmany(10)
    outcome = "rows"
except duckdb.Error as error:
    outcome = f"error {error}"
print()
print(json.dumps([outcome, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024]))
"""


@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(*) FROM read_polycodec(?)",
        "FROM read_polycodec(?)",
        "FROM polycodec_inspect(?)",
        "SELECT address FROM polycodec_inspect(?)",
    ],
)
def test_shared_parts(query: str, tmp_path: Path) -> None:
    """Files of some kilobytes that describe very many items cost what their bytes earn."""
    small = _table_of_itself(tmp_path / "small.awkd", 2)
    files = [
        _table_of_itself(tmp_path / "table12.awkd", 12),
        _table_of_itself(tmp_path / "table25.awkd", 25),
        _lists_of_all(tmp_path / "lists2.awkd", 2, 30),
        _lists_of_all(tmp_path / "lists20.awkd", 20, 7),
        _lists_of_all(tmp_path / "lists99.awkd", 99, 3),
        _lists_of_all(tmp_path / "lists1000.awkd", 1000, 3),
    ]
    for path in files:
        ended = subprocess.run(
            [sys.executable, "-c", QUERY, query, str(path), str(small)],
            capture_output=True,
            text=True,
            timeout=30,
            cwd=Path(__file__).parent,
            check=False,
        )
        assert ended.returncode == 0, ended.stderr
        outcome, megabytes = json.loads(ended.stdout.splitlines()[-1])
        assert outcome.startswith(("rows", "error")), outcome
        assert megabytes < 350, (path.name, outcome)
