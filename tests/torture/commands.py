# SPDX-License-Identifier: MIT
"""The commands of `polycodec` as the mutation arm calls them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from corpus import EXTENSIONS, Corpus, Seed

CODECS = ("text", "awkward", "dynd", "dynd-cbor", "msgpack-ndarray", "obj", "ply", "stl", "gltf", "yggdrasil")
FILTERS = (
    '[{"id": "zstd"}]',
    '[{"id": "shuffle"}, {"id": "zlib"}]',
    '[{"id": "lz4"}, {"id": "crc32"}]',
    '[{"id": "xxhash"}]',
)
OPTIONS = {
    "ply": ('{"form": "mesh"}', '{"form": "dict"}', '{"strict": true}', '{"triangulate": true}'),
    "obj": ('{"form": "mesh"}', '{"form": "array_dict"}', '{"form": "list"}', '{"triangulate": true}'),
    "stl": ('{"form": "mesh"}', '{"form": "mesh", "merge": false}', '{"strict": true}', '{"format": "ascii"}'),
    "gltf": ('{"form": "mesh"}', '{"strict": true}', '{"format": "gltf"}', '{"triangulate": true}'),
    "awkward": ('{"check": false}', '{"rows": [0, 2]}', '{"columns": ["x"]}', '{"array": "a"}'),
    "msgpack-ndarray": ('{"numpy_maps": true}', '{"utf8": "lenient"}', '{"documents": "many"}', '{"ext_code": 5}'),
    "dynd": ('{"type": "3 * int32"}', '{"type": "var * {x: string, y: ?int8}", "form": "data"}'),
    "yggdrasil": (
        '{"dialect": "legacy-1.8"}',
        '{"geometry": "text"}',
        '{"duplicate_keys": "last"}',
        '{"utf8": "lenient"}',
    ),
}
LIMITS = ('{"max_depth": 8}', '{"max_memory_bytes": 100000}', '{"max_work": 10000}', '{"max_output_bytes": 100}')


@dataclass
class Call:
    """One call of the command. What it may leave: `makes`, and `beside` (a store has owners' records)."""

    words: list[str]
    makes: str = ""
    codec: str = ""  # of what it makes
    stdin: str = ""
    is_change: bool = False  # what it makes was there before
    out_is_data: bool = False


@dataclass
class Input:
    """The mutated file, and the files beside it that commands take."""

    kind: str
    file: str
    seed: Seed
    other: dict[str, str] = field(default_factory=dict)

    def read_words(self, random: Random) -> list[str]:
        """The options that say what the file is; now and then the command has to find out."""
        words: list[str] = []
        if self.kind == "filtered":
            return ["--from", "msgpack-ndarray", "--from-filters", self.seed.options["filters"]]
        if self.kind == "message":
            words = ["--as-is"] if random.random() < 0.2 else []
        elif self.kind in EXTENSIONS:
            options: dict[str, str] = {}
            if self.kind == "fastbin":
                options = {"schema_file": self.other["schema"], **self.seed.options}
                words += ["--from-options", json.dumps(options)]
            elif random.random() < 0.1 and OPTIONS.get(self.kind):
                words += ["--from-options", random.choice(OPTIONS[self.kind])]
            if words or random.random() < 0.8:
                words = ["--from", self.kind, *words]
        if random.random() < 0.05:
            words += ["--no-mmap"]
        if random.random() < 0.05:
            words += ["--limits", random.choice(LIMITS)]
        return words


def json_flag(random: Random) -> list[str]:
    return ["--json"] if random.random() < 0.5 else []


def inspect(given: Input, random: Random) -> Call:
    return Call(["inspect", given.file, *given.read_words(random), *json_flag(random)])


def decode(given: Input, random: Random) -> Call:
    style = random.choice(([], ["--plain"], ["--pretty"], ["--lossy"]))
    return Call(["decode", given.file, *given.read_words(random), *style])


def simple(*words: str) -> Callable[[Input, Random], Call]:
    def call(given: Input, random: Random) -> Call:
        return Call([*words, given.file, *given.read_words(random), *json_flag(random)])

    return call


def sniff(given: Input, random: Random) -> Call:
    return Call(["sniff", given.file, *json_flag(random)])


def infer(given: Input, random: Random) -> Call:
    style = random.choice(([], ["--minimal"], ["--pretty"]))
    return Call(["schema", "infer", given.file, *given.read_words(random), *style])


def convert(given: Input, random: Random) -> Call:
    codec = random.choice(CODECS)
    out = "out" + (random.choice((".awkd", ".h5", "_directory")) if codec == "awkward" else EXTENSIONS[codec])
    words = ["convert", given.file, out, "--to", codec, *given.read_words(random), "--sync", "none"]
    if random.random() < 0.6:
        words.append("--lossy")
    plain = True
    if codec not in ("awkward", "text") and random.random() < 0.15:
        words += ["--to-filters", random.choice(FILTERS)]
        plain = False
    if random.random() < 0.1 and OPTIONS.get(codec):
        words += ["--to-options", random.choice(OPTIONS[codec])]
    return Call([*words, *json_flag(random)], makes=out, codec=codec if plain else "")


def convert_stream(given: Input, random: Random) -> Call:
    words = ["convert", "-", "-", "--to", random.choice(("msgpack-ndarray", "yggdrasil", "text", "ply"))]
    words += ["--from", given.kind] if given.kind in ("msgpack-ndarray", "yggdrasil", "ply") else []
    return Call(words, stdin=given.file, out_is_data=True)


def convert_many(given: Input, random: Random) -> Call:
    words = ["convert", given.file, *given.read_words(random), "--out-dir", "all", "--to", random.choice(CODECS)]
    return Call([*words, "--sync", "none", *json_flag(random)], makes="all", is_change=True)


def pack(given: Input, random: Random) -> Call:
    words = ["message", "pack", given.file, *given.read_words(random), "-o", "out.msg"]
    if random.random() < 0.4:
        words += ["--codec", random.choice(CODECS[2:])]
    if random.random() < 0.2:
        words += ["--filters", random.choice(FILTERS)]
    return Call([*words, *json_flag(random)], makes="out.msg", codec="message")


def unpack(given: Input, random: Random) -> Call:
    style = random.choice(([], ["--header-only"], ["--plain"], ["--as-is"]))
    return Call(["message", "unpack", given.file, *style])


def negotiate(given: Input, random: Random) -> Call:
    if given.kind == "offer":
        return Call(["negotiate", given.file, given.other["value"], *json_flag(random)])
    return Call(["negotiate", given.other["offer"], given.file, *given.read_words(random)])


def validate_schema(given: Input, random: Random) -> Call:
    if given.kind == "schema":
        return Call(["schema", "validate", given.file, given.other["value"]])
    return Call(["schema", "validate", given.other["schema"], given.file, *given.read_words(random)])


def normalize(given: Input, random: Random) -> Call:
    words = ["schema", "normalize", "--rounding", random.choice(("none", "floats", "all"))]
    if given.kind == "schema":
        words += [given.file, given.other["value"]]
    else:
        words += [given.other["schema"], given.file, *given.read_words(random)]
    return Call([*words, "-o", "out.json", "--to", "text"], makes="out.json", codec="text")


def store_add(given: Input, random: Random) -> Call:
    place = random.choice(("s.awkd", "s.h5", "s_directory"))
    words = ["store", "add", place, "value", given.file, *given.read_words(random), "--to", "awkward"]
    return Call(words, makes=place, codec="awkward")


def store_list(given: Input, random: Random) -> Call:
    return Call(["store", "list", given.file, *json_flag(random)])


def store_change(given: Input, random: Random) -> Call:
    name = given.seed.name if random.random() < 0.7 else random.choice(("a", "value", "table"))
    words = random.choice((["delete"], ["delete", "--unowned"], ["replace"], ["add"]))
    operation, rest = words[0], words[1:]
    words = ["store", operation, given.file, name]
    return Call(
        words + ([] if operation == "delete" else [given.other["value"]]) + rest, makes=given.file, is_change=True
    )


def encode(given: Input, random: Random) -> Call:
    codec = random.choice(CODECS[2:])
    return Call(["encode", given.file, "--to", codec, "-o", "out", "--sync", "none"], makes="out", codec=codec)


def render(given: Input, random: Random) -> Call:
    size = ["--width", "64", "--height", "48"] if random.random() < 0.8 else []
    return Call(["render", given.file, *given.read_words(random), *size, "-o", "out.png"], makes="out.png")


def view(given: Input, random: Random) -> Call:
    return Call(["view", given.file, *given.read_words(random), "-o", "out.html"], makes="out.html")


def mesh_check(given: Input, random: Random) -> Call:
    return Call(["mesh", "check", given.file, *given.read_words(random), *json_flag(random)])


def mesh_repair(given: Input, random: Random) -> Call:
    wishes = (["--merge"], ["--merge-within", "0.01"], ["--drop", "degenerate,unreferenced,duplicate-faces"], ["--orient"],
              ["--triangulate"], ["--normals", "angle"], ["--split-seams"])  # fmt: skip
    asked = [word for wish in random.sample(wishes, random.randrange(1, 5)) for word in wish]
    words = ["mesh", "repair", given.file, *given.read_words(random), *asked, "--lossy", "--to", "obj", "-o", "out.obj"]
    return Call([*words, "--sync", "none"], makes="out.obj", codec="obj")


def diff(given: Input, random: Random) -> Call:
    pair = [given.file, given.other["value"]]
    random.shuffle(pair)
    extra = random.choice(([], ["--by-value"], ["--abs", "0.5", "--unordered"]))
    return Call(["diff", *pair, *extra, *json_flag(random)])


def fastbin_infer(given: Input, random: Random) -> Call:
    return Call(["fastbin", "infer", given.file, *given.read_words(random), "-o", "out.json"], makes="out.json")


def fastbin_verify(given: Input, random: Random) -> Call:
    words = ["fastbin", "verify", given.other["schema"], given.file, "--root", given.seed.options["root"]]
    return Call(words + (["--strict"] if random.random() < 0.5 else []))


def fastbin_schema(given: Input, random: Random) -> Call:
    pair = [given.file, given.other["schema"]]
    random.shuffle(pair)
    if random.random() < 0.5:
        return Call(["fastbin", "diff", *pair, *json_flag(random)])
    language = random.choice(("cpp", "julia"))
    return Call(["fastbin", "generate", given.file, "--language", language, "-o", "all"], makes="all", is_change=True)


def type_of(given: Input, random: Random) -> Call:
    return Call(["type", "-", *json_flag(random)], stdin=given.file)


def config(given: Input, random: Random) -> Call:
    if random.random() < 0.3:
        return Call(["decode", given.other["value"], "--config", given.file])
    return Call(["config", "check", given.file, *json_flag(random)])


ANY = (inspect, decode, simple("validate"), simple("hash"), sniff, infer, convert, convert, convert, convert_stream,
       convert_many, pack, unpack, negotiate, validate_schema, normalize, store_add, fastbin_infer, simple("mesh"), view, diff)  # fmt: skip
ALSO = {
    "ply": (render, mesh_check, mesh_repair), "obj": (render, mesh_check, mesh_repair), "awkward": (store_list, store_change, store_change),
    "message": (unpack, unpack), "fastbin": (fastbin_verify,), "text": (encode, encode),
}  # fmt: skip
ONLY = {
    "type": (type_of,), "config": (config,), "schema": (validate_schema, normalize), "offer": (negotiate,),
    "fastbin schema": (fastbin_schema,),
}  # fmt: skip


def calls_of(kind: str) -> tuple[Callable[[Input, Random], Call], ...]:
    """The commands that take a file of this kind."""
    return ONLY[kind] if kind in ONLY else ANY + ALSO.get(kind, ())


def first_of(kind: str) -> Callable[[Input, Random], Call]:
    """The command that shows whether a file of this kind is accepted."""
    return ONLY[kind][0] if kind in ONLY else simple("validate")


def needs(kind: str, corpus: Corpus, random: Random) -> dict[str, Seed]:
    """The files beside the input, unchanged."""
    return {"schema": random.choice(corpus["fastbin schema" if kind == "fastbin schema" else "schema"]),
            "offer": random.choice(corpus["offer"]), "value": random.choice(corpus["text"])}  # fmt: skip
