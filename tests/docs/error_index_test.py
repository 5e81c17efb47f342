# SPDX-License-Identifier: MIT
"""scripts/error_index.py over a small tree: a detail that the table lacks, and one that the sources lack, are errors."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
KEPT = ("docs/errors.md", "sdk/include/polycodec/abi/values.h", "registry/load/probe.cpp", "scripts/error_details.tsv")


class ErrorIndex(unittest.TestCase):
    def setUp(self) -> None:
        self.root = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        for name in KEPT:
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(SOURCE / name, self.root / name)
        table = self.root / "scripts/error_details.tsv"
        kept = [line for line in table.read_text().splitlines() if line.startswith(("detail", "#", "plugin."))]
        kept += ["ply.known\tmalformed\ta cause\ta remedy", "ndarray.size_mismatch\tmalformed\ta cause"]
        table.write_text("\n".join(kept) + "\n")
        (self.root / "plugins").mkdir()
        self.write('refuse(Status::limit, "ply.known");')

    def write(self, text: str) -> None:
        (self.root / "plugins/a.cpp").write_text(text + "\n")

    def run_it(self, *words: str) -> tuple[int, str]:
        command = [sys.executable, "-B", str(SOURCE / "scripts/error_index.py"), "--root", str(self.root), *words]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        return done.returncode, done.stdout + done.stderr

    def test_the_page_has_codes_of_sources_and_table(self) -> None:
        self.assertEqual(self.run_it("--update")[0], 0)
        page = (self.root / "docs/error-index.md").read_text()
        self.assertIn("| `ply.known` | `malformed`, `limit` | a cause | a remedy |", page)
        self.assertEqual(self.run_it()[0], 0)

    def test_a_page_that_is_old(self) -> None:
        self.run_it("--update")
        self.write('refuse(Status::range, "ply.known");')
        status, shown = self.run_it()
        self.assertEqual(status, 1)
        self.assertIn("is not what the sources give", shown)

    def test_a_detail_that_the_table_lacks(self) -> None:
        self.write('refuse(Status::limit, "ply.known"); refuse(Status::limit, "ply.unknown");')
        status, shown = self.run_it()
        self.assertEqual(status, 1)
        self.assertIn("ply.unknown: the sources have this detail", shown)

    def test_a_detail_that_the_sources_lack(self) -> None:
        self.write("")
        status, shown = self.run_it()
        self.assertEqual(status, 1)
        self.assertIn("ply.known: scripts/error_details.tsv has this detail, the sources lack it", shown)


if __name__ == "__main__":
    unittest.main()
