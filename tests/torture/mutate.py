# SPDX-License-Identifier: MIT
"""Mutates the bytes of a file: as bytes, as text with numbers, as JSON, as a ZIP archive."""

from __future__ import annotations

import base64
import io
import json
import re
import struct
import warnings
import zipfile
import zlib
from random import Random
from typing import Any

INTEGERS = (0, 1, 2, 7, 8, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1 << 40,
            (1 << 63) - 1, 1 << 63, (1 << 64) - 1)  # fmt: skip
NUMBERS = (b"-1", b"0", b"1e400", b"-0.0", b"nan", b"inf", b"1e-400", b"65536", b"2147483648", b"4294967296", b"1e9",
           b"9223372036854775808", b"18446744073709551616", b"9" * 400, b"0x10", b"1.0.0", b"", b"007")  # fmt: skip
TEXTS = (b"\x1b[31m", b"\x1b]0;x\x07", b"\xc2\x9b", "\u202e".encode(), b"\xff\xfe", b"\0", b"%n%s", b"../../x",
         b"/etc/passwd", b"A" * 5000, b"\r\n", b"\xed\xa0\x80", b"${HOME}", b"\\u0000", b"'\"")  # fmt: skip
VALUES: tuple[Any, ...] = (None, True, 0, -1, 1 << 31, 1 << 63, 1 << 64, 1.5, 1e300, "", "\x1b[31m", "\u202e", "A" * 3000,
          [], {}, [[]], [0] * 300, "float64", "$ref", {"$ref": "#"}, {"": ""}, "..", "\ud800")  # fmt: skip


def mutate(data: bytes, other: bytes, random: Random) -> bytes:
    """Returns `data` changed in one to four places; `other` is a file of the same kind."""
    for _ in range(random.choice((1, 1, 1, 1, 2, 3))):
        data = change_once(data, other, random)
    return data


def change_once(data: bytes, other: bytes, random: Random) -> bytes:
    if data[:2] == b"PK" and random.random() < 0.85:
        return change_archive(data, random)
    if data[:1] in (b"{", b"[") and random.random() < 0.6:
        changed = change_json(data, random)
        if changed is not None:
            return changed
    if random.random() < 0.35:
        return change_number(data, random)
    return change_bytes(data, other, random)


def change_bytes(data: bytes, other: bytes, random: Random) -> bytes:
    if not data:
        return other
    at = random.randrange(len(data))
    # Headers decide more than what follows them.
    if random.random() < 0.25:
        at = random.randrange(min(len(data), 64))
    size = min(random.choice((1, 1, 2, 4, 8, 16, 64, 512)), len(data) - at)
    if random.random() < 0.4:  # a change that may pass
        return data[:at] + bytes([(data[at] + random.choice((-1, 1, 2, 16))) & 0xFF]) + data[at + 1 :]
    match random.randrange(9):
        case 0:
            return data[:at] + bytes([data[at] ^ (1 << random.randrange(8))]) + data[at + 1 :]
        case 1:
            return data[:at] + random.randbytes(size) + data[at + size :]
        case 2:
            return data[:at]
        case 3:
            return data[:at] + data[at + size :]
        case 4:
            return data[:at] + data[at : at + size] * random.choice((2, 3, 50)) + data[at + size :]
        case 5:
            width = random.choice((1, 2, 4, 8))
            value = random.choice(INTEGERS) & ((1 << 8 * width) - 1)
            return data[:at] + value.to_bytes(width, random.choice(("little", "big"))) + data[at + width :]
        case 6:
            start = random.randrange(len(other) + 1)
            return data[:at] + other[start : start + random.choice((size, 4096))] + data[at + size :]
        case 7:
            return data[:at] + random.choice(TEXTS) + data[at:]
        case _:
            number = struct.pack(random.choice("<>") + "d", random.choice((0.0, -0.0, 1e308, float("nan"), 0.1)))
            return data[:at] + number + data[at + 8 :]


def change_number(data: bytes, random: Random) -> bytes:
    """Replaces a number in text, or a word."""
    pattern = rb"-?[0-9]+(?:\.[0-9]+)?" if random.random() < 0.7 else rb"[A-Za-z_]{2,}"
    found = list(re.finditer(pattern, data[:65536]))
    if not found:
        return data + random.choice(NUMBERS)
    place = random.choice(found)
    new = random.choice(NUMBERS) if random.random() < 0.7 else random.choice(found).group()
    return data[: place.start()] + new + data[place.end() :]


