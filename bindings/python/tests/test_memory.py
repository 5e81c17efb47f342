# SPDX-License-Identifier: MIT
"""Memory that others write to while values view it: bytearrays behind read-only views, maps of files, arrays of Arrow."""

from __future__ import annotations

import mmap
import subprocess
import sys
from pathlib import Path
from typing import Any

import foreign_memory
import numpy as np
import pytest

import polycodec as pc


@pytest.mark.parametrize("form", foreign_memory.FORMS)
@pytest.mark.parametrize("kind", foreign_memory.MEMORIES)
def test_structure_does_not_follow_the_memory(kind: str, form: str) -> None:
    program = Path(foreign_memory.__file__)
    found = subprocess.run([sys.executable, program, kind, form], capture_output=True, text=True, timeout=600)
    assert (found.returncode, found.stdout.splitlines()[-1:]) == (0, ["survived"]), (
        found.stdout[-300:] + found.stderr[-3000:]
    )


DATA = pc.encode({"x": np.arange(5000.0), "l": [[1.5], [2.5, 3.5]]}, "msgpack-ndarray")


def views(value: pc.Value, memory: Any) -> bool:
    address = value["x"].to_numpy().__array_interface__["data"][0]
    base = np.frombuffer(memory, np.uint8).__array_interface__["data"][0]
    return bool(base <= address < base + len(memory))


class Bytes(bytes):
    pass


@pytest.mark.parametrize("make", [bytes, memoryview, lambda x: memoryview(x)[:], Bytes, lambda x: np.frombuffer(x, "u1")])
def test_numbers_are_viewed_in_what_is_read_only(make: Any) -> None:
    memory = make(DATA)
    assert views(pc.decode(memory, "msgpack-ndarray"), memory)


def test_memory_that_can_be_written_to_is_copied() -> None:
    memory = bytearray(DATA)
    value = pc.decode(memory, "msgpack-ndarray")
    assert not views(value, memory)
    memory[:] = bytes(len(memory))
    assert value["x"].to_python() == list(range(5000))


@pytest.mark.parametrize("file_mode", [0o600, 0o666])
def test_files_by_every_way(tmp_path: Path, file_mode: int) -> None:
    made = next(made for name, made, _ in foreign_memory.layouts() if name == "indexed i8")
    path = tmp_path / "shared.awkd"
    content = foreign_memory.of_archive("", made)
    assert content is not None
    path.write_bytes(content)
    path.chmod(file_mode)
    with path.open("rb") as file:
        values = [
            pc.open(path),
            pc.open(file),
            pc.decode(np.memmap(path, np.uint8, "r"), name="a.awkd"),
            pc.decode(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), name="a.awkd"),
        ]
    expected = list(range(foreign_memory.N))
    if file_mode == 0o666:
        index = made.columns["index"].tobytes()
        with path.open("r+b") as file:
            file.seek(content.find(index))
            file.write(b"\x10" * len(index))
    for value in values:
        assert value.to_python() == expected
        assert value[5].to_python() == 5.0


def test_messages_in_memory_that_changes() -> None:
    (message,) = pc.Channel().pack({"a": [1, 2, 3], "x": list(range(1000))})
    memory = bytearray(message)
    found = pc.Channel().unpack(memoryview(memory).toreadonly())
    memory[:] = b"\x10" * len(memory)
    assert found.value is not None
    assert found.value.to_python() == {"a": [1, 2, 3], "x": list(range(1000))}
