# SPDX-License-Identifier: MIT
"""Run where only the wheel, numpy and awkward are: bare.py DIRECTORY. Opens each file of awkward 0.15 in the directory, and
compares it with items.pickle, item by item. Then writes arrays of awkward 2 to files, and their items to back.json."""

from __future__ import annotations

import importlib.metadata
import json
import pickle
import sys
from pathlib import Path

import awkward as ak

import polycodec as pc


def main() -> None:
    directory = Path(sys.argv[1])
    expected = pickle.loads((directory / "items.pickle").read_bytes())
    for name, items in expected.items():
        found = pc.open(directory / f"{name}.awkd").to_awkward()
        assert isinstance(found, ak.Array) and found.to_list() == items, name
    arrays = [ak.Array([[1.5, 2.5], [], [3.5]]), ak.Array([{"x": 1, "s": "a"}, {"x": 2, "s": "b"}]), ak.Array([1, None, 3])]
    for i, array in enumerate(arrays):
        (directory / f"back{i}.awkd").write_bytes(pc.encode(array, "awkward"))
    (directory / "back.json").write_text(json.dumps([x.to_list() for x in arrays]))
    print(len(expected), *sorted(x.name.lower() for x in importlib.metadata.distributions()))


if __name__ == "__main__":
    main()
