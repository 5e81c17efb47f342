# SPDX-License-Identifier: MIT
"""plyfile, both ways: any elements and properties, in ascii and both byte orders."""

from __future__ import annotations

import io
import json
import sys
from typing import Any

import numpy as np
from plyfile import PlyData, PlyElement, PlyListProperty, PlyProperty

import typed
from compare import Run, same
from notation import parse

NUMBERS = ["i1", "u1", "i2", "u2", "i4", "u4", "f4", "f8"]


def number_of(p: PlyProperty) -> np.dtype[Any]:
    """The type of a property, of a list that of its items."""
    return np.dtype(p.list_dtype("=")[1] if isinstance(p, PlyListProperty) else p.dtype("="))


def columns(element: PlyElement) -> dict[str, Any]:
    """Rows by name of property, as plyfile has them."""
    found: dict[str, Any] = {}
    for p in element.properties:
        data = element.data[p.name]
        if isinstance(p, PlyListProperty):
            found[p.name] = [np.asarray(x, dtype=number_of(p)) for x in data]
        else:
            found[p.name] = np.asarray(data, dtype=number_of(p))
    return found


def ours_as_columns(text: bytes) -> dict[str, dict[str, Any]]:
    """The same of what polycodec printed."""
    shown, plain = text.split(b"\n", 1)
    kind = parse(json.loads(shown)["type"]).innermost()
    rows = json.loads(plain)
    found: dict[str, dict[str, Any]] = {}
    for element, type_of in zip(kind.names, kind.parts, strict=True):
        row = type_of.innermost()
        found[element] = {}
        for name, part in zip(row.names, row.parts, strict=True):
            values = [x[name] for x in rows[element]]
            dtype = typed.dtype_of(part.innermost())
            # A list is a dimension inside of the row.
            if (part.parts[0] if part.word == "annotated" else part).word == "dim":
                found[element][name] = [np.array([typed.real(x) for x in v], dtype=dtype) for v in values]
            else:
                found[element][name] = np.array([typed.real(x) for x in values], dtype=dtype)
    return found


def main() -> int:
    run = Run("plyfile")
    v = run.values

    def numbers(dtype: str, count: int, text: bool) -> np.ndarray[Any, Any]:
        a = v.array([dtype], (count,))
        if text and dtype[0] == "f":
            a = np.nan_to_num(a, nan=1.5, posinf=1e30, neginf=-1e30)
            # plyfile prints 18 digits, and floats beyond the range of the type are infinite.
        return a.astype(dtype)

    def element(name: str, text: bool) -> PlyElement:
        count = v.one_of([0, 1, 2, 5])
        names = v.names(v.random.randrange(1, 5))
        types = {n: v.one_of(NUMBERS) for n in names}
        lists = {n: types[n] for n in names if v.random.random() < 0.4}
        data = np.empty(count, dtype=[(n, "O" if n in lists else types[n]) for n in names])
        for n in names:
            if n in lists:
                for i in range(count):
                    data[n][i] = numbers(lists[n], v.one_of([0, 1, 3, 4]), text)
            else:
                data[n] = numbers(types[n], count, text)
        sizes = {n: v.one_of(["u1", "i4", "u2"]) for n in lists}
        return PlyElement.describe(data, name, val_types=lists, len_types=sizes, comments=v.one_of([[], ["a note"]]))

    def made() -> PlyData:
        text = v.random.random() < 0.5
        elements = [element(n, text) for n in v.names(v.random.randrange(1, 4))]
        return PlyData(elements, text=text, byte_order="=" if text else v.one_of("<>"), comments=v.one_of([[], ["x y"]]))

    def swapped(ply: PlyData) -> bool:
        return ply.byte_order == ">" and any(
            any(isinstance(p, PlyListProperty) for p in e.properties)
            and any(not isinstance(p, PlyListProperty) and np.dtype(p.dtype()).itemsize > 1 for p in e.properties)
            and len(e.data) > 0
            for e in ply.elements
        )

    def read(_: int) -> str | None:
        ply = made()
        stream = io.BytesIO()
        ply.write(stream)
        found = ours_as_columns(run.session.decode("ply", stream.getvalue(), plain=True))
        assert list(found) == [e.name for e in ply.elements]
        if swapped(ply):
            return "scalars_beside_lists"
        for e in ply.elements:
            same(found[e.name], columns(e))
        return None

    def write(_: int) -> None:
        ply = made()
        kinds, rows = [], {}
        for e in ply.elements:
            table = columns(e)
            parts = []
            for p in e.properties:
                word = typed.notation(number_of(p))
                parts.append(f"{p.name}: var * {word}" if isinstance(p, PlyListProperty) else f"{p.name}: {word}")
            kinds.append(f"{e.name}: {len(e.data)} * {{{', '.join(parts)}}}")
            rows[e.name] = [{n: typed.nested(c[i]) for n, c in table.items()} for i in range(len(e.data))]
        text = json.dumps({"type": "{" + ", ".join(kinds) + "}", "value": rows})
        form = "ascii" if ply.text else "binary_big_endian" if ply.byte_order == ">" else "binary_little_endian"
        data = run.session.encode("ply", text.encode(), options={"format": form})
        back = PlyData.read(io.BytesIO(data))
        assert back.text == ply.text and [e.name for e in back.elements] == [e.name for e in ply.elements]
        for e, expected in zip(back.elements, ply.elements, strict=True):
            same(columns(e), columns(expected))

    run.each("peer to ours", read)
    run.each("ours to peer", write)
    return run.finish()


if __name__ == "__main__":
    sys.exit(main())
