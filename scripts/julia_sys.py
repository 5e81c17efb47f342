#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the raw layer of the Julia package, bindings/julia/src/sys.jl, from polycodec/host.h: julia_sys.py [--update].

Without --update it compares, and fails where the file is not what the headers give.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INCLUDE = ROOT / "sdk/include/polycodec"
OUTPUT = ROOT / "bindings/julia/src/sys.jl"

WORDS = {
    "void": "Cvoid",
    "char": "UInt8",
    "double": "Float64",
    "float": "Float32",
    "int": "Int32",
    **{f"{sign}int{bits}_t": f"{'UI' if sign else 'I'}nt{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
}
# Of these headers a host program needs these structs alone: the rest is for plugins, or runs inline.
CHOSEN = {
    "services.h": {"polycodec_arena", "polycodec_limits", "polycodec_projection"},
    "items.h": {"polycodec_item"},
}
RESERVED = {"begin", "const", "end", "function", "global", "let", "local", "module", "struct", "using"}
HEAD = """# SPDX-License-Identifier: MIT
# The constants, structs and functions of `polycodec/host.h`. `scripts/julia_sys.py` makes this file.

"""


def clean(path: Path) -> str:
    """The declarations of a header, without comments, bodies of functions, and lines of the preprocessor."""
    text = re.sub(r"/\*.*?\*/", " ", path.read_text(), flags=re.DOTALL)
    text = re.sub(r"\\\n", " ", text)
    text = re.sub(r"^static inline .*?^}", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
    return " ".join(text.split())


def constants(path: Path) -> list[tuple[str, str, int]]:
    """Name, Julia type and number of each macro and enumerator."""
    text = re.sub(r"/\*.*?\*/", " ", path.read_text(), flags=re.DOTALL)
    macros = re.findall(r"^#define (POLYCODEC_[A-Z_]+) (\d+)u?$", text, flags=re.MULTILINE)
    enums = re.findall(r"\b(POLYCODEC_[A-Z0-9_]+) = (\d+)", text)
    return [(name, "UInt32", int(number)) for name, number in macros] + [
        (name, "Int32", int(number)) for name, number in enums
    ]


def without_unions(members: str) -> str:
    """A union with a name is its 8 bytes, one without is its first member."""
    members = re.sub(r"union \{[^{}]*\} (\w+);", r"uint64_t \1;", members)
    return re.sub(r"union \{\s*([^;]*;)[^{}]*\};", r"\1", members)


def structs_of(text: str) -> list[tuple[str, str]]:
    pattern = r"\bstruct (polycodec_\w+) \{ ((?:[^{}]|union \{[^{}]*\})*?) \}"
    return [(name, without_unions(members)) for name, members in re.findall(pattern, text)]


class Writer:
    """Julia text of the declarations."""

    def __init__(self) -> None:
        self.made: set[str] = set()

    def type(self, declared: str) -> str:
        """The Julia type of a C type such as `const polycodec_bytes*`. A struct that comes later is opaque."""
        tokens = [token for token in re.findall(r"\w+|\*", declared) if token not in {"const", "struct"}]
        base, stars = tokens[0], tokens.count("*")
        julia = WORDS.get(base) or (base if base in self.made else "Cvoid")
        assert stars or julia != "Cvoid" or base == "void", declared
        for _ in range(stars):
            julia = f"Ptr{{{julia}}}"
        return julia

    def variable(self, declared: str, *, in_call: bool) -> tuple[str, str]:
        """Name and Julia type of a parameter or member."""
        declared = declared.strip()
        if function := re.fullmatch(r".*?\(\*(\w+)\)\(.*\)", declared):
            return function[1], "Ptr{Cvoid}"
        match = re.fullmatch(r"(.*?[\s*])(\w+)((?:\[\d+\])?)", declared)
        assert match, declared
        name = f"{match[2]}_" if match[2] in RESERVED else match[2]
        julia = self.type(match[1])
        if match[3]:
            julia = f"Ptr{{{julia}}}" if in_call else f"NTuple{{{match[3][1:-1]}, {julia}}}"
        return name, julia

    def struct(self, name: str, members: str) -> list[str]:
        variables = [self.variable(member, in_call=False) for member in members.split(";") if member.strip()]
        fields = [f"    {field}::{julia}" for field, julia in variables]
        self.made.add(name)
        return ["", f"struct {name}", *fields, "end"]

    def function(self, result: str, name: str, parameters: str) -> list[str]:
        split, depth, begin = [], 0, 0
        for i, c in enumerate(parameters):
            depth += (c == "(") - (c == ")")
            if c == "," and depth == 0:
                split.append(parameters[begin:i])
                begin = i + 1
        parts = [] if parameters.strip() in {"", "void"} else [*split, parameters[begin:]]
        variables = [self.variable(part, in_call=True) for part in parts]
        names = ", ".join(field for field, _ in variables)
        types = ", ".join(julia for _, julia in variables) + ("," if len(variables) == 1 else "")
        call = ", ".join([f"(:{name}, library)", self.type(result), f"({types})", *(field for field, _ in variables)])
        return ["", f"{name}({names}) =", f"    ccall({call})"]


def julia() -> tuple[str, int, int]:
    headers = [INCLUDE / "abi/values.h", INCLUDE / "abi/services.h", INCLUDE / "items.h", INCLUDE / "host.h"]
    host = clean(headers[-1])
    writer, lines = Writer(), []
    for path in headers:
        lines += [f"const {name} = {kind}({number})" for name, kind, number in constants(path)]
    structs = [
        struct
        for path in headers
        for struct in structs_of(clean(path))
        if path.name not in CHOSEN or struct[0] in CHOSEN[path.name]
    ]
    for name, members in structs:
        lines += writer.struct(name, members)
    functions = re.findall(r"POLYCODEC_HOST_API ([^;(]*?)(\w+)\((.*?)\);", host)
    for result, name, parameters in functions:
        lines += writer.function(result.strip(), name, parameters)
    return HEAD + "\n".join(lines) + "\n", len(functions), len(structs)


def main() -> int:
    if sys.argv[1:] not in ([], ["--update"]):
        print(__doc__, file=sys.stderr)
        return 2
    made, functions, structs = julia()
    if sys.argv[1:]:
        OUTPUT.write_text(made)
    elif OUTPUT.read_text() != made:
        print(
            f"{OUTPUT.relative_to(ROOT)} is not what polycodec/host.h gives: run scripts/julia_sys.py --update",
            file=sys.stderr,
        )
        return 1
    print(f"{functions} functions, {structs} structs")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
