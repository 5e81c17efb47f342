# SPDX-License-Identifier: MIT
"""What all programs of this directory share: equality of values, known differences, the run and its report."""

from __future__ import annotations

import argparse
import struct
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from differences import DIFFERENCES
from ours import Session
from typed import Ext, Noted
from values import Values


def unlike(a: Any, b: Any, path: str = "$") -> str | None:
    """Where two values differ in kind, width or bits, or None. Byte order and strides of arrays do not count, nor do
    the bits of a NaN."""
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        if a.dtype.newbyteorder("=") != b.dtype.newbyteorder("=") or a.shape != b.shape:
            return f"{path}: {a.dtype}{a.shape} and {b.dtype}{b.shape}"
        pairs = zip(a.flat, b.flat, strict=True)
        return next((f"{path}, element {i}: {x!r} and {y!r}" for i, (x, y) in enumerate(pairs) if not equal(x, y)), None)
    if type(a) is not type(b):
        return f"{path}: {type(a).__name__} {a!r} and {type(b).__name__} {b!r}"[:500]
    if isinstance(a, list | tuple):
        if len(a) != len(b):
            return f"{path}: {len(a)} and {len(b)} items"
        parts = ((f"{path}[{i}]", x, y) for i, (x, y) in enumerate(zip(a, b, strict=True)))
    elif isinstance(a, dict):
        if list(a) != list(b):
            return f"{path}: keys {list(a)} and {list(b)}"
        parts = ((f"{path}.{k}", a[k], b[k]) for k in a)
    elif isinstance(a, Ext | Noted):
        parts = ((f"{path}.{k}", x, vars(b)[k]) for k, x in vars(a).items())
    else:
        return None if equal(a, b) else f"{path}: {a!r} and {b!r}"[:500]
    return next((found for place, x, y in parts if (found := unlike(x, y, place))), None)


def same(found: Any, expected: Any) -> None:
    """Asserts that two values are equal."""
    where = unlike(found, expected)
    assert where is None, where


def equal(a: Any, b: Any) -> bool:
    if isinstance(a, complex | np.complexfloating):
        return equal(a.real, b.real) and equal(a.imag, b.imag)
    if isinstance(a, float | np.floating):
        return bool(np.isnan(a) and np.isnan(b)) or struct.pack("<d", float(a)) == struct.pack("<d", float(b))
    if isinstance(a, np.datetime64 | np.timedelta64) and np.isnat(a):
        return bool(np.isnat(b))
    return bool(a == b)


class Run:
    """The comparison with one peer. A body that returns the name of a known difference met it."""

    def __init__(self, peer: str, more: Sequence[str] = ()) -> None:
        parser = argparse.ArgumentParser()
        for name in more:
            parser.add_argument(f"--{name}", type=Path, required=True)
        parser.add_argument("--session", type=Path, required=True)
        parser.add_argument("--plugins", type=Path, required=True)
        parser.add_argument("--work", type=Path, required=True)
        parser.add_argument("--count", type=int, default=1000)
        parser.add_argument("--seed", type=int, default=1)
        self.options = parser.parse_args()
        self.peer = peer
        self.values = Values(self.options.seed)
        self.session = Session(self.options.session, self.options.plugins)
        self.known = {d.name for d in DIFFERENCES if d.peer == peer}
        self.met: Counter[str] = Counter()
        self.checks: Counter[str] = Counter()
        self.failures = 0
        self.work: Path = self.options.work / peer
        self.work.mkdir(parents=True, exist_ok=True)

    def each(self, direction: str, body: Callable[[int], str | None], count: int | None = None) -> None:
        """Calls `body` for each value. It asserts, or returns the name of a difference."""
        for i in range(self.options.count if count is None else count):
            self.checks[direction] += 1
            try:
                difference = body(i)
            except Exception:
                self.failures += 1
                if self.failures <= 5:
                    print(f"{self.peer}, {direction}, value {i} of seed {self.options.seed}:", file=sys.stderr)
                    traceback.print_exc(limit=-2)
                continue
            if difference is not None:
                if difference not in self.known:
                    raise ValueError(f"the difference {difference} of {self.peer} is not in differences.py")
                self.met[difference] += 1

    def finish(self) -> int:
        """Prints what was compared. A difference that nobody met any more is a failure too."""
        self.session.__exit__()
        gone = self.known - set(self.met)
        if gone:
            print(f"{self.peer}: no value met the differences {sorted(gone)}: take them out", file=sys.stderr)
        parts = ", ".join(f"{count} {direction}" for direction, count in self.checks.items())
        print(f"{self.peer}: {parts}; {self.failures} failed, known differences {dict(self.met)}")
        return 1 if self.failures or gone else 0
