# SPDX-License-Identifier: MIT
"""Small files that ask for much, read by queries: tests/torture/costly.py makes them."""

import importlib
import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest

from conftest import SOURCE, connect

sys.path.insert(0, str(SOURCE / "tests" / "torture"))
costly: Any = importlib.import_module("costly")
awkward: Any = importlib.import_module("costly_awkward")
walks: Any = importlib.import_module("walks")

# The engine has memory of its own for rows: ENGINE at most, by its own limit, which is part of what is measured.
ENGINE = "64MB"
QUERIES = (
    "SELECT count(*) FROM read_polycodec(?)",
    "FROM read_polycodec(?)",
    "FROM polycodec_inspect(?)",
    "SELECT address FROM polycodec_inspect(?)",
)
CHOSEN = [made for made in (make() for make in costly.FILES) if made.name in walks.WORST]


def driver() -> None:
    """Does each query on a file, each in a child of its own that has read a small file before."""
    small, path = sys.argv[1:]

    def begin(query: str) -> Any:
        connection = connect()
        connection.execute(f"SET threads = 2; SET memory_limit = '{ENGINE}'; SET enable_progress_bar = false")
        connection.execute(query, [small]).fetchall()

        def rest() -> str | None:
            try:
                connection.execute(query, [path]).fetchmany(10)
            except duckdb.Error as error:
                return f"{type(error).__name__}: {str(error)[:1000]}"
            return None

        return rest

    walks.each_in_a_child({query: lambda query=query: begin(query) for query in QUERIES})


@pytest.mark.parametrize("made", CHOSEN, ids=lambda made: made.name)
def test_queries_of_a_small_file_are_bounded(made: Any, tmp_path: Path) -> None:
    for name, data in {made.name: made.data, "small.awkd": awkward.tables(2), **made.beside}.items():
        (tmp_path / name).write_bytes(data)
    paths = [str(tmp_path / name) for name in ("small.awkd", made.name)]
    program = "import test_cost; test_cost.driver()"
    done = walks.run([sys.executable, "-c", program, *paths], Path(__file__).parent)
    assert len(done) == len(QUERIES)
    assert [walked.wrong for walked in done if walked.wrong] == []
