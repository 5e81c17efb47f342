# SPDX-License-Identifier: MIT
"""The last lines of scripts/test.sh: the seconds of each part beside those of scripts/test_seconds.txt."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


class Seconds(unittest.TestCase):
    """The part `format` alone, with a formatter that does what a test wants."""

    def setUp(self) -> None:
        self.root = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        (self.root / "scripts").mkdir()
        shutil.copy(SCRIPTS / "test.sh", self.root / "scripts")
        subprocess.run(["git", "init", "-q", str(self.root)], check=True)

    def run_it(self, table: str, formatter: str = "exit 0") -> tuple[int, list[str]]:
        """Returns the exit status and the lines of the summary."""
        (self.root / "scripts/test_seconds.txt").write_text(table)
        (self.root / "clang-format").write_text(f"#!/bin/sh\n{formatter}\n")
        (self.root / "clang-format").chmod(0o755)
        done = subprocess.run([self.root / "scripts/test.sh", "--no-install", "format"], capture_output=True, text=True,
                              check=False, timeout=60, env={**os.environ, "PATH": f"{self.root}:{os.environ['PATH']}"})
        return done.returncode, [" ".join(line.split()) for line in done.stdout.splitlines()]

    def test_row(self) -> None:
        """Each part has a row: what it took, what the table says, and the difference."""
        status, lines = self.run_it("# words\nformatting 7\nformat 100\n")
        self.assertEqual((status, lines[-2]), (0, "part now table difference"))
        self.assertRegex(lines[-1], r"^format (\d+) s 100 s -\d+ s$")
        now, difference = map(int, re.findall(r"(\d+) s", lines[-1])[::2])
        self.assertEqual(now, 100 - difference)
        self.assertRegex(self.run_it("format 0\n", "sleep 1.1")[1][-1], r"^format [1-9]\d* s 0 s \+[1-9]\d* s$")

    def test_unknown(self) -> None:
        """A part without a number is not compared."""
        for table in ("format -\n", ""):
            self.assertRegex(self.run_it(table)[1][-1], r"^format \d+ s - -$")

    def test_failure(self) -> None:
        """The summary ends with it."""
        status, lines = self.run_it("format 1\n", "exit 1")
        self.assertNotEqual(status, 0)
        self.assertEqual(lines[-2:], ["part now table difference", "FAILED"])

    def test_table(self) -> None:
        """The committed table has each part, and no other."""
        parts = re.findall(r"^part_([\w-]+)\(\)", (SCRIPTS / "test.sh").read_text(), re.MULTILINE)
        rows = [line.split() for line in (SCRIPTS / "test_seconds.txt").read_text().splitlines() if not line.startswith("#")]
        self.assertEqual(sorted(row[0] for row in rows), sorted(parts))
        for row in rows:
            self.assertRegex(row[1], r"^(\d+|-)$")


if __name__ == "__main__":
    unittest.main()
