# SPDX-License-Identifier: MIT
"""The engine with the extension. test.sh says where the extension, the command and the vectors are."""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

EXTENSION = os.environ["POLYCODEC_SQL_EXTENSION"]
COMMAND = os.environ["POLYCODEC_COMMAND"]
SOURCE = Path(__file__).resolve().parents[3]
VECTORS = SOURCE / "tests" / "vectors"

Rows = list[tuple[Any, ...]]
Query = Callable[..., Rows]


def connect(database: str = ":memory:") -> duckdb.DuckDBPyConnection:
    """Opens a database with the extension in it."""
    connection = duckdb.connect(database, config={"allow_unsigned_extensions": "true"})
    connection.execute(f"LOAD '{EXTENSION}'")
    return connection


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    opened = connect()
    yield opened
    opened.close()


@pytest.fixture
def sql(connection: duckdb.DuckDBPyConnection) -> Query:
    """Runs a query and gives its rows."""

    def run(query: str, parameters: object = None) -> Rows:
        return connection.execute(query, parameters).fetchall()

    return run


def decode(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Prints the value of a file as plain JSON, as the command reads it."""
    return subprocess.run([COMMAND, "decode", "--plain", *arguments], capture_output=True, text=True, check=False)
