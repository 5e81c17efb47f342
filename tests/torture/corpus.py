# SPDX-License-Identifier: MIT
"""The files that torture begins with: all vectors, all seeds of the fuzzers, and what the command makes of them."""

from __future__ import annotations

import base64
import json
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from bounds import environment

# Longer files take more time a case than they are worth.
BAD = {"bad", "malformed", "hostile"}
MAX_BYTES = 96 << 10
# What these have after their extension says no more than the directory.
EXTENSIONS = {"msgpack-ndarray": ".msgpack", "dynd": ".dynd", "dynd-cbor": ".cbor", "fastbin": ".fastbin", "ply": ".ply",
              "obj": ".obj", "stl": ".stl", "gltf": ".glb", "yggdrasil": ".ygg", "awkward": ".awkd", "text": ".json", "message": ".msg"}  # fmt: skip


@dataclass
class Seed:
    """One file, with the options that its codec needs."""

    name: str
    data: bytes
    options: dict[str, str] = field(default_factory=dict)
    schema: str = ""
    is_bad: bool = False  # a vector that is to be refused


Corpus = dict[str, list[Seed]]
Job = tuple[str, str, Seed, list[str], dict[str, str]]


def read(corpus: Corpus, kind: str, directory: Path, pattern: str) -> None:
    for path in sorted(directory.rglob(pattern)):
        if path.is_file() and path.stat().st_size <= MAX_BYTES:
            is_bad = bool(BAD & set(path.parts))
            corpus.setdefault(kind, []).append(Seed(path.stem, path.read_bytes(), is_bad=is_bad))


def read_fastbin(corpus: Corpus, directory: Path) -> None:
    """A fastbin buffer is read with its schema, which the document beside it names."""
    for path in sorted(directory.rglob("*.bin")):
        about = json.loads(path.with_suffix(".json").read_text())
        schema = directory / f"{about.get('schema')}.schema.json"
        if not schema.exists() or path.stat().st_size > MAX_BYTES:
            continue
        text = schema.read_text()
        options, is_bad = {"root": str(about["struct"])}, bool(BAD & set(path.parts))
        corpus.setdefault("fastbin", []).append(Seed(path.stem, path.read_bytes(), options, text, is_bad))
    for path in sorted(directory.glob("*.schema.json")):
        corpus.setdefault("fastbin schema", []).append(Seed(path.stem, path.read_bytes()))


def vectors(source: Path) -> Corpus:
    """Reads the vectors and the seeds in the source tree."""
    tests, corpus = source / "tests", Corpus()
    root = tests / "vectors"
    read(corpus, "msgpack-ndarray", root / "msgpack_ndarray", "*.msgpack")
    read(corpus, "dynd", root / "dynd", "*.bin")
    read(corpus, "dynd-cbor", root / "dynd" / "cbor", "*.cbor")
    read(corpus, "ply", root / "ply", "*.ply")
    read(corpus, "obj", root / "obj", "*.obj")
    read(corpus, "stl", root / "stl", "*.stl")
    read(corpus, "gltf", root / "gltf", "*.gl*[bf]")
    read(corpus, "yggdrasil", root / "yggdrasil" / "bodies", "*.body")
    read(corpus, "message", root / "yggdrasil" / "messages", "*.msg")
    read(corpus, "awkward", root / "awkward", "*.awkd")
    read_fastbin(corpus, root / "fastbin")
    seeds = tests / "fuzz" / "seeds"
    read(corpus, "message", seeds / "message_reader", "*")
    read(corpus, "message", seeds / "containers", "message")
    read(corpus, "text", seeds / "text", "*")
    read(corpus, "type", seeds / "type", "*")
    read(corpus, "config", seeds / "containers", "config")
    corpus.setdefault("config", []).extend(Seed(f"config{i}", text.encode()) for i, text in enumerate(CONFIGS))
    corpus["schema"] = [Seed(f"schema{i}", json.dumps(schema).encode()) for i, schema in enumerate(SCHEMAS)]
    corpus["offer"] = [Seed(f"offer{i}", json.dumps(offer).encode()) for i, offer in enumerate(OFFERS)]
    return corpus


