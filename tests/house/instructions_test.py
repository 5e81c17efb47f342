# SPDX-License-Identifier: MIT
"""scripts/instructions.py below a valgrind that says known numbers, and what the committed baseline has."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
SCRIPT = SOURCE / "scripts/instructions.py"
JOBS = 10
# Writes a profile of 700 + 300 instructions of ours, 5,000 of the C library, and a call that took 9,000 with all below it.
# The job `decode` gets $EXTRA more.
VALGRIND = """#!/bin/sh
for word in "$@"; do
  case $word in
    --callgrind-out-file=*) profile=${word#*=} ;;
    --tool=callgrind) tool=1 ;;
    */bin/polycodec) command=$word ;;
  esac
done
[ "$tool" = 1 ] && [ "$POLYCODEC_CPU" = avx2 ] && [ -z "$HOME" ] || { echo "wrong environment" >&2; exit 9; }
lib=${command%/bin/polycodec}/lib
more=0
case $* in *' decode '*) more=EXTRA ;; esac
case $* in *' diff '*) [ FAILS = no ] || { echo "out of luck" >&2; exit 5; } ;; esac
cat >"$profile" <<END
version: 1
events: Ir
ob=(1) $command
fl=(1) main.cpp
fn=(1) main
10 $((300 + more))
cob=(2) $lib/libpolycodec.so
cfi=(2) value.cpp
cfn=(2) decode
calls=1 20
11 9000
ob=(2)
fn=(2)
20 500
+3 200
ob=(3) /usr/lib/libc.so.6
fn=(3) memcpy
* 5000
cob=(2)
cfn=(2)
calls=2 20
* 9000
totals: 6000
END
"""


class Instructions(unittest.TestCase):
    """Counts, the bound, and what cannot be counted."""

    def setUp(self) -> None:
        self.root = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        self.build = self.root / "build"
        (self.build / "bin").mkdir(parents=True)
        (self.build / "bin/polycodec").touch()
        (self.build / "CMakeFiles/3.25").mkdir(parents=True)
        self.compiler("GNU", "12.2.0")
        self.cache("Release")
        self.baseline = self.root / "baseline.json"
        self.valgrind()

    def compiler(self, name: str, version: str) -> None:
        text = f'set(CMAKE_CXX_COMPILER_ID "{name}")\nset(CMAKE_CXX_COMPILER_VERSION "{version}")\n'
        (self.build / "CMakeFiles/3.25/CMakeCXXCompiler.cmake").write_text(text)

    def cache(self, kind: str) -> None:
        (self.build / "CMakeCache.txt").write_text(f"CMAKE_BUILD_TYPE:STRING={kind}\n")

    def valgrind(self, extra: int = 0, fails: str = "no") -> None:
        path = self.root / "path/valgrind"
        path.parent.mkdir(exist_ok=True)
        path.write_text(VALGRIND.replace("EXTRA", str(extra)).replace("FAILS", fails))
        path.chmod(0o755)

    def run_it(self, *options: str, path: str | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-B", str(SCRIPT), "--build", str(self.build), "--baseline", str(self.baseline), *options]
        path = path if path is not None else f"{self.root / 'path'}:{os.environ['PATH']}"
        return subprocess.run(command, env={"HOME": "/root", "PATH": path, **environment}, capture_output=True, text=True,
                              check=False, timeout=60)

    def written(self) -> None:
        for column in ("now", "0.2"):
            done = self.run_it("--update", column)
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)

    def test_counts(self) -> None:
        """What runs in the build is counted once: not other libraries, and not what a call took."""
        self.written()
        baseline = json.loads(self.baseline.read_text())
        self.assertEqual(baseline["compiler"], "GNU 12")
        self.assertEqual(list(baseline["jobs"].values()), [{"0.2": 1000, "now": 1000}] * JOBS)
        done = self.run_it()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        lines = done.stdout.splitlines()
        self.assertEqual(len(lines), JOBS + 2)
        self.assertRegex(lines[-1], r"^sum +10,000 +\+0\.0% +\+0\.0%$")

    def test_bound(self) -> None:
        """3 % more pass, and anything beyond fails. With fewer, the baseline can follow."""
        self.written()
        self.valgrind(extra=30)
        done = self.run_it()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.valgrind(extra=31)
        done = self.run_it()
        self.assertEqual(done.returncode, 1)
        self.assertIn("more instructions (decode msgpack, +3.1%): must be at most 3 % above the baseline", done.stderr)
        self.assertRegex(done.stdout, r"sum +10,031 +\+0\.3% +\+0\.3%")
        self.valgrind(extra=-31)
        done = self.run_it()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("fewer instructions (decode msgpack, -3.1%): the baseline can follow", done.stdout)

    def test_update(self) -> None:
        """--update changes the column `now` alone."""
        self.written()
        self.valgrind(extra=200)
        self.assertEqual(self.run_it("--update").returncode, 0)
        self.assertEqual(json.loads(self.baseline.read_text())["jobs"]["decode msgpack"], {"0.2": 1000, "now": 1200})
        self.assertRegex(self.run_it().stdout, r"sum +10,200 +\+0\.0% +\+2\.0%")

    def test_skipped(self) -> None:
        """What this machine cannot count is said, and fails in CI."""
        self.written()
        nothing = self.root / "nothing"
        nothing.mkdir()
        for environment, status in (({}, 0), ({"CI": "true"}, 1)):
            done = self.run_it(path=str(nothing), **environment)
            self.assertEqual((done.returncode, done.stdout), (status, "SKIPPED: instructions of ten jobs: no valgrind\n"))
        self.compiler("Clang", "14.0.6")
        self.assertIn("SKIPPED: instructions of ten jobs: the baseline is of GNU 12, and this build of Clang 14",
                      self.run_it().stdout)

    def test_wrong(self) -> None:
        """Other builds, jobs that fail and a baseline of other jobs are errors."""
        self.written()
        self.valgrind(fails="yes")
        done = self.run_it()
        self.assertEqual(done.returncode, 1)
        self.assertIn("job failed (diff binary and ascii PLY, exit status 5): out of luck", done.stderr)
        self.valgrind()
        baseline = json.loads(self.baseline.read_text())
        baseline["jobs"]["gone"] = baseline["jobs"].pop("decode msgpack")
        self.baseline.write_text(json.dumps(baseline))
        done = self.run_it()
        self.assertEqual(done.returncode, 1)
        self.assertIn("wrong baseline (decode msgpack, gone)", done.stderr)
        self.cache("Debug")
        self.assertIn("other build", self.run_it().stderr)
        (self.build / "CMakeCache.txt").unlink()
        self.assertIn("not a build", self.run_it().stderr)

    def test_committed_baseline(self) -> None:
        """The committed baseline has each job with both columns."""
        self.written()
        ours, committed = (json.loads(path.read_text()) for path in (self.baseline, SOURCE / "scripts/instructions.json"))
        self.assertEqual({name: row.keys() for name, row in committed["jobs"].items()},
                         {name: row.keys() for name, row in ours["jobs"].items()})


if __name__ == "__main__":
    unittest.main()
