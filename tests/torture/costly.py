# SPDX-License-Identifier: MIT
"""Small files that ask for much: the inputs of the arm `cost`, and of its like in the tests of Python and SQL.

Run as a program, it writes them to a directory."""

from __future__ import annotations

import base64
import json
import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from costly_awkward import AWKWARD, archive, packed_zeros
from costly_meshes import GLTF, OBJ, PLY, STL, TRIANGLE, gltf, images, png

MAX_BYTES = 100_000
Make = Callable[[], "Costly"]


@dataclass(frozen=True)
class Costly:
    """One file, those beside it, and the words that tell the command what it is."""

    name: str
    data: bytes
    beside: dict[str, bytes] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    commands: tuple[tuple[str, ...], ...] = ()  # of files that hold no value: all that take them

    @property
    def size(self) -> int:
        return len(self.data) + sum(len(data) for data in self.beside.values())


# MessagePack.


def msgpack_text(word: str) -> bytes:
    return (bytes([0xA0 + len(word)]) if len(word) < 32 else struct.pack(">BB", 0xD9, len(word))) + word.encode()


def msgpack_array(shape: list[int], dtype: str, data: bytes = b"") -> bytes:
    body = b"\x84" + msgpack_text("shape") + bytes([0x90 + len(shape)])
    body += b"".join(struct.pack(">BQ", 0xCF, size) for size in shape)
    body += msgpack_text("typestr") + msgpack_text(dtype) + msgpack_text("data")
    body += struct.pack(">BB", 0xC4, len(data)) + data + msgpack_text("version") + b"\3"
    return struct.pack(">BBc", 0xC7, len(body), b"n") + body


def msgpack_many(count: int, item: bytes) -> bytes:
    return struct.pack(">BI", 0xDD, count) + item * count


def unlike_records(count: int) -> bytes:
    """Maps of which no two have a key in common."""
    items = [b"\x83" + b"".join(msgpack_text(f"{i}.{j}") + b"\1" for j in range(3)) for i in range(count)]
    return struct.pack(">BI", 0xDD, count) + b"".join(items)


MSGPACK: dict[str, Callable[[], bytes]] = {
    "deep_arrays": lambda: b"\x91" * 50000 + b"\1", "deep_maps": lambda: b"\x81\xa1a" * 30000 + b"\1",
    "empty_maps": lambda: msgpack_many(95000, b"\x80"), "nils": lambda: msgpack_many(95000, b"\xc0"),
    "lists_of_one": lambda: msgpack_many(47000, b"\x91\1"), "unlike_records": lambda: unlike_records(4000),
    "declared_items": lambda: b"\xdd\xff\xff\xff\xff" + bytes(1000), "declared_bytes": lambda: b"\xc6\xff\xff\xff\xff" + bytes(1000),
    "rows_of_nothing": lambda: msgpack_array([1 << 32, 0, 8], "<f8"), "flags_of_nothing": lambda: msgpack_array([1 << 40, 0], "|b1"),
    "arrays": lambda: msgpack_many(1500, msgpack_array([1], "<f8", bytes(8))),
    "one_key": lambda: struct.pack(">BI", 0xDF, 30000) + b"\xa1a\1" * 30000,
    "keys": lambda: struct.pack(">BI", 0xDF, 14000) + b"".join(b"\xa5%05d\1" % i for i in range(14000)),
}  # fmt: skip

# DyND: a type, then data.


def dynd(type_: str, data: bytes = b"") -> bytes:
    size, count = len(type_), b""
    while size >= 0x80:
        count += bytes([size & 0x7F | 0x80])
        size >>= 7
    return count + bytes([size]) + type_.encode() + data


DYND: dict[str, Callable[[], bytes]] = {
    "voids": lambda: dynd("1000000000000 * void"), "million_voids": lambda: dynd("1000000 * void"),
    "million_tuples": lambda: dynd("1000 * 1000 * ()"), "empty_rows": lambda: dynd("1000000 * 0 * {x: float64, y: string}"),
    "strings": lambda: dynd("95000 * string", bytes(95000)), "options": lambda: dynd("90000 * ?string", bytes(90000)),
    "dimensions": lambda: dynd("1 * " * 20000 + "int8", b"\1"),
    "fields": lambda: dynd("1000 * {" + ", ".join(f"f{i}: void" for i in range(5000)) + "}"),
}  # fmt: skip

