#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The version of polycodec, in every file that has it: version.py [VERSION].

CMakeLists.txt has the version. Without an argument all other files must have the same one; with VERSION it is set in all.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

# A file, or a pattern of files, and what is before the version in it.
PLACES = [
    ("CMakeLists.txt", r"^project\(polycodec VERSION "),
    ("bindings/fortran/fpm.toml", r'^version = "'),
    ("bindings/julia/Project.toml", r'^version = "'),
    ("bindings/octave/DESCRIPTION", r"^Version: "),
    ("bindings/python/pyproject.toml", r'^version = "'),
    ("bindings/r/DESCRIPTION", r"^Version: "),
    ("bindings/rust/Cargo.toml", r'^version = "'),
    ("bindings/rust/Cargo.lock", r'^name = "polycodec"\nversion = "'),
    ("tests/languages/rust/Cargo.lock", r'^name = "polycodec"\nversion = "'),
    ("docs/sbom.cdx.json", r'"name": "polycodec",\n\s*"version": "'),
    ("plugins/*/*.polycodec.json", r'^  "version": "'),
    ("registry/json/json.polycodec.json", r'^  "version": "'),
    ("registry/json/plugin.cpp", r'plugin_id\.data\(\),\n\s*"'),
]
VERSION = r"\d+\.\d+\.\d+"


def main(arguments: list[str]) -> int:
    if len(arguments) > 1 or (arguments and not re.fullmatch(VERSION, arguments[0])):
        print("usage: version.py [VERSION], such as 1.2.3", file=sys.stderr)
        return 2
    os.chdir(Path(__file__).parent.parent)
    wrong = []
    expected = arguments[0] if arguments else ""
    for pattern, before in PLACES:
        paths = sorted(Path().glob(pattern))
        if not paths:
            wrong.append(f"{pattern}: no such file")
        for path in paths:
            text = path.read_text()
            found = re.search(f"({before})({VERSION})", text, re.MULTILINE)
            if not found:
                wrong.append(f"{path}: no version after {before!r}")
            elif arguments:
                path.write_text(text[: found.start(2)] + expected + text[found.end(2) :])
            else:
                expected = expected or found[2]
                if found[2] != expected:
                    wrong.append(f"{path}: {found[2]}, but CMakeLists.txt has {expected}; run scripts/version.py {expected}")
    print("\n".join(wrong) or f"version {expected} everywhere")
    return 1 if wrong else 0


sys.exit(main(sys.argv[1:]))
