# SPDX-License-Identifier: MIT
"""Typed JSON (docs/text-notation.md) to and from Python: None, bool, int, float, str, bytes, list, tuple, dict, numpy
scalars and arrays, and Ext. Written from the documents, so that it does not share mistakes with the codecs."""

from __future__ import annotations

import base64
import json
import math
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np

from notation import Type, parse

NUMBERS = {f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)} | {
    "float16",
    "float32",
    "float64",
}
COMPLEX = {"float32": "complex64", "float64": "complex128"}


@dataclass(frozen=True)
class Ext:
    """An extension: its name and its payload."""

    name: str
    payload: Any


@dataclass(frozen=True)
class Noted:
    """A value with attributes."""

    value: Any
    attributes: tuple[tuple[str, str], ...]


def dtype_of(kind: Type) -> np.dtype[Any] | None:
    """The numpy type of a number, time or text of fixed width; None for all others."""
    if kind.word in NUMBERS:
        return np.dtype(kind.word)
    if kind.word == "bool":
        return np.dtype(bool)
    if kind.word == "complex":
        name = COMPLEX.get(kind.parts[0].word)
        return np.dtype(name) if name else None
    if kind.word in ("datetime", "timedelta") and "unit" in kind.settings:
        return np.dtype(f"{kind.word}64[{kind.settings['unit']}]")
    if kind.word == "fixed_bytes":
        return np.dtype(f"S{kind.size}")
    if kind.word == "fixed_string":
        return np.dtype(f"U{kind.size}")
    return None


def real(text: Any) -> float:
    if isinstance(text, dict):
        word = text["$float"]
        if not isinstance(word, str) or ":" not in word:
            return float(word)
        bits = int(word.split(":")[1], 16)
        return float(struct.unpack("<d", struct.pack("<Q", bits))[0])
    return float(text)


def scalar(kind: Type, j: Any) -> Any:
    """One number, time or text, as numpy has it."""
    if kind.word in ("float16", "float32", "float64"):
        if isinstance(j, dict) and ":" in j["$float"]:
            bits = int(j["$float"].split(":")[1], 16)
            return np.array(bits, {2: "u2", 4: "u4", 8: "u8"}[np.dtype(kind.word).itemsize]).view(kind.word)[()]
        return np.dtype(kind.word).type(real(j))
    if kind.word == "complex":
        parts = [scalar(kind.parts[0], x) for x in j["$complex"]]
        return np.array(parts).view(COMPLEX[kind.parts[0].word])[0]
    if kind.word == "datetime":
        return np.datetime64(j["$datetime"].rstrip("Z"), kind.settings["unit"])
    if kind.word == "timedelta":
        count, unit = j["$timedelta"]
        return np.timedelta64(count, unit)
    if kind.word == "fixed_bytes":
        return base64.b64decode(j["$bytes"])
    return j if kind.word == "fixed_string" else np.dtype(kind.word).type(j)


def array(kind: Type, j: Any) -> np.ndarray[Any, Any]:
    shape = []
    while kind.word == "dim":
        assert kind.size is not None
        shape.append(kind.size)
        kind = kind.parts[0]
    dtype = dtype_of(kind)
    flat: list[Any] = [j]
    for _ in shape:
        flat = [x for row in flat for x in row]
    found: np.ndarray[Any, Any] = np.array([scalar(kind, x) for x in flat], dtype=dtype).reshape(shape)
    return found


def is_array(kind: Type) -> bool:
    while kind.word == "dim" and kind.size is not None:
        kind = kind.parts[0]
    return dtype_of(kind) is not None


def read_form(kind: Type, form: str, j: Any, documents: bool) -> Any:
    if form == "array" and kind.word == "dim" and kind.size is None:
        kind = Type("dim", kind.parts, size=len(j))  # `var` only because the lists beside it are of other lengths
    if form in ("list", "array"):
        return read(kind, j, form == "list")
    if form == "value":
        return read(parse(j["type"]), j["value"], False)
    if form == "bytes":
        return base64.b64decode(j)
    if form == "tuple":
        parts = kind.parts if kind.word == "tuple" else [kind.parts[0] if kind.word == "dim" else kind] * len(j)
        return tuple(read(part, x, documents) for part, x in zip(parts, j, strict=True))
    if form == "map":
        keys, values = kind.parts if kind.word == "map" else [kind, kind]
        return {read(keys, k, documents): read(values, v, documents) for k, v in j}
    if form == "ext":
        return Ext(j[0], read(kind.parts[0] if kind.word == "extension" else kind, j[1], documents))
    if form == "union":
        return read(kind.parts[j[0]] if kind.word == "union" else kind, j[1], documents)
    if form == "float":
        return real({"$float": j})
    if form == "complex":
        return complex(*[real(x) for x in j])
    if form == "datetime":
        unit = kind.settings.get("unit", "ns")
        return np.datetime64(j.rstrip("Z"), unit)
    raise ValueError(f"the form ${form} is not expected here")


