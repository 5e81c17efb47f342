#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the instructions that ten small jobs of the command take, and compares them with scripts/instructions.json.

Usage: scripts/instructions.py [--build DIR] [--update [COLUMN]]

Callgrind counts in an empty environment, with AVX2 and one thread, and only what runs in the command, our libraries and
our plugins: what the C library, the loader and compressors take depends on the machine. Inputs are made here, the same each
time. Instructions that depend on the machine, such as those for the length of paths, are less than one in a thousand.

A job with 3 % more than the baseline fails. With 3 % less, a line says that the baseline can follow. --update writes what
was counted into the baseline; the column `0.2` is what that version took. Needs valgrind, a processor with AVX2 and a
finished build of the preset release.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BOUND = 3  # percent
UPDATE = "scripts/instructions.py --update"
JOBS = {
    "start: validate a number": "validate number.msgpack",
    "convert ascii PLY to OBJ": "convert mesh.ply out.obj",
    "convert OBJ to binary PLY, no check": "convert mesh.obj out.ply --no-compare",
    "convert STL to GLB": "convert mesh.stl out.glb",
    "convert msgpack to yggdrasil": "convert document.msgpack out.ygg",
    "convert .awkd to msgpack, no check": "convert jagged.awkd out.msgpack --no-compare",
    "validate yggdrasil": "validate document.ygg",
    "inspect binary PLY": "inspect binary.ply",
    "decode msgpack": "decode document.msgpack",
    "diff binary and ascii PLY": "diff binary.ply mesh.ply --no-attributes",
}


class Problem(Exception):
    """What ends the program, as a message."""


# -- inputs --


def packed(value: object) -> bytes:
    """Returns a value as msgpack, with 32-bit lengths."""
    if value is None or isinstance(value, bool):
        return {None: b"\xc0", False: b"\xc2", True: b"\xc3"}[value]
    if isinstance(value, int):
        return b"\xd2" + struct.pack(">i", value)
    if isinstance(value, float):
        return b"\xcb" + struct.pack(">d", value)
    if isinstance(value, str):
        return b"\xdb" + struct.pack(">I", len(value.encode())) + value.encode()
    if isinstance(value, list):
        return b"\xdd" + struct.pack(">I", len(value)) + b"".join(map(packed, value))
    assert isinstance(value, dict)
    return b"\xdf" + struct.pack(">I", len(value)) + b"".join(packed(x) for pair in value.items() for x in pair)


def meshes(directory: Path, numbers: random.Random, side: int) -> None:
    """Writes a rough surface as PLY, OBJ and STL."""
    points = [tuple(round(numbers.random(), 6) for _ in range(3)) for _ in range(side * side)]
    corners = [i * side + j for i in range(side - 1) for j in range(side - 1)]
    faces = [face for a in corners for face in ((a, a + 1, a + side + 1), (a, a + side + 1, a + side))]
    head = (f"ply\nformat %s 1.0\nelement vertex {len(points)}\nproperty float x\nproperty float y\nproperty float z\n"
            f"element face {len(faces)}\nproperty list uchar int vertex_indices\nend_header\n")
    lines = [f"{x:.6f} {y:.6f} {z:.6f}\n" for x, y, z in points] + [f"3 {a} {b} {c}\n" for a, b, c in faces]
    (directory / "mesh.ply").write_text(head % "ascii" + "".join(lines))
    rows = [struct.pack("<3f", *p) for p in points] + [struct.pack("<B3i", 3, *f) for f in faces]
    (directory / "binary.ply").write_bytes((head % "binary_little_endian").encode() + b"".join(rows))
    lines = [f"v {x:.6f} {y:.6f} {z:.6f}\n" for x, y, z in points]
    (directory / "mesh.obj").write_text("".join(lines + [f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in faces]))
    rows = [bytes(12) + b"".join(struct.pack("<3f", *points[c]) for c in f) + bytes(2) for f in faces[:5000]]
    (directory / "mesh.stl").write_bytes(bytes(80) + struct.pack("<I", len(rows)) + b"".join(rows))


