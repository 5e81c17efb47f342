# SPDX-License-Identifier: MIT
"""Every type of polycodec as a type of SQL, from files of typed JSON."""

import datetime
import json
from pathlib import Path
from typing import Any

import pytest

from conftest import Query

DAY = datetime.date
TIME = datetime.datetime

CASES: list[tuple[str, Any, str, list[Any]]] = [
    ("2 * bool", [True, False], "BOOLEAN", [True, False]),
    ("2 * int8", [-128, 127], "TINYINT", [-128, 127]),
    ("2 * int16", [-5, 5], "SMALLINT", [-5, 5]),
    ("2 * int32", [-5, 5], "INTEGER", [-5, 5]),
    ("2 * int64", [-(2**63), 2**63 - 1], "BIGINT", [-(2**63), 2**63 - 1]),
    ("2 * int128", [1, -(2**127)], "HUGEINT", [1, -(2**127)]),
    ("1 * uint8", [255], "UTINYINT", [255]),
    ("1 * uint16", [65535], "USMALLINT", [65535]),
    ("1 * uint32", [2**32 - 1], "UINTEGER", [2**32 - 1]),
    ("1 * uint64", [2**64 - 1], "UBIGINT", [2**64 - 1]),
    ("1 * uint128", [2**128 - 1], "UHUGEINT", [2**128 - 1]),
    ("4 * float16", [1.5, {"$float": "-inf"}, 5.960464477539063e-08, -0.5], "FLOAT", [1.5, -float("inf"), 2**-24, -0.5]),
    ("2 * float32", [1.5, -0.25], "FLOAT", [1.5, -0.25]),
    ("2 * float64", [0.1, 1e300], "DOUBLE", [0.1, 1e300]),
    ("1 * complex[float32]", [{"$complex": [1, -2]}], "STRUCT(re FLOAT, im FLOAT)", [{"re": 1.0, "im": -2.0}]),
    ("1 * complex[float64]", [{"$complex": [0.1, 2]}], "STRUCT(re DOUBLE, im DOUBLE)", [{"re": 0.1, "im": 2.0}]),
    ("2 * datetime[unit='Y']", [{"$datetime": "1969"}, {"$datetime": "2001"}], "DATE", [DAY(1969, 1, 1), DAY(2001, 1, 1)]),
    (
        "2 * datetime[unit='M']",
        [{"$datetime": "1899-12"}, {"$datetime": "2000-03"}],
        "DATE",
        [DAY(1899, 12, 1), DAY(2000, 3, 1)],
    ),
    ("1 * datetime[unit='W']", [{"$datetime": "1970-01-08"}], "DATE", [DAY(1970, 1, 8)]),
    ("2 * datetime[unit='D']", [{"$datetime": "2020-02-29"}, {"$datetime": "NaT"}], "DATE", [DAY(2020, 2, 29), None]),
    ("1 * datetime[unit='h']", [{"$datetime": "2020-01-02T03Z"}], "TIMESTAMP_S", [TIME(2020, 1, 2, 3)]),
    ("1 * datetime[unit='m']", [{"$datetime": "2020-01-02T03:04Z"}], "TIMESTAMP_S", [TIME(2020, 1, 2, 3, 4)]),
    ("1 * datetime[unit='s']", [{"$datetime": "1960-01-02T03:04:05Z"}], "TIMESTAMP_S", [TIME(1960, 1, 2, 3, 4, 5)]),
    (
        "1 * datetime[unit='ms']",
        [{"$datetime": "2020-01-02T03:04:05.006Z"}],
        "TIMESTAMP_MS",
        [TIME(2020, 1, 2, 3, 4, 5, 6000)],
    ),
    (
        "1 * datetime[unit='us']",
        [{"$datetime": "2020-01-02T03:04:05.000006Z"}],
        "TIMESTAMP",
        [TIME(2020, 1, 2, 3, 4, 5, 6)],
    ),
    (
        "1 * datetime[unit='ns']",
        [{"$datetime": "2020-01-02T03:04:05.000006000Z"}],
        "TIMESTAMP_NS",
        [TIME(2020, 1, 2, 3, 4, 5, 6)],
    ),
    ("1 * datetime[unit='ps']", [{"$datetime": "1970-01-02T00:00:00.000000000001Z"}], "BIGINT", [86_400_000_000_000_001]),
    (
        "2 * timedelta[unit='h']",
        [{"$timedelta": [36, "h"]}, {"$timedelta": ["NaT", "h"]}],
        "INTERVAL",
        [datetime.timedelta(hours=36), None],
    ),
    ("1 * timedelta[unit='us']", [{"$timedelta": [-7, "us"]}], "INTERVAL", [datetime.timedelta(microseconds=-7)]),
    ("1 * timedelta[unit='ns']", [{"$timedelta": [5, "ns"]}], "BIGINT", [5]),
    ("2 * string", ["", "a\u0000é"], "VARCHAR", ["", "a\u0000é"]),
    ("1 * fixed_string[8]", ["é"], "VARCHAR", ["é"]),
    ("2 * fixed_string[4, 'utf16']", ["ab", "\U0001f600"], "VARCHAR", ["ab", "\U0001f600"]),
    ("1 * fixed_string[3, 'utf32']", ["a\U0001f600"], "VARCHAR", ["a\U0001f600"]),
    ("1 * bytes", [{"$bytes": "AP8="}], "BLOB", [b"\x00\xff"]),
    ("1 * fixed_bytes[2]", [{"$bytes": "AAE="}], "BLOB", [b"\x00\x01"]),
    ("3 * ?int32", [1, None, 3], "INTEGER", [1, None, 3]),
    (
        "2 * 3 * 2 * int16",
        [[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]],
        "SMALLINT[2][3]",
        [((1, 2), (3, 4), (5, 6)), ((7, 8), (9, 10), (11, 12))],
    ),
    ("2 * 300 * uint8", [[7] * 300, [8] * 300], "UTINYINT[]", [[7] * 300, [8] * 300]),
    ("3 * ?2 * int8", [[1, 2], None, [3, 4]], "TINYINT[2]", [(1, 2), None, (3, 4)]),
    ("3 * ?var * string", [["a", "b"], None, []], "VARCHAR[]", [["a", "b"], None, []]),
    (
        "2 * var * {a: int8, b: ?string}",
        [[{"a": 1, "b": None}, {"a": 2, "b": "x"}], []],
        "STRUCT(a TINYINT, b VARCHAR)[]",
        [[{"a": 1, "b": None}, {"a": 2, "b": "x"}], []],
    ),
    (
        "3 * union[int8, string]",
        [{"$union": [1, "x"]}, {"$union": [0, 5]}, {"$union": [1, ""]}],
        "UNION(m0 TINYINT, m1 VARCHAR)",
        ["x", 5, ""],
    ),
    ("0 * float64", [], "DOUBLE", []),
]


