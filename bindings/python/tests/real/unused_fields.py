# SPDX-License-Identifier: MIT
"""A program for test_unused_fields.py: it walks over arrays with a field set that their layout does not use.

    python unused_fields.py plugin DIRECTORY ISOLATION
    python unused_fields.py frames

It prints each case before it runs it, and at the end how many were accepted and refused.
"""

from __future__ import annotations

import contextlib
import pickle
import struct
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import polycodec as pc
from polycodec._layouts import Layout, fixed, record

FIELDS = ("none", "data", "buffer", "shape", "strides", "index", "tags", "children", "names", "nodes")
LAYOUTS = {
    "ndarray": ("data", "buffer", "shape", "strides"),
    "list_offsets": ("index", "children"),
    "list_view": ("index", "tags", "children"),
    "list_fixed": ("children",),
    "record": ("children", "names"),
    "union": ("index", "tags", "children"),
    "option_bytes": ("index", "children"),
    "option_bits": ("index", "children"),
    "indexed": ("index", "children"),
    "chunked": ("index", "children"),
    "document": ("nodes",),
}


def _capsules(value: pc.Value) -> object:
    import pyarrow as pa

    return pa.array(value)


USES: dict[str, Callable[[pc.Value], object]] = {
    "repr": repr,
    "html": lambda value: value._repr_html_(),
    "item": lambda value: [repr(value[i]) for i in range(len(value))],
    "rows": lambda value: value[0:1].to_python(),
    "iteration": lambda value: [x.to_python() for x in value],
    "array": lambda value: value.array and [child.value().to_text() for child in value.array.children],
    "to_python": lambda value: value.to_python(),
    "arrays": lambda value: value.to_python(arrays="numpy"),
    "to_numpy": lambda value: value.to_numpy(copy=True),
    "to_awkward": lambda value: value.to_awkward(),
    "to_arrow": lambda value: value.to_arrow(),
    "capsules": _capsules,
    "to_text": lambda value: value.to_text(),
    # Frames are what dask moves as well.
    "to_frames": lambda value: pc.from_frames([bytes(x) for x in value.to_frames()]).to_text(),
    "pickle": lambda value: pickle.loads(pickle.dumps(value, protocol=5)).to_text(),
    "encode": lambda value: [pc.encode(value, codec) for codec in ("msgpack-ndarray", "dynd")],
    "difference": lambda value: value.difference(value),
    "address": lambda value: value.content_address,
    "infer": pc.Schema.infer,
    "pack": lambda value: pc.Channel().pack(value),
}


def use(name: str, make: Callable[[], pc.Value]) -> bool:
    """Uses a value in all ways; false if there is none."""
    print(name, flush=True)
    try:
        value = make()
    except pc.PolycodecError:
        return False
    for each, act in USES.items():
        print(name, each, flush=True)
        with contextlib.suppress(pc.PolycodecError, ValueError, TypeError, OverflowError, NotImplementedError):
            act(value)
    return True


def of_plugin(directory: str, isolation: str) -> Iterator[bool]:
    registry = pc.Registry(add_paths=[directory], environment=False, isolation=isolation)
    for i, (layout, used) in enumerate(LAYOUTS.items()):
        for k, field in enumerate(FIELDS):
            if field in used:
                continue
            made = use(f"{layout} {field}", lambda i=i, k=k: registry.decode(bytes([i, k]), "test.unused"))
            assert made == (field == "none"), (layout, field)
            yield made


def values() -> Iterator[pc.Value]:
    numbers = np.arange(4.0)
    steps = np.arange(5)
    yield pc.value(numbers)
    yield pc.value(Layout("list_offsets", 4, {"offsets": steps}, [numbers]))
    yield pc.value(Layout("list_view", 4, {"starts": steps[:4], "stops": steps[1:]}, [numbers]))
    yield pc.value(Layout("indexed", 4, {"index": steps[:4]}, [numbers]))
    yield pc.value(Layout("union", 4, {"tags": steps[:4] % 2, "index": steps[:4]}, [numbers, numbers]))
    yield pc.value(Layout("option_bytes", 4, {"mask": (steps[:4] % 2).astype("i1")}, [numbers]))
    yield pc.value(fixed(numbers, 2, 2))
    yield pc.value(record(4, {"a": numbers, "b": Layout("list_offsets", 4, {"offsets": steps}, [numbers])}))
    yield pc.value([{"a": 1, "b": "two"}, {"a": 2.5, "c": [None]}])


def of_frames() -> Iterator[bool]:
    """Each word of the header that is zero is set, to what may be an index and to what is none."""
    for number, value in enumerate(values()):
        head, *rest = (bytes(frame) for frame in value.to_frames())
        for at in range(0, len(head) - 7, 8):
            if head[at : at + 8] != bytes(8):
                continue
            for word in (1, 2, 1 << 40):
                changed = bytearray(head)
                changed[at : at + 8] = struct.pack("<Q", word)
                yield use(
                    f"{number} {at} {word}", lambda changed=changed, rest=rest: pc.from_frames([bytes(changed), *rest])
                )


def main(kind: str, *arguments: str) -> None:
    ends: list[Any] = list(of_plugin(*arguments) if kind == "plugin" else of_frames())
    print(f"{sum(ends)} accepted, {len(ends) - sum(ends)} refused")


if __name__ == "__main__":
    main(*sys.argv[1:])