def make_inputs(directory: Path) -> None:
    """Writes the inputs of all jobs."""
    numbers = random.Random(1)
    (directory / "number.msgpack").write_bytes(b"\x07")
    meshes(directory, numbers, 80)
    document = [{"id": i, "name": f"item {i}", "price": numbers.random(), "tags": ["a", "b", str(i)], "sold": i % 3 == 0,
                 "none": None, "at": [numbers.random() for _ in range(3)]} for i in range(2000)]
    (directory / "document.msgpack").write_bytes(packed(document))
    (directory / "document.ygg").write_text(json.dumps(document))
    counts = [numbers.randrange(6) for _ in range(20000)]
    content = [numbers.random() for _ in range(sum(counts))]

    def blob(name: str, dtype: str, count: int, at: int) -> object:
        arguments = [{"read": name}, {"dtype": dtype}, {"json": count, "id": at + 1}]
        return {"call": ["awkward0", "numpy", "frombuffer"], "args": arguments, "id": at}

    call = {"call": ["awkward0", "JaggedArray", "fromcounts"], "id": 0,
            "args": [blob("1.raw", "int64", len(counts), 1), blob("3.raw", "float64", len(content), 3)]}
    with zipfile.ZipFile(directory / "jagged.awkd", "w") as archive:
        for name, data in (("1.raw", struct.pack(f"<{len(counts)}q", *counts)),
                           ("3.raw", struct.pack(f"<{len(content)}d", *content)),
                           (".json", json.dumps({"awkward0": "0.15.5", "schema": call}).encode())):
            archive.writestr(zipfile.ZipInfo(name), data)


# -- counting --


def costs_of(lines: Iterator[str]) -> Iterator[tuple[str, int]]:
    """Yields the object file and the own instructions of each line of a profile."""
    names: dict[str, str] = {}
    current = "?"
    is_call = False  # the next line is what a call took, and is also at the lines that it ran
    for line in lines:
        if found := re.match(r"c?ob=\((\d+)\)(?: (.*))?", line):
            name = names.setdefault(found[1], found[2] or "?")
            current = current if line.startswith("c") else name
        elif line.startswith("calls="):
            is_call = True
        elif line[:1] in tuple("0123456789+-*"):
            if not is_call:
                yield current, int(line.split()[1])
            is_call = False


def count(build: Path, directory: Path, name: str) -> int:
    """Runs a job below callgrind. Returns how many instructions of ours it took."""
    work = directory / re.sub(r"\W+", "_", name)
    work.mkdir()
    for path in directory.iterdir():
        if path.is_file():
            (work / path.name).symlink_to(path)
    profile = work / "profile"
    command = [str(build / "bin/polycodec"), *JOBS[name].split(), "--threads", "1"]
    done = subprocess.run(
        [shutil.which("valgrind") or "valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={profile}", *command],
        cwd=work, env={"POLYCODEC_CPU": "avx2"}, capture_output=True, text=True, check=False, timeout=300)
    if done.returncode != 0:
        raise Problem(f"job failed ({name}, exit status {done.returncode}): {done.stderr.strip()[-500:]}")
    ours = 0
    with profile.open(encoding="utf-8") as lines:
        for file, cost in costs_of(lines):
            ours += cost if Path(file).is_relative_to(build) else 0
    if ours == 0:
        raise Problem(f"nothing counted ({name}): must have instructions of {build}; run the job by hand: {' '.join(command)}")
    return ours


def count_all(build: Path) -> dict[str, int]:
    """Returns the instructions of each job."""
    with tempfile.TemporaryDirectory() as made:
        directory = Path(made).resolve()
        make_inputs(directory)
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            return dict(zip(JOBS, pool.map(lambda name: count(build, directory, name), JOBS)))


# -- the report --


def setting(text: str, pattern: str) -> str:
    """Returns what a file of CMake says."""
    found = re.search(pattern, text, re.MULTILINE)
    return found[1] if found else "unknown"


