# SPDX-License-Identifier: MIT
"""yggdrasil-python-rapidjson, the JSON library of yggdrasil, both ways."""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
import yggdrasil_rapidjson
from yggdrasil_rapidjson import geometry, units

import typed
from compare import Run, same

CODEC = "yggdrasil"
DTYPES = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]
UNITS = ["cm", "kg", "m/s", "degC", "umol"]


def dumped(value: Any) -> bytes:
    return bytes(yggdrasil_rapidjson.dumps(value).encode())


def main() -> int:
    run = Run("yggdrasil")
    v = run.values

    def scalar() -> Any:
        return v.array(DTYPES, ())[()]

    def leaf_array() -> Any:
        a = v.array(DTYPES)
        return a.astype(a.dtype.newbyteorder("="), order="C")

    def text_array() -> Any:
        return np.array([v.name() for _ in range(v.random.randrange(1, 4))])

    def big() -> int:
        return int(v.one_of([2**64 - 1, 2**63, -(2**63), 2**64, -(2**63) - 1, 2**127, -(2**127)]))

    leaves = [v.integer, v.real, v.text, v.data, leaf_array, scalar, big, text_array, lambda: None, lambda: True]

    def read(_: int) -> str | None:
        value = v.document(leaves)
        found = typed.loads(run.session.decode(CODEC, dumped(value)))
        same(bare(found), bare(value))
        return None

    def write(_: int) -> str | None:
        value = v.document(leaves)
        data = run.session.encode(CODEC, typed.dumps(value))
        same(bare(yggdrasil_rapidjson.loads(data.decode())), bare(value))
        return None

    def read_units(_: int) -> None:
        unit = v.one_of(UNITS)
        a = np.array([v.integer() / 8 for _ in range(3)])
        found = typed.loads(run.session.decode(CODEC, dumped(units.QuantityArray(a, unit))))
        assert isinstance(found, typed.Noted) and dict(found.attributes)["units"] == str(units.Units(unit)), found
        same(found.value, a)

    def write_units(_: int) -> None:
        unit = str(v.one_of(UNITS))
        numbers = [v.integer() / 8 for _ in range(3)]
        text = json.dumps({"type": f"annotated[3 * float64, units='{unit}']", "value": numbers})
        back = yggdrasil_rapidjson.loads(run.session.encode(CODEC, text.encode()).decode())
        assert isinstance(back, units.QuantityArray) and back.is_compatible(units.Units(unit)), back
        same(np.array(back.to(unit)), np.array(numbers))

    def differ(i: int) -> str:
        if i % 3 == 0:
            a = v.array(["i4", "f8"], (3,)).astype(v.one_of([">i4", ">f8"]))
            assert typed.loads(run.session.decode(CODEC, dumped(a))).tobytes() == a.tobytes()
            return "byte_order"
        if i % 3 == 1:
            a = np.array([True, False])
            try:
                dumped(a)
            except TypeError:
                same(typed.loads(run.session.decode(CODEC, run.session.encode(CODEC, typed.dumps(a)))), [True, False])
                return "boolean_arrays"
        text = "-YGG-a-YGG-b-YGG-"
        assert yggdrasil_rapidjson.loads(dumped(text).decode()) != text
        same(bare(yggdrasil_rapidjson.loads(run.session.encode(CODEC, typed.dumps(text)).decode())), text)
        return "text_like_a_leaf"

    def mesh(_: int) -> None:
        count = v.random.randrange(3, 9)
        corners = [v.random.sample(range(count), 3) for _ in range(v.random.randrange(1, 5))]
        # The peer writes six digits.
        points = [{k: v.random.randrange(-99, 99) / 8 for k in "xyz"} for _ in range(count)]
        if v.random.random() < 0.5:
            theirs = geometry.Ply({"vertices": points, "faces": [{"vertex_index": f} for f in corners]})
        else:
            faces = [[{"vertex_index": i} for i in f] for f in corners]
            theirs = geometry.ObjWavefront({"vertices": points, "faces": faces})
        text = run.session.decode(CODEC, dumped(theirs))
        found = typed.loads(text)
        if isinstance(theirs, geometry.Ply):
            same([{k: float(x) for k, x in row.items()} for row in found.value["vertex"]], points)
            same([list(map(int, x["vertex_index"])) for x in found.value["face"]], corners)
        back = yggdrasil_rapidjson.loads(run.session.encode(CODEC, text).decode())
        assert type(back) is type(theirs) and back.as_dict() == theirs.as_dict(), back.as_dict()

    run.each("peer to ours", read)
    run.each("ours to peer", write)
    run.each("units to ours", read_units, 100)
    run.each("units to peer", write_units, 100)
    run.each("meshes both ways", mesh, 200)
    run.each("known differences", differ, 3)
    return run.finish()


def bare(value: Any) -> Any:
    """Without attributes, and with Python's numbers for those of 64 bits."""
    if isinstance(value, typed.Noted):
        return bare(value.value)
    if isinstance(value, list):
        return [bare(x) for x in value]
    if isinstance(value, dict):
        return {k: bare(x) for k, x in value.items()}
    if isinstance(value, np.float64 | np.complex128 | np.int64 | np.uint64):
        return value.item()
    return value


if __name__ == "__main__":
    sys.exit(main())