def read(kind: Type, j: Any, documents: bool) -> Any:
    """The value of JSON under a type. `documents`: lists are lists of documents, not arrays."""
    if kind.word == "annotated":
        return Noted(read(kind.parts[0], j, documents), tuple(sorted(kind.settings.items())))
    if kind.word == "option":
        return None if j is None else read(kind.parts[0], j, documents)
    if isinstance(j, dict) and len(j) == 1:
        key = next(iter(j))
        number = kind.word in NUMBERS or kind.word in ("complex", "timedelta")
        if key.startswith("$") and not key.startswith("$$") and not number:
            return read_form(kind, key[1:], j[key], documents)
    if isinstance(j, dict) and kind.word in ("record", "map", "any"):
        types = dict(zip(kind.names, kind.parts, strict=True)) if kind.word == "record" else {}
        other = kind.parts[1] if kind.word == "map" else kind
        keys = {k: k[1:] if k.startswith("$") else k for k in j}
        return {keys[k]: read(types.get(keys[k], other), v, documents) for k, v in j.items()}
    if isinstance(j, list):
        if kind.word == "tuple":
            return [read(part, x, documents) for part, x in zip(kind.parts, j, strict=True)]
        if kind.word == "dim" and not documents and is_array(kind):
            return array(kind, j)
        return [read(kind.parts[0] if kind.word == "dim" else kind, x, documents) for x in j]
    if j is None or isinstance(j, bool | str) or kind.word in ("any", "int64", "uint64", "int128", "uint128"):
        return j
    found = scalar(kind, j)
    return found.item() if isinstance(found, np.float64 | np.complex128) else found


def loads(text: bytes | str) -> Any:
    document = json.loads(text)
    return read(parse(document["type"]), document["value"], False)


def number(x: float) -> Any:
    if math.isfinite(x):
        return x
    if math.isnan(x):
        return {"$float": f"nan:0x{struct.pack('>d', x).hex()}"}
    return {"$float": "inf" if x > 0 else "-inf"}


def element(x: Any) -> Any:
    """One element of an array, under its own type."""
    if isinstance(x, np.floating):
        if np.isnan(x):
            size = x.dtype.itemsize
            return {"$float": f"nan:0x{int(x.view(f'u{size}')):0{2 * size}x}"}
        return number(float(x))
    if isinstance(x, np.complexfloating):
        return {"$complex": [element(x.real), element(x.imag)]}
    if isinstance(x, np.datetime64):
        return {"$datetime": str(x) if np.isnat(x) else str(x) + ("Z" if "T" in str(x) else "")}
    if isinstance(x, np.timedelta64):
        return {"$timedelta": ["NaT" if np.isnat(x) else int(x.astype("i8")), np.datetime_data(x.dtype)[0]]}
    if isinstance(x, bytes):
        return {"$bytes": base64.b64encode(x).decode()}
    return x.item() if isinstance(x, np.generic) else x


def notation(dtype: np.dtype[Any]) -> str:
    if dtype.kind not in "?biufcmMSU":
        raise ValueError(f"no type for {dtype}")
    if dtype.kind == "c":
        return f"complex[float{dtype.itemsize * 4}]"
    if dtype.kind in "mM":
        return f"{'timedelta' if dtype.kind == 'm' else 'datetime'}[unit='{np.datetime_data(dtype)[0]}']"
    if dtype.kind == "S":
        return f"fixed_bytes[{dtype.itemsize}]"
    if dtype.kind == "U":
        return f"fixed_string[{dtype.itemsize // 4}, 'utf32']"
    return dtype.newbyteorder("=").name


def nested(a: Any) -> Any:
    if not isinstance(a, np.ndarray):
        return element(a)
    return [nested(row) for row in a] if a.ndim else element(a[()])


def written(value: Any) -> Any:
    """A value as JSON, under `any`."""
    if isinstance(value, np.ndarray):
        text = "".join(f"{n} * " for n in value.shape) + notation(value.dtype)
        inner = nested(value) if value.ndim else {"$array": nested(value)}
        return {"$value": {"type": text, "value": inner}}
    if isinstance(value, np.generic):
        return {"$value": {"type": notation(value.dtype), "value": element(value)}}
    if isinstance(value, bytes):
        return {"$bytes": base64.b64encode(value).decode()}
    if isinstance(value, float):
        return number(value)
    if isinstance(value, complex):
        return {"$complex": [number(value.real), number(value.imag)]}
    if isinstance(value, list):
        return [written(x) for x in value]
    if isinstance(value, tuple):
        return {"$tuple": [written(x) for x in value]}
    if isinstance(value, dict):
        if all(isinstance(k, str) for k in value):
            return {"$" + k if k.startswith("$") else k: written(v) for k, v in value.items()}
        return {"$map": [[written(k), written(v)] for k, v in value.items()]}
    if isinstance(value, Ext):
        return {"$ext": [value.name, written(value.payload)]}
    return value


def dumps(value: Any) -> bytes:
    return json.dumps({"type": "any", "value": written(value)}, ensure_ascii=False).encode()
