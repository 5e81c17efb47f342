#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the raw layer of the Julia package, bindings/julia/src/sys.jl, from polycodec/host.h: julia_sys.py [--update].

Without --update it compares, and fails where the file is not what the headers give.
"""

from __future__ import annotations

import re

import host_header
from host_header import ROOT

HEADERS = ["abi/values.h", "abi/services.h", "items.h", "host.h"]
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
    "abi/services.h": {"polycodec_arena", "polycodec_limits", "polycodec_projection"},
    "items.h": {"polycodec_item"},
}
RESERVED = {"begin", "const", "end", "function", "global", "let", "local", "module", "struct", "using"}
HEAD = """# SPDX-License-Identifier: MIT
# The constants, structs and functions of `polycodec/host.h`. `scripts/julia_sys.py` makes this file.

"""


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

    def struct(self, name: str, members: list[str]) -> list[str]:
        variables = [self.variable(member, in_call=False) for member in members]
        fields = [f"    {field}::{julia}" for field, julia in variables]
        self.made.add(name)
        return ["", f"struct {name}", *fields, "end"]

    def function(self, result: str, name: str, parameters: list[str]) -> list[str]:
        variables = [self.variable(parameter, in_call=True) for parameter in parameters]
        names = ", ".join(field for field, _ in variables)
        types = ", ".join(julia for _, julia in variables) + ("," if len(variables) == 1 else "")
        call = ", ".join([f"(:{name}, library)", self.type(result), f"({types})", *(field for field, _ in variables)])
        return ["", f"{name}({names}) =", f"    ccall({call})"]


def main() -> int:
    headers = {name: host_header.read(name, union="uint64_t") for name in HEADERS}
    writer, lines = Writer(), []
    for header in headers.values():
        lines += [f"const {name} = UInt32({number})" for name, number, _ in header.macros]
        lines += [f"const {name} = Int32({number})" for name, number in header.enumerators]
    structs = {
        struct: members
        for name, header in headers.items()
        for struct, members in header.structs.items()
        if struct in CHOSEN.get(name, header.structs)
    }
    for name, members in structs.items():
        lines += writer.struct(name, members)
    functions = headers["host.h"].functions
    for result, name, parameters in functions:
        lines += writer.function(result, name, parameters)
    return host_header.main(__doc__, {OUTPUT: HEAD + "\n".join(lines) + "\n"}, len(functions), len(structs))


if __name__ == "__main__":
    raise SystemExit(main())
