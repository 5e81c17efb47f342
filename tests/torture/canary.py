# SPDX-License-Identifier: MIT
"""A plugin whose library leaves a trace as soon as it is loaded."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from session import Case, Session

NOBODY = 65534


# An isolated plugin could leave no trace.
IN_PROCESS = ["--isolate", "in-process"]


class Canary:
    """The plugin `torture.canary` in a directory of a case, and the trace that it leaves."""

    def __init__(self, case: Case, functions: Sequence[Sequence[str]] = ()) -> None:
        self.case = case
        self.directory = case.directory / "plugins"
        self.directory.mkdir(mode=0o755)
        self.library, self.manifest = self.directory / "canary.so", self.directory / "torture.canary.polycodec.json"
        shutil.copy(library_of(case.session), self.library)
        self.library.chmod(0o644)
        self.about: dict[str, object] = {
            "manifest": 2, "id": "torture.canary", "version": "1.0.0", "library": "canary.so", "abi": 2,
            "summary": "nobody may load it", "license": "MIT",
            "codecs": [{"name": "torture.song", "summary": "no bytes", "format_version": "1", "aliases": [],
                        "media_types": [], "extensions": [], "magic": [], "decode": True, "encode": False,
                        "inputs": ["bytes"], "options": {"type": "object", "additionalProperties": False, "properties": {}}}],
            "functions": [list(name) for name in functions],
        }  # fmt: skip
        if functions:  # a codec would be asked what it thinks of each file
            self.about["codecs"] = []
        self.write()
        trace = case.directory / "trace"
        trace.mkdir()
        trace.chmod(0o777)
        self.trace = trace / "loaded"

    def write(self) -> None:
        self.manifest.write_text(json.dumps(self.about))
        self.manifest.chmod(0o644)

    def environment(self, path: str | None = None) -> dict[str, str]:
        return {
            "TORTURE_CANARY": str(self.trace),
            "POLYCODEC_PLUGIN_PATH": path if path is not None else str(self.directory),
        }

    def is_loaded(self) -> bool:
        return self.trace.exists()


def library_of(session: Session) -> Path:
    library = session.build / "torture" / "canary.so"
    if not library.exists():
        raise SystemExit(f"torture: {library} is missing; build the target torture_canary")
    return library


def is_root() -> bool:
    return os.geteuid() == 0
