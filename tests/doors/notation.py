# SPDX-License-Identifier: MIT
"""Reads typed JSON (docs/text-notation.md) as plain Python, and compares it with what descriptions say."""

from __future__ import annotations

import base64
import json
import math
import struct
from typing import Any


class MismatchError(Exception):
    """A value is not what its description says."""


class Ref:
    """A reference to a numbered value, which may be around it."""

    def __init__(self, text: Text, number: int) -> None:
        self.text, self.number = text, number

    def target(self) -> Any:
        return self.text.shared[self.number]


class Ext(list[Any]):
    """An extension: its name and its payload."""


class Union(list[Any]):
    """A member of a union: its tag and the item."""


class Pairs(list[Any]):
    """The entries of a map or object whose keys are not all different strings."""


class Text:
    """One text. `type` is its type, `value` what it says: lists, dicts, numbers, str, bytes, None."""

    def __init__(self, text: str) -> None:
        document = json.loads(text)
        self.shared: dict[int, Any] = {}
        self.type: str = document["type"]
        self.value = self.read(document["value"])

    def read(self, j: Any) -> Any:
        if isinstance(j, list):
            return [self.read(x) for x in j]
        if not isinstance(j, dict):
            return j
        if len(j) == 1:
            key = next(iter(j))
            if key.startswith("$") and not key.startswith("$$"):
                return self.form(key[1:], j[key])
        return {k[1:] if k.startswith("$") else k: self.read(v) for k, v in j.items()}

    def form(self, word: str, j: Any) -> Any:
        if word in ("list", "array", "tuple"):
            return self.read(j)
        if word == "value":
            return self.read(j["value"])
        if word in ("same", "id", "ref"):
            if not isinstance(j, list):
                return Ref(self, j)
            self.shared[j[0]] = None
            self.shared[j[0]] = self.read(j[1])
            return self.shared[j[0]]
        if word in ("bytes", "string"):
            return base64.b64decode(j)
        if word in ("map", "object"):
            return Pairs([self.read(k), self.read(v)] for k, v in j)
        if word == "float":
            return special(j)
        if word == "complex":
            return [self.read(x) for x in j]
        if word == "ext":
            return Ext([j[0], self.read(j[1])])
        if word == "union":
            return Union([j[0], self.read(j[1])])
        if word in ("datetime", "timedelta"):
            return {word: j}
        if word == "layout":
            return self.layout(j)
        raise MismatchError(f"the form ${word} is unknown")

    def child(self, j: dict[str, Any]) -> Any:
        found = self.read(j["value"]) if "value" in j else self.read(j)
        return found.target() if isinstance(found, Ref) else found

    def layout(self, j: dict[str, Any]) -> list[Any]:
        numbers = {k: self.child(j[k]) for k in ("offsets", "starts", "stops", "index", "tags", "mask") if k in j}
        children = [self.child(c) for c in j.get("children", [])]
        n, word = j["length"], j["layout"]
        first = children[0] if children else []
        if word == "document":
            return list(self.read(j["nodes"]))
        if word == "chunked":
            return [x for chunk in children for x in chunk]
        if word == "record":
            names = j.get("names")
            rows = [[c[i] for c in children] for i in range(n)]
            return [dict(zip(names, row, strict=True)) for row in rows] if names is not None else rows
        if word == "indexed":
            return [first[i] if i >= 0 else None for i in numbers["index"][:n]]
        if word == "union":
            return [Union([t, children[t][i]]) for t, i in zip(numbers["tags"][:n], numbers["index"], strict=False)]
        flags = j.get("flags", [])
        if word.startswith("option"):
            return [first[i] if present(numbers["mask"], i, word, flags) else None for i in range(n)]
        if word == "list_fixed":
            spans = [(i * j["size"], (i + 1) * j["size"]) for i in range(n)]
        elif word == "list_offsets":
            spans = list(zip(numbers["offsets"][:n], numbers["offsets"][1:], strict=False))
        else:
            spans = list(zip(numbers["starts"][:n], numbers["stops"], strict=False))
        lists = [first[a:b] for a, b in spans]
        if "string" in flags:
            return [bytes(x).decode() for x in lists]
        return [bytes(x) for x in lists] if "binary" in flags else lists


def present(mask: list[Any], i: int, word: str, flags: list[str]) -> bool:
    if word == "option_bits":
        bit = bool(mask[i // 8] >> (i % 8 if "bits_lsb" in flags else 7 - i % 8) & 1)
    else:
        bit = bool(mask[i])
    return bit == ("mask_valid" in flags)


def special(word: str) -> float:
    """The number that JSON lacks."""
    if ":" in word:
        bits = bytes.fromhex(word.split(":")[1][2:])
        return float(struct.unpack({2: ">e", 4: ">f", 8: ">d"}[len(bits)], bits)[0])
    return math.nan if word.startswith("0x") else float(word)


def same_number(a: float, b: float) -> bool:
    """Whether two numbers are one, perhaps of fewer bits."""
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    if a == b or not (isinstance(a, float) or isinstance(b, float)):
        return a == b and math.copysign(1, a) == math.copysign(1, b)
    for width in "fe":
        try:
            if struct.pack(width, a) == struct.pack(width, b):
                return True
        except (OverflowError, struct.error):
            pass
    return False


def expect(found: Any, wanted: Any, at: str) -> None:
    """Raises MismatchError unless the two are equal: a row of a cycle is what it refers to."""
    while isinstance(found, Ref):
        found = found.target()
    if isinstance(found, Union):
        found = found[1]
    if isinstance(wanted, bool) or isinstance(found, bool) or wanted is None:
        if found is not wanted:
            raise MismatchError(f"{at} is {str(found)[:80]}, not {wanted}")
    elif isinstance(wanted, int | float):
        if not isinstance(found, int | float) or not same_number(found, wanted):
            raise MismatchError(f"{at} is {str(found)[:80]}, not {wanted}")
    elif isinstance(wanted, list):
        if not isinstance(found, list) or len(found) != len(wanted):
            raise MismatchError(f"{at} is {str(found)[:80]}, not a list of {len(wanted)}")
        for i, (a, b) in enumerate(zip(found, wanted, strict=True)):
            expect(a, b, f"{at}[{i}]")
    elif isinstance(wanted, dict):
        if not isinstance(found, dict) or list(found) != list(wanted):
            raise MismatchError(f"{at} is {str(found)[:80]}, not an object of {list(wanted)[:8]}")
        for name in wanted:
            expect(found[name], wanted[name], f"{at}.{name}")
    elif found != wanted:
        raise MismatchError(f"{at} is {str(found)[:80]!r}, not {str(wanted)[:80]!r}")


def flat(value: Any) -> list[Any]:
    """All numbers in lists and objects, in order."""
    if isinstance(value, dict):
        value = list(value.values())
    return [x for item in value for x in flat(item)] if isinstance(value, list) else [value]
