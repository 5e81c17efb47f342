# SPDX-License-Identifier: MIT
"""mypy and pyright read typical code, and find the mistakes in it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parent / "typical.py"
MISTAKES = {i for i, line in enumerate(PAGE.read_text().splitlines(), 1) if "# WRONG" in line}


def test_mypy(tmp_path: Path) -> None:
    assert len(MISTAKES) == 3
    command = [
        sys.executable,
        "-P",
        "-m",
        "mypy",
        "--strict",
        "--no-error-summary",
        "--cache-dir",
        str(tmp_path),
        str(PAGE),
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=300)
    found = {int(x) for x in re.findall(r"typical\.py:(\d+): error", done.stdout)}
    assert found == MISTAKES, done.stdout + done.stderr


def test_pyright(tmp_path: Path) -> None:
    program = Path(sys.executable).parent / "basedpyright"  # pyright with its program for Node.js in wheels
    shutil.copy(PAGE, tmp_path)  # it reads no file outside of the project
    settings = {"typeCheckingMode": "strict", "reportMissingTypeStubs": False}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [str(program), "--outputjson", "--pythonpath", sys.executable, "--project", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=300)
    report = json.loads(done.stdout)["generalDiagnostics"]
    found = {one["range"]["start"]["line"] + 1 for one in report if one["severity"] == "error"}
    assert found == MISTAKES, [(one["range"]["start"]["line"] + 1, one["message"]) for one in report]
