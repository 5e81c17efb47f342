# SPDX-License-Identifier: MIT
"""The examples of the documentation and the tutorial run as they are."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbclient
import nbformat
import pytest

import polycodec as pc

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs"


def blocks_of(page: Path) -> list[str]:
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
    assert blocks
    return blocks


def test_each_public_name_is_documented() -> None:
    pages = "".join(page.read_text() for page in DOCS.glob("python*.md"))
    missing = [name for name in pc.__all__ if not re.search(rf"\b{name}\b", pages)]
    assert missing == []
    assert [name for name in pc.__all__ if not getattr(pc, name).__doc__] == []


def test_readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for block in blocks_of(ROOT / "README.md"):
        exec(block, names)
    assert names["x"].size != 0


@pytest.mark.parametrize("page", ["python", "python-awkward", "python-yggdrasil"])
def test_examples(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    registry = pc.default_registry()
    pc.save([[1.5], [], [2.5, 3.5]], "events.awkd")
    pc.save({"electrons": [[1.5], []], "muons": [[]]}, "many.awkd", "awkward", options={"members": True})
    blocks = blocks_of(DOCS / f"{page}.md")
    names: dict[str, Any] = {}
    try:
        for block in blocks:
            exec(block, names)
    finally:
        pc.set_default_registry(registry)


def test_mistakes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each mistake of the page is answered as the page shows, and what it advises works."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.json").write_text('{"x": [1, 2.5], "name": "a"}')
    blocks = re.findall(r"^```pycon\n(.*?)^```", (DOCS / "mistakes.md").read_text(), re.MULTILINE | re.DOTALL)
    assert len(blocks) > 10
    shown: list[str] = []
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "mistakes", "mistakes.md", 0)
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=shown.append).failed == 0, "".join(shown)


def test_tutorial_page() -> None:
    programs = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    command = [sys.executable, "-B", str(ROOT / "tests/docs/tutorial.py"), str(DOCS / "tutorials/python.md")]
    done = subprocess.run(command, env={**os.environ, "PATH": programs}, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout


def test_tutorial(tmp_path: Path) -> None:
    notebook = nbformat.read(DOCS / "examples/python/tutorial.ipynb", as_version=4)
    client = nbclient.NotebookClient(notebook, timeout=60, resources={"metadata": {"path": tmp_path}})
    client.execute()
    shown = [x for cell in notebook.cells if cell.cell_type == "code" for x in cell.outputs]
    assert any("text/html" in x.get("data", {}) for x in shown)
