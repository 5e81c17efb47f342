# SPDX-License-Identifier: MIT
"""polycodec_inspect: what is in files."""

import json
from pathlib import Path

from conftest import VECTORS, Query

FILE = VECTORS / "ply" / "own_crlf_ascii.ply"


def test_one_row_for_a_file_and_each_column(sql: Query) -> None:
    rows = sql("SELECT codec, file_bytes, at_path, column_name, sql_type, row_count FROM polycodec_inspect(?)", [str(FILE)])
    assert rows == [
        ("ply", FILE.stat().st_size, "$", None, None, None),
        ("ply", None, "$.vertex", "x", "FLOAT", 3),
        ("ply", None, "$.vertex", "y", "FLOAT", 3),
        ("ply", None, "$.vertex", "z", "FLOAT", 3),
        ("ply", None, "$.face", "vertex_indices", "INTEGER[3]", 1),
    ]
    (notes,) = sql("SELECT notes FROM polycodec_inspect(?) WHERE column_name IS NULL", [str(FILE)])[0]
    assert json.loads(notes)["format"] == "ascii"


def test_addresses_of_equal_columns_are_equal(sql: Query, tmp_path: Path) -> None:
    for name, notation in (("a.json", "2 * float64"), ("b.json", "2 * float64")):
        (tmp_path / name).write_text(json.dumps({"type": notation, "value": [1.5, 2.5]}))
    addresses = sql("SELECT address FROM polycodec_inspect(?, codec := 'text')", [str(tmp_path / "*.json")])
    assert len({address for (address,) in addresses}) == 1
    assert len(addresses[0][0]) == 64


def test_units(sql: Query, tmp_path: Path) -> None:
    path = tmp_path / "v.json"
    path.write_text(json.dumps({"type": "2 * {x: annotated[float64, units='cm']}", "value": [{"x": 1.0}, {"x": 2.0}]}))
    rows = sql("SELECT column_name, unit FROM polycodec_inspect(?, codec := 'text') WHERE column_name = 'x'", [str(path)])
    assert rows == [("x", "cm")]


def test_files_that_cannot_be_read_have_an_error(sql: Query, tmp_path: Path) -> None:
    (tmp_path / "broken.ply").write_text("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n")
    rows = sql(
        "SELECT filename, error FROM polycodec_inspect(?) WHERE error IS NOT NULL",
        [[str(FILE), str(tmp_path / "broken.ply")]],
    )
    assert len(rows) == 1
    assert "truncated" in rows[0][1]
