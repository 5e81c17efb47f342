# SPDX-License-Identifier: MIT
"""Prints the time for one of ten columns as a share of the time for all of them, for 10 files in several formats.

Usage: columns.py EXTENSION COMMAND [ROWS]   (rows of each file: 20000)
"""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb
import numpy as np
import plyfile

COLUMNS = [f"c{i}" for i in range(10)]
ROUNDS = 7


def write_files(folder: Path, command: str, rows: int) -> dict[str, str]:
    """Writes the files and gives a pattern for each format, and its `at`."""
    for i in range(10):
        random = np.random.default_rng(i)
        vertex = np.zeros(rows, dtype=[(name, "f4") for name in COLUMNS])
        for name in COLUMNS:
            vertex[name] = random.normal(size=len(vertex))
        element = plyfile.PlyElement.describe(vertex, "vertex")
        for kind, text in (("text", True), ("binary", False)):
            (folder / kind).mkdir(exist_ok=True)
            plyfile.PlyData([element], text=text).write(str(folder / kind / f"{i}.ply"))
        (folder / "awkward").mkdir(exist_ok=True)
        source, target = folder / "binary" / f"{i}.ply", folder / "awkward" / f"{i}.awkd"
        subprocess.run([command, "convert", str(source), str(target), "--quiet", "--lossy", "--no-compare"], check=True)
    return {"PLY, text": "text/*.ply", "PLY, binary": "binary/*.ply", "awkward": "awkward/*.awkd"}


def seconds(connection: duckdb.DuckDBPyConnection, columns: list[str], pattern: str) -> float:
    sums = ", ".join(f"sum({name})" for name in columns)
    start = time.perf_counter()
    connection.execute(f"SELECT {sums} FROM read_polycodec(?, at := '$.vertex')", [pattern]).fetchall()
    return time.perf_counter() - start


def main() -> None:
    extension, command, *rows = sys.argv[1:]
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true", "threads": 1})
    connection.execute(f"LOAD '{extension}'")
    with tempfile.TemporaryDirectory() as name:
        for title, pattern in write_files(Path(name), command, int(rows[0]) if rows else 20000).items():
            files = str(Path(name) / pattern)
            pairs = [(seconds(connection, COLUMNS[7:8], files), seconds(connection, COLUMNS, files)) for _ in range(ROUNDS)]
            one, everything = (statistics.median(times) for times in zip(*pairs, strict=True))
            share = statistics.median(a / b for a, b in pairs)
            print(f"{title:12} one {one * 1e3:7.1f} ms, ten {everything * 1e3:7.1f} ms, share {share:.2f}")


main()