CONFIGS = (
    '{"limits": {"max_depth": 64, "max_memory_bytes": 1000000}, "log_level": "debug"}',
    '{"plugin_path": ["/nonexistent"], "trust": "listed", "allow_plugins": ["ply"], "deny_plugins": ["command:*"]}',
    '{"rules": [{"file": "*.x", "codec": "ply", "options": {"format": "ascii"}, "filters": [{"id": "zstd"}]}]}',
    '{"pins": {"ply": ["00"]}, "require_pins": true, "extra_functions": ["numpy.zeros"]}',
)  # fmt: skip
SCHEMAS: tuple[object, ...] = (
    {"type": "object", "properties": {"a": {"type": "integer", "multipleOf": 3}}, "required": ["a"], "additionalProperties": False},
    {"type": "array", "items": [{"type": "scalar", "subtype": "float", "precision": 8, "units": "cm"}], "minItems": 1},
    {"type": "ndarray", "subtype": "float", "precision": 4, "shape": [2, 3], "units": "m/s"},
    {"$ref": "#/definitions/tree", "definitions": {"tree": {"type": "object", "properties": {"kids": {"items": {"$ref": "#/definitions/tree"}}}}}},
    {"anyOf": [{"type": "string", "pattern": "^(a+)+$"}, {"type": "number", "minimum": 0}, {"not": {"type": "null"}}]},
    {"type": "string", "enum": ["a", "b"], "default": "a", "aliases": ["x"]},
    {"type": "ply"}, {"type": "obj"},
    {"allOf": [{"oneOf": [{"type": "object", "patternProperties": {".*": {"$ref": "#"}}}, {"type": "array", "uniqueItems": True}]}]},
)  # fmt: skip
OFFERS: tuple[object, ...] = (
    {"codecs": [{"codec": "ply"}, {"codec": "yggdrasil", "version": "1.0"}]},
    {"codecs": [{"codec": "msgpack-ndarray"}, {"codec": "dynd", "options": {}}]},
)


def choose(corpus: Corpus, kind: str, random: Random) -> Seed:
    """Bad vectors are refused at once by most commands, so they are a small part."""
    while (seed := random.choice(corpus[kind])).is_bad and random.random() < 0.7:
        pass
    return seed


def derive(command: str, corpus: Corpus, cache: Path) -> None:
    """Adds each value's text notation, and filtered bytes, schemas and collections of some. They are made once a build."""
    stamp = str(Path(command).stat().st_mtime_ns)
    if cache.exists() and (kept := json.loads(cache.read_text()))["stamp"] == stamp:
        derived = [(kind, name, base64.b64decode(data), options) for kind, name, data, options in kept["seeds"]]
    else:
        with TemporaryDirectory() as directory, ThreadPoolExecutor(2) as pool:
            jobs = [pool.submit(convert, command, Path(directory) / str(i), *job) for i, job in enumerate(plan(corpus))]
            made = [job.result() for job in jobs]
        derived = [each for each in made if each[2] and len(each[2]) <= MAX_BYTES]
        seeds = [(kind, name, base64.b64encode(data).decode(), options) for kind, name, data, options in derived]
        cache.write_text(json.dumps({"stamp": stamp, "seeds": seeds}))
    for kind, name, data, options in derived:
        corpus.setdefault(kind, []).append(Seed(name, data, options))


def plan(corpus: Corpus) -> Iterator[Job]:
    """What derive() makes."""
    for kind in ("msgpack-ndarray", "dynd", "ply", "obj", "stl", "gltf", "yggdrasil", "awkward"):
        for index, seed in enumerate([seed for seed in corpus[kind] if not seed.is_bad][::2]):
            yield "text", kind, seed, ["decode", "IN"], {}
            if index % 7 == 0:
                yield "schema", kind, seed, ["schema", "infer", "IN"], {}
                yield "message", kind, seed, ["message", "pack", "IN", "-o", "OUT"], {}
                for codec in ("awkward", "dynd", "dynd-cbor", "msgpack-ndarray", "yggdrasil"):
                    yield codec, kind, seed, ["convert", "IN", "OUT", "--to", codec, "--lossy"], {}
                for name in ("zstd", "zlib", "lz4", "crc32"):
                    chain = json.dumps([{"id": name}])
                    words = ["convert", "IN", "OUT", "--to", "msgpack-ndarray", "--to-filters", chain]
                    yield "filtered", kind, seed, words, {"filters": chain}


def convert(
    command: str, place: Path, kind: str, codec: str, seed: Seed, words: list[str], options: dict[str, str]
) -> tuple[str, str, bytes, dict[str, str]]:
    """Runs the command on a seed; no bytes: it was refused."""
    given, made = place.with_suffix(".in"), place.with_suffix(".awkd")  # a collection becomes a ZIP archive
    given.write_bytes(seed.data)
    words = [{"IN": str(given), "OUT": str(made)}.get(word, word) for word in words] + ["--from", codec]
    done = subprocess.run([command, *words], capture_output=True, env=environment(), check=False, timeout=600)
    data = b"" if done.returncode != 0 else made.read_bytes() if made.is_file() else done.stdout
    return kind, f"{codec} {seed.name}", data, options
