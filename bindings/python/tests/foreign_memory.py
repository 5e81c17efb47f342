# SPDX-License-Identifier: MIT
"""A program for test_memory.py: it makes values of memory, changes the memory, and uses the values.

    python foreign_memory.py MEMORY FORM     (see MEMORIES and FORMS)

It prints each case before it runs it, and dies of a signal where a value follows what was changed.
"""

from __future__ import annotations

import contextlib
import io
import json
import mmap
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import polycodec as pc
from polycodec._layouts import BITS_LSB, MASK_VALID, STRING, Layout, fixed, record

N = 5000  # so that each column is a frame of its own


class Memory:
    """Bytes that a value views read-only, and a way to write to them."""

    def __init__(self, content: bytes, kind: str) -> None:
        self.content = content
        if kind in ("memmap", "mmap"):
            self._file = tempfile.NamedTemporaryFile()
            self._file.write(content)
            self._file.flush()
            self._writer = mmap.mmap(self._file.fileno(), 0) if content else None
            writable: Any = self._writer if content else bytearray()
            self.view: Any = (
                b""
                if not content
                else np.memmap(self._file.name, np.uint8, "r")
                if kind == "memmap"
                else mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ)
            )
        else:
            writable = bytearray(content)
            self.view = memoryview(writable).toreadonly()
            if kind == "numpy":
                self.view = np.frombuffer(writable, np.uint8)
                self.view.flags.writeable = False
        self.writable = np.frombuffer(writable, np.uint8)

    def fill(self, wild: int, column: bytes | None) -> None:
        """Overwrites all of it, or a column wherever it lies."""
        words = np.frombuffer(np.full(len(self.content) // 8 + 1, wild, "<i8").tobytes(), np.uint8)
        if column is None:
            self.writable[:] = words[: len(self.content)]
            return
        at = self.content.find(column)
        while at >= 0:
            self.writable[at : at + len(column)] = words[: len(column)]
            at = self.content.find(column, at + 1)


MEMORIES = ("bytearray", "numpy", "mmap", "memmap")


def layouts() -> Iterator[tuple[str, Layout, list[str]]]:
    """Arrays of each layout, with the names of their columns of structure in each type."""
    numbers = np.arange(3.0 * N)
    steps = np.arange(N + 1)
    small = np.zeros(N + 1, "i8")
    for dtype in ("i1", "u1", "i2", "u2", "i4", "u4", "i8"):
        many = dtype[1] not in "1" and dtype != "i2"
        offsets = (steps * 3 if many else small).astype(dtype)
        index = (steps[:N] if many else steps[:N] % 100).astype(dtype)
        ones = index + np.array(1, dtype)
        yield f"offsets {dtype}", Layout("list_offsets", N, {"offsets": offsets}, [numbers]), ["offsets"]
        yield f"list_view {dtype}", Layout("list_view", N, {"starts": index, "stops": ones}, [numbers]), ["starts", "stops"]
        yield f"indexed {dtype}", Layout("indexed", N, {"index": index}, [numbers[:N]]), ["index"]
        tags = np.arange(N).astype(dtype) % np.array(2, dtype)
        both = Layout("union", N, {"tags": tags, "index": index}, [numbers[:N], numbers[:N].astype("i4") * 7])
        yield f"union {dtype}", both, ["tags", "index"]
    words = np.frombuffer(b"ab" * N, "u1")
    yield "strings", Layout("list_offsets", N, {"offsets": steps * 2}, [words], flags=STRING), ["offsets"]
    mask = (np.arange(N) % 3 == 0).astype("i1")
    yield "option_bytes", Layout("option_bytes", N, {"mask": mask}, [numbers[:N]]), ["mask"]
    bits = np.packbits(np.arange(8 * N) % 3 == 0, bitorder="little")
    option = Layout("option_bits", 8 * N, {"mask": bits}, [np.arange(8.0 * N)], flags=BITS_LSB | MASK_VALID)
    yield "option_bits", option, ["mask"]
    inner = Layout("list_offsets", N, {"offsets": steps * 3}, [numbers])
    outer = Layout("list_view", N, {"starts": steps[:N], "stops": np.minimum(steps[:N] + 2, N)}, [inner])
    yield (
        "nested",
        record(
            N, {"a": outer, "b": fixed(Layout("indexed", 2 * N, {"index": np.tile(steps[:N], 2)}, [numbers[:N]]), N, 2)}
        ),
        [],
    )


def of_archive(name: str, made: Layout) -> bytes | None:
    """An .awkd file of an array, whose columns it stores as they are."""
    blobs: dict[str, Any] = {}

    def stored(numbers: Any) -> dict[str, Any]:
        blobs[f"{len(blobs)}.raw"] = numbers
        read = [{"read": f"{len(blobs) - 1}.raw"}, {"dtype": numbers.dtype.name}, {"json": len(numbers)}]
        return {"call": ["awkward0", "numpy", "frombuffer"], "args": read, "id": len(blobs)}

    columns = {key: stored(item) for key, item in made.columns.items()}
    contents = [stored(child) if isinstance(child, np.ndarray) else None for child in made.children]
    if None in contents or made.flags & STRING:
        return None
    classes: dict[str, tuple[str, list[Any]]] = {
        "list_offsets": ("JaggedArray.fromoffsets", [columns.get("offsets"), *contents]),
        "list_view": ("JaggedArray", [columns.get("starts"), columns.get("stops"), *contents]),
        "indexed": ("IndexedArray", [columns.get("index"), *contents]),
        "union": ("UnionArray", [columns.get("tags"), columns.get("index"), {"list": contents}]),
        "option_bytes": ("MaskedArray", [columns.get("mask"), *contents]),
    }
    if made.layout not in classes:
        return None
    kind, arguments = classes[made.layout]
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for key, numbers in blobs.items():
            archive.writestr(key, numbers.tobytes())
        call = {"call": ["awkward0", *kind.split(".")], "args": arguments, "id": 0}
        archive.writestr(".json", json.dumps({"awkward0": "0.15.5", "schema": call}))
    return file.getvalue()


def archives(name: str, made: Layout, kind: str) -> tuple[pc.Value, list[Memory]] | None:
    content = of_archive(name, made)
    if content is None:
        return None
    memory = Memory(content, kind)
    return pc.decode(memory.view, "awkward"), [memory]


def frames(name: str, made: Layout, kind: str) -> tuple[pc.Value, list[Memory]] | None:
    memories = [Memory(bytes(piece), kind) for piece in pc.value(made).to_frames()]
    return pc.from_frames([memory.view for memory in memories]), memories


class Store:
    def __init__(self, blobs: dict[str, Memory]) -> None:
        self.blobs = [(name, len(memory.content)) for name, memory in blobs.items()]
        self._all = [memory.view for memory in blobs.values()]

    def read(self, i: int) -> Any:
        return self._all[i]


def stores(name: str, made: Layout, kind: str) -> tuple[pc.Value, list[Memory]] | None:
    content = of_archive(name, made)
    if content is None:
        return None
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        blobs = {x: Memory(archive.read(x), kind) for x in archive.namelist()}
    return pc.default_registry().decode_store(Store(blobs), "awkward"), list(blobs.values())


def objects(name: str, made: Layout, kind: str) -> tuple[pc.Value, list[Memory]] | None:
    """Columns of numpy that view the memory."""
    memories: list[Memory] = []

    def of(numbers: Any) -> Any:
        memories.append(Memory(numbers.tobytes(), kind))
        return np.frombuffer(memories[-1].view, numbers.dtype)

    def again(part: Any) -> Any:
        if not isinstance(part, Layout):
            return of(part)
        columns = {key: of(item) for key, item in part.columns.items()}
        return Layout(
            part.layout, part.length, columns, [again(x) for x in part.children], part.names, part.flags, part.list_size
        )

    return pc.value(again(made)), memories


def arrow(name: str, made: Layout, kind: str) -> tuple[pc.Value, list[Memory]] | None:
    """Arrays of Arrow over the memory, as an array and as a stream of two batches."""
    import pyarrow as pa

    try:
        array = pa.array(pc.value(made))
    except (pa.ArrowException, pc.PolycodecError):
        return None
    memories: list[Memory] = []

    def again(array: Any) -> Any:
        buffers = []
        own = len(array.buffers()) - sum(len(child.buffers()) for child in children(array))
        for buffer in array.buffers()[:own]:
            if buffer is None:
                buffers.append(None)
                continue
            memories.append(Memory(buffer.to_pybytes(), kind))
            buffers.append(pa.py_buffer(memories[-1].view))
        if pa.types.is_dictionary(array.type):
            return pa.DictionaryArray.from_buffers(array.type, len(array), buffers, array.dictionary)
        return pa.Array.from_buffers(array.type, len(array), buffers, children=[again(x) for x in children(array)])

    def children(array: Any) -> list[Any]:
        if pa.types.is_list(array.type) or pa.types.is_large_list(array.type):
            return [array.values]
        if isinstance(array, (pa.ListViewArray, pa.LargeListViewArray)):
            return [array.values]
        if pa.types.is_fixed_size_list(array.type):
            return [array.values]
        if pa.types.is_struct(array.type) or pa.types.is_union(array.type):
            return [array.field(i) for i in range(array.type.num_fields)]
        return []

    found = again(array)
    if "i8" in name:
        found = pa.chunked_array([found, again(array)])
    return pc.value(found), memories


FORMS: dict[str, Callable[..., tuple[pc.Value, list[Memory]] | None]] = {
    "archives": archives,
    "frames": frames,
    "stores": stores,
    "objects": objects,
    "arrow": arrow,
}

USES: dict[str, Callable[[pc.Value], object]] = {
    "item": lambda value: [value[i].to_python() for i in (0, 5, N - 1)],
    "rows": lambda value: value[10:20].to_python(),
    "iteration": lambda value: [x.to_python() for x, _ in zip(value, range(30), strict=False)],
    "to_python": lambda value: value.to_python(),
    "to_text": lambda value: value.to_text(),
    "msgpack": lambda value: pc.encode(value, "msgpack-ndarray"),
    "dynd": lambda value: pc.encode(value, "dynd"),
    "difference": lambda value: value.difference(pc.parse("[1]")) or value.difference(value),
    "html": lambda value: value._repr_html_(),
    "to_numpy": lambda value: value.to_numpy(copy=True),
    "to_awkward": lambda value: value.to_awkward(),
    "to_arrow": lambda value: value.to_arrow(),
    "to_frames": lambda value: pc.from_frames([bytes(x) for x in value.to_frames()]),
    "address": lambda value: value.content_address,
}


def main(kind: str, form: str) -> None:
    ran = 0
    for name, made, columns in layouts():
        for wild in (1 << 40, -3, 0x1010101010101010):
            # The structure alone: the value stays what it was.
            for column in columns:
                print(form, kind, name, hex(wild), column, flush=True)
                found = FORMS[form](name, made, kind)
                if found is None:
                    continue
                value, memories = found
                before = value.to_python()
                for memory in memories:
                    memory.fill(wild, made.columns[column].tobytes())
                assert value.to_python() == before
                ran += 1
            # All bytes: whatever the elements are, nothing crashes.
            found = FORMS[form](name, made, kind)
            if found is None:
                continue
            value, memories = found
            for memory in memories:
                memory.fill(wild, None)
            for use, act in USES.items():
                print(form, kind, name, hex(wild), use, flush=True)
                with contextlib.suppress(pc.PolycodecError, ValueError, TypeError, OverflowError, NotImplementedError):
                    act(value)
                ran += 1
    assert ran > 50
    print("survived", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
