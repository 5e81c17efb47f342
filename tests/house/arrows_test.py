#!/usr/bin/env python3
"""Each rule of arrows.py can fail: a small tree breaks one rule at a time."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARROWS = Path(__file__).with_name("arrows.py")
TREE = {
    "core/CMakeLists.txt": "# rooms\n  low/a.cpp\n  # upper\n  high/b.cpp\n",
    "core/low/CMakeLists.txt": "# low",
    "core/high/CMakeLists.txt": "# high",
    "core/low/a.hpp": "struct Low {\n};\n",
    "core/high/b.hpp": '#include "core/low/a.hpp"\nstruct High {\n};\n',
    "plugins/one/README.md": "one",
    "plugins/one/one.cpp": "int one;\n",
    "tests/house/layout_switches.txt": "# none\n",
}


class Rules(unittest.TestCase):
    def said(self, changes: dict[str, str]) -> str:
        """What arrows.py prints of the tree with `changes`."""
        with tempfile.TemporaryDirectory() as root:
            for name, text in (TREE | changes).items():
                path = Path(root, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            done = subprocess.run([sys.executable, "-B", ARROWS, root], capture_output=True, text=True, check=False)
            return done.stdout if done.returncode == 0 else done.stderr

    def test_sound_tree(self) -> None:
        self.assertIn("1 uses, and all of them run down", self.said({}))

    def test_circle_by_include(self) -> None:
        said = self.said({"core/low/c.cpp": '#include "core/high/b.hpp"\n'})
        self.assertIn("in a circle: core/high -> core/low -> core/high", said)
        self.assertIn("core/low/c.cpp:1 -> core/high/b.hpp", said)
        self.assertIn("core/high/b.hpp:1 -> core/low/a.hpp", said)

    def test_circle_by_declaration(self) -> None:
        self.assertIn("core/low/c.hpp:1 -> core/high/b.hpp", self.said({"core/low/c.hpp": "struct High;\n"}))

    def test_forbidden_room(self) -> None:
        said = self.said({"plugins/one/one.cpp": '#include "core/low/a.hpp"\n'})
        self.assertIn("plugins/one/one.cpp:1: plugins/one may not use core/low", said)

    def test_system_header(self) -> None:
        self.assertIn("core/low/c.cpp:1: <sys/mman.h> belongs in", self.said({"core/low/c.cpp": "#include <sys/mman.h>\n"}))

    def test_layout_switch(self) -> None:
        switch = "    case POLYCODEC_LAYOUT_LIST:\n"
        self.assertIn("core/low/c.cpp: switches over the layouts", self.said({"core/low/c.cpp": switch}))
        listed = {"tests/house/layout_switches.txt": "core/low/c.cpp  a reason\n"}
        self.assertIn("all of them run down", self.said({"core/low/c.cpp": switch} | listed))
        self.assertIn("core/low/c.cpp: has no switch over layouts: take it off", self.said(listed))

    def test_plain_table(self) -> None:
        for table in ("std::unordered_set<std::string_view> names;", "const std::unordered_map<std::string, int>& names",
                      "std::unordered_map<std::uint64_t, std::string> by_number;"):
            self.assertIn("core/low/c.cpp:1: data can be made whose keys collide", self.said({"core/low/c.cpp": table + "\n"}))
        table = "std::unordered_map<const Node*, std::string> names;\n"
        self.assertIn("all of them run down", self.said({"core/low/c.cpp": table}))

    def test_stale_name(self) -> None:
        self.assertIn("core/low/c.cpp:1: a comment names gone.hpp", self.said({"core/low/c.cpp": "// See gone.hpp.\n"}))
        self.assertIn("all of them run down", self.said({"core/low/c.cpp": "// See b.hpp.\n"}))

    def test_undescribed_directory(self) -> None:
        self.assertIn("core/new/: no line says what lives here", self.said({"core/new/c.cpp": "int c;\n"}))


if __name__ == "__main__":
    unittest.main()
