#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Converts real OBJ files to PLY and back, without --lossy, and compares the logical addresses.

obj_corpus.tsv lists the files by repository, path and SHA-256. The files themselves are not here: DIR has them as
REPOSITORY/PATH, with a `+` for the `/` of the repository.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent


def run(*words: str) -> tuple[int, str]:
    """The exit status of a command, and what it printed."""
    done = subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=300, check=False)
    return done.returncode, (done.stdout or done.stderr).strip()


def round_trip(command: str, source: Path, scratch: Path, tolerant: bool) -> str:
    """The empty text for a file that comes back as it was; otherwise why not."""
    first = ["--tolerant"] if tolerant else []
    mesh, back = scratch / "mesh.ply", scratch / "back.obj"
    status, address = run(command, "hash", "--logical", *first, str(source))
    if status != 0:
        return f"not read: {address}"
    for words in (["convert", "--quiet", *first, str(source), str(mesh)], ["convert", "--quiet", str(mesh), str(back)]):
        status, text = run(command, *words)
        if status != 0:
            return f"{words[-1].rsplit('/', 1)[-1]} refused: {text}"
    _, again = run(command, "hash", "--logical", str(back))
    return "" if address.split()[0] == again.split()[0] else "another address"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dir", type=Path, help="the directory of the files")
    parser.add_argument("--command", default="polycodec", help="the command to run")
    parser.add_argument("--list", type=Path, default=HERE / "obj_corpus.tsv", help="the list of files")
    parser.add_argument("--tolerant", action="store_true", help="read with --tolerant")
    given = parser.parse_args()
    counts: Counter[str] = Counter()
    with given.list.open(encoding="utf-8") as lines, tempfile.TemporaryDirectory() as scratch:
        for row in csv.DictReader(lines, delimiter="\t"):
            source = given.dir / row["repository"].replace("/", "+") / row["path"]
            if not source.is_file():
                counts["missing"] += 1
                continue
            if hashlib.sha256(source.read_bytes()).hexdigest() != row["sha256"]:
                counts["other content"] += 1
                continue
            why = round_trip(given.command, source, Path(scratch), given.tolerant)
            counts["failed" if why else "passed"] += 1
            if why:
                print(f"{row['repository']}/{row['path']}: {why}")
    done = counts["passed"] + counts["failed"]
    share = 100 * counts["passed"] / max(done, 1)
    print(f"{counts['passed']} of {done} files come back with the same address ({share:.1f} %)")
    for name in ("missing", "other content"):
        if counts[name]:
            print(f"{counts[name]} files: {name}")
    return 0 if done and share >= 95 and not counts["other content"] else 1


if __name__ == "__main__":
    sys.exit(main())
