#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the chain of source files that one decode goes through, from the command to the codec.

Usage: scripts/call_chain.py [--build DIR] FILE

The command decodes FILE below callgrind, with one thread. From main() the chain follows the calls that took most and lead
to the plugin. Each line is a file and its functions on the way. What is in system libraries, or was compiled into
its caller, has no line. Needs valgrind and a finished build of the preset release.
"""

from __future__ import annotations

import argparse
import collections
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("tools", "registry", "core", "sdk", "plugins")
SOURCES = {".cpp", ".hpp", ".c", ".h"}
DEFINITION = re.compile(r"(?<!return )(?<=[\w>&*] )(?:(?:\w+::)*(\w+)::)?(~?\w+)\s*"
                        r"\((?:[^;{}]|\{\})*?\)[^;{}()]*(?::[^;{]*)?\{")
CLASS = re.compile(r"\b(?:class|struct)\s+(?:\[\[[^]]*\]\]\s*)?(?:POLYCODEC_API\s+)?([\w:]+)[^;{]*\{")
NOT_FUNCTIONS = {"if", "for", "while", "switch", "catch", "requires"}

Function = tuple[str, str]  # the library and the name


class Problem(Exception):
    """What ends the program, as a message."""


def words_of(function: str) -> list[str]:
    """Returns the namespaces, the class and the name of a function, without templates and parameters."""
    plain = re.sub(r"::\{lambda.*", "", function.replace("(anonymous namespace)::", "").split("[")[0])
    while (shorter := re.sub(r"<[^<>]*>", "", plain)) != plain:
        plain = shorter
    return re.findall(r"~?\w+", re.split(r"[<(]", plain)[0].split(" ")[-1])


def is_plugin(library: Path) -> bool:
    """Whether it lies in the directory of plugins of a build."""
    return "plugins" in library.parts


class Sources:
    """Where functions are defined."""

    def __init__(self) -> None:
        self.members: dict[tuple[str, str], list[str]] = collections.defaultdict(list)
        for room in ROOMS:
            for path in sorted((ROOT / room).rglob("*")):
                if path.suffix in SOURCES:
                    self.read(path)

    def read(self, path: Path) -> None:
        """Notes what a file defines: members as (class, name), free functions with the class ""."""
        text = re.sub(r"//[^\n]*|/\*.*?\*/", "", path.read_text(encoding="utf-8", errors="replace"), flags=re.DOTALL)
        name = str(path.relative_to(ROOT))
        classes = {found[1].rsplit("::")[-1] for found in CLASS.finditer(text)}
        for found in DEFINITION.finditer(text):
            if found[2] not in NOT_FUNCTIONS:
                owners = [found[1]] if found[1] else ["", *classes]
                for owner in owners:
                    self.members[owner, found[2]].append(name)

    def file_of(self, function: str, library: Path) -> str:
        """Returns the file that defines a function of a library, or "" for one that is not of the tree."""
        words = words_of(function)
        if not words:
            return ""
        rooms = ("tools",) if library.parent.name == "bin" else ("plugins",) if is_plugin(library) else ("registry", "core")
        owner = words[-2] if len(words) > 1 else ""
        found = self.members[owner, words[-1]] or self.members["", words[-1]]
        # Of several files, the one whose path has most names of namespaces.
        hints = {word.replace("_", "") for word in words[:-2]} - {"polycodec"}
        hints |= {owner.lower()} if owner.islower() else set()
        near = [file for file in found if file.startswith((*rooms, "sdk"))]
        paths = [(len(hints & set(re.split(r"[/.]", file.replace("_", "")))), file) for file in near]
        return max(paths, key=lambda path: path[0])[1] if paths else ""


class Profile:
    """The calls of a run: what each function calls, with the instructions spent there."""

    def __init__(self, path: Path) -> None:
        self.calls: dict[Function, collections.Counter[Function]] = collections.defaultdict(collections.Counter)
        names: dict[tuple[str, str], str] = {}
        at: dict[str, str] = {}
        is_call = False  # the next line is what the call took
        for line in path.read_text(encoding="utf-8").splitlines():
            if found := re.match(r"(c?)(ob|fn)=\((\d+)\)(?: (.*))?", line):
                key = (found[2], found[3])
                if found[4] is not None:
                    names[key] = found[4]
                at[found[1] + found[2]] = names[key]
                if found[0].startswith("fn"):
                    at.pop("cob", None)
            elif line.startswith("calls="):
                is_call = True
            elif is_call:
                is_call = False
                callee = (at.pop("cob", at["ob"]), at["cfn"].split("'")[0])
                self.calls[at["ob"], at["fn"].split("'")[0]][callee] += int(line.split()[1])

    def chain(self, start: Function, is_end: Callable[[Function], bool]) -> list[Function]:
        """Returns the way from a function to one for which `is_end`, along the calls that took most."""
        callers = collections.defaultdict(set)
        for caller, callees in self.calls.items():
            for callee in callees:
                callers[callee].add(caller)
        leads = set()
        todo = [function for function in {*callers, *self.calls} if is_end(function)]
        while todo:
            function = todo.pop()
            if function not in leads:
                leads.add(function)
                todo.extend(callers[function])
        way = [start]
        while not is_end(way[-1]):
            callees = [(cost, to) for to, cost in self.calls[way[-1]].items() if to in leads and to not in way]
            if not callees:
                raise Problem("no way to the codec: the file must be one that a plugin decodes")
            way.append(max(callees)[1])
        return way


def profile_of(build: Path, file: Path) -> Profile:
    """Decodes a file below callgrind."""
    command = build / "bin/polycodec"
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        raise Problem("no valgrind: install it")
    if not command.is_file():
        raise Problem(f"missing file ({command}): build it with cmake --build --preset release")
    with tempfile.TemporaryDirectory() as made:
        path = Path(made) / "profile"
        done = subprocess.run(
            [valgrind, "--quiet", "--tool=callgrind", f"--callgrind-out-file={path}", command, "decode", file.resolve(),
             "--threads", "1"],
            cwd=made, env={"POLYCODEC_CPU": "avx2"}, capture_output=True, text=True, check=False, timeout=300)
        if done.returncode != 0:
            raise Problem(f"decode failed (exit status {done.returncode}): {done.stderr.strip()[-500:]}")
        return Profile(path)


def main() -> int:
    """Prints the chain. Returns the exit status."""
    options = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    options.add_argument("--build", type=Path, default=ROOT / "build/release")
    options.add_argument("file", type=Path)
    given = options.parse_args()
    sources = Sources()
    try:
        profile = profile_of(given.build.resolve(), given.file)
        files = {function: sources.file_of(function[1], Path(function[0])) for function in profile.calls}

        def is_codec(function: Function) -> bool:
            return files.get(function, "").startswith("plugins/") and "decode" in words_of(function[1])[-1]

        starts = [function for function in profile.calls if function[1] == "main" and function[0].endswith("/polycodec")]
        if not starts:
            raise Problem("main() was not seen: the build must be one of the preset release")
        way = profile.chain(starts[0], is_codec)
    except (OSError, Problem, subprocess.TimeoutExpired) as problem:
        print(f"call_chain.py: {problem}", file=sys.stderr)
        return 1
    steps: list[tuple[str, list[str]]] = []
    for function in way:
        file = files.get(function, "")
        if not file:
            continue
        name = "::".join(word for word in words_of(function[1]) if word != "polycodec")
        if not steps or steps[-1][0] != file:
            steps.append((file, [name]))
        elif steps[-1][1][-1] != name:
            steps[-1][1].append(name)
    for i, (file, names) in enumerate(steps, 1):
        print(f"{i:2} {file}: {', '.join(names)}")
    print(f"{len(way)} calls through {len({file for file, _ in steps})} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
