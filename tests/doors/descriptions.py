# SPDX-License-Identifier: MIT
"""What the descriptions beside the vectors say of each format."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

from notation import Ext, MismatchError, Pairs, Ref, Text, Union, expect, flat

Line = dict[str, Any]


def load(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def beside(directory: Path, line: Line) -> Any:
    """The description of a vector: NAME.json, or FILE.json."""
    file = directory / line["file"]
    for path in (file.with_name(file.name + ".json"), file.with_suffix(".json")):
        if path.exists():
            return load(path)
    raise FileNotFoundError(f"no description of {line['file']}")


def near(a: float, b: float, part: float, at: str) -> None:
    if not (abs(a - b) <= part * max(abs(a), abs(b), 1) or a == b or (math.isnan(a) and math.isnan(b))):
        raise MismatchError(f"{at} is {a}, not {b}")


# -- awkward: tolist() of the Python library --


def awkward_plain(said: Any) -> Any:
    if isinstance(said, list):
        return [awkward_plain(x) for x in said]
    if not isinstance(said, dict):
        return said
    if len(said) == 1 and next(iter(said)).startswith("@"):
        word, what = next(iter(said.items()))
        if word == "@float":
            return float(what)
        if word == "@bytes":
            return bytes.fromhex(what)
        if word == "@object":
            return awkward_plain(what[1])
        if word in ("@tuple", "@complex"):
            return awkward_plain(what)
        return {word: what}
    return {k: awkward_plain(v) for k, v in said.items()}


def awkward_expect(found: Any, said: Any, at: str) -> None:
    """As expect(), for times and structures without names."""
    while isinstance(found, Ref):
        found = found.target()
    if isinstance(found, Union):
        found = found[1]
    word = next(iter(said)) if isinstance(said, dict) and len(said) == 1 else ""
    if word in ("@datetime", "@date"):
        if found["datetime"].rstrip("Z0").rstrip(".") != said[word].rstrip("0").rstrip("."):
            raise MismatchError(f"{at} is {found}, not {said}")
    elif word == "@timedelta_us":
        expect(found["timedelta"][0] * 1_000_000, said[word], at)
    elif word == "@longdouble":
        if not isinstance(found, bytes) or len(found) != 16:
            raise MismatchError(f"{at} is {found}, not a long double")
    elif said is None and isinstance(found, dict):
        if found.get("datetime") != "NaT" and found.get("timedelta", [""])[0] != "NaT":
            raise MismatchError(f"{at} is {found}, not null")
    elif isinstance(said, int) and isinstance(found, dict) and "datetime" in found:
        if "." not in found["datetime"] and "T" not in found["datetime"]:
            raise MismatchError(f"{at} is {found}, not {said} ns")
    elif isinstance(said, list):
        items = list(found.values()) if isinstance(found, dict) else found
        if not isinstance(items, list) or len(items) != len(said):
            raise MismatchError(f"{at} is {str(found)[:80]}, not a list of {len(said)}")
        for i, (a, b) in enumerate(zip(items, said, strict=True)):
            awkward_expect(a, b, f"{at}[{i}]")
    elif isinstance(said, dict):
        if not isinstance(found, dict) or set(found) != set(said):
            raise MismatchError(f"{at} is {str(found)[:80]}, not an object of {list(said)[:8]}")
        for name in said:
            awkward_expect(found[name], said[name], f"{at}.{name}")
    else:
        expect(found, said, at)


def awkward(directory: Path, line: Line, text: Text) -> None:
    if line["file"].startswith("dir/"):
        said = load(directory / (Path(line["file"]).name + ".json"))
        return awkward_expect(list(text.value.values()), [awkward_plain(said)], "$")
    return awkward_expect(text.value, awkward_plain(beside(directory, line)), "$")


# -- dynd and fastbin --


def dynd_expect(found: Any, said: Any, at: str) -> None:
    if isinstance(said, dict) and set(said) == {"type", "value"}:  # array[Any]
        return dynd_expect(found, said["value"], at)
    if isinstance(said, dict) and set(said) == {"hex"}:
        return expect(found, bytes.fromhex(said["hex"]), at)
    if isinstance(said, dict) and set(said) == {"bits"}:
        size = len(said["bits"]) // 2
        if size <= 8 and size != 1:
            wanted = struct.unpack({2: ">e", 4: ">f", 8: ">d"}[size], bytes.fromhex(said["bits"]))[0]
            return expect(found, wanted, at)
        return None if math.isnan(found) else expect(found, said, at)
    if isinstance(said, dict):
        if not isinstance(found, dict) or list(found) != list(said):
            raise MismatchError(f"{at} is {str(found)[:80]}, not an object of {list(said)[:8]}")
        for name in said:
            dynd_expect(found[name], said[name], f"{at}.{name}")
        return None
    if isinstance(said, list):
        if not isinstance(found, list) or len(found) != len(said):
            raise MismatchError(f"{at} is {str(found)[:80]}, not a list of {len(said)}")
        for i, (a, b) in enumerate(zip(found, said, strict=True)):
            dynd_expect(a, b, f"{at}[{i}]")
        return None
    if isinstance(said, str) and isinstance(found, float):
        return expect(found, float(said), at)
    if isinstance(said, str) and isinstance(found, int):
        return expect(found, int(said), at)
    if isinstance(said, int | float) and isinstance(found, int | float) and not isinstance(said, bool):
        return expect(float(found) if isinstance(said, float) else found, said, at)
    return expect(found, said, at)


def dynd(directory: Path, line: Line, text: Text) -> None:
    said = beside(directory, line)["value"]
    dynd_expect(text.value, said, "$")


def fastbin_expect(found: Any, said: Any, at: str) -> None:
    if isinstance(said, str) and isinstance(found, float):
        if not said.startswith("NaN"):
            return expect(found, float(said), at)
        return None if math.isnan(found) else expect(found, said, at)
    if isinstance(said, str) and isinstance(found, int):
        return None  # the name of a member of an enum
    if isinstance(said, dict) and set(said) == {"base64"}:
        return expect(found, Text(json.dumps({"type": "bytes", "value": {"$bytes": said["base64"]}})).value, at)
    if isinstance(said, dict) and "index" in said and isinstance(found, Union):
        expect(found[0], said["index"], at + "[0]")
        return fastbin_expect(found[1], None if said.get("empty") else said["value"], at + "[1]")
    if isinstance(said, dict) and isinstance(found, dict):
        expect(list(found), list(said), at)
        for name in said:
            fastbin_expect(found[name], said[name], f"{at}.{name}")
        return None
    if isinstance(said, list) and isinstance(found, list):
        expect(len(found), len(said), at + ".length")
        for i, (a, b) in enumerate(zip(found, said, strict=True)):
            fastbin_expect(a, b, f"{at}[{i}]")
        return None
    return expect(found, said, at)


def fastbin(directory: Path, line: Line, text: Text) -> None:
    fastbin_expect(text.value, beside(directory, line)["value"], "$")


# -- msgpack: a tree --

FORMATS = {"f2": "e", "f4": "f", "f8": "d", "i1": "b", "i2": "h", "i4": "i", "i8": "q"}
FORMATS |= {"u1": "B", "u2": "H", "u4": "I", "u8": "Q", "b1": "?"}


def elements(typestr: str, data: bytes) -> list[Any]:
    """The numbers of an array as numpy writes them."""
    order, kind = (">" if typestr[0] == ">" else "<"), typestr[1:]
    if kind.startswith("c"):
        part = {"c8": "f", "c16": "d"}[kind]
        numbers = [x[0] for x in struct.iter_unpack(order + part, data)]
        return numbers
    return [x[0] for x in struct.iter_unpack(order + FORMATS[kind], data)]


def msgpack_expect(found: Any, node: Any, at: str) -> None:
    kind = node["t"]
    if kind == "int":
        return expect(found, int(node["v"]), at)
    if kind in ("f32", "f64"):
        return expect(found, struct.unpack(">f" if kind == "f32" else ">d", bytes.fromhex(node["bits"]))[0], at)
    if kind in ("str", "bool"):
        return expect(found, node["v"], at)
    if kind == "nil":
        return expect(found, None, at)
    if kind == "bin":
        return expect(found, bytes.fromhex(node["hex"]), at)
    if kind in ("array", "stream"):
        expect(len(found), len(node["v"]), at + ".length")
        for i, (a, b) in enumerate(zip(found, node["v"], strict=True)):
            msgpack_expect(a, b, f"{at}[{i}]")
        return None
    if kind == "map":
        entries = found if isinstance(found, Pairs) else [[k, v] for k, v in found.items()]
        expect(len(entries), len(node["v"]), at + ".size")
        for (key, value), (k, v) in zip(entries, node["v"], strict=True):
            msgpack_expect(key, k, at + ".key")
            msgpack_expect(value, v, f"{at}.{key}")
        return None
    if kind == "ext" and isinstance(found, Ext):
        return expect(found[1], {"code": node["code"], "data": bytes.fromhex(node["hex"])}, at)
    if kind == "timestamp":
        if not isinstance(found, dict) or "datetime" not in found:
            raise MismatchError(f"{at} is {found}, not a time")
        return None
    if kind == "ndarray":
        shape = node["shape"]
        inner = found
        for extent in shape:
            expect(len(inner), extent, at + ".shape")
            if extent == 0:
                return None
            inner = inner[0]
        if node["typestr"][1:3] in ("M8", "m8"):  # the dates are compared with numpy elsewhere
            return None
        if len(node["data_hex"]) % 2 == 0 and not node["data_hex"].endswith("..."):
            numbers = flat(found)
            return expect(numbers, elements(node["typestr"], bytes.fromhex(node["data_hex"])), at)
        return None
    raise MismatchError(f"{at}: {kind} is unknown")


def msgpack(directory: Path, line: Line, text: Text) -> None:
    said = beside(directory, line)
    tree, value = said.get("tree", said), text.value
    if "lebedov" in line["file"] and "options" not in line:  # a map of bytes to the parts of the array
        parts = {k: v for k, v in value}
        expect(parts[b"shape"], tree["shape"], "$.shape")
        return expect(parts[b"data"], bytes.fromhex(tree["data_hex"]), "$.data")
    return msgpack_expect(value[1] if tree["t"] == "stream" else value, tree, "$")


# -- meshes: counts, sums, first and last rows --


def ply(directory: Path, line: Line, text: Text) -> None:
    said = beside(directory, line)
    expect(list(text.value), [e["name"] for e in said["elements"]], "$")
    for element in said["elements"]:
        name, rows = element["name"], text.value[element["name"]]
        expect(len(rows), element["count"], f"$.{name}.length")
        for i, row in enumerate(element["first"]):
            dynd_expect(rows[i], row, f"$.{name}[{i}]")
        for i, row in enumerate(element["last"], len(rows) - len(element["last"])):
            dynd_expect(rows[i], row, f"$.{name}[{i}]")
        for column, facts in element["columns"].items():
            items = [x for row in rows for x in flat(row[column])]
            if "items" in facts:
                expect(len(items), facts["items"], f"$.{name}.{column}.items")
            near(float(sum(items)), float(facts["sum"]), 1e-5, f"$.{name}.{column}.sum")


def obj_corners(row: dict[str, Any]) -> list[Any]:
    def index(name: str, i: int) -> Any:
        at = row[name][i] if row.get(name) else -1
        return None if at < 0 else at

    return [[v, index("vt", i), index("vn", i)] for i, v in enumerate(row["v"])]


def statements(file: str) -> dict[str, int]:
    """How many statements of each word the text of an OBJ file has."""
    counts: dict[str, int] = {}
    for row in file.replace("\r\n", "\n").replace("\r", "\n").replace("\\\n", " ").split("\n"):
        word = row.split("#")[0].split()[:1]
        if word:
            counts[word[0]] = counts.get(word[0], 0) + 1
    return counts


def obj_counts(value: dict[str, Any], file: str) -> None:
    counts = statements(file)
    for name in ("v", "vt", "vn", "vp", "f", "l", "p"):
        expect(len(value[name]), counts.get(name, 0), f"$.{name}.length")
    rows = [row.split("#")[0].split()[1:4] for row in file.splitlines() if row.split()[:1] == ["v"]]
    total = sum(float(x) for row in rows for x in row)
    near(math.fsum(x for row in value["v"] for x in list(row.values())[:3]), total, 1e-6, "$.v.sum")


def obj(directory: Path, line: Line, text: Text) -> None:
    if line["file"].startswith("real/"):
        return obj_counts(text.value, (directory / line["file"]).read_text(encoding="utf-8", errors="replace"))
    return obj_described(beside(directory, line), text)


def obj_described(said: Any, text: Text) -> None:
    for name in ("v", "vt", "vn", "vp"):
        rows = [[x for x in flat(row) if x is not None] for row in text.value[name]]
        expect(len(rows), said["counts"][name], f"$.{name}.length")
        if rows:
            expect(rows[: len(said["first"][name])], said["first"][name], f"$.{name}")
            expect(rows[-1], said["last"][name], f"$.{name}[-1]")
            for i, facts in enumerate(said["columns"][name]):
                column = [row[i] for row in rows if i < len(row)]
                expect(len(column), facts["count"], f"$.{name}.column {i}")
                near(math.fsum(column), float(facts["sum"]), 1e-6, f"$.{name}.column {i}")
    for name in ("f", "l", "p"):
        rows = [obj_corners(row) for row in text.value[name]]
        expect(len(rows), said["counts"][name], f"$.{name}.length")
        if rows:
            expect(rows[: len(said["first"][name])], said["first"][name], f"$.{name}")
            expect(rows[-1], said["last"][name], f"$.{name}[-1]")
            expect(sum(len(row) for row in rows), said["columns"][name]["corners"], f"$.{name}.corners")


def stl(directory: Path, line: Line, text: Text) -> None:
    said = beside(directory, line)
    facets = text.value["facets"]
    expect(len(facets), said["facets"], "$.facets.length")
    numbers = [x for facet in facets for x in flat(facet["vertices"])]
    near(sum(map(abs, numbers)), said["vertices"], 1e-6, "$.facets")
    for a, b in zip(numbers, said["first"], strict=False):
        near(a, b, 1e-6, "$.facets[0]")


def gltf(directory: Path, line: Line, text: Text) -> None:
    said = beside(directory, line)
    accessors = text.value["accessors"]
    expect(len(accessors), len(said["accessors"]), "$.accessors.length")
    for i, (found, wanted) in enumerate(zip(accessors, said["accessors"], strict=True)):
        expect(len(found["values"]), wanted["count"], f"$.accessors[{i}].length")
        near(sum(map(abs, flat(found["values"]))), wanted["sum"], 1e-6, f"$.accessors[{i}].sum")
        expect(flat(found["values"][-1]), wanted["last"], f"$.accessors[{i}].last")


# -- yggdrasil --


def yggdrasil_expect(found: Any, said: Any, at: str) -> None:
    if isinstance(found, Ext):
        found = found[1]
    if isinstance(said, dict) and "$type" in said:
        data = said["data"]
        return yggdrasil_expect(found, data[0] if said["$type"] == "scalar" else data, at)
    if isinstance(said, dict) and isinstance(found, dict):
        expect(list(found), list(said), at)
        for name in said:
            yggdrasil_expect(found[name], said[name], f"{at}.{name}")
    elif isinstance(said, list) and isinstance(found, list):
        expect(len(found), len(said), at + ".length")
        for i, (a, b) in enumerate(zip(found, said, strict=True)):
            yggdrasil_expect(a, b, f"{at}[{i}]")
    elif isinstance(said, str) and isinstance(found, float):
        expect(found, float(said.replace("Infinity", "inf")), at)
    elif isinstance(found, int | float) and isinstance(said, int | float) and not isinstance(said, bool):
        expect(float(found), float(said), at)
    else:
        expect(found, said, at)


def yggdrasil(directory: Path, line: Line, text: Text) -> None:
    said, found = beside(directory, line), text.value
    data = bytes.fromhex(said.get("data_hex_le") or "")
    if isinstance(found, Ext) and said["type"] in ("ply", "obj"):
        found = found[1]
    if said["type"] == "obj" and isinstance(found, dict):
        return obj_counts(found, said["data"][0])
    if said["type"] == "ply" and isinstance(found, dict):
        counts = [row.split()[1:] for row in said["data"][0].splitlines() if row.startswith("element ")]
        return expect({k: len(v) for k, v in found.items()}, {k: int(n) for k, n in counts}, "$.lengths")
    if said["subtype"] in ("int", "uint", "float", "complex") and "data_hex_le" in said:
        bits = said["precision_bits"] // (2 if said["subtype"] == "complex" else 1)
        form = {"int": "bhiq", "uint": "BHIQ"}.get(said["subtype"], " efd")[bits.bit_length() - 4]
        return expect(flat(found), [x[0] for x in struct.iter_unpack("<" + form, data)], "$")
    if said["subtype"] == "string" and said["encoding"] is None and "data_hex_le" in said:
        return expect(b"".join(flat(found)), data, "$")
    whole = said["type"] == "ndarray"
    return yggdrasil_expect(flat(found) if whole else found, flat(said["data"]) if whole else said["data"][0], "$")


# -- JSON: Python's reader, made strict --


def json_number(token: str) -> int | float:
    number = float(token) if any(c in token for c in ".eE") else int(token[:50])
    if math.isinf(number) or (isinstance(number, int) and not -(2**127) <= number < 2**128):
        raise ValueError(f"{token[:20]} is too great")
    return number


def json_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({k for k, _ in pairs}) != len(pairs):
        raise ValueError("a key occurs twice")
    return dict(pairs)


def json_word(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


def json_depth(value: Any) -> int:
    """How deep a value nests; it may be deeper than Python's stack."""
    depth, level = 0, [value]
    while level := [x for x in level if isinstance(x, dict | list)]:
        depth += 1
        level = [y for x in level for y in (x.values() if isinstance(x, dict) else x)]
    return depth