def write(path: Path, notation: str, value: object) -> str:
    path.write_text(json.dumps({"type": notation, "value": value}))
    return str(path)


@pytest.mark.parametrize(("notation", "value", "expected_type", "expected"), CASES, ids=[case[0] for case in CASES])
def test_one_column(
    sql: Query, tmp_path: Path, notation: str, value: object, expected_type: str, expected: list[Any]
) -> None:
    file = write(tmp_path / "value.json", notation, value)
    described = sql("DESCRIBE FROM read_polycodec(?, codec := 'text')", [file])
    assert [(row[0], row[1]) for row in described] == [("value", expected_type)]
    assert [row[0] for row in sql("FROM read_polycodec(?, codec := 'text')", [file])] == expected


def test_nothing_but_null(sql: Query, tmp_path: Path) -> None:
    """Versions of the engine call the type of such a column differently."""
    file = write(tmp_path / "v.json", "2 * null", [None, None])
    assert sql("FROM read_polycodec(?, codec := 'text')", [file]) == [(None,), (None,)]


def test_float128_is_bytes(sql: Query, tmp_path: Path) -> None:
    file = write(tmp_path / "v.json", "1 * float128", [{"$float": "0x3fff8000000000000000000000000000"}])
    assert len(sql("FROM read_polycodec(?, codec := 'text')", [file])[0][0]) == 16


def test_records_are_rows(sql: Query, tmp_path: Path) -> None:
    file = write(
        tmp_path / "v.json",
        "3 * ?{a: int8, b: {c: ?string}}",
        [{"a": 1, "b": {"c": None}}, None, {"a": 3, "b": {"c": "x"}}],
    )
    assert sql("FROM read_polycodec(?, codec := 'text')", [file]) == [(1, {"c": None}), (None, None), (3, {"c": "x"})]
    # A member of a missing struct is missing.
    assert sql("SELECT b.c FROM read_polycodec(?, codec := 'text')", [file]) == [(None,), (None,), ("x",)]


def test_an_object_is_one_row(sql: Query, tmp_path: Path) -> None:
    file = tmp_path / "v.json"
    file.write_text(json.dumps({"time": 1.5, "tags": ["a", "b"], "point": {"x": 1, "y": 2}, "none": None, "empty": []}))
    rows = sql("FROM read_polycodec(?, codec := 'text')", [str(file)])
    assert rows == [(1.5, ["a", "b"], {"x": 1, "y": 2}, None, [])]
    assert sql("FROM read_polycodec(?, codec := 'text', at := '$.tags')", [str(file)]) == [("a",), ("b",)]
    assert sql("FROM read_polycodec(?, codec := 'text', at := '$.tags[1]')", [str(file)]) == [("b",)]


def test_lists_of_objects_are_rows(sql: Query, tmp_path: Path) -> None:
    file = tmp_path / "v.json"
    file.write_text(json.dumps([{"a": 1, "b": [1.5]}, {"a": 2, "b": []}]))
    assert sql("SELECT b, a FROM read_polycodec(?, codec := 'text')", [str(file)]) == [([1.5], 1), ([], 2)]


def test_names_that_sql_has_not(sql: Query, tmp_path: Path) -> None:
    value = {"x": 1, "X": 2, "": 3, "a b": 4, 'q"uote': 5, "ünï": 6, "tab\t": 7}
    file = tmp_path / "v.json"
    file.write_text(json.dumps({"in here": [value, value]}))
    query = "read_polycodec(?, codec := 'text', at := '$[\"in here\"]')"
    names = [row[0] for row in sql(f"DESCRIBE FROM {query}", [str(file)])]
    assert names == ["x", "X_1", "_", "a b", 'q"uote', "ünï", "tab\t"]
    assert sql(f'SELECT "q""uote", "X_1", _, "a b", "ünï", "tab\t" FROM {query}', [str(file)]) == [(5, 2, 3, 4, 6, 7)] * 2


def test_a_time_out_of_range_is_an_error(sql: Query, tmp_path: Path) -> None:
    file = write(tmp_path / "v.json", "1 * datetime[unit='Y']", [{"$datetime": "+99999999999"}])
    with pytest.raises(Exception, match="outside of the range of the type of SQL"):
        sql("FROM read_polycodec(?, codec := 'text')", [file])
