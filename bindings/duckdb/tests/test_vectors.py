# SPDX-License-Identifier: MIT
"""Files that other implementations wrote: SQL says what the command prints."""

import base64
import datetime
import json
import math
from pathlib import Path
from typing import Any

import pytest

from conftest import VECTORS, Query, decode

FILES = [
    (path, codec)
    for directory, pattern, codec in (
        ("awkward", "*.awkd", "awkward"),
        ("msgpack_ndarray", "*.msgpack", "msgpack-ndarray"),
        ("ply", "*.ply", "ply"),
        ("obj", "*.obj", "obj"),
    )
    for path in sorted((VECTORS / directory).glob(pattern))
]

# What the engine has no type for. The error says so.
NO_TYPE = ("no common Arrow type", "is not exactly a count", "unsupported", "a table has", "reference where")


def same(expected: Any, found: Any) -> bool:
    """Compares plain JSON of the command with a value of Python."""
    if isinstance(expected, dict) and len(expected) == 1 and next(iter(expected)).startswith("$"):
        kind, body = next(iter(expected.items()))
        if kind == "$union":
            return same(body[1], found)
        if kind == "$tuple":
            return same({str(i): item for i, item in enumerate(body)}, found)
        if kind == "$complex":
            return same({"re": body[0], "im": body[1]}, found)
        if kind == "$bytes":
            return bool(base64.b64decode(body) == found)
        if kind == "$float":
            return math.isnan(found) if "nan" in body or body.startswith("0x") else float(body) == found
        if kind == "$datetime":
            if body == "NaT":
                return found is None
            # Times of Python have microseconds, so the engine rounds.
            wanted = datetime.datetime.fromisoformat(body).replace(tzinfo=None)
            return isinstance(found, datetime.datetime) and abs(found - wanted) <= datetime.timedelta(microseconds=1)
        raise AssertionError(f"no rule for {kind}")
    if expected == {}:
        return found is None  # the engine has no struct without members
    if isinstance(expected, dict):
        return (
            isinstance(found, dict) and list(expected) == list(found) and all(same(expected[k], found[k]) for k in expected)
        )
    if isinstance(expected, list):
        return isinstance(found, list | tuple) and len(expected) == len(found) and all(map(same, expected, found))
    if isinstance(expected, float) and isinstance(found, float):
        return math.isclose(expected, found, rel_tol=1e-3, abs_tol=1e-44)  # JSON has the shortest digits of a float16
    return bool(expected == found)


@pytest.mark.parametrize(("path", "codec"), FILES, ids=[f"{codec}-{path.stem}" for path, codec in FILES])
def test_sql_reads_what_the_command_prints(sql: Query, connection: Any, path: Path, codec: str) -> None:
    printed = decode(str(path), "--from", codec)
    query = "FROM read_polycodec(?, codec := ?)"
    if printed.returncode != 0:
        with pytest.raises(Exception, match="read_polycodec"):
            sql(query, [str(path), codec])
        return
    expected = json.loads(printed.stdout)
    try:
        rows = sql(query, [str(path), codec])
    except Exception as problem:
        assert any(reason in str(problem) for reason in NO_TYPE), str(problem)
        pytest.skip("no type of SQL")
    names = [column[0] for column in connection.description]
    items = expected if isinstance(expected, list) else [expected]
    is_table = bool(items) and isinstance(items[0], dict) and names != ["value"]
    assert len(rows) == len(items)
    for item, row in zip(items, rows, strict=True):
        if is_table:
            assert same(item, dict(zip(names, row, strict=True))), (item, row)
        else:
            assert same(item, row[0]), (item, row)


def test_most_files_have_types() -> None:
    """The test above must not skip all that is hard."""
    assert len(FILES) > 150
