#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what a codec gives for each vector with the description that another program left beside it.

check.py VECTORS           confirms the lines that `doors --print` writes to standard input
check.py VECTORS --update  writes those that it can confirm to the files cases.jsonl
check.py VECTORS --inputs  adds a line for each vector that has none

It shares no code with the codecs: notation.py reads typed JSON, descriptions.py what other programs say.
"""

from __future__ import annotations

import json
import sys
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import formats
from notation import MismatchError, Text

HERE = Path(__file__).parent


def lines_of(directory: Path) -> list[dict[str, Any]]:
    """The lines of a directory's cases.jsonl."""
    cases = directory / "cases.jsonl"
    return [json.loads(line) for line in cases.read_text(encoding="utf-8").splitlines()] if cases.exists() else []


def write_lines(directory: Path, lines: list[dict[str, Any]]) -> None:
    """Replaces a directory's cases.jsonl."""
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    (directory / "cases.jsonl").write_text(text, encoding="utf-8")


def key_of(line: dict[str, Any]) -> str:
    return json.dumps([line["file"], line["codec"], line.get("options")])


def add_inputs(vectors: Path) -> None:
    """Adds the vectors without a line."""
    for name, inputs in formats.INPUTS.items():
        lines = lines_of(vectors / name)
        known = {key_of(line) for line in lines}
        fresh = [line for line in inputs(vectors / name) if key_of(line) not in known]
        if fresh:
            write_lines(vectors / name, sorted(lines + fresh, key=key_of))


def why_not(vectors: Path, one: dict[str, Any]) -> str:
    """Why the description does not confirm what was printed; empty if it does."""
    directory, line = vectors / one["directory"], one["line"]
    try:
        if "error" in line:
            formats.refused(directory, line)
        else:
            formats.read(directory, line, Text(one["text"]))
    except MismatchError as found:
        return str(found)
    except (KeyError, IndexError, TypeError, ValueError, FileNotFoundError) as found:
        return f"{type(found).__name__}: {found}"
    return ""


def main() -> int:
    """Confirms or updates. Returns the exit status."""
    vectors = Path(sys.argv[1])
    if "--inputs" in sys.argv:
        add_inputs(vectors)
        return 0
    update = "--update" in sys.argv
    by_hand = json.loads((HERE / "by_hand.json").read_text(encoding="utf-8"))
    printed = [json.loads(line) for line in sys.stdin]
    failures, needed = 0, set[str]()
    accepted: dict[str, dict[str, Any]] = {}
    for one in printed:
        name = f"{one['directory']}/{one['line']['file']}"
        why = why_not(vectors, one)
        reason = next((pattern for pattern in by_hand if fnmatch(name, pattern)), None)
        if why and reason is not None:
            needed.add(reason)
            why = ""
        if why:
            print(f"{name}: not confirmed: {why}")
            failures += 1
        accepted.setdefault(one["directory"], {})[key_of(one["line"])] = None if why else one["line"]
    directories = {one["directory"] for one in printed}
    for name in sorted({name for name in by_hand if name.split("/")[0] in directories} - needed):
        print(f"{name}: is confirmed: remove it from by_hand.json")
        failures += 1
    for directory, found in accepted.items():
        lines = lines_of(vectors / directory)
        inputs = {key_of(line) for line in formats.INPUTS[directory](vectors / directory)}
        for missing in inputs - {key_of(line) for line in lines}:
            print(f"{directory}: no line for {missing}")
            failures += 1
        if update:
            write_lines(vectors / directory, [found.get(key_of(line)) or line for line in lines])
        elif any(found.get(key_of(line), line) not in (None, line) for line in lines):
            print(f"{directory}: cases.jsonl is not what is printed")
            failures += 1
    print(f"{len(printed)} lines, {len(needed)} checked by hand, {failures} failures")
    return 1 if failures or not printed else 0


if __name__ == "__main__":
    sys.exit(main())
