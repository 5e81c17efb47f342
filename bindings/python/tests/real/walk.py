# SPDX-License-Identifier: MIT
"""Runs one walk over each of some files, each in a child of its own, and prints a line of JSON about it.

Usage: walk.py NAME FILE...; a line has the file, the error (null: the walk ended with a value), by how many bytes the
memory of the child grew, and the seconds of a processor that it took.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from collections.abc import Callable

import polycodec as pc
from polycodec import Value

_HANG = 20  # seconds, of walks that take less than one


def _parts(value: Value) -> None:
    for i in range(3):
        part = value[min(i, len(value) - 1)]
        repr(part)
        for name in part.names[:2]:
            repr(part[name])


def _pack(value: Value) -> None:
    for codec in ("dynd", "msgpack-ndarray", "yggdrasil"):
        pc.Channel(codec=codec).pack(value)


WALKS: dict[str, Callable[[Value], object]] = {
    "parts": _parts,
    "repr": lambda v: [repr(v) for _ in range(10)],
    "html": lambda v: v._repr_html_(),
    "to_python": lambda v: v.to_python(),
    "arrays": lambda v: v.to_python(arrays="numpy"),
    "to_numpy": lambda v: v.to_numpy(copy=True),
    "to_arrow": lambda v: v.to_arrow(),
    "to_awkward": lambda v: v.to_awkward(),
    "to_text": lambda v: v.to_text(),
    "plain": lambda v: v.to_text(plain=True),
    "difference": lambda v: v.difference(v, unordered=True),
    "address": lambda v: v.content_address,
    "frames": lambda v: sum(len(frame) for frame in v.to_frames()),
    "infer": pc.Schema.infer,
    "pack": _pack,
    "encode": lambda v: pc.encode(v, "dynd"),
    "inspect": lambda v: pc.inspect(sys.argv[2]),
}


def _run(walk: Callable[[Value], object], path: str) -> str | None:
    if walk is WALKS["inspect"]:
        walk = lambda value: pc.inspect(path)  # noqa: E731
    try:
        walk(pc.open(path))
    except (pc.MismatchError, pc.UnsupportedError):  # what numpy, awkward or the codec has no form for
        return None
    except pc.LimitError as error:
        return str(error)
    return None


def _child(walk: Callable[[Value], object], path: str, to: int) -> None:
    signal.alarm(_HANG)
    before = resource.getrusage(resource.RUSAGE_SELF)
    error = _run(walk, path)
    after = resource.getrusage(resource.RUSAGE_SELF)
    end = {
        "file": os.path.basename(path),
        "error": error,
        "grown": 1024 * (after.ru_maxrss - before.ru_maxrss),
        "seconds": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
    }
    os.write(to, json.dumps(end).encode())


def main() -> None:
    """Runs a walk of the arguments."""
    walk = WALKS[sys.argv[1]]
    _run(walk, sys.argv[2])  # what is imported later on is there
    for path in sys.argv[3:]:
        out, to = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                _child(walk, path, to)
            finally:
                os._exit(0)
        os.close(to)
        text = os.read(out, 1 << 16)
        os.close(out)
        _, status = os.waitpid(child, 0)
        end = {"file": os.path.basename(path), "error": f"the child ended with status {status}", "grown": 0}
        print(text.decode() if text else json.dumps(end), flush=True)


if __name__ == "__main__":
    main()
