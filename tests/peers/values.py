# SPDX-License-Identifier: MIT
"""Values with a fixed seed: the edges of each kind more often than what lies between them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

INTEGERS = [0, 1, -1, 127, 128, -128, -129, 255, 256, 32767, 32768, -32769, 65535, 65536, 2**31 - 1, 2**31, -(2**31)]
INTEGERS += [-(2**31) - 1, 2**32 - 1, 2**32, 2**53 + 1, 2**63 - 1, -(2**63)]
FLOATS = [
    0.0,
    -0.0,
    1.0,
    0.1,
    1e300,
    -1e-300,
    5e-324,
    1.7976931348623157e308,
    float("inf"),
    float("-inf"),
    float("nan"),
]
TEXTS = [
    "",
    "a",
    "é",
    "日本語",
    "𝄞",
    "\x00",
    "\n\t\"\\'",
    "\u007f\u0085\u2028",
    "$a",
    "$$",
    "-YGG-",
    "x" * 31,
    "y" * 256,
]
DTYPES = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]


class Values:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.numpy = np.random.Generator(np.random.PCG64(seed))

    def one_of(self, choices: Sequence[Any]) -> Any:
        return self.random.choice(choices)

    def integer(self) -> int:
        if self.random.random() < 0.5:
            return int(self.one_of(INTEGERS))
        return self.random.getrandbits(63) >> self.random.randrange(63)

    def real(self) -> float:
        if self.random.random() < 0.4:
            return float(self.one_of(FLOATS))
        return self.random.uniform(-1, 1) * 10.0 ** self.random.randrange(-20, 20)

    def text(self) -> str:
        if self.random.random() < 0.5:
            return str(self.one_of(TEXTS))
        return "".join(chr(self.one_of([65, 97, 233, 0x4E00, 0x1F600]) + i % 20) for i in range(self.random.randrange(40)))

    def name(self) -> str:
        return "".join(self.one_of("abcdefgxyz") for _ in range(self.random.randrange(1, 9)))

    def names(self, count: int) -> list[str]:
        """Different names."""
        return list(dict.fromkeys(f"{self.name()}{i}" for i in range(count)))

    def data(self) -> bytes:
        return self.random.randbytes(self.one_of([0, 1, 3, 31, 32, 255, 256, 70]))

    def shape(self, most: int = 3) -> tuple[int, ...]:
        return tuple(self.random.choice([0, 1, 2, 3, 5]) for _ in range(self.random.randrange(1, most + 1)))

    def array(self, dtypes: Sequence[str] = DTYPES, shape: tuple[int, ...] | None = None) -> np.ndarray[Any, Any]:
        """Random bits of a type in any byte order, sometimes as a view with strides."""
        dtype = np.dtype(self.one_of(dtypes))
        turned = shape is None
        shape = self.shape() if shape is None else shape
        size = int(np.prod(shape))
        found: np.ndarray[Any, Any]
        if dtype.kind == "b":
            found = self.numpy.integers(0, 2, size).astype(bool)
        elif dtype.kind == "M":  # years that ISO 8601 has without a sign, and "not a time"
            most = 700_000 if np.datetime_data(dtype)[0] == "D" else 2**34
            counts = self.numpy.integers(-most, most, size)
            found = np.where(self.numpy.random(size) < 0.1, np.iinfo("i8").min, counts).view(dtype)
        elif dtype.kind in "fc":
            width = dtype.itemsize // (2 if dtype.kind == "c" else 1)
            parts = size * dtype.itemsize // width
            reals = np.array([self.real() for _ in range(parts)])
            with np.errstate(over="ignore"):
                found = reals.astype(f"f{width}").view(dtype)
        else:
            found = np.frombuffer(self.random.randbytes(size * dtype.itemsize), dtype=dtype)
        found = found.reshape(shape)
        if self.random.random() < 0.3:
            found = found.astype(found.dtype.newbyteorder(">"))
        if shape and self.random.random() < 0.3:
            found = np.asarray(self.one_of([found.T if turned else found, found[::-1], np.asfortranarray(found)]))
        return found

    def document(self, leaves: Sequence[Callable[[], Any]], depth: int = 4) -> Any:
        """A value nested from lists, objects and leaves."""
        kind = self.random.random() if depth > 0 else 0.0
        if kind < 0.35:
            return self.one_of(leaves)()
        count = self.one_of([0, 1, 2, 3, 17])
        if depth < 3:
            count = min(count, 3)
        if kind < 0.6:
            return [self.document(leaves, depth - 1) for _ in range(count)]
        if kind < 0.7:
            leaf = self.one_of(leaves)
            return [leaf() for _ in range(count)]
        return {name: self.document(leaves, depth - 1) for name in self.names(count)}
