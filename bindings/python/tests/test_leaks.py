# SPDX-License-Identifier: MIT
"""Nothing grows: memory, objects, references, and what is left when the interpreter ends."""

from __future__ import annotations

import gc
import io
import pickle
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import polycodec as pc

NUMBERS = np.arange(20_000.0)
DOCUMENT = {"a": [1, 2.5, "text", None, b"bytes"], "x": NUMBERS, "n": {"m": (True, 2**63)}}
DATA = pc.encode(DOCUMENT, "msgpack-ndarray")


def fails(act: Callable[[], object]) -> None:
    try:
        act()
    except (pc.PolycodecError, TypeError, ValueError):
        return
    raise AssertionError("the call did not fail")


def reads_and_writes() -> None:
    file = io.BytesIO()
    with pc.Writer(file, "msgpack-ndarray") as out:
        out.append(NUMBERS)
    list(pc.read_values(file.getvalue(), "msgpack-ndarray"))


def wrong_capsules() -> None:
    from polycodec import _core

    schema, array = pc.value(NUMBERS[:2]).__arrow_c_array__()
    for arguments in ((schema, 5), (5, array), (array, schema)):
        fails(partial(_core.from_arrow_array, *arguments))
    _core.from_arrow_array(schema, array)
    other, again = pc.value(NUMBERS[:2]).__arrow_c_array__()
    fails(partial(_core.from_arrow_array, schema, again))
    fails(partial(_core.from_arrow_array, other, array))


def codec_fails() -> Any:
    raise KeyError


CODEC = pc.Codec("leaks", decode=lambda data: codec_fails(), encode=lambda value: b"x")
REGISTRY = pc.default_registry().derive([CODEC])

ACTS: dict[str, Callable[[], object]] = {
    "decode": lambda: pc.decode(DATA, "msgpack-ndarray"),
    "views": lambda: pc.decode(DATA, "msgpack-ndarray")["x"].to_numpy().sum(),
    "objects": lambda: pc.decode(DATA, "msgpack-ndarray").to_python(),
    "encode": lambda: pc.encode(NUMBERS, "msgpack-ndarray"),
    "copies": lambda: pc.value(NUMBERS)[10:].to_numpy(copy=True),
    "pickle": lambda: pickle.loads(pickle.dumps(pc.value(NUMBERS), 5)),
    "dlpack": lambda: (pc.value(NUMBERS).__dlpack__(), np.from_dlpack(pc.value(NUMBERS))),
    "arrow": lambda: (pc.value(NUMBERS).__arrow_c_array__(), pc.value(NUMBERS).__arrow_c_stream__()),
    "buffers": lambda: memoryview(pc.value(NUMBERS)).tobytes(),
    "streams": reads_and_writes,
    "schemas": lambda: pc.Schema.infer(NUMBERS).problems("x"),
    "channels": lambda: pc.Channel().pack(NUMBERS),
    "errors": lambda: fails(lambda: pc.decode(DATA[:-1], "msgpack-ndarray")),
    "wrong objects": lambda: fails(lambda: pc.value([NUMBERS, object()])),
    "capsules of another kind": wrong_capsules,
    "codecs that fail": lambda: fails(lambda: REGISTRY.decode(DATA, "leaks")),
    "codecs": lambda: REGISTRY.encode(NUMBERS[:10], "leaks"),
}


def resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


@pytest.mark.parametrize("name", ACTS)
def test_nothing_grows(name: str) -> None:
    act = ACTS[name]
    for _ in range(50):
        act()
    gc.collect()
    objects, references, memory = len(gc.get_objects()), sys.getrefcount(None), resident()
    for _ in range(400):
        act()
    gc.collect()
    assert abs(len(gc.get_objects()) - objects) < 50
    assert abs(sys.getrefcount(None) - references) < 100 or sys.version_info >= (3, 12)
    # 400 times the numbers would be 64 MB.
    assert resident() - memory < 8_000_000


def test_codecs_with_ever_new_options() -> None:
    def decode(i: int) -> None:
        pc.decode(b"\x01", "msgpack-ndarray", options='{"numpy_maps": true}' + " " * i)

    for i in range(100):
        decode(i)
    memory = resident()
    for i in range(100, 5000):
        decode(i)
    # The options alone would be 12 MB.
    assert resident() - memory < 8_000_000


def test_trim_gives_back_the_memory_of_freed_values() -> None:
    data = pc.encode([0.5] * 3_000_000, "msgpack-ndarray")
    pc.decode(data, "msgpack-ndarray")
    pc.trim()
    memory = resident()
    value = pc.decode(data, "msgpack-ndarray")
    # A node has 16 bytes or more.
    assert resident() - memory > 40_000_000
    del value
    pc.trim()
    assert resident() - memory < 4_000_000


ENDS = """
import threading, numpy as np, polycodec as pc
@pc.codec("ends")
class Ends:
    @staticmethod
    def decode(data): return [len(data)]
kept = [pc.decode(b"abc", "ends"), pc.value(np.arange(9.0)), pc.Channel(), pc.default_registry()]
view = kept[1].to_numpy()
"""


def test_the_interpreter_ends_without_leaks() -> None:
    ran = subprocess.run([sys.executable, "-c", ENDS], check=True, capture_output=True, text=True, timeout=60)
    assert ran.stderr == ""