def compiler_of(build: Path) -> str:
    """Returns the compiler of a build, which must be one of the preset release."""
    try:
        cache = (build / "CMakeCache.txt").read_text(encoding="utf-8")
        (about,) = build.glob("CMakeFiles/*/CMakeCXXCompiler.cmake")
        compiler = about.read_text(encoding="utf-8")
        command = build / "bin/polycodec"
        if not command.is_file():
            raise Problem(f"missing file ({command}): build it with cmake --build --preset release")
    except (OSError, ValueError) as problem:
        raise Problem(f"not a build ({build}): must be a directory that cmake --preset release configured") from problem
    if setting(cache, r"^CMAKE_BUILD_TYPE:\w+=(.*)") != "Release":
        raise Problem(f"other build ({build}): must be one of cmake --preset release")
    name = setting(compiler, r'CMAKE_CXX_COMPILER_ID "(.*?)"')
    version = setting(compiler, r'CMAKE_CXX_COMPILER_VERSION "(\d+)')
    return f"{name} {version}"


def why_not(compiler: str, wanted: str) -> str:
    """Returns why nothing can be compared on this machine."""
    if shutil.which("valgrind") is None:
        return "no valgrind"
    if not re.search(r"\bavx2\b", Path("/proc/cpuinfo").read_text(encoding="utf-8")):
        return "this processor has no AVX2"
    return "" if compiler == wanted else f"the baseline is of {wanted}, and this build of {compiler}"


def change(now: int, before: int) -> str:
    """Returns by how much a count has grown."""
    return f"{now / before - 1:+.1%}"


def report(counts: dict[str, int], jobs: dict[str, dict[str, int]]) -> int:
    """Prints all counts beside the baseline. Returns the exit status."""
    wrong = counts.keys() ^ jobs.keys() | {name for name in jobs if jobs[name].keys() != {"0.2", "now"}}
    if wrong:
        raise Problem(f"wrong baseline ({', '.join(sorted(wrong))}): must have the same jobs as this program, with the columns "
                      f"`0.2` and `now`; run {UPDATE}")
    rows = {name: (now, jobs[name]["now"], jobs[name]["0.2"]) for name, now in counts.items()}
    print(f"{'instructions of ours':36} {'now':>12} {'baseline':>9} {'since 0.2':>9}")
    for name, (now, before, first) in {**rows, "sum": [sum(column) for column in zip(*rows.values(), strict=True)]}.items():
        print(f"{name:36} {now:12,} {change(now, before):>9} {change(now, first):>9}")
    status = 0
    for name, (now, before, _) in rows.items():
        if 100 * now > (100 + BOUND) * before:
            status = 1
            print(f"instructions.py: more instructions ({name}, {change(now, before)}): must be at most {BOUND} % above the "
                  f"baseline; make it faster, or say why in a commit of {UPDATE} alone", file=sys.stderr)
        elif 100 * now < (100 - BOUND) * before:
            print(f"fewer instructions ({name}, {change(now, before)}): the baseline can follow, with {UPDATE}")
    return status


def main() -> int:
    """Counts and compares. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build/release", metavar="DIR", help="a build of the preset release")
    parser.add_argument("--baseline", type=Path, default=ROOT / "scripts/instructions.json", metavar="FILE")
    parser.add_argument("--update", nargs="?", const="now", choices=["now", "0.2"], metavar="COLUMN",
                        help="write the counts into the column `now` of the baseline (default), or into `0.2`")
    given = parser.parse_args()
    try:
        compiler = compiler_of(given.build.resolve())
        text = given.baseline.read_text(encoding="utf-8") if given.baseline.exists() else "{}"
        baseline: dict[str, dict[str, int]] = json.loads(text).get("jobs", {})
        if reason := why_not(compiler, json.loads(text).get("compiler", compiler)):
            print(f"SKIPPED: instructions of ten jobs: {reason}")
            return 1 if os.environ.get("CI") == "true" or given.update else 0
        counts = count_all(given.build.resolve())
        if given.update is None:
            return report(counts, baseline)
        jobs = {name: dict(sorted({**baseline.get(name, {}), given.update: now}.items())) for name, now in counts.items()}
        text = json.dumps({"compiler": compiler, "jobs": jobs}, indent=1)
        given.baseline.write_text(text + "\n", encoding="utf-8")
        print(f"{given.baseline}: commit it alone, and say why it changes")
        return 0
    except (OSError, ValueError, Problem) as problem:
        print(f"instructions.py: {problem}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
