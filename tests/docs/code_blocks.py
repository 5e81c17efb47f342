#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Finds each block of C and C++ of the pages in sources that are compiled: code_blocks.py DOCS SOURCE...

The lines of a block follow each other in one source, whatever their indentation. A line `...` is any lines.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

BLOCK = re.compile(r"^```(c|cpp)\n(.*?)^```", re.DOTALL | re.MULTILINE)
COMMENT = re.compile(r"(?<=\s)(//.*|/\*.*\*/)$")
# Blocks that others compile: a test of tests/hosts, and one of tests/cli.
OTHERS = {("hosts.md", "c"), ("mistakes.md", "cpp")}


def lines_of(text: str) -> list[str]:
    """The lines that are not empty, without indentation and comments at their end, and with single spaces."""
    lines = (" ".join(COMMENT.sub("", line).split()) for line in text.splitlines())
    return [line for line in lines if line]


def is_in(block: list[str], source: list[str]) -> bool:
    """Whether the parts of the block between its lines `...` are runs of lines of the source, in this order."""
    at = 0
    parts = "\n".join(block).split("\n...\n")
    for part in (part.split("\n") for part in parts):
        found = next((i for i in range(at, len(source)) if source[i : i + len(part)] == part), None)
        if found is None:
            return False
        at = found + len(part)
    return True


def main() -> int:
    """Looks for all blocks. Returns the exit status."""
    docs = Path(sys.argv[1])
    sources = [lines_of(Path(name).read_text(encoding="utf-8")) for name in sys.argv[2:]]
    count = missing = 0
    for page in sorted(docs.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        for found in BLOCK.finditer(text):
            if (page.name, found[1]) in OTHERS:
                continue
            count += 1
            if not any(is_in(lines_of(found[2]), source) for source in sources):
                missing += 1
                print(f"{page}:{text.count(chr(10), 0, found.start()) + 1}: no source has this block")
    print(f"{count} blocks, {missing} missing")
    return 1 if missing or not count else 0


if __name__ == "__main__":
    sys.exit(main())