def json_values(directory: Path, line: Line) -> Any:
    """The value of a file, a list of .jsonl. Raises ValueError."""
    text = (directory / line["file"]).read_bytes().decode("utf-8-sig")
    texts = [x for x in text.split("\n") if x.strip()] if line["file"].endswith(".jsonl") else [text]
    values = []
    for one in texts:
        try:
            values.append(
                json.loads(
                    one,
                    parse_int=json_number,
                    parse_float=json_number,
                    parse_constant=json_word,
                    object_pairs_hook=json_object,
                )
            )
        except RecursionError as error:
            raise ValueError("it nests too deep") from error
        if json_depth(values[-1]) > 512:
            raise ValueError("it nests too deep")
        json.dumps(values[-1], ensure_ascii=False).encode()  # no halves of surrogate pairs
    return values if line["file"].endswith(".jsonl") else values[0]


def json_check(directory: Path, line: Line, text: Text) -> None:
    if line["codec"] == "text":
        return expect(text.value, Text((directory / line["file"]).read_text(encoding="utf-8")).value, "$")
    said = json_values(directory, line)
    expect(text.value, said, "$")
    if json.dumps(text.value) != json.dumps(said):  # 1 is not 1.0, and not true
        raise MismatchError("its numbers are of other kinds")


CHECKS: dict[str, Callable[[Path, Line, Text], None]] = {
    "awkward": awkward,
    "dynd": dynd,
    "fastbin": fastbin,
    "gltf": gltf,
    "json": json_check,
    "msgpack_ndarray": msgpack,
    "obj": obj,
    "ply": ply,
    "stl": stl,
    "yggdrasil": yggdrasil,
}
