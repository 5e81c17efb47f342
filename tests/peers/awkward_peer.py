# SPDX-License-Identifier: MIT
"""Awkward Array 0.x itself, both ways: .awkd and HDF5 files of arrays of all kinds."""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from typing import Any

import awkward0
import h5py
import numpy as np

import typed
from compare import Run, same
from notation import Type, parse
from values import Values

PEER_FAILS = (ValueError, TypeError, AttributeError, IndexError)
TIMES = ["M8[s]", "M8[ns]", "M8[D]", "m8[us]"]
LEAVES = ["?", "i1", "u1", "i2", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16", *TIMES]


class Arrays:
    """Random arrays of Awkward 0.x."""

    def __init__(self, values: Values) -> None:
        self.v = values
        self.r = values.random

    def counts(self, n: int) -> Any:
        return np.array([self.r.choice([0, 0, 1, 2, 5]) for _ in range(n)], dtype=self.v.one_of(["i8", "i4", "u2"]))

    def mask(self, n: int) -> Any:
        return np.array([self.r.random() < 0.3 for _ in range(n)], dtype=bool)

    def leaf(self, n: int) -> Any:
        kind = self.r.random()
        if kind < 0.2:
            return awkward0.StringArray.fromiter([self.v.text() for _ in range(n)])
        if kind < 0.3:
            return awkward0.StringArray.fromiter([self.v.data() for _ in range(n)], encoding=None)
        return self.v.array(LEAVES, (n,) if self.r.random() < 0.8 else (n, self.r.randrange(1, 4)))

    def array(self, n: int, depth: int = 3) -> Any:
        """An array of n rows."""
        if depth == 0:
            return self.leaf(n)
        makers = [self.leaf, self.jagged, self.views, self.table, self.masked, self.bits, self.indexed_mask]
        makers += [self.indexed, self.union, self.chunked, self.sparse]
        maker = self.v.one_of(makers)
        if n == 0 and maker == self.union:
            return self.leaf(n)  # the peer makes no union without items
        return maker(n) if maker in (self.leaf, self.sparse) else maker(n, depth - 1)

    def jagged(self, n: int, depth: int) -> Any:
        counts = self.counts(n)
        return awkward0.JaggedArray.fromcounts(counts, self.array(int(counts.sum()), depth))

    def views(self, n: int, depth: int) -> Any:
        total = 7
        starts = np.array([self.r.randrange(total) for _ in range(n)], dtype="i8")
        stops = np.array([self.r.randrange(x, total + 1) for x in starts], dtype="i8")
        return awkward0.JaggedArray(starts, stops, self.array(total, depth))

    def table(self, n: int, depth: int) -> Any:
        return awkward0.Table.frompairs([(k, self.array(n, depth)) for k in self.v.names(self.r.randrange(1, 4))], 0)

    def masked(self, n: int, depth: int) -> Any:
        return awkward0.MaskedArray(self.mask(n), self.array(n, depth), maskedwhen=self.r.random() < 0.5)

    def bits(self, n: int, depth: int) -> Any:
        lsb = self.r.random() < 0.5
        when = self.r.random() < 0.5
        return awkward0.BitMaskedArray.fromboolmask(self.mask(n), self.array(n, depth), maskedwhen=when, lsborder=lsb)

    def indexed_mask(self, n: int, depth: int) -> Any:
        index = np.array([self.r.randrange(-1, 5) for _ in range(n)], dtype="i8")
        return awkward0.IndexedMaskedArray(index, self.array(5, depth))

    def indexed(self, n: int, depth: int) -> Any:
        return awkward0.IndexedArray(np.array([self.r.randrange(5) for _ in range(n)], "i8"), self.array(5, depth))

    def union(self, n: int, depth: int) -> Any:
        tags = np.array([self.r.randrange(2) for _ in range(n)], dtype="u1")
        ones = int(tags.sum())
        return awkward0.UnionArray.fromtags(tags, [self.array(n - ones, depth), self.array(ones, depth)])

    def chunked(self, n: int, depth: int) -> Any:
        whole = self.array(n, depth)
        middle = self.r.randrange(n + 1)
        return awkward0.ChunkedArray([whole[:middle], whole[middle:]])

    def sparse(self, n: int) -> Any:
        index = np.array(sorted(self.r.sample(range(n), n // 2)), dtype="i8")
        return awkward0.SparseArray(n, index, self.v.array(["i4", "f8", "u2"], (len(index),)))


def type_of(a: Any) -> str:
    """The type of the rows in type notation."""
    if isinstance(a, np.ndarray):
        return "".join(f"{n} * " for n in a.shape[1:]) + typed.notation(a.dtype)
    if isinstance(a, awkward0.StringArray):
        return "bytes" if a.encoding is None else "string"
    if isinstance(a, awkward0.JaggedArray):
        return "var * " + type_of(a.content)
    if isinstance(a, awkward0.Table):
        return "{" + ", ".join(f"{name}: {type_of(a.contents[name])}" for name in a.contents) + "}"
    if isinstance(a, awkward0.MaskedArray):
        inner = type_of(a.content)
        return inner if inner.startswith("?") else "?" + inner
    if isinstance(a, awkward0.UnionArray):
        return "union[" + ", ".join(type_of(x) for x in a.contents) + "]"
    if isinstance(a, awkward0.ChunkedArray):
        kinds = set(map(type_of, a.chunks))
        if len(kinds) > 1:
            raise ValueError("the peer made chunks of different types")
        return kinds.pop() if kinds else "any"
    return type_of(a.content)


def rows(a: Any) -> list[Any]:
    """The rows as JSON."""
    if isinstance(a, np.ndarray | awkward0.StringArray | awkward0.SparseArray):
        return [typed.nested(x) for x in a]
    if isinstance(a, awkward0.JaggedArray):
        content = rows(a.content)
        return [content[i:j] for i, j in zip(a.starts, a.stops, strict=False)]
    if isinstance(a, awkward0.Table):
        if any(type_of(a[name]) != type_of(a.contents[name]) for name in a.contents):
            raise ValueError("the peer's view of a union is no union")
        columns = [rows(a[name]) for name in a.contents]
        if not columns:
            return [{} for _ in range(len(a))]
        return [dict(zip(a.contents, row, strict=True)) for row in zip(*columns, strict=True)]
    if isinstance(a, awkward0.UnionArray):
        contents = [rows(x) for x in a.contents]
        return [{"$union": [int(t), contents[t][i]]} for t, i in zip(a.tags, a.index, strict=False)]
    if isinstance(a, awkward0.ChunkedArray):
        return [row for chunk in a.chunks for row in rows(chunk)]
    content = rows(a.content)
    if isinstance(a, awkward0.IndexedArray):
        return [content[i] for i in a.index]
    if isinstance(a, awkward0.IndexedMaskedArray):
        return [None if i < 0 else content[i] for i in a.mask]
    return [None if gone else row for gone, row in zip(a.boolmask(maskedwhen=True), content, strict=False)]


def value_of(a: Any) -> Any:
    return typed.read(parse(f"{len(a)} * {type_of(a)}"), rows(a), False)


def fits(ours: Type, theirs: Type) -> bool:
    """Equal types, but for what the type of ours does not say: options that miss nothing, parts without items."""
    ours, theirs = (x.parts[0] if x.word == "option" else x for x in (ours, theirs))
    if ours.word == "any" or theirs.word == "any":
        return True
    if theirs.word == "union" and ours.word != "union":
        return fits(ours, theirs.parts[0])  # the peer has no unions without items
    if (ours.word, ours.size, ours.names, ours.settings) != (theirs.word, theirs.size, theirs.names, theirs.settings):
        return False
    return len(ours.parts) == len(theirs.parts) and all(map(fits, ours.parts, theirs.parts))


def agrees(text: bytes, a: Any) -> None:
    """What polycodec printed is the peer's array."""
    shown, plain = text.split(b"\n", 1)
    kind, expected = json.loads(shown)["type"], f"{len(a)} * {type_of(a)}"
    assert fits(parse(kind), parse(expected)), f"{kind} and {expected}"
    same(typed.read(parse(expected), json.loads(plain), False), value_of(a))


def equals(found: Any, a: Any) -> None:
    """The array that the peer found is the one that was written."""
    kind = parse(f"{len(a)} * {type_of(a)}")
    assert fits(parse(f"{len(found)} * {type_of(found)}"), kind), f"{type_of(found)} and {type_of(a)}"
    same(typed.read(kind, rows(found), False), value_of(a))


def plain_of(x: Any) -> Any:
    """A document without what the peer has no kinds for: lists are arrays to it where they can be."""
    if isinstance(x, dict):
        if "$union" in x:
            return plain_of(x["$union"][1])
        return x["$float"].split(":")[0] if "$float" in x else {k: plain_of(v) for k, v in x.items()}
    if isinstance(x, list):
        return [plain_of(v) for v in x]
    if isinstance(x, np.ndarray | awkward0.array.base.AwkwardArray):
        return plain_of(rows(x))
    shown = typed.element(x) if isinstance(x, np.generic | bytes) else typed.written(x)
    return plain_of(shown) if isinstance(shown, dict) else shown


def save(path: Path, a: Any) -> None:
    path.unlink(missing_ok=True)
    if path.suffix == ".h5":
        with h5py.File(path, "w") as file:
            awkward0.hdf5(file)["array"] = a
    else:
        awkward0.save(str(path), a)


def load(path: Path) -> Any:
    if path.suffix == ".h5":
        with h5py.File(path, "r") as file:
            return awkward0.hdf5(file)["array"]
    return awkward0.load(str(path))


def main() -> int:
    warnings.simplefilter("ignore")
    run = Run("awkward")
    arrays = Arrays(run.values)

    def made() -> Any:
        """An array. The peer cannot make or access all that it is asked for."""
        while True:
            try:
                a = arrays.array(run.values.one_of([0, 1, 2, 7, 30]))
                value_of(a)
                return a
            except PEER_FAILS:
                pass

    def saved(path: Path) -> Any:
        """What the peer reads of a file that it wrote. It may write less than the array had: what nothing selects, and
        alternatives that no item has. Some arrays it cannot save or load at all."""
        while True:
            try:
                save(path, made())
                a = load(path)
                value_of(a)
                return a
            except PEER_FAILS:
                pass

    def read(suffix: str) -> str | None:
        path = run.work / f"peer{suffix}"
        a = saved(path)
        agrees(run.session.read("awkward", path, plain=True, options=options(path)), a)
        return None

    def write(suffix: str) -> str | None:
        a = made()
        path = run.work / f"ours{suffix}"
        path.unlink(missing_ok=True)
        text = json.dumps({"type": f"{len(a)} * {type_of(a)}", "value": rows(a)})
        run.session.write("awkward", path, text.encode(), options=options(path))
        equals(load(path), a)
        return None

    def read_named(_: int) -> None:
        path = run.work / "named.awkd"
        arrays = {name: saved(run.work / "peer.awkd") for name in ("a", "b", "evt")}
        path.unlink(missing_ok=True)
        awkward0.save(str(path), arrays)
        with awkward0.load(str(path)) as file:
            for name in arrays:
                agrees(run.session.read("awkward", path, plain=True, options={"array": name}), file[name])

    def write_named(_: int) -> None:
        path = run.work / "ours-named.awkd"
        path.unlink(missing_ok=True)
        arrays = {name: made() for name in ("a", "b", "evt")}
        kinds = ", ".join(f"{name}: {len(a)} * {type_of(a)}" for name, a in arrays.items())
        text = json.dumps({"type": "{" + kinds + "}", "value": {name: rows(a) for name, a in arrays.items()}})
        run.session.write("awkward", path, text.encode(), options={"members": True})
        with awkward0.load(str(path)) as file:
            assert sorted(file) == sorted(arrays), list(file)
            for name, a in arrays.items():
                equals(file[name], a)

    def write_document(_: int) -> None:
        path = run.work / "document.awkd"
        path.unlink(missing_ok=True)
        v = run.values
        value = {
            "only": v.document([v.integer, v.real, v.text, v.data, lambda: v.array(LEAVES), lambda: None, lambda: True])
        }
        run.session.write("awkward", path, typed.dumps(value))
        found, expected = plain_of(awkward0.load(str(path))), plain_of(value)
        assert found == expected, f"{found} and {expected}"

    def options(path: Path) -> dict[str, str]:
        return {"array": "array"} if path.suffix == ".h5" else {}

    run.each("peer to ours", lambda _: read(".awkd"))
    run.each("ours to peer", lambda _: write(".awkd"))
    run.each("named arrays to ours", read_named, 100)
    run.each("named arrays to peer", write_named, 100)
    run.each("documents to peer", write_document, 300)
    run.each("peer to ours in HDF5", lambda _: read(".h5"), 100)
    run.each("ours to peer in HDF5", lambda _: write(".h5"), 100)
    return run.finish()


if __name__ == "__main__":
    sys.exit(main())
