#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does what a tutorial says, in an empty directory: tutorial.py PAGE [--prefix DIR] [--after COMMAND].

A line that ends with a name in backquotes and a colon is followed by the content of that file. Blocks `console` have
commands after `$ ` and their whole output. There a line `...` is any lines, and `...` in a line is any text. A command may
fail only where the next one is `echo $?`. All blocks are one session of one shell. Commands and packages come from the
prefix and the system alone. A page that a command writes is relative to the directory, and found after the command.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

NAMED = re.compile(r"`([\w./-]+)`:$")
MARK = "\x01"


@dataclass
class Step:
    """A file to write, or a command to run with the output that it gives."""

    line: int
    file: str = ""
    text: str = ""
    shown: list[str] = field(default_factory=list)


def steps_of(page: str) -> Iterator[Step]:
    """Yields the steps of a page. Each block must be a file or a session."""
    before, lines = "", iter(enumerate(page.splitlines(), 1))
    for number, line in lines:
        if not line.startswith("```"):
            before = line.strip() or before
            continue
        block = []
        for _, inner in lines:
            if inner == "```":
                break
            block.append(inner)
        if line == "```console":
            yield from commands_of(number, block)
        elif named := NAMED.search(before):
            yield Step(number, named[1], "\n".join(block) + "\n")
        else:
            raise SystemExit(f"line {number}: a block that is neither a file nor a session")
        before = ""


def commands_of(number: int, block: list[str]) -> Iterator[Step]:
    """Yields the commands of a session."""
    step = None
    for offset, line in enumerate(block, 1):
        if step and step.text.endswith("\\") and not step.shown:
            step.text += "\n" + line
        elif line.startswith("$ "):
            if step:
                yield step
            step = Step(number + offset, text=line[2:])
        elif step is None:
            raise SystemExit(f"line {number + offset}: a session begins with a command")
        else:
            step.shown.append(line)
    if step:
        yield step


def script_of(steps: list[Step]) -> str:
    """One script for bash, which prints a mark with the status after each step."""
    script = ""
    for step in steps:
        if step.file:
            script += (
                f"mkdir -p $(dirname {step.file})\ncat > {step.file} <<'END_OF_THE_FILE'\n{step.text}END_OF_THE_FILE\n"
            )
        else:
            script += f"{step.text}\n"
        script += f"status_=$?; printf '{MARK}%s{MARK}' $status_; (exit $status_)\n"
    return script


def fits(shown: list[str], output: list[str]) -> bool:
    """Whether the output is what the page shows."""
    if not shown:
        return not output
    if shown[0] == "...":
        return any(fits(shown[1:], output[i:]) for i in range(len(output) + 1))
    line = ".*".join(map(re.escape, shown[0].split("...")))
    return bool(output) and re.fullmatch(line, output[0]) is not None and fits(shown[1:], output[1:])


def results_of(command: list[str], steps: list[Step], **given: Any) -> Iterator[tuple[Step, str, int, bool]]:
    """Runs the script of the steps by a command. Yields step, output, status, and whether the output fits the page."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False, **given)
    parts = done.stdout.decode("utf-8", "replace").split(MARK)
    for i, step in enumerate(steps):
        output, status = parts[2 * i : 2 * i + 2] if 2 * i + 1 < len(parts) else ("the session ended before", "1")
        yield step, output, int(status), fits(step.shown, output.splitlines())


def environment(prefix: Path | None) -> dict[str, str]:
    """The environment of a user who installed polycodec to the prefix."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("POLYCODEC_", "XDG_"))}
    if prefix:
        libraries = [str(path.parent) for path in prefix.glob("lib*/**/libpolycodec.so.*") if path.parent.name != "deps"]
        env["PATH"] = f"{prefix}/bin:{env['PATH']}"
        env["CMAKE_PREFIX_PATH"] = str(prefix)
        env["LD_LIBRARY_PATH"] = libraries[0]
        env["PKG_CONFIG_PATH"] = f"{libraries[0]}/pkgconfig"
    return env


def main() -> int:
    """Follows a page. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=Path)
    parser.add_argument("--prefix", type=lambda name: Path(name).resolve(), help="where polycodec is installed")
    parser.add_argument("--after", help="a command that writes the page and what it needs into the directory")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        env = environment(given.prefix)
        if given.after:
            subprocess.run(["bash", "-c", given.after], cwd=directory, env=env, stdout=subprocess.DEVNULL, check=True)
        steps = list(steps_of((Path(directory if given.after else ".") / given.page).read_text(encoding="utf-8")))
        command = ["bash", "-c", f"exec 2>&1\n{script_of(steps)}"]
        results = list(results_of(command, steps, cwd=directory, env=env))
    failures = 0
    for i, (step, output, status, fit) in enumerate(results):
        asked = i + 1 < len(steps) and steps[i + 1].text == "echo $?"
        if (status and not asked) or not fit:
            failures += 1
            print(f"{given.page}:{step.line}: $ {step.text or step.file}\n{output}\nstatus {status}")
    print(f"{given.page.name}: {len(steps)} steps, {failures} failures")
    return 1 if failures or not steps else 0


if __name__ == "__main__":
    sys.exit(main())
