# SPDX-License-Identifier: MIT
"""Small files that ask for much, read by queries: tests/torture/costly.py makes them."""

import importlib
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from conftest import EXTENSION, SOURCE

sys.path.insert(0, str(SOURCE / "tests" / "torture"))
costly: Any = importlib.import_module("costly")

# The engine has memory of its own for rows, which its own limit bounds.
MEMORY = 900 * 10**6
SECONDS = 30
QUERIES = """
import sys
import duckdb

extension, path, most = sys.argv[1], sys.argv[2], int(sys.argv[3])
connection = duckdb.connect(config={"allow_unsigned_extensions": "true", "threads": "2", "memory_limit": "256MB"})
connection.execute(f"LOAD '{extension}'")

def memory(name):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(name)) * 1024

for query in ("SELECT count(*) FROM read_polycodec(?)", "FROM read_polycodec(?)", "FROM polycodec_inspect(?)"):
    print(query, flush=True)
    with open("/proc/self/clear_refs", "w") as peak:
        peak.write("5")
    base = memory("VmRSS:")
    try:
        connection.execute(query, [path]).fetchmany(10)
    except duckdb.Error as error:
        print("   ", type(error).__name__, str(error)[:200].encode("ascii", "replace"))
    taken = memory("VmHWM:") - base
    if taken > most:
        raise SystemExit(f"{query} took {taken >> 20} MiB")
"""
NAMES = ("dag25.awkd", "laugh2.awkd", "laugh20.awkd", "laugh99.awkd", "laugh1000.awkd", "unions20.awkd", "sparse.awkd",
         "chunks5000.awkd", "strings4000.awkd", "flags_of_nothing.msgpack", "empty_maps.msgpack", "million_voids.dynd",
         "rows.ply", "corners.ply", "zeros_million.gltf", "deep.json", "columns.json")  # fmt: skip
CHOSEN = [made for made in (make() for make in costly.FILES) if made.name in NAMES]


@pytest.mark.parametrize("made", CHOSEN, ids=lambda made: made.name)
def test_queries_of_a_small_file_are_bounded(made: Any, tmp_path: Path) -> None:
    path = tmp_path / made.name
    path.write_bytes(made.data)

    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))

    arguments = [sys.executable, "-c", QUERIES, EXTENSION, str(path), str(MEMORY)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False, preexec_fn=bound)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr[-2000:]}"
