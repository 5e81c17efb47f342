#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Uses each block `json` of the pages as its page says: json_blocks.py DOCS COMMAND [PAGE...].

A page is given, or has blocks and is not read by a test of its own (OTHERS). A block that no use fits is an error.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# Their blocks are run by test_core and tutorial.py.
OTHERS = {"text-notation.md", "operators.md"}
BLOCK = re.compile(r"^```json\n(.*?)^```", re.DOTALL | re.MULTILINE)


class Use:
    """Runs the command in a directory of its own."""

    def __init__(self, command: Path, directory: Path) -> None:
        self.command = command
        self.directory = directory

    def run(self, *words: str) -> str:
        """Runs the command. Returns what is wrong, or nothing."""
        done = subprocess.run([self.command, *words], cwd=self.directory, capture_output=True, text=True, check=False)
        return "" if done.returncode == 0 else done.stderr.strip() or done.stdout.strip()

    def written(self, value: Any) -> str:
        """Writes JSON to a file. Returns its name."""
        (self.directory / "block.json").write_text(json.dumps(value), encoding="utf-8")
        return "block.json"

    def configuration(self, block: Any) -> str:
        """A configuration. The digest of a page is short."""
        for pins in block.get("policy", {}).get("pins", {}).values():
            pins[:] = ["0" * 64 if pin.endswith("...") else pin for pin in pins]
        return self.run("config", "check", "--no-codecs", self.written(block))

    def pipeline(self, block: Any) -> str:
        """A codec with filters: a value is written and read."""
        options = ["--to", block["codec"], "--to-options", json.dumps(block["options"])]
        (self.directory / "value.json").write_text("[1, 2, 3]", encoding="utf-8")
        return self.run("convert", "value.json", "out", *options, "--to-filters", json.dumps(block["filters"])) or self.run(
            "decode", "out", "--from", block["codec"], "--from-filters", json.dumps(block["filters"])
        )

    def header(self, block: Any) -> str:
        """A header of a message: the frame is unpacked. The body has the size that the header says."""
        body = b"\xc4\x16" + b"x" * (block["size"] - 2)
        mark = b"YGG_MSG_HEAD"
        (self.directory / "m.msg").write_bytes(mark + json.dumps(block).encode() + mark + body)
        return self.run("message", "unpack", "--as-is", "m.msg")

    def doctor(self, library: dict[str, str]) -> dict[str, Any]:
        """What doctor says of a foreign plugin, a copy of ply with such a library."""
        plugins = self.directory / "plugins"
        plugins.mkdir(exist_ok=True)
        manifest = next((self.command.parents[1] / "lib").rglob("ply.polycodec.json"))
        whole = json.loads(manifest.read_text(encoding="utf-8"))
        for name in library.values():
            shutil.copyfile(manifest.parent / whole["library"], plugins / name)
        (plugins / manifest.name).write_text(json.dumps(whole | {"library": library}), encoding="utf-8")
        done = subprocess.run(
            [self.command, "doctor", "--json", "--plugin-path", str(plugins)], capture_output=True, text=True, check=False
        )
        records: list[dict[str, Any]] = json.loads(done.stdout)["records"]
        return next(record for record in records if Path(record["path"]).parent == plugins)

    def manifest(self, block: Any) -> str:
        """The libraries of a manifest: the plugin is loaded."""
        record = self.doctor(block["library"])
        return "" if record["outcome"] == "loaded" else str(record["reason"])

    def schema(self, block: Any) -> str:
        """A schema of fastbin: code is generated."""
        return self.run("fastbin", "generate", self.written(block), "--out-dir", ".")

    def record(self, block: Any) -> str:
        """A record of an isolated plugin: doctor prints the same keys."""
        shown = self.doctor({"linux_amd64": "a.so", "linux_arm64": "a.so"})["isolation"]
        different = (block.keys() ^ shown.keys()) | (block["layers"].keys() - shown["layers"].keys())
        return f"doctor has other keys: {sorted(different)}" if different else ""

    def check(self, block: Any) -> str:
        """Uses a block. Returns what is wrong, or nothing."""
        if isinstance(block, list):
            return self.configuration({"allowlist": block})
        uses = {"filters": self.pipeline, "__meta__": self.header, "library": self.manifest, "structs": self.schema}
        uses |= {"layers": self.record, "policy": self.configuration, "allow_also": self.configuration}
        use = next((use for key, use in uses.items() if key in block), None)
        return use(block) if use else "no use is known"


def blocks_of(page: Path) -> Iterator[tuple[int, Any]]:
    """Yields the line and value of each block. A block may be members without their braces."""
    text = page.read_text(encoding="utf-8")
    for found in BLOCK.finditer(text):
        block = found[1]
        yield text.count("\n", 0, found.start()) + 1, json.loads("{" + block + "}" if block.startswith('"') else block)


def main() -> int:
    """Uses all blocks. Returns the exit status."""
    docs, command = Path(sys.argv[1]), Path(sys.argv[2]).resolve()
    pages = [Path(page) for page in sys.argv[3:]] or sorted(set(docs.glob("*.md")) - {docs / name for name in OTHERS})
    count = errors = 0
    with tempfile.TemporaryDirectory() as directory:
        use = Use(command, Path(directory))
        for page in pages:
            for line, block in blocks_of(page):
                count += 1
                if wrong := use.check(block):
                    errors += 1
                    print(f"{page}:{line}: {wrong}")
    print(f"{count} blocks, {errors} errors")
    return 1 if errors or not count else 0


if __name__ == "__main__":
    sys.exit(main())