# Yggdrasil, text, schemas, types.


def message(datatype: object, body: str) -> bytes:
    head = {"__meta__": {"id": "00000000-0000-0000-0000-000000000000", "size": len(body)}, "datatype": datatype}
    return b"YGG_MSG_HEAD" + json.dumps(head).encode() + b"YGG_MSG_HEAD" + body.encode()


def leaf(schema: object, data: bytes = b"") -> str:
    coded = base64.b64encode(json.dumps(schema).encode()).decode()
    return f'"-YGG-{coded}-YGG-{base64.b64encode(data).decode()}-YGG-"'


def doubling(levels: int) -> dict[str, object]:
    """A schema each of whose definitions names the next one twice."""
    steps: dict[str, object] = {
        f"d{i}": {"type": "array", "items": [{"$ref": f"#/definitions/d{i + 1}"}] * 2} for i in range(levels)
    }
    steps[f"d{levels}"] = {"type": "integer"}
    return {"definitions": steps, "$ref": "#/definitions/d0"}


def same_place(levels: int) -> dict[str, object]:
    """The like, where one value is checked by all of them."""
    steps: dict[str, object] = {f"d{i}": {"allOf": [{"$ref": f"#/definitions/d{i + 1}"}] * 2} for i in range(levels)}
    steps[f"d{levels}"] = {"type": "integer"}
    return {"definitions": steps, "$ref": "#/definitions/d0"}


YGGDRASIL: dict[str, Callable[[], str]] = {
    "nothing": lambda: leaf({"type": "ndarray", "subtype": "float", "precision": 8, "shape": [1 << 32, 0, 8]}),
    "leaves": lambda: "[" + ",".join([leaf({"type": "scalar", "subtype": "float", "precision": 8, "units": "cm"}, bytes(8))] * 700) + "]",
    "deep": lambda: "[" * 47000 + "1" + "]" * 47000, "digits": lambda: "9" * 95000,
    "units": lambda: leaf({"type": "scalar", "subtype": "float", "precision": 8, "units": "*".join(["cm**9"] * 8000)}, bytes(8)),
}  # fmt: skip
MESSAGES: dict[str, Callable[[], bytes]] = {
    "references": lambda: message(doubling(40), "[[1, 2], [3, 4]]"), "same_place": lambda: message(same_place(40), "1"),
    "pattern": lambda: message({"type": "string", "pattern": "^(a+)+$"}, '"' + "a" * 40000 + 'b"'),
    "pattern_counted": lambda: message({"type": "string", "pattern": "^((a{0,200}){0,200}){0,200}$"}, '"' + "a" * 2000 + 'b"'),
    "unique": lambda: message({"type": "array", "uniqueItems": True}, json.dumps([[i] for i in range(8000)])),
}  # fmt: skip
TEXT: dict[str, Callable[[], str]] = {
    "deep": lambda: "[" * 47000 + "1" + "]" * 47000, "digits": lambda: "9" * 95000, "fraction": lambda: "0." + "0" * 95000 + "1",
    "power": lambda: "1e" + "9" * 90000, "voids": lambda: '{"type": "1000000000000 * void", "value": []}',
    "columns": lambda: '{"type": "1 * {' + ", ".join(f"c{i}: int8" for i in range(5000)) + '}", "value": []}',
    "empty_objects": lambda: "[" + ",".join(["{}"] * 30000) + "]",
}  # fmt: skip

# Filters, fastbin.


def filtered(name: str, chain: list[dict[str, object]], data: bytes) -> Costly:
    return Costly(name + ".bin", data, {}, ("--from", "msgpack-ndarray", "--from-filters", json.dumps(chain)))


# A frame of zstd that says 2^60 bytes, and one raw block. LZ4: the size before a block.
ZSTD_FALSE = struct.pack("<IBQ", 0xFD2FB528, 0xE0, 1 << 60) + b"\x09\0\0" + b"a"
LZ4_FALSE = struct.pack("<IBB", 0x184D2204, 0x4C, 0x70) + struct.pack("<Q", 1 << 60) + bytes(64)


