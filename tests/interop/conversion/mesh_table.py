#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each cell of the table of docs/mesh.md, for each pair of formats: mesh_table.py COMMAND DIRECTORY PAGE.

A file of every format that has the part becomes one of each other format. If the table says that this format has it, the
part is there, and otherwise the conversion is refused, makes no file, and reports the loss if it is allowed.
"""

from __future__ import annotations

import base64
import json
import re
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FORMATS = {"glTF": "gltf", "OBJ (MTL)": "obj", "PLY": "ply", "STL": "stl"}
NAME = "color_ffffff"  # of a white material in every format
TEXTURED = "material_0"


@dataclass
class Part:
    """A row of the table: how each format says it, and where it is found in the model that readers make."""

    gltf: dict[str, Any] = field(default_factory=dict)  # of the material
    mtl: str = ""
    ply: str = ""  # properties of a face and their values
    stl: int = 0
    found: dict[str, Any] = field(default_factory=dict)
    of: str = ""  # a part without which this one is nothing
    name: str = ""


def textured(more: dict[str, Any] | None = None, sampler: bool = False) -> dict[str, Any]:
    info = {"index": 1 if sampler else 0} | (more or {})
    return {"pbrMetallicRoughness": {"metallicFactor": 0, "baseColorTexture": info}}


def moved(**what: Any) -> dict[str, Any]:
    return {"extensions": {"KHR_texture_transform": what}}


def factor(*color: float) -> dict[str, Any]:
    return {"pbrMetallicRoughness": {"metallicFactor": 0, "baseColorFactor": color}}


PLAIN = {"pbrMetallicRoughness": {"metallicFactor": 0}}
TEXTURE = {"base texture": "wood.png"}
PARTS = {
    "name": Part(PLAIN, found={"name": "dark oak"}, name="dark oak"),
    "base color": Part(
        factor(1, 0, 0, 1), "Kd 1 0 0", "red green blue=255 0 0", 0x8000 | 31 << 10, {"color": (1, 0, 0)}, name="color_ff0000"
    ),
    "opacity": Part(
        factor(1, 1, 1, 0.2) | {"alphaMode": "BLEND"}, "d 0.2", "red green blue alpha=255 255 255 51", found={"opacity": 0.2}
    ),
    "metallic, roughness": Part(
        {"pbrMetallicRoughness": {"metallicFactor": 0.25, "roughnessFactor": 0.5}},
        "Pm 0.25\nPr 0.5",
        found={"metallic": 0.25, "roughness": 0.5},
    ),
    "emission": Part(
        {
            "emissiveFactor": [1, 0.5, 0],
            "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 4}},
        }
        | PLAIN,
        "Ke 4 2 0",
        found={"emission": (4, 2, 0)},
    ),
    "blend by the texture": Part(
        textured() | {"alphaMode": "BLEND"}, "map_Kd wood.png\nmap_d wood.png", found={"alpha": "BLEND"}, of="base texture"
    ),
    "mask": Part(textured() | {"alphaMode": "MASK", "alphaCutoff": 0.25}, found={"alpha": "MASK"}, of="base texture"),
    "double sides": Part(PLAIN | {"doubleSided": True}, "double_sided 1", found={"sides": 2}),
    "base texture": Part(textured(), "map_Kd wood.png", "texture", found=TEXTURE),
    "texture of normals": Part(PLAIN | {"normalTexture": {"index": 0}}, "norm wood.png", found={"normals": "wood.png"}),
    "offset, scale": Part(
        textured(moved(offset=[0.5, -2.25], scale=[2, 3])),
        "map_Kd -o 0.5 0.25 0 -s 2 3 1 wood.png",
        found={"offset": (0.5, -2.25), "scale": (2, 3)},
        of="base texture",
    ),
    "rotation": Part(textured(moved(rotation=0.5)), found={"rotation": 0.5}, of="base texture"),
    "clamp on both axes": Part(
        textured(sampler=True), "map_Kd -clamp on wood.png", found={"wrap": (33071, 33071)}, of="base texture"
    ),
    "other wraps": Part(textured({"index": 2}), found={"wrap": (33648, 10497)}, of="base texture"),
    "strength of normals": Part(
        PLAIN | {"normalTexture": {"index": 0, "scale": 0.5}},
        "norm -bm 0.5 wood.png",
        found={"strength": 0.5},
        of="texture of normals",
    ),
}


# Files with one triangle, of one material.


def uses_texture(part: Part | None) -> bool:
    return part is not None and ("wood.png" in part.mtl or "exture" in json.dumps(part.gltf))


def gltf_file(part: Part | None, with_texcoords: bool, path: Path) -> None:
    numbers = [0, 0, 0, 1, 0, 0, 0, 1, 0] + ([0, 0, 1, 0, 0, 1] if with_texcoords else [])
    buffer = struct.pack(f"<{len(numbers)}f", *numbers)
    attributes = {"POSITION": 0} | ({"TEXCOORD_0": 1} if with_texcoords else {})
    extensions = sorted(set(re.findall(r"KHR_\w+", json.dumps(part.gltf)))) if part else []
    views = [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 24}]
    box = {"min": [0, 0, 0], "max": [1, 1, 0]}
    document: dict[str, Any] = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": attributes, "material": 0}]}],
        "materials": [{"name": name_of(part)} | (part.gltf if part else PLAIN)],
        "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3} | box],
        "bufferViews": views[: len(attributes)],
        "buffers": [
            {"byteLength": len(buffer), "uri": "data:application/octet-stream;base64," + base64.b64encode(buffer).decode()}
        ],
    }
    if with_texcoords:
        document["accessors"].append({"bufferView": 1, "componentType": 5126, "type": "VEC2", "count": 3})
    if extensions:
        document["extensionsUsed"] = extensions
    if uses_texture(part):
        samplers = [{"wrapS": 33071, "wrapT": 33071}, {"wrapS": 33648, "wrapT": 10497}]
        number = next(iter(re.findall(r'"index": (\d)', json.dumps(part.gltf if part else {}))), "0")
        document["images"] = [{"uri": "wood.png"}]
        document["textures"] = [{"source": 0}] + [{"source": 0, "sampler": i} for i in range(2)]
        document["samplers"] = samplers
        # One texture alone is used.
        document["textures"] = [document["textures"][int(number)]]
        text = json.dumps(document["materials"]).replace(f'"index": {number}', '"index": 0')
        document["materials"] = json.loads(text)
    path.write_text(json.dumps(document))


def obj_file(part: Part | None, with_texcoords: bool, path: Path) -> None:
    rows = "v 0 0 0\nv 1 0 0\nv 0 1 0\n" + ("vt 0 0\nvt 1 0\nvt 0 1\n" if with_texcoords else "")
    face = "f 1/1 2/2 3/3\n" if with_texcoords else "f 1 2 3\n"
    path.write_text(f"mtllib {path.stem}.mtl\n{rows}usemtl {name_of(part)}\n{face}")
    words = part.mtl if part else ""
    # What a material is unless it says something else.
    for word, text in (("Pr", "Pr 1"), ("Kd", "Kd 1 1 1")):
        words += "" if re.search(rf"^{word} ", words, re.MULTILINE) else "\n" + text
    path.with_suffix(".mtl").write_text(f"newmtl {name_of(part)}\n{words.strip()}\n")


def ply_file(part: Part | None, with_texcoords: bool, path: Path) -> None:
    names, _, values = (part.ply if part and "=" in part.ply else "").partition("=")
    lines = ["ply", "format ascii 1.0"]
    lines += ["comment TextureFile wood.png"] if uses_texture(part) else []
    lines += ["element vertex 3", *(f"property float {c}" for c in ("xyzst" if with_texcoords else "xyz"))]
    lines += ["element face 1", "property list uchar int vertex_indices", *(f"property uchar {c}" for c in names.split())]
    rows = ["0 0 0 0 0", "1 0 0 1 0", "0 1 0 0 1"]
    lines += ["end_header", *(row if with_texcoords else row[:5] for row in rows), f"3 0 1 2 {values}".strip()]
    path.write_text("\n".join(lines) + "\n")


def stl_file(part: Part | None, _: bool, path: Path) -> None:
    facet = struct.pack("<12fH", 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, part.stl if part else 0)
    path.write_bytes(b" " * 80 + struct.pack("<I", 1) + facet)


def name_of(part: Part | None) -> str:
    if part is None or (not part.name and not uses_texture(part)):
        return NAME
    return part.name or TEXTURED


WRITERS: dict[str, Callable[[Part | None, bool, Path], None]] = {
    "gltf": gltf_file,
    "obj": obj_file,
    "ply": ply_file,
    "stl": stl_file,
}


# What files say of their material, in the words of PARTS.


def read_gltf(path: Path) -> dict[str, Any]:
    document = json.loads(path.read_text())
    material = document.get("materials", [{}])[0]
    base = material.get("pbrMetallicRoughness", {})
    color = base.get("baseColorFactor", [1, 1, 1, 1])
    extension = material.get("extensions", {}).get("KHR_materials_emissive_strength", {})
    strength = extension.get("emissiveStrength", 1)
    found: dict[str, Any] = {
        "name": material.get("name"),
        "color": tuple(color[:3]),
        "opacity": color[3],
        "metallic": base.get("metallicFactor", 1),
        "roughness": base.get("roughnessFactor", 1),
        "emission": tuple(strength * c for c in material.get("emissiveFactor", [0, 0, 0])),
        "alpha": material.get("alphaMode"),
        "sides": 2 if material.get("doubleSided") else 1,
    }

    def image(info: dict[str, Any]) -> str:
        return str(document["images"][document["textures"][info["index"]]["source"]].get("uri"))

    if info := base.get("baseColorTexture"):
        transform = info.get("extensions", {}).get("KHR_texture_transform", {})
        found["base texture"] = image(info)
        found |= {name: tuple(transform.get(name, ())) for name in ("offset", "scale")}
        found["rotation"] = transform.get("rotation", 0)
        sampler = document["textures"][info["index"]].get("sampler")
        wraps = {} if sampler is None else document["samplers"][sampler]
        found["wrap"] = (wraps.get("wrapS", 10497), wraps.get("wrapT", 10497))
    if info := material.get("normalTexture"):
        found |= {"normals": image(info), "strength": info.get("scale", 1)}
    return found


def read_obj(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = {}
    lines = path.with_suffix(".mtl").read_text().splitlines()
    words = dict(line.split(" ", 1) for line in lines if line)

    def numbers(word: str) -> tuple[float, ...]:
        return tuple(map(float, words.get(word, "").split()))

    found |= {"name": words["newmtl"], "color": numbers("Kd"), "opacity": numbers("d")[0]}
    found |= {"metallic": numbers("Pm")[0], "roughness": numbers("Pr")[0], "emission": numbers("Ke")}
    found |= {"sides": 2 if "double_sided" in words else 1}
    if "map_Kd" in words:
        texture = words["map_Kd"]
        found["base texture"] = texture.split()[-1]
        found["alpha"] = "BLEND" if words.get("map_d") == found["base texture"] else None
        options = {o[0]: tuple(map(float, o[1].split())) for o in re.findall(r"-([os]) ([-.\d]+ [-.\d]+)", texture)}
        found["scale"] = options.get("s", ())
        # v grows upward here.
        if "o" in options:
            found["offset"] = (options["o"][0], 1 - found["scale"][1] - options["o"][1])
        found["wrap"] = (33071, 33071) if "-clamp on" in texture else (10497, 10497)
    if "norm" in words:
        found["normals"] = words["norm"].split()[-1]
        found["strength"] = float(next(iter(re.findall(r"-bm ([.\d]+)", words["norm"])), 1))
    return found


def read_ply(path: Path) -> dict[str, Any]:
    header, _, rows = path.read_bytes().partition(b"end_header\n")
    text = header.decode()
    named = re.findall(r"obj.text usemtl (.*)", text)
    found: dict[str, Any] = {"name": named[0] if named else None}
    textures = re.findall(r"comment TextureFile (.*)", text)
    found["base texture"] = textures[0] if textures else None
    if library := re.findall(r"obj.text mtllib (.*)", text):
        found["library"] = library[0]
    colors = re.findall(r"property uchar (red|green|blue|alpha)", text)
    if colors:
        # They end the row of the one face.
        values = struct.unpack(f"{len(colors)}B", rows[-len(colors) :])
        found["color"] = tuple(value / 255 for value in values[:3])
        found["opacity"] = values[3] / 255 if len(values) == 4 else 1
    return found


def read_stl(path: Path) -> dict[str, Any]:
    (attribute,) = struct.unpack("<H", path.read_bytes()[-2:])
    if not attribute & 0x8000:
        return {}
    return {"color": tuple((attribute >> shift & 31) / 31 for shift in (10, 5, 0))}


READERS: dict[str, Callable[[Path], dict[str, Any]]] = {"gltf": read_gltf, "obj": read_obj, "ply": read_ply, "stl": read_stl}


def table_of(page: Path) -> dict[str, dict[str, bool]]:
    """For each row of the table whether the formats keep it."""
    lines = page.read_text().splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("| | glTF |"))
    names = [cell.strip() for cell in lines[first].strip("|").split("|")][1:]
    rows: dict[str, dict[str, bool]] = {}
    for line in lines[first + 2 :]:
        if not line.startswith("|"):
            break
        name, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        rows[name] = {FORMATS[of]: cell != "lost" for of, cell in zip(names, cells, strict=True)}
    return rows


class Test:
    def __init__(self, command: str, directory: Path, page: Path) -> None:
        self.command, self.directory, self.table = command, directory, table_of(page)
        self.problems: list[str] = []
        self.cells = 0

    def convert(self, source: Path, target: Path, *flags: str) -> tuple[int, set[str], str]:
        target.unlink(missing_ok=True)
        target.with_suffix(".mtl").unlink(missing_ok=True)
        run = subprocess.run(
            [self.command, "convert", "--json", *flags, source, target], capture_output=True, text=True, check=False
        )
        said = json.loads(run.stdout)
        return run.returncode, {one["what"] for one in said.get("lost", [])}, run.stderr

    def check(self, name: str, source: str, target: str) -> None:
        part = PARTS[name]
        self.cells += 1
        with_texcoords = uses_texture(part)
        place = self.directory / f"{name.replace(' ', '_').replace(',', '')}_{source}"
        place.mkdir(parents=True, exist_ok=True)
        given, control, made = place / f"a.{source}", place / f"control.{source}", place / f"to_{target}.{target}"
        WRITERS[source](part, with_texcoords, given)
        parent = PARTS[part.of] if part.of else None
        WRITERS[source](parent, with_texcoords, control)

        def problem(what: str) -> None:
            self.problems.append(f"{name}, {source} -> {target}: {what}")

        status, _, said = self.convert(given, made)
        if self.is_kept(name, source, target):
            if status != 0:
                return problem(f"refused: {said}")
            found = READERS[target](made)
            wanted = {"library": "a.mtl"} if (source, target) == ("obj", "ply") else part.found
            for key, value in wanted.items():
                if not is_same(found.get(key), value):
                    problem(f"{key} is {found.get(key)}, not {value}")
            return None
        if status == 0 or made.exists():
            problem("not refused")
        status, lost, said = self.convert(given, made, "--lossy")
        if status != 0:
            return problem(f"refused with --lossy: {said}")
        _, usual, _ = self.convert(control, place / f"control_{target}.{target}", "--lossy")
        is_parent_lost = bool(part.of) and not self.is_kept(part.of, source, target)
        if not lost - usual and not (lost and is_parent_lost):
            problem(f"the loss is not reported: {lost}")
        self.convert(given, made, "--lossy")
        found = READERS[target](made)
        if all(is_same(found.get(key), value) for key, value in part.found.items()):
            problem("it is there, but the table says that it is lost")
        return None

    def is_kept(self, name: str, source: str, target: str) -> bool:
        return self.table[name][target] or (source, target) == ("obj", "ply")

    def all(self) -> int:
        if set(self.table) != set(PARTS):
            self.problems.append(f"rows without a test, or the other way round: {set(self.table) ^ set(PARTS)}")
        for name, part in PARTS.items():
            says = {"gltf": bool(part.gltf), "obj": bool(part.mtl), "ply": bool(part.ply), "stl": bool(part.stl)}
            says |= {"obj": True, "ply": False, "stl": False} if name == "name" else {}
            for source in says:
                if says[source] and not self.table.get(name, {}).get(source, True):
                    self.problems.append(f"{name}: the table says that {source} has no place for it")
                for target in says:
                    if says[source] and source != target and name in self.table:
                        self.check(name, source, target)
        for line in self.problems:
            print(line)
        print(f"{len(self.table)} rows, {self.cells} conversions, {len(self.problems)} differ from the table")
        return 1 if self.problems else 0


def is_same(found: Any, wanted: Any) -> bool:
    if found is None or isinstance(wanted, str):
        return bool(found == wanted)
    pairs = zip(found, wanted, strict=False) if isinstance(wanted, tuple) else [(found, wanted)]
    is_as_long = not isinstance(wanted, tuple) or len(found) == len(wanted)
    return is_as_long and all(abs(a - b) < 1e-9 for a, b in pairs)


if __name__ == "__main__":
    work = Path(sys.argv[2])
    shutil.rmtree(work, ignore_errors=True)
    sys.exit(Test(sys.argv[1], work, Path(sys.argv[3])).all())
