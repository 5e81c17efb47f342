# SPDX-License-Identifier: MIT
"""What the headers of the SDK declare, for the scripts that make the raw layers of other languages."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SDK = ROOT / "sdk/include/polycodec"


@dataclass(frozen=True)
class Header:
    """The declarations of a header, in its order. Names have their prefix."""

    macros: list[tuple[str, int, bool]]  # name, number, whether the number is unsigned
    enumerators: list[tuple[str, int]]
    structs: dict[str, list[str]]  # the members of each
    functions: list[tuple[str, str, list[str]]]  # result, name, parameters


def read(name: str, union: str = "") -> Header:
    """Reads a header. A union is its first member; one with a name has the type `union` instead, if that is given."""
    text = re.sub(r"/\*.*?\*/", " ", (SDK / name).read_text(), flags=re.DOTALL)
    macros = re.findall(r"^#define (POLYCODEC_[A-Z0-9_]+) (\d+)(u?)$", text, flags=re.MULTILINE)
    text = re.sub(r"\\\n", " ", text)
    text = re.sub(r"^static inline .*?^}", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
    text = " ".join(text.split())
    first = r"\1"
    text = re.sub(r"\bunion \{ ([^;{}]*;)[^{}]*\};", r"\1", text)
    text = re.sub(r"\bunion \{ ([^;{}]*?) \w+;[^{}]*\} (\w+);", rf"{union or first} \2;", text)
    enumerators = re.findall(r"\b(POLYCODEC_[A-Z0-9_]+) = (\d+)", text)
    structs = re.findall(r"\bstruct (polycodec_\w+) \{ ([^{}]*?) \}", text)
    functions = re.findall(r"POLYCODEC_HOST_API ([^;(]*?)(\w+)\((.*?)\);", text)
    return Header(
        [(macro, int(number), bool(unsigned)) for macro, number, unsigned in macros],
        [(enumerator, int(number)) for enumerator, number in enumerators],
        {struct: [member.strip() for member in members.split(";") if member.strip()] for struct, members in structs},
        [(result.strip(), function, split(parameters)) for result, function, parameters in functions],
    )


def split(parameters: str) -> list[str]:
    """The declarations of a list of parameters, of which those of functions have parameters of their own."""
    if parameters.strip() in {"", "void"}:
        return []
    parts, depth, begin = [], 0, 0
    for i, c in enumerate(parameters):
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            parts.append(parameters[begin:i].strip())
            begin = i + 1
    return [*parts, parameters[begin:].strip()]


def main(usage: str | None, made: dict[Path, str], functions: int, structs: int) -> int:
    """Writes the files that were made with --update, and otherwise fails where one is not what was made."""
    if sys.argv[1:] not in ([], ["--update"]):
        print(usage, file=sys.stderr)
        return 2
    for path, text in made.items():
        if sys.argv[1:]:
            path.write_text(text)
        elif not path.is_file() or path.read_text() != text:
            script = Path(sys.argv[0]).name
            print(f"{path.relative_to(ROOT)} is not up to date: run scripts/{script} --update", file=sys.stderr)
            return 1
    print(f"{functions} functions, {structs} structs")
    return 0
