#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does five tasks in a fresh root that has Debian packages and a wheel in /packages: tasks.py ROOT.

A task takes its first commands from README.md, or from docs/python.md where it needs the wheel, and other commands and
files from one tutorial. It may need only so many commands. Nothing else of the checkout is in the root. A page that a task
makes is opened in Chromium.
"""

from __future__ import annotations

import subprocess
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
    is_python: bool = False
    opened: str = ""  # the page to open


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
    Task(
        "open and convert files in Python",
        "python",
        (
            *("make.py", "python3 make.py", "polycodec validate", "show.py", "python3 show.py", "convert.py"),
            *("python3 convert.py", "errors.py", "python3 errors.py"),
        ),
        8,
        is_python=True,
    ),
    Task("look at a mesh in a browser", "terminal", ("scan.ply", "polycodec view"), 2, opened="page.html"),
]


def installation(is_python: bool) -> list[Step]:
    """The commands that install the packages, or the wheel. What apt and pip print is not compared."""
    page, begins = "README.md", ["apt install ./"]
    if is_python:
        page, begins = "docs/python.md", ["apt install python3", "python3 -m venv", "pip install ./polycodec-"]
    lines = (TOP / page).read_text(encoding="utf-8").splitlines()
    commands = [next(line for line in lines if line.startswith(begin)) for begin in begins]
    return [Step(0, text=command.split("#")[0].strip(), shown=["..."]) for command in commands]


def steps_for(task: Task) -> list[Step]:
    """The steps of a task, in the order of the page."""
    page = list(steps_of((TOP / f"docs/tutorials/{task.page}.md").read_text(encoding="utf-8")))
    steps = []
    for begin in task.taken:
        found = next((step for step in page if (step.file or step.text).startswith(begin)), None)
        if found is None:
            raise SystemExit(f"{task.page}.md: no file and no command begins with '{begin}'")
        steps.append(found)
    return sorted(steps, key=lambda step: step.line)


def problem_of(page: Path) -> str:
    """Why a browser does not show a page; empty if it does."""
    browser = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=10000", "--dump-dom"]
    shown = subprocess.run([*browser, page.resolve().as_uri()], capture_output=True, text=True, timeout=120, check=False)
    is_shown = "data-ready=" in shown.stdout and "<canvas" in shown.stdout
    return "" if is_shown else f"{page}: Chromium does not show it\n{shown.stderr[-2000:]}"


def run(task: Task, root: str) -> list[str]:
    """Does a task. Returns what went wrong."""
    first = installation(task.is_python)
    steps = [*first, *steps_for(task)]
    commands = sum(not step.file for step in steps)
    directory = f"/tasks/{task.name.replace(' ', '-')}"
    begin = f"exec 2>&1\nmkdir -p {directory}\ncd /packages\n"
    script = begin + script_of(first) + f"cd {directory}\n" + script_of(steps[len(first) :])
    variables = ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root"]
    errors = [f"{commands} commands, at most {task.most}"] if commands > task.most else []
    for step, output, status, fit in results_of(["chroot", root, *variables, "bash", "-c", script], steps):
        if status or not fit:
            errors.append(f"$ {step.file or step.text}\n{output[-2000:]}\nstatus {status}")
    if task.opened and not errors and (problem := problem_of(Path(root + directory) / task.opened)):
        errors.append(problem)
    print(f"{task.name}: {commands} commands of {task.most}, {len(errors)} errors")
    return errors


def main() -> int:
    """Does all tasks. Returns the exit status."""
    errors = [error for task in TASKS for error in run(task, sys.argv[1])]
    print(*errors, sep="\n", end="\n" if errors else "")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
