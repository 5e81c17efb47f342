# SPDX-License-Identifier: MIT
"""Awkward files that ask for much: programs of calls, whose values share their parts."""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from collections.abc import Callable


def packed_zeros(size: int, levels: int, head: bytes = b"") -> bytes:
    """Zeros after `head`, compressed that often. In pieces: the memory of who starts a program counts as the program's."""
    out = zlib.compressobj(9)
    data = out.compress(head) + b"".join(out.compress(bytes(1 << 20)) for _ in range(size >> 20)) + out.flush()
    for _ in range(levels - 1):
        data = zlib.compress(data, 9)
    return data


def archive(schema: str, blobs: dict[str, bytes] | None = None, *, zeros: int = 0) -> bytes:
    """An archive. Zeros are deflated, as the blob `z`."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        for name, data in (blobs or {}).items():
            made.writestr(zipfile.ZipInfo(name), data)
        if zeros:
            about = zipfile.ZipInfo("z")
            about.compress_type = zipfile.ZIP_DEFLATED
            with made.open(about, "w") as blob:
                for _ in range(zeros >> 20):
                    blob.write(bytes(1 << 20))
        made.writestr(zipfile.ZipInfo(".json"), f'{{"awkward0": "0.15.5", "schema": {schema}}}')
    return out.getvalue()


def call(name: str, *arguments: str, id_: int | None = None) -> str:
    words = json.dumps(["awkward0", *name.split(".")])
    own = "" if id_ is None else f', "id": {id_}'
    return f'{{"call": {words}, "args": [{", ".join(arguments)}]{own}}}'


def column(blob: str, dtype: str, count: int, id_: int | None = None) -> str:
    return call("numpy.frombuffer", f'{{"read": "{blob}"}}', f'{{"dtype": "{dtype}"}}', f'{{"json": {count}}}', id_=id_)


def table(*columns: str, id_: int | None = None) -> str:
    pairs = ", ".join(f'["{"xyzuvw"[i]}", {each}]' for i, each in enumerate(columns))
    return call("Table.frompairs", f'{{"pairs": [{pairs}]}}', '{"json": 0}', id_=id_)


def ints(*values: int) -> bytes:
    return struct.pack(f"<{len(values)}q", *values)


def tables(levels: int) -> bytes:
    """A table whose two columns are one table, whose two columns are one table, and so on."""
    schema = column("1", "float64", 3, 0)
    for level in range(levels):
        schema = table(schema, f'{{"ref": {level}}}', id_=level + 1)
    return archive(schema, {"1": bytes(24)})


def lists(levels: int, rows: int, *, leaf: str = "float64") -> bytes:
    """Lists of lists: each of the `rows` lists of a level has all lists of the next level as items."""
    schema = column("0", leaf, rows)
    for _ in range(levels):
        schema = call("JaggedArray", column("0", "int64", rows), column("n", "int64", rows), schema)
    return archive(schema, {"0": bytes(8 * rows), "n": ints(*[rows] * rows)})


def objects(levels: int) -> bytes:
    steps = [f'{{"list": [{{"ref": {i}}}, {{"ref": {i}}}], "id": {i + 1}}}' for i in range(levels)]
    return archive('{"list": [{"json": [1, 2, 3], "id": 0}, ' + ", ".join(steps) + "]}")


def unions(levels: int) -> bytes:
    """The two alternatives are one union. Its columns have the same tags."""
    schema = column("0", "float64", 2, 0)
    for level in range(levels):
        both = f'{{"list": [{schema}, {{"ref": {level}}}]}}'
        schema = call("UnionArray.fromtags", column("tags", "uint8", 2), both, id_=level + 1)
    return archive(schema, {"0": bytes(16), "tags": b"\0\1"})


def indices(levels: int, rows: int) -> bytes:
    schema = table(column("0", "int64", rows, 0), '{"ref": 0}', '{"ref": 0}')
    for _ in range(levels):
        schema = call("IndexedArray", column("0", "int64", rows), table(schema, schema))
    return archive(schema, {"0": bytes(8 * rows)})


def masks(levels: int) -> bytes:
    schema = column("0", "float64", 3, 0)
    for level in range(levels):
        inner = table(schema, f'{{"ref": {2 * level}}}')
        schema = call("MaskedArray", column("no", "bool", 3), inner, '{"json": true}', id_=2 * level + 2)
    return archive(schema, {"0": bytes(24), "no": bytes(3)})


def jagged(levels: int) -> bytes:
    """Lists of tables whose two columns are such lists."""
    schema = call("JaggedArray", column("0", "int64", 1), column("n", "int64", 1), column("0", "float64", 1), id_=0)
    for level in range(levels):
        inner = table(schema, f'{{"ref": {level}}}')
        schema = call("JaggedArray", column("0", "int64", 1), column("n", "int64", 1), inner, id_=level + 1)
    return archive(schema, {"0": bytes(8), "n": ints(1)})


def chunks(count: int) -> bytes:
    """One array as many chunks."""
    schema = '{"list": [' + ", ".join([column("0", "float64", 1000, 0)] + ['{"ref": 0}'] * (count - 1)) + "]}"
    return archive(call("ChunkedArray", schema, json.dumps({"json": [1000] * count})), {"0": bytes(8000)})


def strings(rows: int, size: int) -> bytes:
    """Strings that share their bytes."""
    of = [column("0", "int64", rows), column("n", "int64", rows), column("s", "uint8", size), '{"json": "utf-8"}']
    blobs = {"0": bytes(8 * rows), "n": ints(*[size] * rows), "s": b"s" * size}
    return archive(call("StringArray", *of), blobs)


def packed_columns(count: int, size: int) -> bytes:
    """Columns that are zlib in zlib."""
    data = packed_zeros(size, 2)
    unpack = '{"call": ["zlib", "decompress"], "args": [%s]}'
    of = [unpack % (unpack % f'{{"read": "{i}"}}') for i in range(count)]
    of = [call("numpy.frombuffer", each, '{"dtype": "float64"}', f'{{"json": {size // 8}}}') for each in of]
    return archive(table(*of), {str(i): data for i in range(count)})


def overlapping_members(count: int) -> bytes:
    """A ZIP archive, the entries of whose directory are one member of 16 MB."""
    body, crc = zlib.compress(bytes(1 << 24), 9)[2:-4], zlib.crc32(bytes(1 << 24))
    local = struct.pack("<IHHHHHIIIHH", 0x04034B50, 20, 0, 8, 0, 0, crc, len(body), 1 << 24, 1, 0) + b"0" + body
    entries = b""
    for i in range(count):
        name = str(i).encode()
        entries += struct.pack(
            "<IHHHHHHIIIHHHHHII", 0x02014B50, 20, 20, 0, 8, 0, 0, crc, len(body), 1 << 24, len(name), 0, 0, 0, 0, 0, 0
        ) + name  # fmt: skip
    return local + entries + struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, count, count, len(entries), len(local), 0)


def sparse(length: int) -> bytes:
    return archive(
        call(
            "SparseArray", json.dumps({"json": length}), column("i", "int64", 3), column("i", "int64", 3), '{"json": 0}'
        ),
        {"i": ints(0, 5, length - 1)},
    )


def cyclic(rows: int) -> bytes:
    lists_ = call("JaggedArray", column("0", "int64", rows), column("n", "int64", rows), '{"ref": 3}', id_=3)
    blobs = {"0": bytes(8 * rows), "n": ints(*[rows] * rows)}
    return archive(call("IndexedArray", column("0", "int64", rows), lists_), blobs)


AWKWARD: dict[str, Callable[[], bytes]] = {
    "dag25": lambda: tables(25), "dag12": lambda: tables(12), "objects25": lambda: objects(25),
    # These have nearly as many nodes on paper as a value may have.
    "dag26": lambda: tables(26), "unions26": lambda: unions(26), "masks25": lambda: masks(25), "jagged26": lambda: jagged(26),
    "laugh2": lambda: lists(36, 2), "laugh20": lambda: lists(9, 20), "laugh99": lambda: lists(3, 99),
    "laugh1000": lambda: lists(3, 1000), "laugh_bytes": lambda: lists(4, 60, leaf="uint8"), "unions20": lambda: unions(20),
    "indices6": lambda: indices(6, 1000), "masks16": lambda: masks(16), "chunks5000": lambda: chunks(5000),
    "strings4000": lambda: strings(4000, 30000), "zlib_in_zlib": lambda: packed_columns(6, 1 << 27),
    "count": lambda: archive(column("0", "float64", 10**12), {"0": bytes(64)}),
    "deflated": lambda: archive(column("z", "float64", 76 << 17), zeros=76 << 20),
    "overlapping": lambda: overlapping_members(1000), "sparse": lambda: sparse(10**12), "cyclic": lambda: cyclic(200),
}  # fmt: skip