def fastbin(name: str, schema: object, data: bytes, root: str) -> Costly:
    options = json.dumps({"schema_file": name + ".schema.json", "root": root})
    beside = {name + ".schema.json": json.dumps(schema).encode()}
    return Costly(name + ".fastbin", data, beside, ("--from", "fastbin", "--from-options", options))


def structs(count: int) -> dict[str, object]:
    """Each struct has the one before twice."""
    made: dict[str, object] = {"S0": {"members": {"x": "int8"}}}
    for i in range(1, count):
        made[f"S{i}"] = {"members": {"a": f"struct:S{i - 1}", "b": f"struct:S{i - 1}"}}
    return {"namespace": "n", "structs": made}


SCHEMA = (("schema", "validate", "FILE", "small.json"), ("schema", "normalize", "FILE", "small.json", "-o", "out.json"))
OFFER = (("negotiate", "FILE", "small.json"),)
CONFIG = (("config", "check", "FILE"), ("inspect", "small.json", "--config", "FILE"))
GENERATE = (("fastbin", "generate", "FILE", "--language", "cpp", "-o", "all"), ("fastbin", "diff", "FILE", "FILE"))


def nested_choices(levels: int) -> dict[str, object]:
    schema: dict[str, object] = {"type": "string"}
    for _ in range(levels):
        schema = {"anyOf": [{"not": schema}, {"oneOf": [{"type": "object"}, {"type": "array"}]}]}
    return schema


DOCUMENTS: dict[str, tuple[tuple[tuple[str, ...], ...], Callable[[], object]]] = {
    "references": (SCHEMA, lambda: doubling(40)), "same_place": (SCHEMA, lambda: same_place(40)), "choices": (SCHEMA, lambda: nested_choices(150)),
    "itself": (SCHEMA, lambda: {"allOf": [{"$ref": "#"}, {"$ref": "#"}]}), "enum": (SCHEMA, lambda: {"enum": [[i] for i in range(9000)]}),
    "properties": (SCHEMA, lambda: {"patternProperties": {f"^(a{i}|b)*$": {} for i in range(3000)}}),
    "offers": (OFFER, lambda: {"codecs": [{"codec": f"c{i}"} for i in range(4500)]}),
    "rules": (CONFIG, lambda: {"rules": [{"file": f"*.{i}", "codec": "none"} for i in range(2500)]}),
    "structs_wide": (GENERATE, lambda: structs(800)),
}  # fmt: skip


def document(name: str) -> Costly:
    commands, make = DOCUMENTS[name]
    return Costly(name + ".schema.json", json.dumps(make()).encode(), commands=commands)


def textures(count: int) -> Costly:
    """One image under many names: the last part of a name counts."""
    names = [f"{chr(97 + i // 26 % 26)}{chr(97 + i % 26)}{i // 676}/t.png" for i in range(count)]
    library = "".join(f"newmtl {i}\nmap_Kd {name}\n" for i, name in enumerate(names))
    faces = "".join(f"usemtl {i}\nf 1/1 2/1 3/1\n" for i in range(count))
    return Costly(
        "textures.obj",
        b"mtllib textures.mtl\n" + TRIANGLE + faces.encode(),
        {"textures.mtl": library.encode(), "t.png": png(8000)},
    )


def libraries(count: int) -> Costly:
    library = "".join(f"newmtl {i}\nKd 1 0 0\n" for i in range(2000)).encode()
    return Costly(
        "libraries.obj",
        b"mtllib libraries.mtl\n" * count + TRIANGLE + b"usemtl 1\nf 1 2 3\n",
        {"libraries.mtl": library},
    )


# What a terminal would obey, wherever a format has words. All runs are looked through for it.
EVIL = "\x1b[31mred\x1b]0;t\x07\x9b\u202e"


def evil_awkward() -> bytes:
    name = json.dumps(EVIL)
    pairs = f'{{"pairs": [[{name}, {{"json": [1, 2]}}]]}}'
    call = f'{{"call": ["awkward0", "Table", "frompairs"], "args": [{pairs}, {{"json": 0}}], "rowname": {name}}}'
    return archive(call)


