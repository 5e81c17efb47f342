# SPDX-License-Identifier: MIT
"""The extension within the engine: settings, rights, threads, and the end."""

import subprocess
import sys
import threading
from pathlib import Path

import duckdb
import pytest

from conftest import VECTORS, Query, connect

FILE = str(VECTORS / "ply" / "own_crlf_ascii.ply")
VERTICES = "read_polycodec(?, at := '$.vertex')"


def test_limits_are_settings(sql: Query) -> None:
    sql("SET polycodec_max_work = 1")
    with pytest.raises(duckdb.Error, match="SET polycodec_max_work"):
        sql(f"FROM {VERTICES}", [FILE])
    sql("RESET polycodec_max_work")
    assert sql(f"FROM {VERTICES}", [FILE])
    sql("SET polycodec_max_input_bytes = 10")
    with pytest.raises(duckdb.Error, match="max_input_bytes"):
        sql(f"FROM {VERTICES}", [FILE])
    sql("SET polycodec_max_input_bytes = -1")
    with pytest.raises(duckdb.Error, match="must be 0"):
        sql(f"FROM {VERTICES}", [FILE])


def test_copied_files(sql: Query) -> None:
    mapped = sql(f"FROM {VERTICES}", [FILE])
    sql("SET polycodec_copy_files = true")
    assert sql(f"FROM {VERTICES}", [FILE]) == mapped


def test_the_engine_may_forbid_files(sql: Query) -> None:
    sql("SET enable_external_access = false")
    with pytest.raises(duckdb.Error, match="disabled by configuration"):
        sql(f"FROM {VERTICES}", [FILE])
    with pytest.raises(duckdb.Error, match="disabled by configuration"):
        sql(f"FROM {VERTICES}", [str(VECTORS / "ply" / "*.ply")])
    assert "disabled by configuration" in sql("SELECT error FROM polycodec_inspect(?)", [FILE])[0][0]


def test_the_engine_may_allow_one_directory(sql: Query, tmp_path: Path) -> None:
    """Within `allowed_directories`, no spelling of a path leads to another directory."""
    allowed, secret = tmp_path / "allowed", tmp_path / "secret"
    for place in (allowed, secret):
        (place / "deep").mkdir(parents=True)
        (place / "a.ply").write_bytes(Path(FILE).read_bytes())
    sql(f"SET allowed_directories = ['{allowed}/']")
    sql("SET enable_external_access = false")
    sql("SET lock_configuration = true")
    assert len(sql(f"FROM {VERTICES}", [str(allowed / "a.ply")])) == 3
    for path in (
        secret / "a.ply",
        f"{allowed}/../secret/a.ply",
        f"{allowed}/deep/../../secret/a.ply",
        f"{allowed}/./../secret/a.ply",
        f"{secret}/*.ply",
        f"{allowed}/../secret/*.ply",
        f"{allowed}/**/../../secret/*.ply",
        f"{secret}/[a].ply",
        f"{tmp_path}/*/a.ply",
        f"file://{secret}/a.ply",
        "http://127.0.0.1:1/a.ply",
        "s3://bucket/a.ply",
        "/etc/shadow",
        "/dev/stdin",
        "a.ply",
        "~/a.ply",
        str(secret),
    ):
        for query in (f"FROM {VERTICES}", f"FROM {VERTICES} LIMIT 0"):
            with pytest.raises(duckdb.Error):
                sql(query, [str(path)])
        with pytest.raises(duckdb.Error):
            sql(f"FROM {VERTICES}", [[str(allowed / "a.ply"), str(path)]])
    for setting in ("enable_external_access = true", "allowed_directories = ['/']", "lock_configuration = false"):
        with pytest.raises(duckdb.Error):
            sql(f"SET {setting}")


def test_wrong_arguments_are_errors(sql: Query) -> None:
    for at in ("$.", "$.vertex.none", "$.vertex[999999999999999999999]", "$..x", "$." + "a" * 100000, '$["', "[" * 10000):
        with pytest.raises(duckdb.Error):
            sql("FROM read_polycodec(?, at := ?)", [FILE, at])
    for query in (
        "FROM read_polycodec([])",
        "FROM read_polycodec([NULL])",
        "FROM read_polycodec(NULL)",
        "FROM read_polycodec('')",
        f"FROM read_polycodec('{FILE}', options := '[[[[')",
        f"FROM read_polycodec('{FILE}', options := '{{\"no such\": 1}}')",
        f"FROM read_polycodec('{FILE}', codec := '../../x')",
        f"FROM read_polycodec('{FILE}', at := '$.vertex', columns := ['none'])",
    ):
        with pytest.raises(duckdb.Error):
            sql(query)


def test_a_statement_that_is_prepared(sql: Query, tmp_path: Path) -> None:
    sql(f"PREPARE all_rows AS SELECT count(*) FROM read_polycodec('{FILE}', at := '$.vertex')")
    assert sql("EXECUTE all_rows") == sql("EXECUTE all_rows") == [(3,)]


def test_many_connections(connection: duckdb.DuckDBPyConnection) -> None:
    wrong: list[object] = []

    def work() -> None:
        own = connection.cursor()
        for _ in range(20):
            rows = own.execute(f"SELECT count(*), sum(x) FROM {VERTICES}", [[FILE] * 5]).fetchall()
            if rows[0][0] != 15:
                wrong.append(rows)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_an_interrupt_ends_a_query(connection: duckdb.DuckDBPyConnection) -> None:
    ended = threading.Event()

    def stop() -> None:
        while not ended.wait(0.01):
            connection.interrupt()

    stopper = threading.Thread(target=stop)
    stopper.start()
    try:
        with pytest.raises(duckdb.InterruptException):
            while True:  # until an interrupt falls into a query
                connection.execute(f"SELECT sum(x) FROM {VERTICES}", [[FILE] * 2000]).fetchall()
    finally:
        ended.set()
        stopper.join()
    assert connection.execute(f"SELECT count(*) FROM {VERTICES}", [FILE]).fetchall() == [(3,)]


def test_a_database_is_closed(tmp_path: Path) -> None:
    """Nothing of the extension keeps a database open: another process can write to it."""
    path = str(tmp_path / "some.db")
    opened = connect(path)
    opened.execute(f"CREATE TABLE vertices AS FROM {VERTICES}", [FILE])
    opened.close()
    script = f"import duckdb; print(duckdb.connect({path!r}).execute('SELECT count(*) FROM vertices').fetchone()[0])"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "3\n"


def test_load_again(sql: Query) -> None:
    from conftest import EXTENSION

    sql(f"LOAD '{EXTENSION}'")
    assert sql(f"FROM {VERTICES}", [FILE])
