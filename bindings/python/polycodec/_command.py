# SPDX-License-Identifier: MIT
"""Codecs in Python for the command: it reads and writes typed JSON in place of their files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from polycodec import _plugins
from polycodec._errors import NotFoundError, PolycodecError
from polycodec._registry import Registry

# Options with a value of their own.
_VALUED = {
    *("-o", "--columns", "--config", "--exclude", "--from", "--from-filters", "--from-options", "--include", "--isolate"),
    *("--jobs", "--limits", "--out-dir", "--plugin-path", "--report", "--rows", "--shard", "--sync", "--threads"),
    *("--to", "--to-filters", "--to-options"),
}
_READING = ("convert", "decode", "diff", "hash", "inspect", "validate", "view")


class _Arguments:
    """The words of a command line."""

    def __init__(self, words: list[str]) -> None:
        self.words = words

    def take(self, *names: str) -> str | None:
        """Removes an option, and returns its value."""
        for i, word in enumerate(self.words):
            name, equals, value = word.partition("=")
            if name in names and (equals or i + 1 < len(self.words)):
                taken = value if equals else self.words[i + 1]
                del self.words[i : i + (1 if equals else 2)]
                return taken
        return None

    def value(self, *names: str) -> str | None:
        """Returns the value of an option."""
        return _Arguments(list(self.words)).take(*names)

    def positional(self) -> list[int]:
        """Returns where the words are that are neither options nor their values."""
        return [
            i
            for i, word in enumerate(self.words)
            if not word.startswith("-") and (i == 0 or self.words[i - 1] not in _VALUED)
        ]


class _Session:
    def __init__(self, arguments: _Arguments, directory: Path) -> None:
        self._arguments = arguments
        self._directory = directory
        self._registry = Registry()
        self._codecs = {codec.name: codec for codec in _plugins.codecs(_plugins.entry_points())}

    def run(self, program: Path) -> int:
        """Runs the command, and returns its exit status."""
        words = self._arguments.words
        command = next((words[i] for i in self._arguments.positional()), "")
        if command == "info" and words[-1] in self._codecs:
            print(json.dumps(self._codecs[words[-1]].manifest, indent=2))
            return 0
        if command in _READING:
            self._read_inputs(command)
        finish = self._redirect_output(command)
        status = subprocess.run([str(program), *words], check=False).returncode
        if status == 0 and finish is not None:
            temporary, path, codec, options = finish
            value = self._registry.open(temporary, "text")
            self._registry.save(value, path, codec, options=options, on_loss=self._on_loss())
        if command == "list" and status == 0 and "--json" not in words and "--types" not in words:
            for codec in self._codecs.values():
                print(f"{codec.name}  {codec.manifest['summary']} (Python)")
        return status

    def _on_loss(self) -> Any:
        if "--lossy" not in self._arguments.words:
            return None
        return lambda loss_class, path, what: print(f"polycodec: lost {path}: {what} ({loss_class})", file=sys.stderr)

    def _read_inputs(self, command: str) -> None:
        words = self._arguments.words
        named, options = self._arguments.value("--from"), self._arguments.value("--from-options")
        if named is not None and named not in self._codecs:
            return
        places = self._arguments.positional()[1:]
        if command == "convert" and len(places) > 1:
            places.pop()  # it is written
        is_replaced = False
        for i in places:
            if os.path.isfile(words[i]) and (codec := named or self._codec_of(words[i])):
                value = self._registry.open(words[i], codec, options=options, on_loss=self._on_loss())
                path = self._directory / str(i) / f"{os.path.basename(words[i])}.json"
                path.parent.mkdir()
                path.write_text(value.to_text(exact=True), encoding="utf-8", errors="surrogateescape")
                words[i] = str(path)
                is_replaced = True
        if is_replaced:
            self._arguments.take("--from")  # typed JSON is found by its content
            self._arguments.take("--from-options")

    def _codec_of(self, path: str) -> str | None:
        """Returns the codec in Python that the content or the extension of a file chooses."""
        try:
            chosen = self._registry.choices(path)
        except PolycodecError:
            return None
        return chosen[0]["codec"] if chosen and chosen[0]["codec"] in self._codecs else None

    def _redirect_output(self, command: str) -> tuple[Path, str, str, str | None] | None:
        """Makes the command write typed JSON where a codec in Python writes the file."""
        words = self._arguments.words
        positional = self._arguments.positional()
        if command == "convert" and len(positional) > 2:
            place = positional[-1]
        elif command == "encode" and "-o" in words[:-1]:
            place = words.index("-o") + 1
        else:
            return None
        path, named = words[place], self._arguments.value("--to")
        extension = os.path.splitext(path)[1]
        by_extension = (name for name, x in self._codecs.items() if extension and extension in x.manifest["extensions"])
        codec = named if named is not None else next(by_extension, "")
        if codec not in self._codecs:
            return None
        if self._arguments.value("--out-dir") is not None:
            raise NotFoundError(f"'{codec}' is a codec in Python, which converts one file at a time: leave --out-dir out")
        temporary = self._directory / "result.json"
        words[place] = str(temporary)
        options = self._arguments.take("--to-options")
        self._arguments.take("--to")
        words += ["--to", "text"]
        return temporary, path, codec, options


def run(program: Path, words: list[str]) -> int:
    """Runs the command with the codecs in Python of this environment, and returns its exit status."""
    with tempfile.TemporaryDirectory() as directory:
        try:
            return _Session(_Arguments(list(words)), Path(directory)).run(program)
        except PolycodecError as error:
            print(f"polycodec: {error}", file=sys.stderr)
            return 3 if isinstance(error, NotFoundError) else 1
