#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the raw layer of the Rust crate, bindings/rust/src/host/sys.rs, from polycodec/host.h: rust_sys.py [--update].

Without --update it compares, and fails where the file is not what the header gives.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADER = ROOT / "sdk/include/polycodec/host.h"
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


class Header:
    """Declarations of the header, in its order."""

    def __init__(self, text: str, abi: set[str]) -> None:
        self.abi = abi
        self.used: set[str] = set()
        text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
        self.constants = re.findall(r"^#define (POLYCODEC_[A-Z_]+) (\d+)u$", text, flags=re.MULTILINE)
        self.enums = [(name, int(number)) for name, number in re.findall(r"\b(POLYCODEC_[A-Z0-9_]+) = (\d+)", text)]
        text = re.sub(r"\\\n", " ", text)
        text = re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
        text = " ".join(text.split())
        # Those of Arrow are for crates of Arrow.
        self.structs = re.findall(r"\bstruct (polycodec_\w+) \{ ([^{}]*?) \}", text)
        self.functions = [
            (result.strip(), name, parameters)
            for result, name, parameters in re.findall(r"POLYCODEC_HOST_API ([^;(]*?)(\w+)\((.*?)\);", text)
        ]

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
            types = ", ".join(kind for _, kind in self.variables(parameters))
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

    def variables(self, parameters: str) -> list[tuple[str, str]]:
        if parameters.strip() in {"", "void"}:
            return []
        split, depth, begin = [], 0, 0
        for i, c in enumerate(parameters):
            depth += (c == "(") - (c == ")")
            if c == "," and depth == 0:
                split.append(parameters[begin:i])
                begin = i + 1
        return [self.variable(part) for part in [*split, parameters[begin:]]]

    def rust(self) -> str:
        lines = [f"pub const {name.removeprefix('POLYCODEC_')}: u32 = {number};" for name, number in self.constants]
        lines += [f"pub const {name.removeprefix('POLYCODEC_')}: i32 = {number};" for name, number in self.enums]
        self.in_call = False
        for name, members in self.structs:
            lines += ["", "#[repr(C)]", f"pub struct {self.named(name)} {{"]
            lines += ["    pub {}: {},".format(*self.variable(member)) for member in members.split(";") if member.strip()]
            lines.append("}")
        self.in_call = True
        lines += ["", f"pub type Release = {RELEASE};", "", 'extern "C" {']
        for result, name, parameters in self.functions:
            arguments = ", ".join(f"{field}: {kind}" for field, kind in self.variables(parameters))
            returned = "" if result == "void" else f" -> {self.type(result)}"
            lines.append(f"    pub fn {name}({arguments}){returned};")
        lines.append("}")
        opaque = self.used - self.abi - {camel(name) for name, _ in self.structs}
        for name in sorted(opaque):
            lines += ["", "#[repr(C)]", f"pub struct {name} {{", "    private: [u8; 0],", "}"]
        return HEAD % ", ".join(sorted(self.used & self.abi)) + "\n" + "\n".join(lines) + "\n"


def main() -> int:
    if sys.argv[1:] not in ([], ["--update"]):
        print(__doc__, file=sys.stderr)
        return 2
    sources = "".join(path.read_text() for path in sorted(ABI.glob("*.rs")))
    header = Header(HEADER.read_text(), set(re.findall(r"pub (?:struct|union) (\w+)", sources)))
    made = header.rust()
    if sys.argv[1:]:
        OUTPUT.write_text(made)
    elif OUTPUT.read_text() != made:
        print(
            f"{OUTPUT.relative_to(ROOT)} is not what polycodec/host.h gives: run scripts/rust_sys.py --update",
            file=sys.stderr,
        )
        return 1
    print(f"{len(header.functions)} functions, {len(header.structs)} structs")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
