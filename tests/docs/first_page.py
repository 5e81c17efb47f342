#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Bounds what the author of a first codec reads and learns: first_page.py PAGE.

Concepts are the names of the SDK in the codec of the page, and those that are no names of code.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

MOST_LINES = 250
MOST_CONCEPTS = 15
OTHERS = {"plugin", "manifest", "fixture", "conformance tests"}


def concepts_of(page: str) -> set[str]:
    """Returns the concepts of a page."""
    found = re.search(r"`[\w/]+\.cpp`:\n\n```cpp\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    if found is None:
        raise SystemExit("the page has no codec")
    code = re.sub(r'//.*|"[^"]*"', "", found[1])
    own = set(re.findall(r"^(?:class|struct) (\w+)", code, re.MULTILINE))
    return set(re.findall(r"\b[A-Z][a-z]\w*", code)) - own | {name for name in OTHERS if name in page}


def main() -> int:
    """Returns the exit status."""
    page = Path(sys.argv[1]).read_text(encoding="utf-8")
    lines, concepts = len(page.splitlines()), concepts_of(page)
    print(f"{lines} lines of {MOST_LINES}, {len(concepts)} concepts of {MOST_CONCEPTS}: {', '.join(sorted(concepts))}")
    return 1 if lines > MOST_LINES or len(concepts) > MOST_CONCEPTS else 0


if __name__ == "__main__":
    sys.exit(main())
