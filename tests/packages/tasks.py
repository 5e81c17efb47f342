#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does three tasks in a fresh root that has Debian packages in /packages: tasks.py ROOT.

A task takes its first command from README.md, and other commands and files from one tutorial. It may need only so many
commands. Nothing else of the checkout is in the root.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "tests/docs"))

from tutorial import Step, results_of, script_of, steps_of  # noqa: E402


@dataclass
class Task:
    """A task: its page, what is taken from the page by the beginnings of commands or names of files, and its bound."""

    name: str
    page: str
    taken: tuple[str, ...]
    most: int


TASKS = [
    Task(
        "convert a directory",
        "terminal",
        (
            "scan.ply",
            "polycodec decode scan.ply >",
            "polycodec encode scan.json",
            "mkdir scans",
            "polycodec convert --rec",
            "ls out",
        ),
        8,
    ),
    Task(
        "write and build a host",
        "host-cpp",
        (
            "CMakeLists.txt",
            "average.cpp",
            "cmake -S",
            "cmake --build",
            "points.ply",
            "build/average points.ply",
            "polycodec decode",
        ),
        12,
    ),
    Task(
        "write and check a plugin",
        "plugin",
        (
            *("polycodec plugin new", "samples/samples.polycodec.json", "samples/codec.cpp", "rm", "printf"),
            *("samples/tests/two.samples.expected.json", "head", "samples/tests/short.samples.expected.json"),
            *("cmake -S", "cmake --build", "ctest", "export", "polycodec decode", "polycodec convert samples/"),
        ),
        12,
    ),
]


def installation() -> Step:
    """The command of README.md that installs the packages. What apt prints is not compared."""
    lines = (TOP / "README.md").read_text(encoding="utf-8").splitlines()
    command = next(line for line in lines if line.startswith("apt install ./"))
    return Step(0, text=command.split("#")[0].strip(), shown=["..."])


def steps_for(task: Task) -> list[Step]:
    """The steps of a task, in the order of the page."""
    page = list(steps_of((TOP / f"docs/tutorials/{task.page}.md").read_text(encoding="utf-8")))
    steps = []
    for begin in task.taken:
        found = next((step for step in page if (step.file or step.text).startswith(begin)), None)
        if found is None:
            raise SystemExit(f"{task.page}.md: no file and no command begins with '{begin}'")
        steps.append(found)
    return [installation(), *sorted(steps, key=lambda step: step.line)]


def run(task: Task, root: str) -> list[str]:
    """Does a task. Returns what went wrong."""
    steps = steps_for(task)
    commands = sum(not step.file for step in steps)
    directory = f"/tasks/{task.page}"
    begin = f"exec 2>&1\nmkdir -p {directory}\ncd /packages\n"
    script = begin + script_of(steps[:1]) + f"cd {directory}\n" + script_of(steps[1:])
    variables = ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root"]
    errors = [f"{commands} commands, at most {task.most}"] if commands > task.most else []
    for step, output, status, fit in results_of(["chroot", root, *variables, "bash", "-c", script], steps):
        if status or not fit:
            errors.append(f"$ {step.file or step.text}\n{output[-2000:]}\nstatus {status}")
    print(f"{task.name}: {commands} commands of {task.most}, {len(errors)} errors")
    return errors


def main() -> int:
    """Does all tasks. Returns the exit status."""
    errors = [error for task in TASKS for error in run(task, sys.argv[1])]
    print(*errors, sep="\n", end="\n" if errors else "")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
