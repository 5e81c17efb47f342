# SPDX-License-Identifier: MIT
"""Compressed files, beside the modules of Python."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

import polycodec as pc

KINDS: list[tuple[str, Callable[[bytes], bytes], Callable[[bytes], bytes]]] = [
    (".gz", gzip.compress, gzip.decompress),
    (".bz2", bz2.compress, bz2.decompress),
    (".xz", lzma.compress, lzma.decompress),
]


@pytest.mark.parametrize("extension,pack,unpack", KINDS)
def test_files_and_bytes(
    tmp_path: Path, extension: str, pack: Callable[[bytes], bytes], unpack: Callable[[bytes], bytes]
) -> None:
    value = {"a": [1, 2, 3], "b": "text" * 100}
    plain = tmp_path / "a.msgpack"
    pc.save(value, plain)
    packed = tmp_path / f"b.msgpack{extension}"
    pc.save(value, packed)
    assert unpack(packed.read_bytes()) == plain.read_bytes()
    assert pc.open(packed).to_python() == value
    assert pc.open(pack(plain.read_bytes())).to_python() == value
    assert pc.open(io.BytesIO(packed.read_bytes())).to_python() == value
    back = tmp_path / "c.json"
    pc.convert(packed, back)
    assert pc.open(back).to_python() == value


@pytest.mark.parametrize("extension,pack,unpack", KINDS)
def test_damaged(tmp_path: Path, extension: str, pack: Callable[[bytes], bytes], unpack: Callable[[bytes], bytes]) -> None:
    packed = pack(b"\x93\1\2\3" * 50)
    path = tmp_path / f"a.msgpack{extension}"
    path.write_bytes(packed[:-3])
    with pytest.raises(pc.PolycodecError) as error:
        pc.open(path)
    assert error.value.code == "truncated"
    assert error.value.offset == len(packed) - 3
