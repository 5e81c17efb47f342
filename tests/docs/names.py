#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names of the library in the pages exist: names.py ROOT.

A name in backquotes, as `polycodec_value_find()`, `POLYCODEC_SOURCE_COPY` or `CallOptions::flags`, is a word of a source.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

SOURCES = ("sdk", "core", "registry", "tools", "plugins", "bindings", "tests", "docs/examples", "cmake", "scripts", "CMakeLists.txt")
ENDINGS = {".c", ".cpp", ".h", ".hpp", ".py", ".rs", ".txt", ".cmake", ".in", ".sh", ".jl", ".f90"}
BLOCK = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
NAME = re.compile(r"\b(?:polycodec_[a-z_]\w*|POLYCODEC_[A-Z]\w*|[A-Z]\w*(?:::\w+)+)")


def words_of(root: Path) -> set[str]:
    """All words of the sources."""
    words: set[str] = set()
    for name in SOURCES:
        place = root / name
        for path in [place] if place.is_file() else place.rglob("*"):
            if path.suffix in ENDINGS and path.is_file() and path != Path(__file__).resolve():
                words.update(re.findall(r"\w+", path.read_text(encoding="utf-8", errors="replace")))
    return words


def missing_names(page: str, words: set[str]) -> Iterator[tuple[int, str]]:
    """Yields the lines and names of a page that no source has. Blocks are compiled by other tests."""
    text = BLOCK.sub(lambda found: "\n" * found[0].count("\n"), page)
    for number, line in enumerate(text.splitlines(), 1):
        for code in re.findall(r"`([^`]+)`", line):
            for name in () if code.startswith("SET ") else NAME.findall(code):  # settings of SQL are made of names
                if not name.endswith("_") and any(word not in words for word in name.split("::")):
                    yield number, name


def main() -> int:
    """Looks at all pages. Returns the exit status."""
    root = Path(sys.argv[1])
    words = words_of(root)
    pages = sorted([*root.glob("docs/**/*.md"), *root.glob("plugins/*/README.md"), root / "README.md"])
    count = 0
    for path in pages:
        for number, name in missing_names(path.read_text(encoding="utf-8"), words):
            count += 1
            print(f"{path.relative_to(root)}:{number}: no source has the name '{name}'")
    print(f"{len(pages)} pages, {count} unknown names")
    return 1 if count or not words else 0


if __name__ == "__main__":
    sys.exit(main())
