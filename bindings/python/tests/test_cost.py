# SPDX-License-Identifier: MIT
"""Small files that ask for much, walked in every way that Python has: tests/torture/costly.py makes them."""

from __future__ import annotations

import importlib
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tests/torture"))
costly: Any = importlib.import_module("costly")

# What a walk may take beside what the process has: by default, a value of 100 kB may take 300 MB, and what is made of it is
# there at the same time. The processor's time ends a walk without a bound: a call has a second and a half.
MEMORY = 450 * 10**6
SECONDS = 60
WALKS = """
import sys
import awkward, numpy, pyarrow
import polycodec as pc

def memory(name):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(name)) * 1024

def first(value):
    item = value[0] if len(value) else None
    return repr(item)

path, most = sys.argv[1], int(sys.argv[2])
walks = {
    "repr": lambda: repr(pc.open(path)),
    "item": lambda: first(pc.open(path)),
    "html": lambda: pc.open(path)._repr_html_(),
    "inspect": lambda: pc.inspect(path),
    "python": lambda: pc.open(path).to_python(),
    "arrow": lambda: pc.open(path).to_arrow(),
    "awkward": lambda: pc.open(path).to_awkward(),
    "numpy": lambda: pc.open(path).to_numpy(copy=True),
    "encode": lambda: len(pc.encode(pc.open(path), "msgpack-ndarray")),
    "pack": lambda: pc.Channel().pack(pc.open(path)),
    "frames": lambda: len(pc.open(path).to_frames()),
}
for name, walk in walks.items():
    print(name, flush=True)
    with open("/proc/self/clear_refs", "w") as peak:
        peak.write("5")
    base = memory("VmRSS:")
    try:
        walk()
    except (pc.PolycodecError, TypeError, ValueError, KeyError, IndexError, RecursionError) as error:
        print("   ", type(error).__name__, str(error)[:200].encode("ascii", "replace"))
    taken = memory("VmHWM:") - base
    if taken > most:
        raise SystemExit(f"{name} took {taken >> 20} MiB")
"""


# All of them take minutes. These have gone beyond their bounds once, or are the like of those that have.
WORST = ("dag25.awkd", "laugh2.awkd", "laugh20.awkd", "laugh99.awkd", "laugh1000.awkd", "unions20.awkd", "sparse.awkd",
         "chunks5000.awkd", "strings4000.awkd", "flags_of_nothing.msgpack", "empty_maps.msgpack", "million_voids.dynd",
         "corners.ply", "instances.gltf", "zeros_million.gltf", "references.msg", "digits.json")  # fmt: skip
CHOSEN = [
    made for made in (make() for make in costly.FILES)
    if not made.commands and not made.words and (made.name in WORST or "POLYCODEC_TORTURE_CASES" in os.environ)
]  # fmt: skip


@pytest.mark.parametrize("made", CHOSEN, ids=lambda made: made.name)
def test_walks_of_a_small_file_are_bounded(made: Any, tmp_path: Path) -> None:
    for name, data in {made.name: made.data, **made.beside}.items():
        (tmp_path / name).write_bytes(data)

    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))

    arguments = [sys.executable, "-c", WALKS, str(tmp_path / made.name), str(MEMORY)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False, preexec_fn=bound, cwd=tmp_path)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr[-2000:]}"
