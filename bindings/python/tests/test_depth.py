# SPDX-License-Identifier: MIT
"""Objects and values that nest, on stacks of all sizes, and objects whose adapters do not end."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import polycodec as pc


class Itself:
    def __array__(self, *_: Any, **__: Any) -> Any:
        return self


class Chain:
    def __array__(self, *_: Any, **__: Any) -> Any:
        return Chain()


class Pair:
    def __init__(self) -> None:
        self.other: Pair | None = None

    def __array__(self, *_: Any, **__: Any) -> Any:
        return self.other


def pair() -> Pair:
    first, second = Pair(), Pair()
    first.other, second.other = second, first
    return first


class Listed(list):  # type: ignore[type-arg]
    pass


def looped_mapping() -> Any:
    from collections import UserDict

    made: Any = UserDict()
    made["again"] = made
    return made


def looped_list() -> Any:
    made: Any = Listed()
    made.append(made)
    return made


def looped_dataclass() -> Any:
    from dataclasses import dataclass

    @dataclass
    class Node:
        next: Any = None

    made = Node()
    made.next = made
    return made


def looped_extension() -> Any:
    payload: list[Any] = []
    made = pc.Extension("x", payload)
    payload.append(made)
    return made


def extensions(n: int) -> Any:
    made: Any = 1
    for _ in range(n):
        made = pc.Extension("x", made)
    return made


ENDLESS = {
    "itself": (Itself, pc.InvalidError),
    "a chain": (Chain, pc.InvalidError),
    "a pair": (pair, pc.InvalidError),
    "a mapping": (looped_mapping, pc.LimitError),
    "a list": (looped_list, pc.LimitError),
    "a dataclass": (looped_dataclass, pc.LimitError),
    "an extension": (looped_extension, pc.LimitError),
    "extensions": (lambda: extensions(2000), pc.LimitError),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_objects_without_end(name: str) -> None:
    make, kind = ENDLESS[name]
    with pytest.raises(kind):
        pc.encode(make(), "msgpack-ndarray")
    with pytest.raises(kind):
        pc.value({"a": [make()]})


def test_the_error_names_the_object_and_the_place() -> None:
    with pytest.raises(pc.InvalidError, match="Itself'") as caught:
        pc.encode({"a": [1, Itself()]}, "msgpack-ndarray")
    assert caught.value.path == "$.a[1]"


def test_objects_that_give_no_capsule() -> None:
    class Wrong:
        def __arrow_c_array__(self, *_: Any) -> Any:
            return self, self

        def __arrow_c_stream__(self, *_: Any) -> Any:
            return self

    with pytest.raises((ValueError, TypeError)):
        pc.value(Wrong())


def test_enums_of_numpy_scalars_are_adapted_in_steps() -> None:
    from enum import Enum

    class Kind(Enum):
        A = np.float32(1.5)

    assert pc.value(Kind.A).to_python() == 1.5


PROGRAM = """
import sys, threading
from collections import UserDict
import numpy as np
import polycodec as pc
from polycodec._layouts import fixed

def lists(n):
    made = []
    for _ in range(n): made = [made]
    return made
def mappings(n):
    made = UserDict()
    for _ in range(n): made = UserDict(a=made)
    return made
def layouts(n):
    made = np.arange(3.0)
    for _ in range(n): made = fixed(made, 3, 1)
    return made
def awkward(n):
    import awkward as ak
    made = ak.contents.NumpyArray(np.arange(1.0))
    for _ in range(n): made = ak.contents.RegularArray(made, 1)
    return ak.Array(made)
def dicts(n):
    made = {}
    for _ in range(n): made = {"a": made}
    return made
def decoded(n):
    value = pc.decode(b"\\x91" * n + b"\\x01", "msgpack-ndarray")
    return value.to_python
def objects(n):
    value = pc.decode(b"\\x81\\xa1a" * n + b"\\x01", "msgpack-ndarray")
    return lambda: value.to_python(arrays="numpy")
def columns(n):
    value = pc.value(layouts(n))
    return value.to_python

shape, n, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
made = globals()[shape](n)
act = made if callable(made) else lambda: pc.encode(made, "msgpack-ndarray")
pc.encode([{}], "msgpack-ndarray"), pc.encode(UserDict(a=np.arange(3.0)), "msgpack-ndarray")  # imports
found = []
def run():
    try:
        found.append(type(act()).__name__)
    except (pc.LimitError, RecursionError) as error:
        found.append(str(error))
threading.stack_size(size)
thread = threading.Thread(target=run)
thread.start()
thread.join()
print(found[0])
"""


@pytest.mark.parametrize("stack", [48, 64, 96, 128, 256, 512, 8192])
@pytest.mark.parametrize("shape", ["lists", "dicts", "mappings", "layouts", "awkward", "decoded", "objects", "columns"])
def test_small_stacks(shape: str, stack: int) -> None:
    if shape == "awkward" and stack < 256:
        pytest.skip("awkward itself needs more stack")
    n = {"awkward": 300, "columns": 300, "layouts": 300}.get(shape, 480)
    command = [sys.executable, "-c", PROGRAM, shape, str(n), str(stack << 10)]
    found = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert found.returncode == 0, found.stderr[-2000:]
    result = found.stdout.strip()
    if stack == 8192:
        assert result in ("bytes", "list", "dict")
    else:
        assert result in ("bytes", "list", "dict") or "larger stack" in result
