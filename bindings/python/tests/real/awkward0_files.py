# SPDX-License-Identifier: MIT
"""Run where awkward 0.15 is. `write DIRECTORY`: a file of each kind of array, and the items of all in items.pickle.
`read FILE...`: prints the items of files as JSON. `write-hdf5 DIRECTORY` and `read-hdf5 FILE NAME...`: HDF5.
`write-functions DIRECTORY`: arrays that name functions of Python."""

from __future__ import annotations

import json
import pickle
import sys
import types
from pathlib import Path
from typing import Any

import awkward0
import h5py
import numpy as np


def kinds() -> dict[str, Any]:
    jagged = awkward0.JaggedArray.fromiter([[1.5, 2.5], [], [3.5], [4.5, 5.5, 6.5]])
    strings = awkward0.StringArray.fromiter(["a", "zwei", "", "\u00fc\u4e09"])
    table = awkward0.Table.frompairs([("x", np.arange(4)), ("s", strings), ("j", jagged)], 0)
    mask = np.array([False, True, False, True])
    found: dict[str, Any] = {
        "jagged_offsets": jagged,
        "jagged_views": awkward0.JaggedArray(np.array([3, 0, 5]), np.array([5, 1, 5]), np.arange(6)),
        "jagged_twice": awkward0.JaggedArray.fromcounts([2, 0, 2], jagged),
        "jagged_table": awkward0.JaggedArray.fromcounts([1, 0, 3], table),
        "string": strings,
        "bytes": awkward0.StringArray.fromiter([b"\x00\xff", b"", b"abc"], encoding=None),
        "jagged_string": awkward0.JaggedArray.fromcounts([3, 0, 1], strings),
        "table": table,
        "table_in_table": awkward0.Table.frompairs([("a", table), ("b", np.arange(4.0))], 0),
        "table_view": table[1:3],
        "masked": awkward0.MaskedArray(mask, np.arange(4)),
        "masked_valid": awkward0.MaskedArray(mask, np.arange(4), maskedwhen=False),
        "bit_masked": awkward0.BitMaskedArray.fromboolmask(mask, np.arange(4), lsborder=True),
        "bit_masked_msb": awkward0.BitMaskedArray.fromboolmask(mask, np.arange(4), lsborder=False),
        "indexed_masked": awkward0.IndexedMaskedArray(np.array([2, -1, 0, 2]), np.array([1.5, 2.5, 3.5])),
        "masked_jagged": awkward0.MaskedArray(mask, jagged),
        "indexed": awkward0.IndexedArray(np.array([2, 0, 0, 1]), np.array([1.5, 2.5, 3.5])),
        "sparse": awkward0.SparseArray(6, np.array([1, 4]), np.array([10, 20])),
        "union": awkward0.UnionArray.fromtags(np.array([0, 1, 1, 0], "u1"), [np.arange(2), strings[:2]]),
        "chunked": awkward0.ChunkedArray([np.arange(3), np.arange(2) + 10]),
        "appendable": awkward0.AppendableArray(3, np.dtype("f8")),
        "virtual": awkward0.VirtualArray(lambda: np.arange(5), persistvirtual=False),
        "matrix": np.arange(6.0).reshape(3, 2),
        "structured": np.array([(1, 2.5), (3, 4.5)], dtype=[("a", "i4"), ("b", "f8")]),
        "big_endian": np.arange(4, dtype=">i4"),
    }
    for x in (1.0, 2.0, 3.0, 4.0):
        found["appendable"].append(x)
    for name in "? i1 u1 i2 u2 i4 u4 i8 u8 f2 f4 f8 c8 c16".split():
        found[f"numpy_{name.replace('?', 'bool')}"] = np.array([0, 1, 2, 1]).astype(name)
    return found


def items(array: Any) -> Any:
    if isinstance(array, np.ndarray) and array.dtype.names:
        return [dict(zip(array.dtype.names, x.tolist(), strict=True)) for x in array]
    return array.tolist()


def write(directory: Path) -> None:
    expected = {}
    for name, array in kinds().items():
        path = directory / f"{name}.awkd"
        awkward0.save(str(path), array, mode="w")
        expected[name] = items(awkward0.load(str(path)))
    (directory / "items.pickle").write_bytes(pickle.dumps(expected))


def write_hdf5(directory: Path) -> None:
    expected = {}
    with h5py.File(directory / "arrays.h5", "w") as file:
        for name, array in kinds().items():
            awkward0.hdf5(file)[name] = array
            expected[name] = items(awkward0.hdf5(file)[name])
    (directory / "items.pickle").write_bytes(pickle.dumps(expected))


class Particle:
    """An object that an array makes of each item."""


def generate(size: int) -> Any:
    return np.arange(size)


def write_functions(directory: Path) -> None:
    module = types.ModuleType("polycodec_test_physics")
    for function in (Particle, generate):
        function.__module__ = module.__name__
        setattr(module, function.__name__, function)
    sys.modules[module.__name__] = module
    objects = awkward0.ObjectArray(np.arange(3), Particle)
    awkward0.save(str(directory / "objects.awkd"), objects, mode="w")
    generator = awkward0.VirtualArray(generate, (5,), persistvirtual=True)
    awkward0.save(str(directory / "generator.awkd"), generator, mode="w")


def main() -> None:
    arguments = sys.argv[2:]
    if sys.argv[1] == "write":
        write(Path(arguments[0]))
    elif sys.argv[1] == "write-hdf5":
        write_hdf5(Path(arguments[0]))
    elif sys.argv[1] == "write-functions":
        write_functions(Path(arguments[0]))
    elif sys.argv[1] == "read":
        print(json.dumps([items(awkward0.load(path)) for path in arguments]))
    elif sys.argv[1] == "read-hdf5":
        with h5py.File(arguments[0], "r") as file:
            print(json.dumps([items(awkward0.hdf5(file)[name]) for name in arguments[1:]]))


if __name__ == "__main__":
    main()
