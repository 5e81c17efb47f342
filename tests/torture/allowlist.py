# SPDX-License-Identifier: MIT
"""Arm `allowlist`: awkward files that call functions which no entry of the allowlist names."""

from __future__ import annotations

import io
import json
import zipfile
from fnmatch import fnmatchcase
from random import Random

from canary import IN_PROCESS, Canary
from session import Case, Session

NAMES = (("os", "system"), ("builtins", "eval"), ("subprocess", "Popen"), ("torture", "canary"), ("numpy", "load"),
         ("awkward0", "persist", "frompython"), ("ctypes", "CDLL"), ("pickle", "loads"), ("zlib", "decompress2"))  # fmt: skip
PATTERNS = (
    "*",
    "os",
    "o?",
    "[a-n]*",
    "system",
    "zlib",
    "numpy",
    "load",
    "awkward0",
    "torture",
    "c*",
    "**",
    "?",
    "[!o]*",
)


def call_of(name: tuple[str, ...], random: Random) -> object:
    """An expression that has this function called, somewhere."""
    function = spelled(name, random)
    one: object = {"json": [1, 2, 3]}
    call: object = {"call": function, "args": [one] * random.randrange(3)}
    shapes: tuple[object, ...] = (
        call,
        {"call": function, "args": [], "kwargs": {"x": one}},
        {"call": ["awkward0", "VirtualArray"], "args": [{"function": function}, {"tuple": []}, {"dict": {}}]},
        {"call": ["awkward0", "VirtualArray"], "args": [call]},
        {"call": ["awkward0", "ObjectArray"], "args": [one, {"function": function}]},
        {"call": ["awkward0", "JaggedArray", "fromcounts"], "args": [one, call]},
        {"list": [one, {"call": function, "args": [call]}]},
        {"dict": {"a": call}},
        {"pair": [call, call]},
        {"python": function},
        {"call": [call], "args": []},
        {"call": function, "args": "x", "id": 1},
    )
    return random.choice(shapes)


def spelled(name: tuple[str, ...], random: Random) -> list[object]:
    """The name, or a spelling that a careless comparison takes for another."""
    parts: list[object] = list(name)
    match random.randrange(8):
        case 0:
            return [".".join(name)]
        case 1:
            return ["awkward0", *parts]
        case 2:
            return [*parts, "__call__"]
        case 3:
            return [str(parts[0]) + "\0", *parts[1:]]
        case 4:
            return ["", *parts]
    return parts


def allows(allowlist: list[list[str]], name: tuple[str, ...]) -> bool:
    """One pattern a part; the one entry ["*"] is any function (docs/configuration.md)."""
    return any(entry == ["*"] or len(entry) == len(name) and all(map(fnmatchcase, name, entry)) for entry in allowlist)


class Allowlist:
    """The plugin of the function that data asks for is loaded if an entry names the function, and only then."""

    name = "allowlist"
    weight = 1.0
    batch = 24

    def __init__(self, session: Session) -> None:
        self.session = session

    def run(self, case: Case) -> None:
        random = case.random
        name = random.choice(NAMES)
        canary = Canary(case, [name])
        size = random.choice((1, len(name), len(name), 3))
        allowlist = [[random.choice((*PATTERNS, *name)) for _ in range(size)]] if random.random() < 0.7 else []
        case.write("config.json", json.dumps({"allowlist": allowlist}).encode()).chmod(0o644)
        is_control = random.random() < 0.1
        schema = {"call": list(name), "args": []} if is_control else call_of(name, random)
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            archive.writestr("a.json", json.dumps({"awkward0": "0.15.5", "schema": schema, "prefix": "a-"}))
        case.write("in.awkd", out.getvalue())
        allowed = allows(allowlist, name)
        for words in (["decode", "in.awkd"], ["inspect", "in.awkd"], ["hash", "in.awkd"], ["store", "list", "in.awkd"]):
            words += ([] if words[0] == "store" else ["--from", "awkward"]) + IN_PROCESS
            env = {**canary.environment(), "POLYCODEC_CONFIG": str(case.directory / "config.json")}
            done = case.run(words, env=env)
            if canary.is_loaded() and not allowed:
                case.finding(f"called: {name}, which {allowlist} does not allow", done, env=env)
            if done.ok and not allowed and is_control and words[0] != "store":
                case.finding(f"accepted: a call of {name}", done, env=env)
        if is_control and allowed and not canary.is_loaded():
            case.finding(f"not loaded: the control, {name} with {allowlist}")
