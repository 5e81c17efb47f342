# SPDX-License-Identifier: MIT
"""Tables of numbers as rows of msgpack, which are written at once."""

from __future__ import annotations

import msgpack
import numpy as np
import pytest

import polycodec as pc

CODEC = "msgpack-ndarray"
EDGES = [0, 1, 23, 24, 31, 32, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 2**31 - 1, 2**31, 2**32, 2**63 - 1, 2**63]
TYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", ">i2", ">i8", ">f4", ">f8", ">u4"]


def edges(dtype: str) -> np.ndarray:
    """Returns the numbers near the edges of all lengths that a type has."""
    if dtype == "?":
        return np.arange(2 * len(EDGES)) % 3 == 0
    if "f" in dtype:
        return np.array([*EDGES, *(-x / 3 for x in EDGES)], dtype)
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    return np.array([min(max(sign * x, least), most) for sign in (1, -1) for x in EDGES], dtype)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", ["", "x", "a name of 29 bytes, the most.", "a name of 31 bytes, and so more"])
def test_columns_of_numbers_become_rows(dtype: str, name: str) -> None:
    numbers = edges(dtype)
    for step in (1, -2):
        column = numbers[::step]
        columns = {name: column, "two": np.arange(len(column), dtype="u2"), "ok": column > 5}
        table = np.rec.fromarrays(list(columns.values()), dtype=[(key, x.dtype) for key, x in columns.items()])
        if name == "":
            table.dtype.names = ("", "two", "ok")
        expected = [
            dict(zip(columns, row, strict=True)) for row in zip(*(x.tolist() for x in columns.values()), strict=True)
        ]
        for source in (table, pc.value(table), pc.value(table)[1:]):
            data = pc.encode(source, CODEC)
            wanted = expected[len(expected) - len(source) :]
            assert msgpack.unpackb(data) == wanted
            if dtype[-2:] != "f4":  # which Python has as f8
                assert data == pc.encode(wanted, CODEC)


def test_many_rows_and_many_columns() -> None:
    rows = 20_000
    table = np.rec.fromarrays([np.arange(rows), np.arange(rows) / 3], names="i,x")
    assert msgpack.unpackb(pc.encode(table, CODEC)) == [{"i": i, "x": i / 3} for i in range(rows)]
    wide = np.zeros(3, [(f"column {i}", "u1") for i in range(2_000)])
    wide["column 7"] = 7
    assert msgpack.unpackb(pc.encode(wide, CODEC)) == [{f"column {i}": 7 * (i == 7) for i in range(2_000)}] * 3
    assert pc.encode(np.zeros(0, [("a", "i4")]), CODEC) == b"\x90"
    with pytest.raises(pc.LimitError, match="max_depth"):
        pc.encode(table[:2], CODEC, limits={"max_depth": 1})
