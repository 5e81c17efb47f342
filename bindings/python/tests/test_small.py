# SPDX-License-Identifier: MIT
"""Calls with little data, which take a shorter way."""

from __future__ import annotations

import gc
import inspect
import pickle
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import polycodec as pc

CODEC = "msgpack-ndarray"
DOCUMENT = {"id": 12345, "text": "a text that the value views", "list": [1.5, 2.5], "raw": b"\x00\xff" * 9, "none": None}


def body(n: int = 1) -> bytes:
    """Returns bytes of an address of their own."""
    return bytes(bytearray(pc.encode([DOCUMENT] * n, CODEC)))


def outcome(data: Any, codec: str) -> tuple[Any, ...]:
    try:
        return ("value", pc.decode(data, codec).to_text())
    except pc.PolycodecError as error:
        return (type(error), str(error), error.code)


def fill_memory() -> list[bytes]:
    return [bytes([i % 251]) * 300 for i in range(2_000)]


@pytest.mark.parametrize(
    "use",
    [
        lambda v: v,
        lambda v: v[0],
        lambda v: v[0]["text"],
        lambda v: v[0]["raw"],
        lambda v: v[0:1],
        lambda v: next(iter(v)),
        lambda v: pc.value([v, v[0]]),
        lambda v: pickle.loads(pickle.dumps(v[0])),
    ],
)
def test_what_is_made_of_a_value_keeps_its_bytes(use: Callable[[pc.Value], Any]) -> None:
    data = body()
    before = sys.getrefcount(data)
    value = pc.decode(data, CODEC)
    expected = use(pc.decode(body(), CODEC)).to_python()
    part = use(value)
    assert part.to_python() == expected
    del value
    filled = fill_memory()
    assert part.to_python() == expected and len(filled) == 2_000
    del part
    gc.collect()
    assert sys.getrefcount(data) == before


def test_the_bytes_outlive_their_name() -> None:
    data = body()
    value = pc.decode(data, CODEC)
    address, size = value.source_range or (0, 0)
    assert size == len(data)
    del data
    filled = fill_memory()
    assert value.to_python() == [DOCUMENT] and value[0]["text"] == DOCUMENT["text"] and len(filled) == 2_000
    assert value.source_range == (address, size)


def test_arrays_keep_the_bytes() -> None:
    views = []
    for _ in range(50):
        value = pc.decode(pc.encode({"x": np.arange(20.0)}, CODEC), CODEC)
        views += [value["x"].to_numpy(), value.to_python(arrays="numpy")["x"], memoryview(value["x"])]
    filled = fill_memory()
    assert all(np.array_equal(view, np.arange(20.0)) for view in views) and len(filled) == 2_000


def test_what_only_reads_takes_nothing_of_the_bytes() -> None:
    data = body()
    before = sys.getrefcount(data)
    for _ in range(100):
        assert pc.decode(data, CODEC).to_python() == [DOCUMENT]
        with pytest.raises(pc.FormatError):
            pc.decode(data[:-1], CODEC)
    assert sys.getrefcount(data) == before


def test_little_and_much_data_decode_alike() -> None:
    for n in (1, 30, 60):  # less and more than 4096 bytes
        data = body(n)
        value = pc.decode(data, CODEC)
        assert value.to_python() == [DOCUMENT] * n == pc.decode(bytearray(data), CODEC).to_python()
        assert value.codec == CODEC and value.type == pc.decode(memoryview(data), CODEC).type
        assert pc.encode(value, CODEC) == data == pc.encode([DOCUMENT] * n, CODEC, options={})
    for name in {entry["name"] for entry in pc.codecs()}:
        for data in (b"\xc1no value", b"v 1 2 3\n", b"[1, 2]", b"\x01"):
            assert outcome(data, name) == outcome(bytearray(data), name), name


def test_threads_decode_and_encode_at_once() -> None:
    wrong = []

    def work(number: int) -> None:
        document = {"number": number, "texts": [str(number)] * 5}
        data = pc.encode(document, CODEC)
        for _ in range(300):
            if pc.decode(data, CODEC).to_python() != document or pc.encode(document, CODEC) != data:
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_the_functions_of_the_package_are_what_they_say() -> None:
    assert list(inspect.signature(pc.decode).parameters)[:3] == ["data", "codec", "columns"]
    assert inspect.signature(pc.encode).parameters["on_loss"].default is None
    for function, words in ((pc.decode, "Decodes an object"), (pc.encode, "Encodes any object")):
        assert (function.__doc__ or "").startswith(words) and "timeout: seconds" in (function.__doc__ or "")
        assert pickle.loads(pickle.dumps(function)) is function
    assert pc.decode(data=b"\x01", codec=CODEC) == pc.decode(b"\x01", codec=CODEC) == pc.decode(b"\x01", CODEC) == 1
    for call in (lambda: pc.decode(), lambda: pc.decode(b"\x01", CODEC, 3), lambda: pc.encode(1, CODEC, unknown=1)):  # type: ignore[call-arg]
        with pytest.raises(TypeError):
            call()


def test_they_use_the_default_registry_of_the_moment() -> None:
    before = pc.default_registry()
    try:
        pc.set_default_registry(pc.Registry(environment=False, builtins=False))
        with pytest.raises(pc.NotFoundError):
            pc.decode(b"\x01", CODEC)
        with pytest.raises(pc.NotFoundError):
            pc.encode(1, CODEC)

        class Own(pc.Registry):
            def decode(self, *_: Any, **__: Any) -> Any:
                return "own"

        pc.set_default_registry(Own(environment=False))
        assert pc.decode(b"\x01", CODEC) == "own"  # type: ignore[comparison-overlap]
    finally:
        pc.set_default_registry(before)
    assert pc.decode(b"\x01", CODEC) == 1
