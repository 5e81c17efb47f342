# SPDX-License-Identifier: MIT
"""Arm `mutation`: mutated files of all formats through every command."""

from __future__ import annotations

import shutil
import zlib
from random import Random

from bounds import Finished
from commands import Call, Input, calls_of, first_of, needs
from corpus import EXTENSIONS, Seed, choose, derive, vectors
from mutate import mutate
from session import Case, Session

CALLS_OF_ACCEPTED, CALLS_OF_REFUSED = 9, 3


class Mutation:
    """Each case is one mutated file and some commands that read it."""

    name = "mutation"
    weight = 8.0
    batch = 64

    def __init__(self, session: Session) -> None:
        self.corpus = vectors(session.source)
        derive(session.command, self.corpus, session.cache / "corpus.json")
        self.kinds = sorted(self.corpus)

    def run(self, case: Case) -> None:
        random = case.random
        kind = random.choice(self.kinds)
        seed = choose(self.corpus, kind, random)
        given = Input(kind, "in" + EXTENSIONS.get(kind, ".json"), seed)
        case.write(given.file, self.changed(kind, seed, random))
        for name, other in needs(kind, self.corpus, random).items():
            given.other[name] = name + ".json"
            text = seed.schema.encode() if seed.schema and name == "schema" else other.data
            case.write(name + ".json", text)
        commands = calls_of(kind)
        # Nearly all commands refuse a file for one reason. One that is accepted goes through more of them.
        is_accepted = self.call(case, given, first_of(kind)(given, random)).ok
        count = CALLS_OF_ACCEPTED if is_accepted else CALLS_OF_REFUSED
        for command in random.sample(commands, min(count, len(commands))):
            self.call(case, given, command(given, random))

    def changed(self, kind: str, seed: Seed, random: Random) -> bytes:
        other = choose(self.corpus, kind, random).data
        if random.random() < 0.05:  # the seeds themselves have to pass
            return seed.data
        if kind == "filtered" and "zlib" in seed.options["filters"]:  # behind the checksum
            return zlib.compress(mutate(zlib.decompress(seed.data), other, random))
        return mutate(seed.data, other, random)

    def call(self, case: Case, given: Input, call: Call) -> Finished:
        before = case.names()
        data = case.directory / given.file
        held = data.read_bytes()
        stdin = str(case.directory / call.stdin) if call.stdin else "/dev/null"
        done = case.run(call.words, input_bytes=len(held), stdin=stdin, out_is_data=call.out_is_data)
        after = case.names()
        for name in sorted(after - before - {call.makes}):
            case.finding(f"left over: {name}", done)
        made = case.directory / call.makes
        if call.makes and not call.is_change and not done.ok and call.makes in after - before:
            case.finding("half: an output file after a failure", done)
        if done.ok and call.makes and not call.is_change and not made.exists():
            case.finding("lost: no output file after success", done)
        if not call.is_change and data.read_bytes() != held:
            case.finding("changed: the input file", done)
        if done.ok and call.codec in EXTENSIONS and case.random.random() < 0.5:
            self.read_back(case, call)
        if call.makes and not call.is_change and made.exists():  # the next command begins without it
            shutil.rmtree(made) if made.is_dir() else made.unlink()
        return done

    def read_back(self, case: Case, call: Call) -> None:
        """What the command wrote, it can read."""
        made = case.directory / call.makes
        size = made.stat().st_size if made.is_file() else 0
        words = ["validate", call.makes, "--json"]
        words += ["--from", call.codec] if call.codec != "message" else []
        done = case.run(words, input_bytes=size)
        if not done.ok and b'"limit"' not in done.out:
            case.finding("unreadable: what it wrote", done)