def places_of(value: Any, found: list[tuple[Any, Any]], depth: int = 0) -> None:
    if depth > 200 or len(found) > 5000:
        return
    items: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in items:
        found.append((value, key))
        places_of(child, found, depth + 1)


def change_json(data: bytes, random: Random) -> bytes | None:
    """Changes a part of a JSON document, which may be followed by other bytes."""
    try:
        text = data.decode("utf-8", "surrogateescape")
        document, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None
    places: list[tuple[Any, Any]] = []
    places_of(document, places)
    if not places:
        return None
    holder, key = random.choice(places)
    donor, donor_key = random.choice(places)
    match random.randrange(8):
        case 0:
            del holder[key]
        case 1 | 2:
            holder[key] = random.choice(VALUES)
        case 3 | 4:
            holder[key] = donor[donor_key] if not is_inside(holder, donor[donor_key]) else None
        case 5:
            deep: Any = holder[key]
            is_list = random.random() < 0.5
            for _ in range(random.choice((3, 60, 300))):
                deep = [deep] if is_list else {"a": deep}
            holder[key] = deep
        case 6 if isinstance(holder, dict):
            holder[random.choice(("", "type", "$ref", "\x1b[0m", "items", str(donor_key)))] = holder.pop(key)
        case _:
            holder[key] = change_leaf(holder[key], random)
    try:
        return (json.dumps(document, ensure_ascii=random.random() < 0.5) + text[end:]).encode(
            "utf-8", "surrogateescape"
        )
    except (ValueError, RecursionError):  # a surrogate that is no byte
        return None


def is_inside(inner: Any, outer: Any) -> bool:
    """True if `inner` is `outer` or a part of it: a value can't hold itself."""
    if inner is outer:
        return True
    children = outer.values() if isinstance(outer, dict) else outer if isinstance(outer, list) else ()
    return any(is_inside(inner, child) for child in children)


def change_leaf(leaf: Any, random: Random) -> Any:
    if isinstance(leaf, str):
        try:  # arrays and texts are in base64
            raw = base64.b64decode(leaf, validate=True)
            if len(raw) > 3:
                return base64.b64encode(change_bytes(raw, raw, random)).decode()
        except ValueError:
            pass
        raw = leaf.encode("utf-8", "surrogatepass")
        return change_bytes(change_number(raw, random), raw, random).decode("utf-8", "replace")
    if isinstance(leaf, bool):
        return not leaf
    if isinstance(leaf, (int, float)):
        return random.choice(
            (leaf + 1, -leaf, leaf * 1000, random.choice(INTEGERS), float(leaf) if abs(leaf) < 1e300 else 0)
        )
    return random.choice(VALUES)


def change_archive(data: bytes, random: Random) -> bytes:
    """Changes a member of a ZIP archive, and writes it with the checksums that fit."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(info.file_size for info in archive.infolist()) > 4 << 20:
                return change_bytes(data, data, random)
            members = [(info.filename, archive.read(info)) for info in archive.infolist()]
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError, RuntimeError, EOFError, zlib.error):
        return change_bytes(data, data, random)
    if not members:
        return change_bytes(data, data, random)
    index = random.randrange(len(members))
    name, content = members[index]
    match random.randrange(8):
        case 0:
            members[index] = (change_name(name, random), content)
        case 1:
            members.pop(index)
        case 2:
            members.append((change_name(name, random), content))
        case _:
            documents = [i for i, member in enumerate(members) if member[1][:1] in (b"{", b"[")]
            if documents and random.random() < 0.6:
                index = random.choice(documents)
                name, content = members[index]
            donor = random.choice(members)[1]
            members[index] = (name, change_once(content, donor, random) if content[:2] != b"PK" else donor)
    out = io.BytesIO()
    warnings.simplefilter("ignore")  # of members with one name, which are meant
    method = random.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
    try:
        with zipfile.ZipFile(out, "w", method) as archive:
            for name, content in members:
                archive.writestr(zipfile.ZipInfo(name), content, method)
    except ValueError:
        return change_bytes(data, data, random)
    return out.getvalue()


def change_name(name: str, random: Random) -> str:
    return random.choice(
        (name + "2", "../" + name, "/" + name, name.upper(), "a\x1b[0m", "", "x" * 3000, name + "/" + name)
    )
