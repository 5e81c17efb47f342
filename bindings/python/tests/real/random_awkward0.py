# SPDX-License-Identifier: MIT
"""Run where awkward 0.15 is. `DIRECTORY SEED COUNT`: files of random arrays of all classes, nested to a depth of 3, and
their items in items.pickle, or None where the items that awkward 0.15 gives are not those that it stores."""

from __future__ import annotations

import pickle
import random
import string
import sys
from pathlib import Path
from typing import Any

import awkward0
import numpy as np

NUMBERS = ["?", *"bBhHiIqQefdFD"]
TIMES = ["M8[s]", "M8[us]", "M8[D]", "m8[s]", "m8[ms]"]
INDICES = ["u1", "i2", "u2", "i4", "u4", "i8", "u8"]


class Arrays:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.is_exact = True

    def index(self, items: Any) -> Any:
        """Integers of any width that has them."""
        smallest = min(items, default=0)
        kinds = [x for x in INDICES if x[0] == "i" or smallest >= 0]
        return np.array(items, self.random.choice(kinds))

    def leaf(self, n: int) -> Any:
        kind = self.random.random()
        if kind < 0.2:
            words = [
                "".join(self.random.choices(string.ascii_letters + "\u00e4\u4e09", k=self.random.choice([0, 1, 2, 5])))
                for _ in range(n)
            ]
            if kind < 0.05:
                return awkward0.StringArray.fromiter([x.encode() for x in words], encoding=None)
            return awkward0.StringArray.fromiter(words)
        shape = (n,) if self.random.random() < 0.8 else (n, self.random.randrange(1, 4))
        size = int(np.prod(shape))
        if kind < 0.3:
            return (
                np.array([self.random.randrange(10**6) for _ in range(size)], "i8")
                .astype(self.random.choice(TIMES))
                .reshape(shape)
            )
        dtype = np.dtype(self.random.choice(NUMBERS))
        if dtype.kind in "iu":
            bounds = np.iinfo(dtype)
            numbers = [
                self.random.choice([0, 1, int(bounds.min), int(bounds.max), self.random.randrange(100)])
                for _ in range(size)
            ]
        else:
            numbers = [
                self.random.choice([0, 1, 0.5, float("nan") if dtype.kind == "f" else 2, self.random.randrange(100)])
                for _ in range(size)
            ]
        made = np.array(numbers, dtype).reshape(shape)
        return made.astype(made.dtype.newbyteorder(">")) if self.random.random() < 0.2 else made

    def array(self, n: int, depth: int) -> Any:
        if depth == 0:
            return self.leaf(n)
        makers = [self.leaf, self.jagged, self.views, self.table, self.masked, self.bits, self.indexed_mask]
        makers += [self.indexed, self.union, self.chunked, self.sparse]
        maker = self.random.choice(makers)
        return self.leaf(n) if maker == self.leaf else maker(n, depth - 1)

    def jagged(self, n: int, depth: int) -> Any:
        counts = np.array([self.random.choice([0, 0, 1, 2, 5]) for _ in range(n)], "i8")
        offsets = self.index([0, *np.cumsum(counts).tolist()])
        content = self.array(int(counts.sum()), depth)
        return awkward0.JaggedArray(offsets[:-1], offsets[1:], content)

    def views(self, n: int, depth: int) -> Any:
        starts = [self.random.randrange(7) for _ in range(n)]
        stops = [self.random.randrange(x, 8) for x in starts]
        return awkward0.JaggedArray(self.index(starts), self.index(stops), self.array(7, depth))

    def table(self, n: int, depth: int) -> Any:
        names = self.random.sample(["x", "y", "pt", "a b", "\u00fc"], self.random.randrange(1, 4))
        return awkward0.Table.frompairs([(name, self.array(n, depth)) for name in names], 0)

    def mask(self, n: int) -> Any:
        return np.array([self.random.random() < 0.3 for _ in range(n)], bool)

    def masked(self, n: int, depth: int) -> Any:
        return awkward0.MaskedArray(self.mask(n), self.array(n, depth), maskedwhen=self.random.random() < 0.5)

    def bits(self, n: int, depth: int) -> Any:
        lsb, when = self.random.random() < 0.5, self.random.random() < 0.5
        return awkward0.BitMaskedArray.fromboolmask(self.mask(n), self.array(n, depth), maskedwhen=when, lsborder=lsb)

    def indexed_mask(self, n: int, depth: int) -> Any:
        return awkward0.IndexedMaskedArray(
            self.index([self.random.randrange(-1, 5) for _ in range(n)]), self.array(5, depth)
        )

    def indexed(self, n: int, depth: int) -> Any:
        return awkward0.IndexedArray(self.index([self.random.randrange(5) for _ in range(n)]), self.array(5, depth))

    def union(self, n: int, depth: int) -> Any:
        members = self.random.randrange(1, 4)
        tags = np.array([self.random.randrange(members) for _ in range(n)], "u1")
        index = self.index([self.random.randrange(4) for _ in range(n)])
        return awkward0.UnionArray(tags, index, [self.array(4, depth) for _ in range(members)])

    def chunked(self, n: int, depth: int) -> Any:
        whole, middle = self.array(n, depth), self.random.randrange(n + 1)
        return awkward0.ChunkedArray([whole[:middle], whole[middle:]])

    def sparse(self, n: int, depth: int) -> Any:
        self.is_exact = False  # an integer is in place of what is missing, whatever the type of the rest
        index = np.array(sorted(self.random.sample(range(n), n // 2)), "i8")
        return awkward0.SparseArray(n, index, self.leaf(len(index)))


def main() -> None:
    directory, seed, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    expected: dict[str, Any] = {}
    i = 0
    while len(expected) < count:
        i += 1
        arrays = Arrays(seed * 1_000_003 + i)
        path = directory / f"{i}.awkd"
        try:
            array = arrays.array(arrays.random.choice([0, 1, 3, 6]), 3)
            awkward0.save(str(path), array, mode="w")
            items = awkward0.load(str(path)).tolist()
        except Exception:  # awkward 0.15 cannot write or read all that it makes
            path.unlink(missing_ok=True)
            continue
        expected[path.name] = items if arrays.is_exact else None
    (directory / "items.pickle").write_bytes(pickle.dumps(expected))


main()
