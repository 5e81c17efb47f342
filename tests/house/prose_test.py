# SPDX-License-Identifier: MIT
"""scripts/check_prose.py over small repositories: each rule can fail."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
LINE_3 = "# Title\n\nReference for users.\n\n"
LONG = " ".join(["One", *["word"] * 24, "end."])


class Prose(unittest.TestCase):
    def setUp(self) -> None:
        self.root = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        subprocess.run(["git", "init", "-q", str(self.root)], check=True)
        (self.root / "scripts").mkdir()
        shutil.copy(SOURCE / "scripts/prose_terms.tsv", self.root / "scripts")

    def check(self, *words: str, **files: str) -> tuple[int, str]:
        """Runs the program over files, whose names have __ for a slash and _ for a dot."""
        for name, text in files.items():
            path = self.root / name.replace("__", "/").replace("_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        subprocess.run(["git", "-C", str(self.root), "add", "-A"], check=True)
        command = [sys.executable, str(SOURCE / "scripts/check_prose.py"), "--root", str(self.root), *words]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout

    def test_a_clean_page_passes(self) -> None:
        code = "```\nthe folder stands behind\n```\nUse `texts` and [names](folder.md). The look-behind has a stand-in.\n"
        self.assertEqual(self.check(docs__a_md=LINE_3 + code)[0], 0)

    def test_a_term_of_a_page(self) -> None:
        status, shown = self.check(docs__a_md=LINE_3 + "Put it into a folder.\n")
        self.assertEqual(status, 1)
        self.assertIn("docs/a.md:5: term 'folder': use directory\n", shown)

    def test_a_term_of_a_public_header(self) -> None:
        status, shown = self.check(sdk__include__a_hpp="int folder;\n/// The folder.\n/* The\n texts */ int texts;\n")
        self.assertEqual(status, 1)
        self.assertIn("sdk/include/a.hpp:2: term 'folder'", shown)
        self.assertIn("sdk/include/a.hpp:4: term 'texts'", shown)
        self.assertIn("2 terms,", shown)

    def test_a_term_of_a_message(self) -> None:
        text = '// the folder is behind\nauto folder = "folder";\nrefuse(Status::io,\n  "no such folder", path);\n'
        status, shown = self.check(core__a_cpp=text)
        self.assertEqual(status, 1)
        self.assertIn("core/a.cpp:4: term 'folder'", shown)
        self.assertIn("1 terms,", shown)

    def test_names_in_literals_are_no_prose(self) -> None:
        self.assertEqual(self.check(core__a_cpp='auto key = "folder";\ncode("a = runtime::behind<T>");\n')[0], 0)

    def test_a_term_over_two_lines(self) -> None:
        status, shown = self.check(
            docs__a_md=LINE_3 + "A point in\ntime.\n",
            sdk__include__a_hpp="/// It has a truth\n/// value.\nint a;  ///< a whole\n        ///< number\n",
            core__a_cpp='auto text = "this is "\n  "no text";\n',
            plugins__a_polycodec_json='{"description": "bytes behind\\n it"}\n',
        )
        self.assertEqual(status, 1)
        self.assertIn("docs/a.md:5: term 'point in time'", shown)
        self.assertIn("sdk/include/a.hpp:1: term 'truth value'", shown)
        self.assertIn("sdk/include/a.hpp:3: term 'whole number'", shown)
        self.assertIn("core/a.cpp:1: term 'is no'", shown)

    def test_the_readme_of_a_plugin_needs_a_reader(self) -> None:
        page = self.root / "plugins/x/README.md"
        page.parent.mkdir(parents=True)
        page.write_text("# x\n\nA codec.\n")
        status, shown = self.check()
        self.assertEqual(status, 1)
        self.assertIn("plugins/x/README.md:3: line 3 says no kind and reader", shown)

    def test_a_long_sentence(self) -> None:
        self.assertEqual(self.check(README_md=LONG.replace(" end.", ".") + "\n")[0], 0)
        status, shown = self.check(README_md=f"- Short.\n- {LONG}\n")
        self.assertEqual(status, 1)
        self.assertIn("README.md:2: a sentence of 26 words: at most 25", shown)

    def test_a_page_without_a_reader(self) -> None:
        status, shown = self.check(docs__a_md="# Title\n\nAbout things.\n")
        self.assertEqual(status, 1)
        self.assertIn("docs/a.md:3: line 3 says no kind and reader", shown)


if __name__ == "__main__":
    unittest.main()
