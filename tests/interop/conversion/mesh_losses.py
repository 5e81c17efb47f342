#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Loss reports of all pairs of mesh formats: mesh_losses.py COMMAND DIRECTORY.

Readers of PLY, OBJ, STL and glTF of this script, which share nothing with the codecs, read what goes in and what comes out.
What differs must be reported, what is reported must differ, paths must be in the input, and a conversion is refused if and
only if a loss of it is more than a note.
"""

from __future__ import annotations

import base64
import json
import math
import random
import re
import shutil
import struct
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

Vector = tuple[float, ...]

NAN = math.nan
# Kinds of losses, with what their reports say. The first that fits counts.
REPORTS = [
    ("texture", r"TextureFile|texture '|images|textures$"),
    ("libraries", r"material librar"),
    ("comments", r"^comments|comment in the header|header"),
    ("rounding", r"that float32 rounds|lengths of normals"),
    ("unused", r"that nothing uses|that no corner has|that no face has"),
    ("points", r"positions without faces"),
    ("not finite", r"positions that are not finite"),
    ("polygons", r"faces that are not triangles"),
    ("small faces", r"faces of fewer than three corners"),
    ("texcoords", r"texture coordinates"),
    ("normals", r"normals"),
    ("colors", r"colors of positions|colors that are not finite|have no color"),
    ("alpha", r"transparency"),
    ("edges", r"edges$"),
    ("parameters", r"colors and other parameters|parameters beside|more than a color"),
    ("materials", r"materials"),
    ("groups", r"groups"),
    ("objects", r"objects|solids|name of the solid"),
    ("other", r""),
]
NOTES = {"comments", "rounding", "unused", "transforms"}


def single(number: float) -> float:
    """The number as float32 has it; infinite where it has none."""
    try:
        return float(struct.unpack("<f", struct.pack("<f", number))[0])
    except OverflowError:
        return math.inf if number > 0 else -math.inf


@dataclass
class Corner:
    """A corner of a face, with all that belongs to it."""

    position: Vector
    color: Vector | None = None
    alpha: float = 1.0
    texcoord: Vector | None = None
    normal: Vector | None = None


@dataclass
class Face:
    corners: list[Corner]
    material: str = ""
    group: str = ""
    object: str = ""


@dataclass
class Model:
    """What a file holds, for a comparison."""

    faces: list[Face] = field(default_factory=list)
    edges: list[tuple[Vector, Vector]] = field(default_factory=list)
    points: list[Corner] = field(default_factory=list)  # positions of no face and no edge
    comments: list[str] = field(default_factory=list)
    libraries: list[str] = field(default_factory=list)
    unused: set[str] = field(default_factory=set)  # rows and names beside positions that nothing uses
    parameters: set[str] = field(default_factory=set)  # materials that have more than a name
    other: set[str] = field(default_factory=set)  # what no other format has


# Readers.


def statements_into(model: Model, lines: list[tuple[str, str, int]]) -> None:
    """Names of faces and other things that OBJ statements say; (code, text, count)."""
    now = {"usemtl": "", "g": "", "o": ""}
    face = 0
    for code, text, count in lines:
        if code == "f":
            for one in model.faces[face : face + count]:
                one.material, one.group, one.object = now["usemtl"], now["g"], now["o"]
            face += count
        elif code in now:
            now[code] = text
        elif code == "mtllib":
            model.libraries.append(text)
        elif code == "#":
            model.comments.append(text.strip())
        elif code == "s" and text not in ("off", "0"):
            model.other.add("smoothing")


def read_obj(data: bytes) -> Model:
    model = Model()
    v: list[Corner] = []
    vt: list[Vector] = []
    vn: list[Vector] = []
    used: set[int] = set()
    used_rows: dict[str, set[int]] = {"vt": set(), "vn": set()}
    lines: list[tuple[str, str, int]] = []
    for line in data.decode().splitlines():
        code, _, text = line.strip().partition(" ")
        if code.startswith("#"):
            code, text = "#", line.strip()[1:]
        words = text.split()
        if code == "v":
            numbers = tuple(map(float, words))
            color = numbers[3:6] if len(numbers) >= 6 else None
            v.append(Corner(numbers[:3], color))
            if len(numbers) in (4, 7) and numbers[3] != 1:
                model.other.add("weights")
        elif code == "vt":
            vt.append(tuple(map(float, words[:2])))
        elif code == "vn":
            vn.append(tuple(map(float, words)))
        elif code == "f":
            face = Face([])
            for word in words:
                parts = (word.split("/") + ["", ""])[:3]
                at = int(parts[0]) - 1
                used.add(at)
                corner = Corner(v[at].position, v[at].color)
                if parts[1]:
                    used_rows["vt"].add(int(parts[1]) - 1)
                    corner.texcoord = vt[int(parts[1]) - 1]
                if parts[2]:
                    used_rows["vn"].add(int(parts[2]) - 1)
                    corner.normal = vn[int(parts[2]) - 1]
                face.corners.append(corner)
            model.faces.append(face)
        elif code == "l":
            ends = [int(word.split("/")[0]) - 1 for word in words]
            used.update(ends)
            if len(ends) > 2:
                model.other.add("chains")
            model.edges += [(v[a].position, v[b].position) for a, b in zip(ends, ends[1:])]
        elif code == "p":
            model.other.add("point elements")
        if code:
            lines.append((code, text, 1))
    statements_into(model, lines)
    for i, corner in enumerate(v):
        if i not in used:
            model.points.append(corner)
    # Without faces they belong to the positions by their number.
    of_points = not model.faces and not model.edges
    for code, rows, name in (("vt", vt, "texcoord"), ("vn", vn, "normal")):
        if of_points and len(rows) == len(v):
            for corner, row in zip(v, rows):
                setattr(corner, name, row)
        elif len(rows) > len(used_rows[code]):
            model.unused.add(name)
    return model


PLY_TYPES = {
    **{"char": "b", "uchar": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I", "float": "f", "double": "d"},
    **{"int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i", "uint32": "I", "float32": "f", "float64": "d"},
}


def ply_elements(data: bytes) -> tuple[dict[str, list[dict[str, Any]]], list[tuple[str, str]], set[str]]:
    """The rows of each element, the comments (keyword, text), and the columns that are integers of a byte."""
    header, body = data.split(b"end_header\n", 1)
    layout: list[tuple[str, int, list[list[str]]]] = []
    comments = []
    binary = False
    for line in header.decode().splitlines():
        words = line.split()
        if words[0] == "format":
            binary = words[1] != "ascii"
            assert words[1] != "binary_big_endian"
        elif words[0] in ("comment", "obj_info"):
            comments.append((words[0], line[len(words[0]) + 1 :]))
        elif words[0] == "element":
            layout.append((words[1], int(words[2]), []))
        elif words[0] == "property":
            layout[-1][2].append(words[1:])
    items = iter(body.split())
    at = 0

    def number(kind: str) -> Any:
        nonlocal at
        code = PLY_TYPES[kind]
        if not binary:
            word = next(items).decode()
            return float(word) if code in "fd" else int(word)
        value = struct.unpack_from("<" + code, body, at)[0]
        at += struct.calcsize("<" + code)
        return value

    elements: dict[str, list[dict[str, Any]]] = {}
    integers = set()
    for name, count, properties in layout:
        elements[name] = []
        for kind in properties:
            if kind[0] != "list" and PLY_TYPES[kind[0]] == "B":
                integers.add(kind[-1])
        for _ in range(count):
            row: dict[str, Any] = {}
            for kind in properties:
                if kind[0] == "list":
                    row[kind[-1]] = [number(kind[2]) for _ in range(number(kind[1]))]
                else:
                    row[kind[-1]] = number(kind[0])
            elements[name].append(row)
    return elements, comments, integers


def read_ply(data: bytes) -> Model:
    model = Model()
    elements, comments, integers = ply_elements(data)
    rows = elements.get("vertex", [])
    ours = any(text.startswith(("obj.rows", "obj.text")) for word, text in comments if word == "obj_info")

    def corner(row: dict[str, Any]) -> Corner:
        made = Corner((row["x"], row["y"], row["z"]))
        scale = 255 if "red" in integers else 1
        if "red" in row:
            made.color = (row["red"] / scale, row["green"] / scale, row["blue"] / scale)
            if ours and any(map(math.isnan, made.color)):
                made.color = None
        if "alpha" in row:
            made.alpha = row["alpha"] / (255 if "alpha" in integers else 1)
        if "nx" in row and row.get("obj_vn", 0) >= 0:
            made.normal = (row["nx"], row["ny"], row["nz"])
        if "s" in row and row.get("obj_vt", 0) >= 0 and not (ours and math.isnan(row["t"])):
            made.texcoord = (row["s"], row["t"])
        return made

    known = {"x", "y", "z", "nx", "ny", "nz", "s", "t", "red", "green", "blue", "alpha"}
    for name in rows[0] if rows else []:
        if name not in known and not name.startswith("obj_") and name != "texture_w":
            model.other.add("weights" if name == "w" else name)
    used: set[int] = set()
    for row in elements.get("face", []):
        corners = [corner(rows[i]) for i in row["vertex_indices"]]
        used.update(row["vertex_indices"])
        uv = row.get("texcoord", [])
        for k in range(len(uv) // 2):
            corners[k].texcoord = (uv[2 * k], uv[2 * k + 1])
        number = row.get("material_index", -1)
        model.faces.append(Face(corners, f"material_{number}" if number >= 0 else ""))
    for row in elements.get("edge", []):
        used.update((row["vertex1"], row["vertex2"]))
        model.edges.append((corner(rows[row["vertex1"]]).position, corner(rows[row["vertex2"]]).position))
    seen: set[int] = set()
    for i, row in enumerate(rows):
        position = row.get("obj_v", i)
        if i not in used and position not in seen and not any(rows[u].get("obj_v", u) == position for u in used):
            model.points.append(corner(row))
        seen.add(position)
    for name, what in (("obj_texcoord", "texcoord"), ("obj_normal", "normal")):
        if elements.get(name):
            model.unused.add(what)
    for name in set(elements) - {"vertex", "face", "edge"}:
        if elements[name] and not name.startswith("obj_"):
            model.other.add(name)
    for name, what in (("obj_point", "point elements"), ("obj_edge", "chains")):
        if elements.get(name):
            model.other.add(what)
    if not ours:
        model.comments = [text for word, text in comments if word == "comment"]
        return model
    lines = []
    for word, text in comments:
        if word == "comment":
            lines.append(("#", text, 1))
        elif text.startswith("obj.text "):
            code, _, rest = text[9:].partition(" ")
            lines.append((code, rest, 1))
        elif text.startswith("obj.rows"):
            words = text.split()[1:]
            times = int(words[words.index("*") + 1]) if "*" in words else 1
            words = words[: words.index("*")] if "*" in words else words
            one, k = [], 0
            while k < len(words):
                if words[k] == "-":
                    k += 1
                    continue
                one.append((words[k], "", int(words[k + 1])))
                k += 2
            lines += one * times
    for one in model.faces:
        one.material = ""
    statements_into(model, lines)
    return model


def read_stl(data: bytes) -> Model:
    model = Model()
    if len(data) >= 84 and len(data) == 84 + 50 * struct.unpack_from("<I", data, 80)[0]:
        header = data[:80].rstrip(b"\0 ")
        if header:
            model.comments.append(header.decode("latin1"))
        for at in range(84, len(data), 50):
            numbers = struct.unpack_from("<12f", data, at)
            if struct.unpack_from("<H", data, at + 48)[0]:
                model.other.add("attributes")
            corners = [Corner(numbers[3 * k : 3 * k + 3], normal=numbers[:3]) for k in (1, 2, 3)]
            model.faces.append(Face(corners))
        return model
    name, normal, corners = "", (0.0, 0.0, 0.0), []
    for line in data.decode().splitlines():
        words = line.split()
        if words[0] == "solid":
            name = line.strip()[5:].strip()
        elif words[0] == "facet":
            normal, corners = tuple(map(float, words[2:])), []
        elif words[0] == "vertex":
            corners.append(Corner(tuple(map(float, words[1:])), normal=normal))
        elif words[0] == "endfacet":
            model.faces.append(Face(corners, object=name))
    return model


def read_gltf(data: bytes) -> Model:
    model = Model()
    if data[:4] == b"glTF":
        length = struct.unpack_from("<I", data, 12)[0]
        document = json.loads(data[20 : 20 + length])
        buffers = [data[28 + length :]]
    else:
        document = json.loads(data)
        buffers = [base64.b64decode(one["uri"].partition(",")[2]) for one in document.get("buffers", [])]

    def accessor(number: int) -> list[Vector]:
        one = document["accessors"][number]
        view = document["bufferViews"][one["bufferView"]]
        code = {5121: "B", 5123: "H", 5125: "I", 5126: "f"}[one["componentType"]]
        width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}[one["type"]]
        size = struct.calcsize(code) * width
        start = view.get("byteOffset", 0) + one.get("byteOffset", 0)
        scale = {"B": 255, "H": 65535}.get(code, 1) if one.get("normalized") else 1
        rows = []
        for i in range(one["count"]):
            at = start + i * view.get("byteStride", size)
            rows.append(tuple(n / scale for n in struct.unpack_from(f"<{width}{code}", buffers[view["buffer"]], at)))
        return rows

    names = [one.get("name", f"material_{i}") for i, one in enumerate(document.get("materials", []))]
    model.parameters = {n for n, one in zip(names, document.get("materials", [])) if set(one) - {"name"}}
    model.comments += ["TextureFile " + unquote(one.get("uri", "")) for one in document.get("images", [])]
    used_materials = set()
    for node in document.get("nodes", []):
        if "extras" in node:
            model.other.add("extras")
        if "mesh" not in node:
            continue
        mesh = document["meshes"][node["mesh"]]
        move = node.get("translation", [0, 0, 0])
        if any(move):
            model.other.add("transforms")
        for primitive in mesh["primitives"]:
            attributes = {k: accessor(a) for k, a in primitive["attributes"].items()}
            if "TANGENT" in attributes:
                model.other.add("tangents")
            rows = []
            for i, position in enumerate(attributes["POSITION"]):
                corner = Corner(tuple(p + m for p, m in zip(position, move)))
                if "NORMAL" in attributes:
                    corner.normal = attributes["NORMAL"][i]
                if "TEXCOORD_0" in attributes:
                    u, w = attributes["TEXCOORD_0"][i]
                    corner.texcoord = (u, 1 - w)
                if "COLOR_0" in attributes:
                    corner.color = attributes["COLOR_0"][i][:3]
                    corner.alpha = (*attributes["COLOR_0"][i], 1.0)[3]
                rows.append(corner)
            order = [int(i[0]) for i in accessor(primitive["indices"])] if "indices" in primitive else list(range(len(rows)))
            mode = primitive.get("mode", 4)
            material = names[primitive["material"]] if "material" in primitive else ""
            used_materials.add(material)
            if mode == 4:
                for k in range(0, len(order), 3):
                    model.faces.append(Face([rows[i] for i in order[k : k + 3]], material, "", node.get("name", "")))
            elif mode == 1:
                model.edges += [
                    (rows[order[k]].position, rows[order[k + 1]].position) for k in range(0, len(order), 2)
                ]
            else:
                model.points += [rows[i] for i in order]
                order = list(range(len(rows)))
            model.points += [rows[i] for i in sorted(set(range(len(rows))) - set(order))]
    if set(names) - used_materials:
        model.unused.add("materials")
    return model


READERS = {".ply": read_ply, ".obj": read_obj, ".stl": read_stl, ".glb": read_gltf, ".gltf": read_gltf}

# Comparison.


def key(position: Vector) -> Vector:
    return tuple(repr(single(p) + 0.0) for p in position)  # type: ignore[return-value]


def face_normal(face: Face) -> Vector:
    a, b, c = (corner.position for corner in face.corners[:3])
    u, w = [y - x for x, y in zip(a, b)], [y - x for x, y in zip(a, c)]
    n = (u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0])
    length = math.hypot(*n)
    return tuple(x / length for x in n) if length > 0 else n


def near(a: Vector, b: Vector, distance: float) -> bool:
    return all(abs(x - y) <= distance or (math.isnan(x) and math.isnan(y)) for x, y in zip(a, b))


def same(a: Vector, b: Vector) -> bool:
    return near(a, b, 0)


def compare_corner(a: Corner, b: Corner, face: Face | None, found: set[str]) -> None:
    """Adds what `b` lacks of `a`. What `b` has beside it is not a loss."""
    if not same(a.position, b.position):
        found.add("rounding")
    if a.color is not None and (b.color is None or not near(a.color, b.color, 1e-6)):
        found.add("colors")
    if a.alpha != b.alpha and abs(a.alpha - b.alpha) > 1e-6:
        found.add("alpha")
    if a.texcoord is not None:
        if b.texcoord is None or not near(a.texcoord, b.texcoord, 1e-6):
            found.add("texcoords")
        elif not same(a.texcoord, b.texcoord):
            found.add("rounding")
    if a.normal is not None:
        length = math.hypot(*a.normal)
        derived = face is not None and (length == 0 or near(a.normal, face_normal(face), 1e-3))
        if b.normal is None:
            if not derived:
                found.add("normals")
        elif not same(a.normal, b.normal):
            unit = tuple(x / length for x in a.normal) if length > 0 else a.normal
            if near(unit, b.normal, 1e-6) or same(tuple(map(single, a.normal)), b.normal):
                found.add("rounding")
            elif not (derived and face is not None and near(face_normal(face), b.normal, 1e-3)):
                found.add("normals")


def differences(a: Model, b: Model) -> set[str]:
    """The kinds of what `b` lacks of `a`."""
    found: set[str] = set()
    left: dict[Any, list[Face]] = {}
    for face in b.faces:
        left.setdefault(tuple(key(c.position) for c in face.corners), []).append(face)
    for face in a.faces:
        others = left.get(tuple(key(c.position) for c in face.corners))
        if not others:
            n = len(face.corners)
            finite = all(math.isfinite(single(x)) for c in face.corners for x in c.position)
            found.add("not finite" if not finite else "polygons" if n > 3 else "small faces" if n < 3 else "faces")
            outline = {key(c.position) for c in face.corners}
            cut = [f for f in b.faces if {key(c.position) for c in f.corners} <= outline]
            pieces = {key(c.position): c for f in cut for c in f.corners}
            for corner in face.corners if n > 3 else []:
                if key(corner.position) in pieces:
                    compare_corner(corner, pieces[key(corner.position)], face, found)
            continue
        other = others.pop(0)
        for x, y in zip(face.corners, other.corners):
            compare_corner(x, y, face, found)
        for what in ("material", "group", "object"):
            if getattr(face, what) not in ("", getattr(other, what)):
                found.add(what + "s")
    edges = Counter(tuple(sorted(map(key, e))) for e in b.edges)
    for edge in a.edges:
        name = tuple(sorted(map(key, edge)))
        if not edges[name]:
            found.add("edges" if all(map(math.isfinite, edge[0] + edge[1])) else "not finite")
        edges[name] -= 1
    points = {key(p.position): p for p in b.points}
    alone = not a.faces and not a.edges
    for point in a.points:
        other_point = points.get(key(point.position))
        if other_point is None:
            finite = all(math.isfinite(single(x)) for x in point.position) or not b.points
            found.add("not finite" if not finite else "points" if alone else "unused")
        if alone:
            compare_corner(point, other_point or Corner(point.position), None, found)
    textures = [text for text in a.comments if text.startswith("TextureFile ")]
    if set(textures) - set(b.comments):
        found.add("texture")
    elif set(a.comments) - set(b.comments):
        found.add("comments")
    if set(a.libraries) - set(b.libraries):
        found.add("libraries")
    if a.unused - b.unused:
        found.add("unused")
    if a.parameters - b.parameters:
        found.add("parameters")
    lacking = a.other - b.other
    found |= {"transforms"} & lacking
    if lacking - {"transforms"}:
        found.add("other")
    return found


# Inputs: one for each feature of each format, and some with several at once.


def ply(
    vertex: str = "",
    rows: list[str] | None = None,
    face: str = "",
    faces: list[str] | None = None,
    header: str = "",
    after: str = "",
    real: str = "float",
) -> bytes:
    points = ["0 0 0", "1 0 0", "0 1 0", "0 0 1"]
    rows = [""] * 4 if rows is None else rows
    points = points[: len(rows)] if not any(r.startswith("!") for r in rows) else points
    lines = [r[1:] if r.startswith("!") else f"{p} {r}" for p, r in zip(points, rows)]
    faces = ["3 0 1 2", "3 0 1 3"] if faces is None else faces
    elements = "".join(f"property {real} {axis}\n" for axis in "xyz") + vertex
    text = f"ply\nformat ascii 1.0\n{header}element vertex {len(lines)}\n{elements}"
    if faces:
        text += f"element face {len(faces)}\nproperty list uchar int vertex_indices\n{face}"
    tail, _, body = after.partition("|")
    text += f"{tail}end_header\n" + "\n".join(lines + faces) + "\n" + body
    return text.encode()


def properties(kind: str, names: str) -> str:
    return "".join(f"property {kind} {name}\n" for name in names.split())


def ply_inputs() -> dict[str, bytes]:
    colors, normals, uv = properties("uchar", "red green blue"), properties("float", "nx ny nz"), properties("float", "s t")
    rgb = ["255 0 0", "0 255 0", "0 0 255", "9 8 7"]
    up = ["0 0 1"] * 4
    return {
        "plain": ply(),
        "colors": ply(colors, rgb),
        "colors_real": ply(properties("float", "red green blue"), ["0.5 0.25 0.125"] * 4),
        "colors_nan": ply(properties("float", "red green blue"), ["nan nan nan"] + ["1 0 0"] * 3),
        "alpha_opaque": ply(colors + properties("uchar", "alpha"), [c + " 255" for c in rgb]),
        "alpha": ply(colors + properties("uchar", "alpha"), [c + " 128" for c in rgb]),
        "normals": ply(normals, up),
        "normals_smooth": ply(normals, ["0 0 1", "1 0 0", "0 1 0", "0 0 -1"]),
        "normals_long": ply(normals, ["0 0 2"] * 4),
        "normals_nan": ply(normals, ["nan nan nan"] * 4),
        "normals_zero": ply(normals, ["0 0 0"] + up[1:]),
        "texcoords": ply(uv, ["0 0", "1 0", "0 1", "0.5 0.25"]),
        "texcoords_odd": ply(uv, ["0.1 0.2", "1 0", "0 1", "0.3 0.7"]),
        "texcoords_nan": ply(uv, ["nan nan", "1 0", "0 1", "0 0"]),
        "texture": ply(uv, ["0 0", "1 0", "0 1", "1 1"], header="comment TextureFile wood.png\n"),
        "face_texcoords": ply(
            face="property list uchar float texcoord\n", faces=["3 0 1 2 6 0 0 1 0 0 1", "3 0 1 3 6 0 0 1 0 1 1"]
        ),
        "comment": ply(header="comment made here\n"),
        "comments": ply(header="comment made here\ncomment by hand\n"),
        "materials": ply(face="property int material_index\n", faces=["3 0 1 2 0", "3 0 1 3 1"]),
        "edges": ply(after="element edge 1\nproperty int vertex1\nproperty int vertex2\n|2 3\n"),
        "unused": ply(faces=["3 0 1 2"]),
        "unused_all": ply(colors + normals, [f"{c} 0 0 1" for c in rgb], faces=["3 0 1 2"]),
        "quad": ply(rows=["!0 0 0", "!1 0 0", "!1 1 0", "!0 1 0"], faces=["4 0 1 2 3"]),
        "quad_colors": ply(colors, [f"!{p} 9 8 7" for p in ("0 0 0", "1 0 0", "1 1 0", "0 1 0")], faces=["4 0 1 2 3"]),
        "small_face": ply(faces=["3 0 1 2", "2 2 3", "3 0 1 3"]),
        "double": ply(rows=["!0.1 0 0", "!1 0 0", "!0 1 0", "!0 0 1"], real="double"),
        "huge": ply(rows=["!1e300 0 0", "!1 0 0", "!0 1 0", "!0 0 1"], faces=["3 0 1 2", "3 1 2 3"], real="double"),
        "nan": ply(rows=["!nan 0 0", "!1 0 0", "!0 1 0", "!0 0 1"], faces=["3 0 1 2", "3 1 2 3"]),
        "points": ply(faces=[]),
        "points_all": ply(colors + normals, [f"{c} 0 0 1" for c in rgb], faces=[]),
        "points_nan": ply(rows=["!nan 0 0", "!1 0 0", "!0 1 0", "!0 0 1"], faces=[]),
        "points_no_direction": ply(normals, ["0 0 0"] + up[1:], faces=[]),
        "quality": ply(properties("float", "quality"), ["1", "2", "3", "4"]),
        "element": ply(after="element camera 1\nproperty float focus\n|1\n"),
        "all": ply(
            colors + normals + uv + properties("uchar", "alpha"),
            [f"{c} 0 0 1 0.25 0.5 77" for c in rgb],
            face="property int material_index\n",
            faces=["3 0 1 2 0", "3 0 1 3 1"],
            header="comment TextureFile a b.png\ncomment more\n",
            after="element edge 1\nproperty int vertex1\nproperty int vertex2\n|2 3\n",
        ),
    }


def obj_inputs() -> dict[str, bytes]:
    points = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
    faces = "f 1 2 3\nf 1 2 4\n"
    texts = {
        "plain": points + faces,
        "colors": "v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0 0 0 1\nv 0 0 1 0 0 0\n" + faces,
        "colors_nan": "v 0 0 0 nan nan nan\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0 1 1 1\nf 1 2 3\n",
        "normals": points + "vn 0 0 1\nvn 0 1 0\nf 1//1 2//1 3//1\nf 1//2 2//2 4//2\n",
        "normals_flipped": points + "vn 1 0 0\nf 1//1 2//1 3//1\nf 1//1 2//1 4//1\n",
        "normals_smooth": points + "vn 0 0 1\nvn 0 1 0\nf 1//1 2//2 3//1\nf 1//2 2//1 4//2\n",
        "normals_rounded": points + "vn 0.577 0.577 0.577\nf 1//1 2//1 3//1\nf 1//1 2//1 4//1\n",
        "normals_nan": points + "vn nan nan nan\nf 1//1 2//1 3//1\nf 1//1 2//1 4//1\n",
        "normals_some": points + "vn 1 0 0\nf 1//1 2//1 3//1\nf 1 2 4\n",
        "normals_part": points + "vn 1 0 0\nf 1//1 2 3\nf 1 2 4\n",
        "normals_unused": points + "vn 1 0 0\n" + faces,
        "texcoords": points + "vt 0 0\nvt 1 0\nvt 0.5 0.25\nf 1/1 2/2 3/3\nf 1/1 2/2 4/3\n",
        "texcoords_seam": points + "vt 0 0\nvt 1 0\nvt 0.5 0.25\nf 1/1 2/2 3/3\nf 1/3 2/2 4/1\n",
        "texcoords_part": points + "vt 0 0\nvt 1 0\nf 1/1 2/2 3\nf 1/1 2/2 4/1\n",
        "texcoords_unused": points + "vt 0 0\n" + faces,
        "texcoords_nan": points + "vt nan nan\nvt 1 0\nf 1/1 2/2 3/2\nf 1/2 2/2 4/2\n",
        "library": "mtllib a.mtl\n" + points + faces,
        "materials": "mtllib a.mtl\n" + points + "usemtl red\nf 1 2 3\nusemtl half blue\nf 1 2 4\n",
        "groups": points + "g one\nf 1 2 3\ng two\nf 1 2 4\n",
        "objects": points + "o one\nf 1 2 3\no two\nf 1 2 4\n",
        "comment": "# made here\n" + points + faces,
        "texture": "# TextureFile wood.png\n" + points + faces,
        "lines": points + faces + "l 3 4\n",
        "chain": points + "f 1 2 3\nl 1 2 4\n",
        "unused": points + "f 1 2 3\n",
        "weights": "v 0 0 0 2\nv 1 0 0 1\nv 0 1 0 1\nf 1 2 3\n",
        "smoothing": points + "s 1\n" + faces,
        "point_elements": points + faces + "p 1\n",
        "points": points,
        "quad": "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n",
        "decimal": "v 0.1 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
        "nan": "v nan 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 2 3 4\n",
        "all": "# a\n# b\nmtllib a.mtl\nv 0 0 0.1 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0 0 0 1\nv 0 0 1 0 0 0\nvt 0 0.1\nvn 0 0 1\n"
        "o x\ng y\nusemtl z\nf 1/1/1 2/1/1 3/1/1\nl 3 4\n",
    }
    return {name: text.encode() for name, text in texts.items()}


def stl_inputs() -> dict[str, bytes]:
    def facet(normal: str, last: str = "0 1 0") -> str:
        return (
            f"facet normal {normal}\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex {last}\nendloop\nendfacet\n"
        )

    def binary(header: bytes, attribute: int) -> bytes:
        numbers = (0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0)
        return header.ljust(80, b"\0") + struct.pack("<I12fH", 1, *numbers, attribute)

    return {
        "plain": f"solid\n{facet('0 0 1')}endsolid\n".encode(),
        "named": f"solid a part\n{facet('0 0 1')}endsolid a part\n".encode(),
        "two": f"solid a\n{facet('0 0 1')}endsolid a\nsolid b\n{facet('0 -1 0', '0 0 1')}endsolid b\n".encode(),
        "normals": f"solid\n{facet('1 0 0')}endsolid\n".encode(),
        "normals_nan": f"solid\n{facet('nan nan nan')}{facet('1 0 0', '0 2 0')}endsolid\n".encode(),
        "decimal": f"solid\n{facet('0 0 1', '0.1 1 0')}endsolid\n".encode(),
        "nan": f"solid\n{facet('0 0 1', 'nan 1 0')}{facet('0 0 1')}endsolid\n".encode(),
        "binary": binary(b"", 0),
        "header": binary(b"made here", 0),
        "attribute": binary(b"", 31),
    }


def gltf(primitive: dict[str, Any], accessors: list[tuple[str, str, list[float]]], **more: Any) -> bytes:
    """A .gltf file; an accessor is (struct code, type, numbers)."""
    data = b""
    document: dict[str, Any] = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}]}
    document |= {"nodes": [{"mesh": 0}], "meshes": [{"primitives": [primitive]}], "accessors": [], "bufferViews": []}
    for code, kind, numbers in accessors:
        width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}[kind]
        part = struct.pack(f"<{len(numbers)}{code}", *numbers)
        document["bufferViews"].append({"buffer": 0, "byteOffset": len(data), "byteLength": len(part)})
        made: dict[str, Any] = {"bufferView": len(document["accessors"]), "type": kind, "count": len(numbers) // width}
        made["componentType"] = {"B": 5121, "H": 5123, "f": 5126}[code]
        if code == "B" and kind != "SCALAR":
            made["normalized"] = True
        columns = [numbers[k::width] for k in range(width)]
        made |= {"min": [min(c) for c in columns], "max": [max(c) for c in columns]} if kind == "VEC3" and code == "f" else {}
        document["accessors"].append(made)
        data += part + b"\0" * (-len(part) % 4)
    uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    document["buffers"] = [{"byteLength": len(data), "uri": uri}]
    return json.dumps(document | more).encode()


def gltf_inputs() -> dict[str, bytes]:
    points = ("f", "VEC3", [0.0, 0, 0, 1, 0, 0, 0, 1, 0])
    normals = ("f", "VEC3", [0.0, 0, 1] * 3)
    uv = ("f", "VEC2", [0.0, 0, 1, 0, 0.5, 0.25])
    rgba = ("B", "VEC4", [255, 0, 0, 255, 0, 255, 0, 128, 0, 0, 255, 255])
    opaque = ("B", "VEC4", [255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255])
    plain = {"attributes": {"POSITION": 0}}
    named: dict[str, Any] = {"materials": [{"name": "red"}]}
    paint: dict[str, Any] = {"materials": [{"name": "red", "pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1]}}]}
    image = {"images": [{"uri": "a.png"}], "textures": [{"source": 0}]}
    return {
        "plain": gltf(plain, [points]),
        "normals": gltf({"attributes": {"POSITION": 0, "NORMAL": 1}}, [points, normals]),
        "texcoords": gltf({"attributes": {"POSITION": 0, "TEXCOORD_0": 1}}, [points, uv]),
        "colors": gltf({"attributes": {"POSITION": 0, "COLOR_0": 1}}, [points, rgba]),
        "colors_opaque": gltf({"attributes": {"POSITION": 0, "COLOR_0": 1}}, [points, opaque]),
        "material": gltf(plain | {"material": 0}, [points], **named),
        "material_paint": gltf(plain | {"material": 0}, [points], **paint),
        "material_unused": gltf(plain, [points], **named),
        "texture": gltf(plain | {"material": 0}, [points], **named, **image),
        "named": gltf(plain, [points], nodes=[{"mesh": 0, "name": "a part"}]),
        "moved": gltf(plain, [points], nodes=[{"mesh": 0, "translation": [1, 2, 3]}]),
        "extras": gltf(plain, [points], nodes=[{"mesh": 0, "extras": {"a": 1}}]),
        "lines": gltf(plain | {"mode": 1, "indices": 1}, [points, ("H", "SCALAR", [0, 1, 1, 2])]),
        "points": gltf({"mode": 0, "attributes": {"POSITION": 0, "NORMAL": 1}}, [points, normals]),
        "indexed": gltf(plain | {"indices": 1}, [("f", "VEC3", [0.0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]), ("H", "SCALAR", [0, 1, 2])]),
        "tangents": gltf(
            {"attributes": {"POSITION": 0, "TANGENT": 1}}, [points, ("f", "VEC4", [1.0, 0, 0, 1] * 3)]
        ),
    }


def mixed_obj(seed: int) -> bytes:
    """An OBJ file of several features at once."""
    pick = random.Random(seed)
    some = {name: pick.random() < 0.5 for name in "color uv normal material group object comment line unused quad".split()}
    text = "# one\n" if some["comment"] else ""
    text += "mtllib a.mtl\n" if some["material"] else ""
    corners = [(x / 4, y / 4, z) for z in (0, 1) for x, y in ((0, 0), (4, 0), (4, 4), (0, 4))]
    for i, point in enumerate(corners + ([(9.0, 9, 9)] if some["unused"] else [])):
        color = f" {i / 8} 0 1" if some["color"] else ""
        text += "v " + " ".join(map(str, point)) + color + "\n"
    text += "".join(f"vt {i / 4} 0.5\n" for i in range(4)) if some["uv"] else ""
    text += "vn 0 0 1\nvn 0 1 0\n" if some["normal"] else ""
    faces = [(0, 1, 2), (4, 5, 6)] + ([(0, 1, 5, 4)] if some["quad"] else [(0, 1, 5)])
    for i, face in enumerate(faces + [(2, 3, 7)]):
        for name, code in (("object", "o"), ("group", "g"), ("material", "usemtl")):
            if some[name] and pick.random() < 0.6:
                text += f"{code} {name} {pick.randrange(3)}\n"
        words = []
        for k in face:
            word = str(k + 1)
            if some["uv"] or some["normal"]:
                word += "/" + (str(k % 4 + 1) if some["uv"] else "")
            words.append(word + (f"/{i % 2 + 1}" if some["normal"] else ""))
        text += "f " + " ".join(words) + "\n"
    return (text + ("l 3 4\n" if some["line"] else "")).encode()


# The test.

TARGETS: dict[str, dict[str, Any]] = {
    "ply": {},
    "obj": {},
    "stl": {},
    "stl binary": {"format": "binary"},
    "gltf": {},
    "gltf text": {"format": "gltf"},
}


def kind_of(loss: dict[str, str]) -> str:
    if "transforms" in loss["what"]:
        return "transforms"
    if "are NaN" in loss["what"]:
        return "texcoords" if loss["path"].startswith("$.vt") else "colors"
    return next(kind for kind, words in REPORTS if re.search(words, loss["what"]))


def is_in(path: str, value: Any) -> bool:
    """True if a path leads somewhere in a value: a step into a list is one into some item of it."""
    here = [value]
    for name, index in re.findall(r"\.([A-Za-z_]\w*)|\[(\d+|\*)\]", path):
        there: list[Any] = []
        for one in here:
            if index:
                there += one if isinstance(one, list) and index == "*" else one[int(index) :][:1] if isinstance(one, list) else []
                continue
            for item in one if isinstance(one, list) else [one]:
                if isinstance(item, dict) and name in item:
                    there.append(item[name])
        here = there
    return bool(here)


class Test:
    def __init__(self, command: str, directory: Path) -> None:
        self.command, self.directory = command, directory
        self.problems: list[str] = []
        self.pairs: Counter[str] = Counter()
        self.losses = 0
        self.values: dict[tuple[Path, str], list[Any]] = {}

    def run(self, *arguments: str) -> Any:
        return subprocess.run([self.command, *arguments], capture_output=True, text=True, check=False, timeout=300)

    def convert(self, target: str, files: list[Path], lossy: bool) -> dict[str, Any]:
        codec, options = target.split()[0], TARGETS[target]
        out = self.directory / f"{target.replace(' ', '_')}{'_lossy' if lossy else ''}"
        arguments = ["--json", "-t", codec, "--out-dir", str(out), *(["--lossy"] if lossy else [])]
        if options:
            arguments += ["--to-options", json.dumps(options)]
        done = self.run("convert", *arguments, *map(str, files))
        return {one["in"]: one for one in json.loads(done.stdout)["files"]}

    def values_of(self, file: Path) -> Iterator[Any]:
        """The values that a codec makes of a file: as the format says it, and as a mesh."""
        for options in ("{}", '{"form": "mesh"}'):
            if (file, options) not in self.values:
                done = self.run("decode", "--plain", "--lossy", "--from-options", options, str(file))
                text = re.sub(r"\b-?(nan|inf)\b", "null", done.stdout)
                self.values[file, options] = [json.loads(text)] if done.returncode == 0 else []
            yield from self.values[file, options]

    def problem(self, target: str, file: Path, text: str) -> None:
        self.problems.append(f"{file.name} -> {target}: {text}")

    def check(self, target: str, file: Path, before: Model, strict: Any, lossy: Any) -> None:
        if lossy["state"] != "converted":
            return self.problem(target, file, f"not converted with --lossy: {lossy.get('error')}")
        self.pairs[f"{file.suffix[1:]} -> {target}"] += 1
        made = Path(lossy["out"])
        after = READERS[made.suffix](made.read_bytes())
        library = made.with_suffix(".mtl")
        if made.suffix == ".obj" and library.exists():
            words = [line.split(" ", 1) for line in library.read_text().splitlines() if line]
            after.parameters |= {text for word, text in words if word == "newmtl"}
            after.comments += [f"TextureFile {text}" for word, text in words if word == "map_Kd"]
        differ = differences(before, after)
        lost = lossy.get("lost", [])
        said = {kind_of(one) for one in lost}
        if "texture" in said:
            said.discard("comments")
        self.losses += len(lost)
        if differ - said:
            self.problem(target, file, f"not reported: {sorted(differ - said)}; reported are {lost}")
        if said - differ:
            self.problem(target, file, f"reported, and equal: {sorted(said - differ)}; reported are {lost}")
        if len({(one["path"], one["what"]) for one in lost}) != len(lost):
            self.problem(target, file, f"reported twice: {lost}")
        for one in lost:
            if not any(is_in(one["path"], value) for value in self.values_of(file)):
                self.problem(target, file, f"the path is not in the input: {one}")
        # An ascii file would keep the numbers. What programs note for themselves is one as well.
        heavy = {kind_of(one) for one in lost if not one["what"].startswith("extras")}
        notes = heavy <= NOTES and not any("'ascii' keeps" in one["what"] for one in lost)
        if (strict["state"] == "converted") != notes:
            self.problem(target, file, f"without --lossy {strict['state']}, with {sorted(said)}")

    def all(self) -> int:
        inputs: dict[Path, Model] = {}
        directory = self.directory / "in"
        directory.mkdir(parents=True)
        many = {f"mixed_{i}": mixed_obj(i) for i in range(40)}
        for suffix, files in (
            (".ply", ply_inputs()),
            (".obj", obj_inputs() | many),
            (".stl", stl_inputs()),
            (".gltf", gltf_inputs()),
        ):
            for name, data in files.items():
                file = directory / f"{suffix[1:]}_{name}{suffix}"
                file.write_bytes(data)
                inputs[file] = READERS[suffix](data)
        for target in TARGETS:
            files = [f for f in inputs if not target.startswith(f.suffix[1:])]
            strict, lossy = (self.convert(target, files, flag) for flag in (False, True))
            for file in files:
                self.check(target, file, inputs[file], strict[str(file)], lossy[str(file)])
        for line in self.problems:
            print(line)
        print(
            f"{len(inputs)} files, {sum(self.pairs.values())} conversions of {len(self.pairs)} pairs, "
            f"{self.losses} losses, {len(self.problems)} false or missing"
        )
        return 1 if self.problems else 0


if __name__ == "__main__":
    place = Path(sys.argv[2])
    shutil.rmtree(place, ignore_errors=True)
    sys.exit(Test(sys.argv[1], place).all())
