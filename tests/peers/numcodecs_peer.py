# SPDX-License-Identifier: MIT
"""numcodecs, the filters of zarr, against the filters here, both ways. What goes through them is a byte string in
msgpack, which takes a head of a few bytes that msgpack for Python reads and writes."""

from __future__ import annotations

import json
import sys
import zipfile
from typing import Any

import msgpack
import numcodecs
import numpy as np

import typed
from compare import Run, same

CODEC = "msgpack-ndarray"


class Crc32AtTheEnd:
    """The peer's checksum stands before the data, ours after it."""

    def encode(self, data: bytes) -> bytes:
        summed = bytes(numcodecs.CRC32().encode(data))
        return summed[4:] + summed[:4]

    def decode(self, data: bytes) -> bytes:
        return bytes(numcodecs.CRC32().decode(data[-4:] + data[:-4]))


def main() -> int:
    run = Run("numcodecs")
    v = run.values

    def pairs() -> tuple[list[Any], list[dict[str, Any]]]:
        """A pipeline of the peer, in the order of encoding, and the same of ours."""
        size = v.one_of([1, 2, 4, 8, 16])
        level = v.random.randrange(1, 10)
        pipeline: list[tuple[Any, dict[str, Any]]] = [
            (numcodecs.Zlib(level), {"id": "zlib", "level": level}),
            (numcodecs.Zstd(level), {"id": "zstd", "level": level}),
            (Crc32AtTheEnd(), {"id": "crc32"}),
        ]
        pipeline = v.random.sample(pipeline, v.random.randrange(1, 4))
        if v.random.random() < 0.7:  # first, as the peer takes whole items alone
            pipeline.insert(0, (numcodecs.Shuffle(size), {"id": "shuffle", "item_bytes": size}))
        return [x for x, _ in pipeline], [y for _, y in pipeline]

    def data() -> bytes:
        count = v.random.randrange(8, 3000)
        content = np.cumsum(v.numpy.integers(0, 3, count)).astype(v.one_of(["i2", "i4", "f8"])).tobytes()
        while len(msgpack.packb(content)) % 16:
            content = content[:-1]
        return bytes(content)

    def read(_: int) -> str | None:
        theirs, ours = pairs()
        content = data()
        packed = bytes(msgpack.packb(content))
        for codec in theirs:
            packed = bytes(codec.encode(packed))
        assert typed.loads(run.session.decode(CODEC, packed, filters=ours)) == content, ours
        return "crc32_place" if {"id": "crc32"} in ours else None

    def write(_: int) -> str | None:
        theirs, ours = pairs()
        content = data()
        packed = run.session.encode(CODEC, typed.dumps(content), filters=ours)
        for codec in reversed(theirs):
            packed = bytes(codec.decode(packed))
        assert msgpack.unpackb(packed) == content, ours
        return "crc32_place" if {"id": "crc32"} in ours else None

    def read_lz4(_: int) -> str:
        # What Awkward's files name ["lz4.block", "decompress"] is the peer's LZ4.
        numbers = np.cumsum(v.numpy.integers(0, 3, v.random.randrange(1, 500)))
        call = {"call": ["lz4.block", "decompress"], "args": [{"read": "1.raw"}]}
        array = [call, {"dtype": "int64"}, {"json": len(numbers)}]
        path = run.work / "lz4.awkd"
        with zipfile.ZipFile(path, "w") as file:
            file.writestr("1.raw", numcodecs.LZ4().encode(numbers))
            schema = {"call": ["awkward0", "numpy", "frombuffer"], "args": array}
            file.writestr(".json", json.dumps({"awkward0": "0.15.5", "schema": schema, "prefix": ""}))
        same(typed.loads(run.session.read("awkward", path)), numbers)
        return "lz4_frames"

    run.each("LZ4 blocks to ours", read_lz4, 100)
    run.each("peer to ours", read)
    run.each("ours to peer", write)
    return run.finish()


if __name__ == "__main__":
    sys.exit(main())
