# SPDX-License-Identifier: MIT
"""Damaged files are errors. A crash would end the process of the tests."""

import json
import random
from pathlib import Path

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
