#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the raw layer of the Rust crate, bindings/rust/src/host/sys.rs, from polycodec/host.h: rust_sys.py [--update].

Without --update it compares, and fails where the file is not what the header gives.
"""

from __future__ import annotations

import re

import host_header
from host_header import ROOT, Header

ABI = ROOT / "bindings/rust/src/abi"
OUTPUT = ROOT / "bindings/rust/src/host/sys.rs"

WORDS = {
    "void": "c_void",
    "char": "c_char",
    "double": "f64",
    "int": "i32",
    **{f"{sign}int{bits}_t": f"{sign or 'i'}{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
}
RELEASE = 'Option<unsafe extern "C" fn(*mut c_void)>'
RESERVED = {"type": "typ", "match": "chosen", "ref": "reference", "in": "input", "fn": "function"}
HEAD = """// SPDX-License-Identifier: MIT
//! The constants, structs and functions of `polycodec/host.h`. `scripts/rust_sys.py` makes this file.
#![allow(missing_docs, dead_code)]

use crate::abi::{%s};
use std::os::raw::{c_char, c_void};
"""


def camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.removeprefix("polycodec_").split("_"))


class Writer:
    """Rust text of the declarations."""

    def __init__(self, header: Header, abi: set[str]) -> None:
        self.header = header
        self.abi = abi
        self.used: set[str] = set()

    def named(self, word: str) -> str:
        if word in WORDS:
            return WORDS[word]
        name = camel(word) if word.startswith("polycodec_") else word
        self.used.add(name)
        return name

    def type(self, declared: str) -> str:
        """The Rust type of a C type such as `const polycodec_bytes*`."""
        tokens = re.findall(r"\w+|\*", declared.replace("struct ", ""))
        constant = "const" in tokens[: tokens.index("*")] if "*" in tokens else False
        base = next(token for token in tokens if token not in {"const", "*"})
        result = self.named(base)
        rest = tokens[tokens.index(base) + 1 :]
        for i, token in enumerate(rest):
            if token == "*":
                result = f"*{'const' if constant else 'mut'} {result}"
                constant = i + 1 < len(rest) and rest[i + 1] == "const"
        return result

    def variable(self, declared: str) -> tuple[str, str]:
        """Name and Rust type of a parameter or member."""
        declared = declared.strip()
        if function := re.fullmatch(r"(.*?)\(\*(\w+)\)\((.*)\)", declared):
            result, name, parameters = function.groups()
            types = ", ".join(kind for _, kind in map(self.variable, host_header.split(parameters)))
            returned = "" if result.strip() == "void" else f" -> {self.type(result)}"
            kind = f'Option<unsafe extern "C" fn({types}){returned}>'
            return RESERVED.get(name, name), "Release" if kind == RELEASE else kind
        if declared.endswith("*"):  # without a name
            return "", self.type(declared)
        match = re.fullmatch(r"(.*?[\s*])(\w+)((?:\[\w+\])?)", declared)
        assert match, declared
        kind, name, array = match.groups()
        rust = self.type(kind)
        return RESERVED.get(
            name, name
        ), f"*mut {rust}" if array and self.in_call else f"[{rust}; {array[1:-1]}]" if array else rust

    in_call = True

    def rust(self) -> str:
        constants = [(name, "u32", number) for name, number, is_unsigned in self.header.macros if is_unsigned]
        constants += [(name, "i32", number) for name, number in self.header.enumerators]
        lines = [f"pub const {name.removeprefix('POLYCODEC_')}: {kind} = {number};" for name, kind, number in constants]
        self.in_call = False
        for name, members in self.header.structs.items():  # those of Arrow are for crates of Arrow
            lines += ["", "#[repr(C)]", f"pub struct {self.named(name)} {{"]
            lines += ["    pub {}: {},".format(*self.variable(member)) for member in members]
            lines.append("}")
        self.in_call = True
        lines += ["", f"pub type Release = {RELEASE};", "", 'extern "C" {']
        for result, name, parameters in self.header.functions:
            arguments = ", ".join(f"{field}: {kind}" for field, kind in map(self.variable, parameters))
            returned = "" if result == "void" else f" -> {self.type(result)}"
            lines.append(f"    pub fn {name}({arguments}){returned};")
        lines.append("}")
        opaque = self.used - self.abi - {camel(name) for name in self.header.structs}
        for name in sorted(opaque):
            lines += ["", "#[repr(C)]", f"pub struct {name} {{", "    private: [u8; 0],", "}"]
        return HEAD % ", ".join(sorted(self.used & self.abi)) + "\n" + "\n".join(lines) + "\n"


def main() -> int:
    header = host_header.read("host.h")
    sources = "".join(path.read_text() for path in sorted(ABI.glob("*.rs")))
    writer = Writer(header, set(re.findall(r"pub (?:struct|union) (\w+)", sources)))
    return host_header.main(__doc__, {OUTPUT: writer.rust()}, len(header.functions), len(header.structs))


if __name__ == "__main__":
    raise SystemExit(main())
