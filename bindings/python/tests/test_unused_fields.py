# SPDX-License-Identifier: MIT
"""Arrays with a pointer in a field that their layout does not use: from a plugin, and from frames of another process.

Nothing follows it. What does ends the process, so each test runs in one of its own.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

REAL = Path(__file__).parent / "real"
INCLUDE = Path(__file__).resolve().parents[3] / "sdk/include"
MANIFEST: dict[str, Any] = {
    "manifest": 2,
    "id": "test.unused",
    "version": "0.1.0",
    "library": "test.unused.so",
    "abi": 2,
    "summary": "arrays with fields that their layout does not use",
    "license": "MIT",
    "codecs": [
        {
            "name": "test.unused",
            "summary": "an array",
            "format_version": "1",
            "aliases": [],
            "media_types": [],
            "extensions": [],
            "magic": [],
            "decode": True,
            "encode": False,
            "inputs": ["bytes"],
            "options": {"type": "object", "properties": {}, "additionalProperties": False},
        }
    ],
}


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("plugins")
    words = ["cc", "-std=c11", "-shared", "-fPIC", "-I", str(INCLUDE), str(REAL / "unused_fields.c")]
    subprocess.run([*words, "-o", str(directory / "test.unused.so")], check=True)
    (directory / "test.unused.polycodec.json").write_text(json.dumps(MANIFEST))
    return directory


@pytest.mark.parametrize("isolation", ["in-process", "process"])
def test_arrays_of_a_plugin(plugin: Path, isolation: str) -> None:
    words = [sys.executable, "-W", "ignore", str(REAL / "unused_fields.py"), "plugin", str(plugin), isolation]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[-1:]) == (0, ["11 accepted, 75 refused"]), (
        done.stdout[-500:] + done.stderr[-2000:]
    )


def test_arrays_of_frames() -> None:
    words = [sys.executable, "-W", "ignore", str(REAL / "unused_fields.py"), "frames"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-500:] + done.stderr[-2000:]
    accepted, refused = (int(word) for word in done.stdout.split()[-4::2])
    assert accepted > 10
    assert refused > 100
