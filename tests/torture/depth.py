# SPDX-License-Identifier: MIT
"""Arm `depth`: values that nest deep or share their parts, with small stacks."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from random import Random

from corpus import EXTENSIONS
from session import Case, Session

DEPTHS = (10, 63, 64, 100, 250, 500, 1000, 3000, 9999, 10000, 10001, 50000)
STACKS = (256, 256, 512, 1024, 8192)  # KiB
# A raised max_work still ends within the bound of CPU time: a unit takes about 5 ns.
LIMITS = ('{"max_depth": 10000}', '{"max_depth": 10000, "max_work": 500000000}', "{}")


def archive(schema: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        made.writestr("a.json", f'{{"awkward0": "0.15.5", "schema": {schema}, "prefix": "a-"}}')
        made.writestr("a-0", bytes(64))
    return out.getvalue()


def nested(before: str, after: str, inner: str) -> Callable[[int], bytes]:
    return lambda depth: (before * depth + inner + after * depth).encode()


def in_archive(make: Callable[[int], bytes]) -> Callable[[int], bytes]:
    return lambda depth: archive(make(depth).decode())


def shared(depth: int) -> bytes:
    """2 to the power of `depth` items on paper."""
    steps = [f'{{"list": [{{"ref": {i}}}, {{"ref": {i}}}], "id": {i + 1}}}' for i in range(depth)]
    return archive('{"list": [{"json": [1, 2, 3], "id": 0}, ' + ", ".join(steps) + "]}")


def dynd_data(before: str, after: str, inner: str) -> Callable[[int], bytes]:
    """A type that nests, and bytes that may be its data."""

    def make(depth: int) -> bytes:
        text = (before * depth + inner + after * depth).encode()
        size, count = len(text), b""
        while size >= 0x80:
            count += bytes([size & 0x7F | 0x80])
            size >>= 7
        return count + bytes([size]) + text + b"\1" * 64

    return make


FORMS: tuple[tuple[str, Callable[[int], bytes]], ...] = (
    ("msgpack-ndarray", lambda depth: b"\x91" * depth + b"\x01"),
    ("msgpack-ndarray", lambda depth: b"\x81\xa1a" * depth + b"\x01"),
    ("msgpack-ndarray", lambda depth: b"\x92\x01" * depth + b"\xc0"),
    ("msgpack-ndarray", lambda depth: b"\x81\x91\x01" * depth + b"\x01"),
    ("dynd-cbor", lambda depth: b"\x81" * depth + b"\x01"),
    ("dynd-cbor", lambda depth: b"\xa1\x61a" * depth + b"\x01"),
    ("dynd-cbor", lambda depth: b"\xc0" * depth + b"\x01"),
    ("dynd-cbor", lambda depth: b"\x82\x01" * depth + b"\xf6"),
    ("dynd", dynd_data("1 * ", "", "int32")),
    ("dynd", dynd_data("var * ", "", "int32")),
    ("dynd", dynd_data("{x: ", "}", "int32")),
    ("dynd", dynd_data("(", ",)", "int32")),
    ("dynd", dynd_data("?", "", "int32")),
    ("dynd", dynd_data("pointer[", "]", "int32")),
    ("dynd", dynd_data("any", "", "")),
    ("yggdrasil", nested("[", "]", "1")),
    ("yggdrasil", nested('{"a":', "}", "1")),
    ("yggdrasil", nested('{"a":[', "]}", "1")),
    ("text", nested("[", "]", "1")),
    ("text", nested('{"a":', "}", "1")),
    ("text", nested('{"$value":', "}", "1")),
    ("text", lambda depth: b'{"type": "' + b"1 * " * depth + b'int8", "value": ' + b"[" * depth + b"1" + b"]" * depth + b"}"),
    ("text", lambda depth: b'{"type": "' + b"{x: " * depth + b"int8" + b"}" * depth + b'", "value": ' + b'{"x":' * depth + b"1" + b"}" * depth + b"}"),
    ("text", lambda depth: b'{"type": "' + b"?" * depth + b'int8", "value": null}'),
    ("text", lambda depth: b'{"type": "any", "value": ' + b'{"$ext": ["a", ' * depth + b"1" + b"]}" * depth + b"}"),
    ("awkward", in_archive(nested('{"list": [', "]}", '{"json": 1}'))),
    ("awkward", in_archive(nested('{"tuple": [', "]}", '{"json": 1}'))),
    ("awkward", in_archive(nested('{"dict": {"a": ', "}}", '{"json": 1}'))),
    ("awkward", in_archive(nested('{"json": [', "]}", "1"))),
    ("awkward", in_archive(lambda depth: b'{"json": ' + b"[" * depth + b"1" + b"]" * depth + b"}")),
    ("awkward", in_archive(nested('{"call": ["awkward0", "JaggedArray", "fromcounts"], "args": [{"json": [1]}, ', "]}", '{"json": [1]}'))),
    ("awkward", in_archive(nested('{"call": ["awkward0", "MaskedArray"], "args": [{"json": [false]}, ', "]}", '{"json": [1]}'))),
    ("awkward", shared),
    ("schema", nested('{"items": ', "}", "{}")),
    ("schema", nested('{"allOf": [', "]}", "{}")),
    ("schema", nested('{"not": ', "}", "{}")),
    ("schema", nested('{"properties": {"a": ', "}}", "{}")),
    ("schema", nested("[", "]", "1")),
    ("type", nested("?", "", "int32")),
    ("type", nested("3 * ", "", "int32")),
    ("type", nested("{x: ", "}", "int32")),
    ("type", nested("(", ")", "int32")),
    ("type", nested("(", ") -> int32", "int32")),
    ("config", nested('{"limits": ', "}", "{}")),
    ("config", nested("[", "]", "1")),
    ("ply", lambda depth: b"ply\nformat ascii 1.0\nelement vertex 1\n" + b"property list uchar int a\n" * depth + b"end_header\n" + b"0 " * depth),
    ("obj", lambda depth: b"v 0 0 0\n" * 3 + b"g a\n" * depth + b"f 1 2 3\n" + b"f" + b" 1" * depth + b"\n"),
)  # fmt: skip


class Depth:
    """Each case is a value of some depth, a stack, and commands that walk it."""

    name = "depth"
    weight = 1.5
    batch = 24

    def __init__(self, session: Session) -> None:
        self.session = session

    def run(self, case: Case) -> None:
        random = case.random
        kind, make = FORMS[case.number % len(FORMS)]
        depth, stack = random.choice(DEPTHS), random.choice(STACKS)
        if case.session.is_sanitized:  # frames are larger
            stack *= 8
        data = make(depth)
        name = "in" + EXTENSIONS.get(kind, ".json")
        case.write(name, data)
        case.write("value.json", b"[[[1, {}]]]")
        for words in self.commands(kind, name, random):
            stdin = str(case.directory / name) if words[0] == "type" else "/dev/null"
            case.run(words, input_bytes=len(data), stdin=stdin, stack_kib=stack)

    def commands(self, kind: str, name: str, random: Random) -> list[list[str]]:
        if kind == "type":
            return [["type", "-"]]
        if kind == "schema":
            return [["schema", "validate", name, "value.json"], ["schema", "normalize", name, "value.json"]]
        if kind == "config":
            return [["config", "check", name, "--no-codecs"]]
        shared_words = ["--from", kind, "--limits", random.choice(LIMITS)]
        words = [["decode", name], ["inspect", name], ["hash", name], ["validate", name], ["schema", "infer", name],
                 ["decode", name, "--pretty"], ["message", "pack", name, "-o", "out.msg"],
                 ["schema", "normalize", "value.json", name], ["negotiate", "value.json", name]]  # fmt: skip
        for codec, extension in EXTENSIONS.items():
            if codec not in ("message", "fastbin"):
                words.append(["convert", name, "out" + extension, "--to", codec, "--lossy"])
        words.append(["store", "add", "s.awkd", "a", name, "--to", "awkward"])
        words.append(["fastbin", "infer", name])
        return [each + shared_words for each in random.sample(words, 5)]
