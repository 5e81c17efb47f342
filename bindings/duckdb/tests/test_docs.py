# SPDX-License-Identifier: MIT
"""The examples of docs/sql.md: each block `sql`, with the block `result` after it."""

import re
from pathlib import Path

import pytest

from conftest import SOURCE, Query

PAGE = (SOURCE / "docs" / "sql.md").read_text()
EXAMPLES = re.findall(r"```sql\n(.*?)```\n(?:\n```result\n(.*?)```)?", PAGE, re.DOTALL)


def test_there_are_examples() -> None:
    assert len(EXAMPLES) == PAGE.count("```sql\n") >= 6
    assert sum(bool(result) for _, result in EXAMPLES) == PAGE.count("```result\n")


@pytest.mark.parametrize(("query", "result"), EXAMPLES)
def test_example(sql: Query, monkeypatch: pytest.MonkeyPatch, query: str, result: str) -> None:
    monkeypatch.chdir(Path(SOURCE))
    rows = sql(query)
    if result:
        assert ["\t".join("NULL" if cell is None else str(cell) for cell in row) for row in rows] == result.splitlines()
