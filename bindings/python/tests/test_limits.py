# SPDX-License-Identifier: MIT
"""What walks over values take is bounded by what the values were decoded from."""

from __future__ import annotations

import ast
import json
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polycodec as pc

Call = dict[str, Any]

WALK = Path(__file__).parent / "real" / "walk.py"
NAMES = [
    str(ast.literal_eval(key))
    for node in ast.walk(ast.parse(WALK.read_text()))
    if isinstance(node, ast.AnnAssign) and getattr(node.target, "id", "") == "WALKS" and isinstance(node.value, ast.Dict)
    for key in node.value.keys
    if key is not None
]
MOST_MEMORY = 300 << 20
SHORT = ("repr", "html")  # they show less instead of failing


def _call(name: str, *arguments: Any) -> Call:
    return {"call": ["awkward0", *name.split(".")], "args": list(arguments)}


def _numbers(blob: str, kind: str, count: int) -> Call:
    return _call("numpy.frombuffer", {"read": blob}, {"dtype": kind}, {"json": count})


def _write(path: Path, blobs: dict[str, bytes], schema: Call) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in blobs.items():
            archive.writestr(name, content)
        archive.writestr(".json", json.dumps({"awkward0": "0.15.5", "schema": schema}))
    return path


def dag(path: Path, levels: int) -> Path:
    """Writes a table whose two columns are the same table, and so on: 2 ** levels columns."""
    at = _numbers("1.raw", "int64", 3)
    at["id"] = 1
    for level in range(levels):
        pairs = [["x", at], ["y", {"ref": at["id"]}]]
        at = {**_call("Table.frompairs", {"pairs": pairs}, {"json": 0}), "id": level + 2}
    return _write(path, {"1.raw": struct.pack("<3q", 0, 1, 2)}, at)


def laugh(path: Path, lists: int, levels: int = 3) -> Path:
    """Writes lists that all have all items, which are such lists: lists ** levels numbers."""
    blobs = {
        "1.raw": struct.pack(f"<{lists}q", *[0] * lists),
        "2.raw": struct.pack(f"<{lists}q", *[lists] * lists),
        "3.raw": struct.pack(f"<{lists}d", *range(lists)),
    }
    at = _numbers("3.raw", "float64", lists)
    for _ in range(levels):
        at = _call("JaggedArray", _numbers("1.raw", "int64", lists), _numbers("2.raw", "int64", lists), at)
    return _write(path, blobs, at)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    at = tmp_path_factory.mktemp("hostile")
    return [
        dag(at / "small.awkd", 2),  # the first one is what all walks can do
        dag(at / "dag25.awkd", 25),
        laugh(at / "laugh2.awkd", 2, 30),
        laugh(at / "laugh99.awkd", 99),
        laugh(at / "laugh1000.awkd", 1000),
    ]


@pytest.mark.parametrize("name", NAMES)
def test_walks_over_shared_parts_end(name: str, files: list[Path]) -> None:
    assert all(path.stat().st_size < 100_000 for path in files)
    ended = subprocess.run(
        [sys.executable, "-W", "ignore", str(WALK), name, *map(str, [files[0], *files])],
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    lines = [json.loads(line) for line in ended.stdout.splitlines()]
    assert [line["file"] for line in lines] == [path.name for path in files]
    for line in lines:
        assert line["grown"] < MOST_MEMORY, line
        if line["error"] is not None:
            assert name not in SHORT, line
            assert "limits={" in line["error"], line
    assert lines[0]["error"] is None, lines


def test_the_display_is_short(files: list[Path]) -> None:
    value = pc.open(files[1])
    assert "..." in value._repr_html_()
    assert "..." in repr(value)


@pytest.mark.parametrize(
    ("limit", "make"),
    [
        ("max_work", lambda v, limits: v.to_python(limits=limits)),
        ("max_memory_bytes", lambda v, limits: v.to_python(limits=limits)),
    ],
)
def test_limits_of_a_call(limit: str, make: Callable[[pc.Value, dict[str, int]], object], files: list[Path]) -> None:
    value = pc.value(list(range(100_000)))
    with pytest.raises(pc.LimitError, match=f"raise {limit} with limits="):
        make(value, {limit: 100_000})
    assert make(value, {limit: 10_000_000}) == list(range(100_000))


def test_limits_are_those_of_the_decoding_call(tmp_path: Path) -> None:
    path = laugh(tmp_path / "laugh.awkd", 15)
    assert len(pc.open(path).to_python()) == 15
    assert len(pc.open(path, limits={"max_memory_bytes": 1 << 22}).to_python()) == 15
    with pytest.raises(pc.LimitError, match="max_memory_bytes"):
        pc.open(path, limits={"max_memory_bytes": 1 << 18}).to_python()
    with pytest.raises(pc.LimitError, match="max_memory_bytes"):
        pc.open(path, limits={"max_memory_bytes": 1 << 18})[0:10].to_python()


def test_large_values_that_are_there_have_no_limit(tmp_path: Path) -> None:
    numbers = np.arange(6_000_000.0)  # 48 MB, whose objects take as much as the base of the limits
    value = pc.decode(pc.encode(numbers, "msgpack-ndarray"), "msgpack-ndarray")
    assert value.to_python()[-1] == numbers[-1]
    assert value.to_numpy(copy=True)[-1] == numbers[-1]
    assert len(value.to_arrow()) == len(value.to_awkward()) == len(numbers)
    texts = pc.value(["a" * 1000 + str(i) for i in range(50_000)])
    again = pc.decode(pc.encode(texts, "msgpack-ndarray"), "msgpack-ndarray")
    assert again.to_python()[-1].endswith("49999")
    assert again.to_numpy(copy=True).shape == (50_000,)


def test_strings_of_unlike_length_do_not_fill_the_memory() -> None:
    texts: list[Any] = ["a" * 1_000_000, *["b"] * 100_000]
    with pytest.raises(pc.LimitError, match="max_memory_bytes"):
        pc.value(texts).to_numpy(copy=True)
