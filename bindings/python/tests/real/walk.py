# SPDX-License-Identifier: MIT
"""Walks over the value of a file, each in a child of its own: see tests/torture/walks.py.

Usage: walk.py SMALL FILE; SMALL is a file that all walks can do, with which they import what they need later on."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polycodec as pc
from polycodec import Value

sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "tests/torture"))
walks: Any = importlib.import_module("walks")


def _parts(value: Value) -> None:
    for i in range(3):
        part = value[min(i, len(value) - 1)]
        repr(part)
        for name in part.names[:2]:
            repr(part[name])


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
    "logical": lambda v: pc.default_registry().address(v, logical=True),
    "frames": lambda v: sum(len(frame) for frame in v.to_frames()),
    "infer": pc.Schema.infer,
    "pack": lambda v: pc.Channel().pack(v),
    "pack dynd": lambda v: pc.Channel(codec="dynd").pack(v),
    "pack msgpack": lambda v: pc.Channel(codec="msgpack-ndarray").pack(v),
    "dynd": lambda v: pc.encode(v, "dynd"),
    "msgpack": lambda v: pc.encode(v, "msgpack-ndarray"),
    "agree": lambda v: pc.agree(pc.offer(), v),
}


def _run(walk: Callable[[], object]) -> str | None:
    try:
        walk()
    except (pc.PolycodecError, TypeError, ValueError, KeyError, IndexError, RecursionError) as error:
        return f"{type(error).__name__}: {str(error)[:1000]}"
    return None


def main() -> None:
    small, path = sys.argv[1:]
    every = {name: lambda file, walk=walk: walk(pc.open(file)) for name, walk in WALKS.items()}
    every["inspect"] = pc.inspect
    for walk in every.values():
        _run(lambda walk=walk: walk(small))
    walks.each_in_a_child({name: lambda walk=walk: lambda: _run(lambda: walk(path)) for name, walk in every.items()})


if __name__ == "__main__":
    main()
