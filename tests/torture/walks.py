# SPDX-License-Identifier: MIT
"""What a small file may cost, and what walks over it take: for the arm `cost`, and the tests of Python and SQL.

A driver gives its walks to each_in_a_child(). The test starts the driver with run()."""

from __future__ import annotations

import json
import os
import resource
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

# Of a file below 100 kB with the limits that a user has. Time is that of processors.
MEMORY = 300 * 10**6
SECONDS = 2.0

# All files take minutes. These went beyond a bound once, or are the like of those that did.
WORST = frozenset((
    "dag12.awkd", "dag25.awkd", "dag26.awkd", "jagged26.awkd", "masks25.awkd", "unions26.awkd", "laugh2.awkd", "laugh20.awkd",
    "laugh99.awkd", "laugh1000.awkd", "sparse.awkd", "cyclic.awkd", "chunks5000.awkd", "strings4000.awkd",
    "empty_maps.msgpack", "flags_of_nothing.msgpack", "million_voids.dynd", "corners.ply", "rows.ply", "instances.gltf", "zeros_million.gltf",
    "references.msg", "digits.json", "deep.json", "columns.json",
))  # fmt: skip

HANG = 30  # seconds, of a walk without a bound
ADDRESSES = 6 << 30


@dataclass(frozen=True)
class Walked:
    """How a walk ended. `error`: what it raised, None if it had a result."""

    walk: str
    error: str | None
    grown: int = 0
    seconds: float = 0

    @property
    def wrong(self) -> str | None:
        """What it took too much of."""
        if self.grown > MEMORY:
            return f"{self.walk} took {self.grown / 1e6:.0f} MB"
        return f"{self.walk} took {self.seconds:.1f} s" if self.seconds > SECONDS else None


def memory(name: str) -> int:
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(name)) * 1024


def measured(name: str, walk: Callable[[], str | None]) -> Walked:
    """Does the walk: what it gives is what it refuses with."""
    with open("/proc/self/clear_refs", "w") as peak:
        peak.write("5")
    base, before = memory("VmRSS:"), resource.getrusage(resource.RUSAGE_SELF)
    error = walk()
    after = resource.getrusage(resource.RUSAGE_SELF)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Walked(name, error, memory("VmHWM:") - base, seconds)


def in_a_child(name: str, begin: Callable[[], Callable[[], str | None]]) -> Walked:
    out, to = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (HANG, HANG))
            resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
            os.write(to, json.dumps(asdict(measured(name, begin()))).encode()[:65536])
        finally:
            os._exit(0)
    os.close(to)
    with os.fdopen(out) as line:
        text = line.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return Walked(**json.loads(text)) if text else Walked(name, f"the child ended with {status}", seconds=HANG)


def each_in_a_child(walks: Mapping[str, Callable[[], Callable[[], str | None]]]) -> None:
    """Prints a line for each walk. A walk begins with what is not measured, and gives the rest."""
    for name, begin in walks.items():
        done = in_a_child(name, begin)
        # Two processors of one core take longer when both work. What costs too much does so each time.
        for _ in range(2):
            if SECONDS < done.seconds < HANG:
                done = min(done, in_a_child(name, begin), key=lambda each: each.seconds)
        print(json.dumps(asdict(done)), flush=True)


def run(command: Sequence[str], directory: Path) -> list[Walked]:
    """Starts a driver; returns what its walks took."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=directory)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr[-2000:]}"
    return [Walked(**json.loads(line)) for line in done.stdout.splitlines()]
