# SPDX-License-Identifier: MIT
"""The types of typed JSON (docs/type-notation.md), as far as values have them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

TOKEN = re.compile(r"\s*(?:(\d+)|([A-Za-z_]\w*)|'((?:[^'\\]|\\.)*)'|(.))")


@dataclass
class Type:
    """A word such as `int8`, or `dim`, `record`, `tuple`, `option`, with its parts."""

    word: str
    parts: list[Type] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    size: int | None = None  # of a dimension; None is var
    settings: dict[str, str] = field(default_factory=dict)

    def innermost(self) -> Type:
        """The type inside of dimensions, options and annotations."""
        return self.parts[0].innermost() if self.word in ("dim", "option", "annotated") else self


def unquoted(text: str) -> str:
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t", "r": "\r"}.get(m[1], m[1]), text)


class Reader:
    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, str]] = []
        for number, word, quoted, sign in TOKEN.findall(text):
            if sign or number or word:
                kind = "number" if number else "word" if word else "sign"
                self.tokens.append((kind, number or word or sign))
            else:
                self.tokens.append(("quoted", unquoted(quoted)))
        self.tokens.append(("end", ""))
        self.at = 0

    def take(self, text: str = "") -> str:
        kind, token = self.tokens[self.at]
        if text and token != text:
            raise ValueError(f"expected {text}, found {token} ({kind})")
        self.at += 1
        return token

    def has(self, text: str) -> bool:
        kind, token = self.tokens[self.at]
        if kind == "quoted" or token != text:
            return False
        self.at += 1
        return True

    def type(self) -> Type:
        kind, token = self.tokens[self.at]
        if kind == "number" or (token == "var" and self.tokens[self.at + 1][1] == "*"):
            self.take()
            self.take("*")
            return Type("dim", [self.type()], size=int(token) if kind == "number" else None)
        if self.has("?"):
            return Type("option", [self.type()])
        if self.has("{"):
            names, parts = [], []
            while not self.has("}"):
                names.append(self.take())
                self.take(":")
                parts.append(self.type())
                self.has(",")
            return Type("record", parts, names)
        if self.has("("):
            parts = []
            while not self.has(")"):
                parts.append(self.type())
                self.has(",")
            return Type("tuple", parts)
        found = Type(self.take())
        if self.has("["):
            while not self.has("]"):
                self.argument(found)
                self.has(",")
        return found

    def argument(self, of: Type) -> None:
        kind, token = self.tokens[self.at]
        if self.tokens[self.at + 1][1] == "=":
            self.at += 2
            of.settings[token] = self.take()
        elif kind == "quoted":
            of.names.append(self.take())
        elif kind == "number" and self.tokens[self.at + 1][1] in (",", "]"):
            of.size = int(self.take())
        else:
            of.parts.append(self.type())


def parse(text: str) -> Type:
    reader = Reader(text)
    found = reader.type()
    if reader.tokens[reader.at][0] != "end":
        raise ValueError(f"trailing text in the type {text}")
    return found
