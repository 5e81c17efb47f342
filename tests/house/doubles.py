# SPDX-License-Identifier: MIT
"""Holds the number of files under tests/ whose includes lead to a double of the library: codecs without a registry, and
plugins without a host. What a program can reach is tested through the library (tests/support/shipped.hpp).

doubles.py ROOT
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

MOST = 6
DOUBLES = {"tests/support/codec_calls.hpp", "tests/support/plugin_host.hpp"}


def included(root: Path, file: str) -> set[str]:
    """The headers under tests/ that a file includes, as the compiler finds them."""
    text = (root / file).read_text(encoding="utf-8", errors="replace")
    found = set()
    for name in re.findall(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]', text, re.MULTILINE):
        for place in (os.path.normpath(f"{os.path.dirname(file)}/{name}"), f"tests/support/{name}", name):
            if place.startswith("tests/") and (root / place).is_file():
                found.add(place)
                break
    return found


def reached(root: Path, file: str, known: dict[str, set[str]]) -> set[str]:
    """The closure of a file's includes."""
    seen, left = {file}, [file]
    while left:
        one = left.pop()
        fresh = known.setdefault(one, included(root, one)) - seen
        seen |= fresh
        left.extend(fresh)
    return seen


def main() -> int:
    """Prints what leads to a double; the exit status is 1 if that is too much."""
    root = Path(sys.argv[1])
    files = sorted(
        path.relative_to(root).as_posix()
        for path in (root / "tests").rglob("*")
        if path.suffix in {".c", ".cpp", ".h", ".hpp"}
    )
    known: dict[str, set[str]] = {}
    leading = [file for file in files if file not in DOUBLES and reached(root, file, known) & DOUBLES]
    print("\n".join(leading))
    print(f"{len(leading)} of {len(files)} files lead to a double; at most {MOST} may")
    wrong = [file for file in leading if "/bench/" not in file and "_internal_test." not in file]
    for file in wrong:
        print(f"{file}: call it *_internal_test, or take its codec from the library")
    return 1 if len(leading) > MOST or wrong or len(files) < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