def evil_gltf() -> bytes:
    mesh = {"primitives": [{"attributes": {"POSITION": 0}, "material": 0}], "name": EVIL}
    return gltf(
        accessors=[{"componentType": 5126, "type": "VEC3", "count": 3, "name": EVIL}], meshes=[mesh], nodes=[{"mesh": 0, "name": EVIL}],
        scenes=[{"nodes": [0]}], materials=[{"name": EVIL}], images=[{"uri": EVIL + ".png"}], extras={EVIL: EVIL},
    )  # fmt: skip


OBEYED: dict[str, Callable[[], bytes]] = {
    "obeyed.json": lambda: json.dumps({EVIL: [EVIL, {"a": EVIL}]}).encode(), "obeyed.gltf": evil_gltf, "obeyed.awkd": evil_awkward,
    "obeyed.msgpack": lambda: b"\x81" + msgpack_text(EVIL[:9]) + msgpack_text(EVIL[:9]),
    "obeyed.ply": lambda: f"ply\nformat ascii 1.0\ncomment {EVIL}\nelement vertex 1\nproperty float x\nend_header\n1\n".encode(),
    "obeyed.obj": lambda: f"mtllib {EVIL}.mtl\no {EVIL}\ng {EVIL}\n".encode() + TRIANGLE + f"usemtl {EVIL}\nf 1 2 3\n".encode(),
    "obeyed.stl": lambda: f"solid {EVIL}\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
                          f"endloop\nendfacet\nendsolid {EVIL}\n".encode(),
    "obeyed.ygg": lambda: leaf({"type": "scalar", "subtype": "float", "precision": 8, "title": EVIL}, bytes(8)).encode(),
    "obeyed.msg": lambda: message({"type": "object", "properties": {EVIL: {"type": "array", "title": EVIL}}}, json.dumps({EVIL: 1})),
}  # fmt: skip


def _all() -> list[Make]:
    def named(extension: str, made: dict[str, Callable[[], bytes]]) -> list[Make]:
        def maker(name: str, make: Callable[[], bytes]) -> Make:
            return lambda: Costly(name + extension, make())

        return [maker(name, make) for name, make in made.items()]

    def encoded(made: dict[str, Callable[[], str]]) -> dict[str, Callable[[], bytes]]:
        return {name: (lambda make=make: make().encode()) for name, make in made.items()}  # type: ignore[misc]

    def documents() -> list[Make]:
        return [(lambda name=name: document(name)) for name in DOCUMENTS]  # type: ignore[misc]

    return [
        *documents(), *named("", OBEYED), *named(".awkd", AWKWARD), *named(".msgpack", MSGPACK), *named(".dynd", DYND), *named(".ply", PLY), *named(".obj", OBJ),
        *named(".stl", STL), *named(".gltf", GLTF), *named(".ygg", encoded(YGGDRASIL)), *named(".msg", MESSAGES),
        *named(".json", encoded(TEXT)), lambda: Costly("images.glb", images(450)), lambda: textures(1200), lambda: libraries(2000),
        lambda: filtered("zlib8", [{"id": "zlib"}] * 8, packed_zeros(1 << 27, 8, b"\xc6" + struct.pack(">I", 1 << 27))), lambda: filtered("zstd_false", [{"id": "zstd"}], ZSTD_FALSE),
        lambda: filtered("lz4_false", [{"id": "lz4"}], LZ4_FALSE),
        lambda: fastbin("structs", structs(60), bytes(90000), "S59"),
        lambda: fastbin("items", {"namespace": "n", "structs": {"S": {"members": {"x": "vector<string>"}}}},
                        struct.pack("<QQQ", 90008, 90000, 11000) + bytes(90000), "S"),
    ]  # fmt: skip


FILES = _all()


def main() -> int:
    place = Path(sys.argv[1])
    place.mkdir(parents=True, exist_ok=True)
    for make in FILES:
        made = make()
        for name, data in {made.name: made.data, **made.beside}.items():
            (place / name).write_bytes(data)
        over = "  TOO LARGE" if made.size > MAX_BYTES else ""
        print(f"{made.name:<28}{made.size:>8}  {' '.join(made.words)}{over}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
