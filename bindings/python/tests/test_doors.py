# SPDX-License-Identifier: MIT
"""The wheel's door: every vector by name, against the lines that all doors are held to (tests/doors)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import polycodec as pc
from polycodec._core import Registry

ROOT = Path(__file__).resolve().parents[3]
DIRECTORIES = sorted(path.parent.name for path in (ROOT / "tests/vectors").glob("*/cases.jsonl"))
LONGEST = 2048  # bytes of a text that a line has in full


def cases(directory: str) -> Iterator[dict[str, Any]]:
    """The lines of one format."""
    text = (ROOT / "tests/vectors" / directory / "cases.jsonl").read_text(encoding="utf-8")
    yield from (json.loads(line) for line in text.splitlines())


def shortened(text: str) -> Any:
    """A text as a line has it."""
    data = text.encode()
    return text if len(data) <= LONGEST else {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}


def refusal(error: pc.PolycodecError) -> dict[str, Any]:
    """An error as a line has it."""
    parts = {"code": error.code, "detail": error.detail, "offset": error.offset, "path": error.path}
    return {name: part for name, part in parts.items() if part not in ("", None)}


def reread(registry: Registry, value: pc.Value, data: bytes, case: dict[str, Any]) -> dict[str, Any]:
    """Other bytes than those of the vector: what they are, where their value differs, whether a third time differs."""
    options = case.get("options")
    made: dict[str, Any] = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    back = registry.decode(data, case["codec"], options=options)
    difference = value.difference(back)
    if difference is not None:
        made["back"] = difference["path"]
    if registry.encode(back, case["codec"], options=options) != data:
        made["third"] = True
    return made


def outcome(registry: Registry, path: Path, case: dict[str, Any]) -> dict[str, Any]:
    """What the wheel gives for a vector: text and type, or the error; and what encoding gives."""
    options = case.get("options")
    try:
        value = registry.open_path(path, case["codec"], options=options)
    except pc.PolycodecError as error:
        return {"error": refusal(error)}
    found = {"text": shortened(value.to_text(exact=True)), "type": shortened(str(value.type))}
    if case["codec"] != "awkward":  # it writes archives
        try:
            data = registry.encode(value, case["codec"], options=options)
            same = path.is_file() and data == path.read_bytes()
            found["again"] = "same" if same else reread(registry, value, data, case)
        except pc.PolycodecError as error:
            found["again"] = {"error": refusal(error)}
    return found


@pytest.mark.parametrize("directory", DIRECTORIES)
def test_every_vector(directory: str) -> None:
    """Each vector reads, or is refused, as by all other doors."""
    excepted = {
        one["case"]
        for one in json.loads((ROOT / "tests/doors/exceptions.json").read_text(encoding="utf-8"))
        if "wheel" in one["doors"]
    }
    registry = Registry(environment=False)
    differing = {}
    for case in cases(directory):
        name = f"{directory}/{case['file']}"
        found = outcome(registry, ROOT / "tests/vectors" / directory / case["file"], case)
        wanted = {part: case[part] for part in ("text", "type", "again", "error") if part in case}
        if "again" not in found:
            wanted.pop("again", None)
        if found != wanted:
            differing[name] = (found, wanted)
    unexpected = {name: parts for name, parts in differing.items() if name not in excepted}
    assert not unexpected
    assert {name for name in excepted if name.startswith(directory + "/")} <= set(differing)


def test_the_table_names_this_door() -> None:
    """The table of doors says that the wheel is one of them."""
    table = json.loads((ROOT / "tests/doors/doors.json").read_text(encoding="utf-8"))
    assert "wheel" in table["builds"]["release"]
