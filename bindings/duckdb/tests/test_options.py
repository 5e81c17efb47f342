# SPDX-License-Identifier: MIT
"""Options of a query open no file: the engine decides which files a query may see."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from conftest import COMMAND, VECTORS, Query, connect

SCHEMA = VECTORS / "fastbin" / "strings.schema.json"


def _options() -> Iterator[tuple[str, str, Any]]:
    """Options of all codecs that name a file, or that their manifest marks as the host's alone."""
    listed = subprocess.run([COMMAND, "list", "--json"], capture_output=True, text=True, check=True).stdout
    for codec in json.loads(listed)["codecs"]:
        for name, schema in codec["options"].get("properties", {}).items():
            if schema.get("host_only") or schema.get("role") == "file":
                yield codec["name"], name, True if schema["type"] == "boolean" else str(SCHEMA)


OPTIONS = list(_options())


def test_there_are_some() -> None:
    assert {("fastbin", "schema_file"), ("awkward", "check")} <= {(codec, name) for codec, name, _ in OPTIONS}


@pytest.mark.parametrize(("codec", "name", "value"), OPTIONS)
def test_they_are_denied(sql: Query, codec: str, name: str, value: Any, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"x")
    with pytest.raises(duckdb.Error, match=f"'{name}' is for the host alone"):
        sql("FROM read_polycodec(?, codec := ?, options := ?)", [str(tmp_path / "x"), codec, json.dumps({name: value})])


def test_a_locked_engine_opens_nothing_else(tmp_path: Path) -> None:
    allowed = tmp_path / "allowed"
    allowed.mkdir()
    (allowed / "x").write_bytes(b"x")
    os.mkfifo(tmp_path / "pipe")  # who opens it waits for ever
    (tmp_path / "secret").write_text("secret")
    connection = connect()
    connection.execute(f"SET allowed_directories = ['{allowed}/']")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
    told = set()
    for path in ("secret", "none", "pipe"):
        options = json.dumps({"schema_file": str(tmp_path / path)})
        with pytest.raises(duckdb.Error, match="for the host alone") as error:
            connection.execute(f"FROM read_polycodec('{allowed}/x', codec := 'fastbin', options := '{options}')")
        told.add(str(error.value))
    assert len(told) == 1, "it is not even said whether the file exists"


def test_the_content_may_be_given(sql: Query, tmp_path: Path) -> None:
    path = VECTORS / "fastbin" / "strings__len5.bin"
    options = json.dumps({"schema": json.loads(SCHEMA.read_text()), "root": "One"})
    assert len(sql("FROM read_polycodec(?, codec := 'fastbin', options := ?)", [str(path), options])) == 1
