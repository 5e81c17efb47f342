# SPDX-License-Identifier: MIT
"""Arm `cost`: small files that ask for much, through every command, with the limits that a user has."""

from __future__ import annotations

import dataclasses
from functools import cached_property

from bounds import Finished, judge, run
from costly import FILES, Costly
from session import Case, Session
from walks import MEMORY, SECONDS

CODECS = {"text": ".json", "awkward": ".awkd", "dynd": ".dynd", "dynd-cbor": ".cbor", "msgpack-ndarray": ".msgpack", "obj": ".obj",
          "ply": ".ply", "stl": ".stl", "gltf": ".glb", "yggdrasil": ".ygg"}  # fmt: skip
REPAIR = ("--merge", "--merge-within", "0.01", "--drop", "degenerate,unreferenced,duplicate-faces", "--orient", "--triangulate",
          "--normals", "angle", "--split-seams", "--lossy", "--to", "obj", "-o", "out.obj")  # fmt: skip
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("validate", "FILE"), ("decode", "FILE"), ("decode", "FILE", "--plain", "--pretty"), ("inspect", "FILE"),
    ("inspect", "FILE", "--depth", "1000", "--json"), ("hash", "FILE"), ("hash", "FILE", "--logical"), ("detect", "FILE"),
    ("diff", "FILE", "FILE"), ("diff", "FILE", "FILE", "--unordered"), ("diff", "FILE", "small.json", "--by-value", "--from-b", "text"),
    ("mesh", "FILE"), ("mesh", "check", "FILE"), ("mesh", "repair", "FILE", *REPAIR), ("render", "FILE", "-o", "out.png"),
    ("view", "FILE", "-o", "out.html"), ("schema", "infer", "FILE"), ("schema", "infer", "FILE", "--minimal"),
    ("schema", "validate", "wanted.json", "FILE"), ("schema", "normalize", "wanted.json", "FILE", "-o", "out.json"),
    ("message", "pack", "FILE", "-o", "out.msg"), ("message", "pack", "FILE", "--codec", "dynd", "-o", "out.msg"),
    ("message", "pack", "FILE", "--codec", "msgpack-ndarray", "-o", "out.msg"), ("negotiate", "offer.json", "FILE"),
    ("store", "list", "FILE"), ("store", "add", "out.awkd", "name", "FILE", "--to", "awkward"), ("fastbin", "infer", "FILE", "-o", "out.json"),
    *[("convert", "FILE", "out" + extension, "--to", codec, "--lossy") for codec, extension in CODECS.items()],
)  # fmt: skip
UNPACK = (("message", "unpack", "FILE"), ("message", "unpack", "FILE", "--as-is", "--plain"))
WITHOUT_CODEC = ("detect", "store list")
BESIDE = {
    "small.json": b'{"a": [1, 2.5, {"b": "text"}], "c": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaab"}',
    "wanted.json": b'{"items": {"items": {"type": "array"}}, "minimum": 3, "uniqueItems": true, "properties": {"x": {"items": {}}}}',
    "offer.json": b'{"codecs": [{"codec": "ply"}, {"codec": "yggdrasil", "version": "1.0"}, {"codec": "msgpack-ndarray"}]}',
}  # fmt: skip
# Each of these went beyond the bounds once, or comes near to them. They are first.
DANGEROUS = ("dag25.awkd", "dag26.awkd", "unions26.awkd", "masks25.awkd", "jagged26.awkd", "sparse.awkd", "zeros_million.gltf",
             "laugh2.awkd", "laugh20.awkd", "laugh99.awkd", "laugh1000.awkd", "instances.gltf", "textures.obj", "images.glb",
             "strings4000.awkd", "zlib_in_zlib.awkd", "corners.ply", "empty_maps.msgpack")  # fmt: skip


class Cost:
    """Each case is one file and one command: first all files once, then all commands on the worst files, then the rest."""

    name = "cost"
    weight = 4.0
    batch = 32

    def __init__(self, session: Session) -> None:
        self.bounds = dataclasses.replace(session.bounds, wall_seconds=60.0)
        if not session.is_sanitized:
            self.bounds = dataclasses.replace(self.bounds, cpu_seconds=SECONDS, cpu_per_byte=0, resident_bytes=MEMORY, resident_per_byte=0,
                                              address_bytes=4 << 30)  # fmt: skip
        self.worst: list[tuple[float, int, str]] = []

    @cached_property
    def pairs(self) -> list[tuple[Costly, tuple[str, ...]]]:
        every = [(made, self.commands(made)) for made in (make() for make in FILES)]
        once = [(made, commands[i % len(commands)]) for i, (made, commands) in enumerate(every)]
        worst = [(made, command) for made, commands in every if made.name in DANGEROUS for command in commands]
        rest = [(made, command) for made, commands in every if made.name not in DANGEROUS for command in commands]
        return once + worst + rest

    def commands(self, made: Costly) -> tuple[tuple[str, ...], ...]:
        return made.commands or COMMANDS + (UNPACK if made.name.endswith(".msg") else ())

    def run(self, case: Case) -> None:
        made, command = self.pairs[case.number % len(self.pairs)]
        for name, data in {made.name: made.data, **made.beside, **BESIDE}.items():
            case.write(name, data)
        words = [made.name if word == "FILE" else word for word in command]
        if not " ".join(words).startswith(WITHOUT_CODEC):
            words += made.words
        done = self.attempt(case, words)
        # On a busy machine all takes longer now and then. What costs too much does so each time.
        for _ in range(2):
            if done.cpu_seconds <= self.bounds.cpu_seconds or done.status < 0:
                break
            done = min(done, self.attempt(case, words), key=lambda each: each.cpu_seconds)
        case.take(done, judge(done, self.bounds, made.size))
        self.worst.append((done.cpu_seconds, done.resident_bytes, " ".join(words)))

    def attempt(self, case: Case, words: list[str]) -> Finished:
        for left in case.directory.glob("out*"):
            left.unlink()
        return run([case.session.command, *words], case.directory, self.bounds)

    def summary(self) -> list[str]:
        """The runs that took most."""
        lines = [f"cost: {seconds:.1f} s  {words}" for seconds, _, words in sorted(self.worst, reverse=True)[:5]]
        largest = sorted(self.worst, key=lambda each: each[1], reverse=True)[:5]
        return lines + [f"cost: {resident / 1e6:.0f} MB  {words}" for _, resident, words in largest]
