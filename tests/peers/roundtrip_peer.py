# SPDX-License-Identifier: MIT
"""Files of Blender, MeshLab, assimp, trimesh, three.js and obj2gltf (scenes/README.md) become files of each format and come
back. trimesh finds the same triangles with the same colors and materials in each of them. Left out are the parts that are
lost on the way by the table of docs/mesh.md, and those that trimesh does not see (UNSEEN). gltf-validator finds no error in
any file of glTF that polycodec wrote."""

from __future__ import annotations

import argparse
import json
import logging
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import trimesh

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "interop/conversion"))
from mesh_table import table_of

SCENES = Path(__file__).with_name("scenes")
TARGETS = ("glb", "gltf", "obj", "ply", "stl")
CODECS = {name: "gltf" if name == "glb" else name for name in TARGETS}
# Parts of a corner, and parts of a material with their rows in the table.
CORNER = ("texture coordinate", "vertex color")
ROWS = {
    "name": "name",
    "base color": "base color",
    "opacity": "opacity",
    "metallic": "metallic, roughness",
    "roughness": "metallic, roughness",
    "emission": "emission",
    "blend": "blend by the texture",
    "mask": "mask",
    "double sides": "double sides",
    "base texture": "base texture",
}

CHECK = """
const { validateBytes } = require(process.argv[1]);
const fs = require("fs"), path = require("path");
(async () => {
  for (const file of process.argv.slice(2)) {
    const bytes = (name) => new Uint8Array(fs.readFileSync(name));
    const near = (uri) => Promise.resolve(bytes(path.join(path.dirname(file), decodeURIComponent(uri))));
    const { issues } = await validateBytes(bytes(file), { externalResourceFunction: near });
    if (issues.numErrors > 0) console.log(file, JSON.stringify(issues.messages.slice(0, 3)));
  }
})();
"""


@dataclass(frozen=True)
class Unseen:
    """Parts that trimesh does not see in some files, or sees in another way."""

    files: str  # a name of kinds_of()
    parts: tuple[str, ...]
    reason: str


UNSEEN = [
    Unseen("ply", ("name",), "It reads no names of materials."),
    Unseen("stl", ("name",), "It reads no names of materials."),
    Unseen(
        "OBJ without a library", ("name", "metallic"), "It makes no material of a name. In glTF a name alone is metallic."
    ),
    Unseen("PLY of several textures", ("base texture",), "It gives all faces the last texture."),
    Unseen(
        "PLY of polygons with colors", ("base color", "opacity", "blend"), "It divides the faces, and not their colors."
    ),
    Unseen("PLY of a library", ("metallic", "roughness", "emission"), "It does not read the library."),
    Unseen("glTF of colors and materials", ("vertex color",), "It leaves out the colors."),
    Unseen("glTF of colors of 16 bits", ("vertex color",), "It keeps the low byte of each."),
    Unseen("glTF without materials", ("texture coordinate",), "It leaves them out."),
    Unseen("glTF without names", ("name",), "Materials without a name get one in other formats."),
    Unseen(
        "glTF of specular and glossiness",
        ("base color", "opacity", "base texture", "metallic", "roughness"),
        "It computes them of an extension that is no longer used. polycodec reports it as a loss.",
    ),
    Unseen("glTF with escapes", ("base texture",), "It takes `%20` in a URI for the name of the file."),
]


@dataclass
class Model:
    kinds: set[str]
    # Of each triangle: its corners, which are (position, texture coordinate, vertex color), and its material.
    triangles: list[tuple[list[tuple[Any, ...]], dict[str, Any]]] = field(default_factory=list)

    def counted(self, parts: Iterable[str], levels: int) -> Counter[Any]:
        """The triangles by these parts. `levels`: colors of materials have so many."""
        wanted = set(parts)
        found: Counter[Any] = Counter()
        for corners, material in self.triangles:
            few = [(c[0], *(c[i + 1] for i, part in enumerate(CORNER) if part in wanted)) for c in corners]
            first = min(range(3), key=lambda i: repr(few[i]))
            seen = {k: v for k, v in (PLAIN | material).items() if k in wanted}
            if "base color" in wanted:
                seen["base color"] = tuple(round(c / 255 * levels) for c in seen["base color"])
            found[(*few[first:], *few[:first], *sorted(seen.items()))] += 1
        return found


# A material of a color alone.
PLAIN: dict[str, Any] = {
    "name": None,
    "base color": (255, 255, 255),
    "opacity": 255,
    "metallic": 0,
    "roughness": 1,
    "emission": (0, 0, 0),
    "blend": False,
    "mask": None,
    "double sides": False,
    "base texture": None,
}


def byte_of(number: float) -> int:
    return round(255 * number)


def image_of(image: Any) -> Any:
    """The pixels of a texture. trimesh makes an image of its own where a file has none."""
    if image is None or (image.format is None and "file_path" not in image.info and image.size == (2, 2)):
        return None
    return (image.size, image.convert("RGBA").tobytes())


def material_of(material: Any) -> dict[str, Any]:
    if hasattr(material, "kwargs"):  # of OBJ and PLY
        words = material.kwargs
        if not words and image_of(material.image) is None:
            return {}
        number = {k: float(v[0]) for k, v in words.items() if k in ("d", "tr", "pm", "pr") and len(v) == 1}
        shininess = words.get("ns")
        old = 1.0 if shininess is None else (2 / (shininess + 2)) ** 0.5
        return {
            "name": material.name,
            "base color": tuple(map(byte_of, words.get("kd", (1, 1, 1)))),
            "opacity": byte_of(number.get("d", 1 - number.get("tr", 0))),
            "metallic": round(number.get("pm", 0), 6),
            "roughness": round(number.get("pr", old), 6),
            "emission": tuple(round(float(c), 6) for c in words.get("ke", (0, 0, 0))),
            "blend": "map_d" in words or number.get("d", 1 - number.get("tr", 0)) < 1,
            "mask": None,
            "double sides": "double_sided" in words,
            "base texture": image_of(material.image),
        }
    color = [255] * 4 if material.baseColorFactor is None else [int(c) for c in material.baseColorFactor]
    emission = [0, 0, 0] if material.emissiveFactor is None else material.emissiveFactor
    return {
        "name": material.name,
        "base color": tuple(color[:3]),
        "opacity": color[3],
        "metallic": round(float(1 if material.metallicFactor is None else material.metallicFactor), 6),
        "roughness": round(float(1 if material.roughnessFactor is None else material.roughnessFactor), 6),
        "emission": tuple(round(float(c), 6) for c in emission),
        "blend": material.alphaMode == "BLEND",
        "mask": (material.alphaCutoff or 0.5) if material.alphaMode == "MASK" else None,
        "double sides": bool(material.doubleSided),
        "base texture": image_of(material.baseColorTexture),
    }


def kinds_of(path: Path) -> set[str]:
    codec = CODECS[path.suffix[1:]]
    kinds = {codec}
    data = path.read_bytes()
    if codec == "ply" and data.count(b"comment TextureFile ") > 1:
        kinds.add("PLY of several textures")
    if codec == "ply" and b"obj.text mtllib " in data:
        kinds.add("PLY of a library")
    if codec == "obj" and b"mtllib " not in data:
        kinds.add("OBJ without a library")
    if codec == "gltf":
        start, size = (20, int.from_bytes(data[12:16], "little")) if path.suffix == ".glb" else (0, len(data))
        document = json.loads(data[start : start + size])
        primitives = [p for mesh in document["meshes"] for p in mesh["primitives"]]
        if any("COLOR_0" in p["attributes"] and "material" in p for p in primitives):
            kinds.add("glTF of colors and materials")
        if any(document["accessors"][p["attributes"].get("COLOR_0", 0)]["componentType"] == 5123 for p in primitives):
            kinds.add("glTF of colors of 16 bits")
        if any("material" not in p for p in primitives):
            kinds.add("glTF without materials")
        if any("name" not in m for m in document.get("materials", [])):
            kinds.add("glTF without names")
        if "KHR_materials_pbrSpecularGlossiness" in document.get("extensionsUsed", []):
            kinds.add("glTF of specular and glossiness")
        if any("%20" in i.get("uri", "") for i in document.get("images", [])):
            kinds.add("glTF with escapes")
    return kinds


def color_of_magics(path: Path) -> dict[str, Any] | None:
    """The color of a whole STL file."""
    _, found, color = path.read_bytes()[:80].partition(b"COLOR=")
    return {"base color": tuple(color[:3]), "opacity": color[3], "blend": color[3] < 255} if found else None


def rows_of(numbers: Any, dtype: Any) -> list[tuple[Any, ...]]:
    array = np.asarray(numbers).astype(dtype) + dtype(0)  # without negative zeros
    return [tuple(round(c, 6) for c in row) for row in array.tolist()]


def read(path: Path) -> Model:
    model = Model(kinds_of(path))
    scene: Any = trimesh.load(path, process=False, force="scene")
    for node in scene.graph.nodes_geometry:
        transform, name = scene.graph[node]
        mesh = scene.geometry[name]
        points = rows_of(trimesh.transform_points(mesh.vertices, transform), np.float32)
        visual = mesh.visual
        coordinates = getattr(visual, "uv", None)
        coordinates = None if coordinates is None else rows_of(coordinates, np.float32)
        colors = mesh.vertex_attributes.get("color")
        if visual.kind == "vertex":
            colors = visual.vertex_colors
        if colors is not None:
            colors = np.asarray(colors)
            colors = [
                tuple(c)[:3] for c in (colors if colors.dtype.kind in "ui" else np.rint(255 * colors)).astype(int).tolist()
            ]
        material = material_of(visual.material) if getattr(visual, "material", None) is not None else {}
        of_faces = visual.face_colors if visual.kind == "face" else mesh.face_attributes.get("color")
        if of_faces is not None and len(of_faces) != len(mesh.faces):
            model.kinds.add("PLY of polygons with colors")
            of_faces = None
        bits = mesh.face_attributes.get("stl")
        magics = color_of_magics(path) if bits is not None else None
        for i, face in enumerate(mesh.faces.tolist()):
            corners = [(points[v], coordinates and coordinates[v], colors and colors[v]) for v in face]
            own = material
            if of_faces is not None:
                color = [int(c) for c in of_faces[i]]
                own = PLAIN | material | {"base color": tuple(color[:3]), "opacity": color[3] if len(color) > 3 else 255}
                own["blend"] = own["opacity"] < 255
            elif magics:
                own = PLAIN | magics
                if not int(bits[i]) & 0x8000:
                    own["base color"] = tuple(byte_of((int(bits[i]) >> shift & 31) / 31) for shift in (0, 5, 10))
            elif bits is not None and int(bits[i]) & 0x8000:
                own = PLAIN | {"base color": tuple(byte_of((int(bits[i]) >> shift & 31) / 31) for shift in (10, 5, 0))}
            model.triangles.append((corners, own))
    return model


class Test:
    def __init__(self, command: Path, work: Path, page: Path) -> None:
        self.command, self.work, self.table = command, work, table_of(page)
        self.needed: set[tuple[str, str]] = set()  # files and parts of UNSEEN without which files differ
        self.problems: list[str] = []
        self.conversions = 0

    def convert(self, source: Path, target: Path) -> None:
        """Makes the file. Losses are allowed only if they are there."""
        assets = {".glb": "embed", ".stl": "link"}.get(target.suffix, "copy")
        # trimesh reads polygons in PLY files of text alone, and the others have triangles.
        options = {".ply": {"format": "ascii"}, ".obj": {}}.get(target.suffix, {"triangulate": True})
        words: list[str | Path] = [self.command, "convert", source, target, "-q", "--assets", assets]
        words += ["--to-options", json.dumps(options)]
        for more in ([], ["--lossy"]):
            self.conversions += 1
            done = subprocess.run([*words, *more], capture_output=True, text=True, check=False)
            if done.returncode == 0:
                return
        raise RuntimeError(done.stderr)

    def compare(self, name: str, given: Model, found: Model, formats: list[str]) -> None:
        """Compares the parts that all steps of the way keep and that trimesh sees in both files."""
        parts = set(ROWS) | set(CORNER)
        for source, target in pairwise(formats):
            # Files of one format stay, and PLY files name the library that OBJ files have.
            if source != target and (source, target) != ("obj", "ply"):
                parts -= {part for part, row in ROWS.items() if not self.table[row][target]}
            if target == "stl" and source != "stl":
                parts -= set(CORNER)
        kinds = given.kinds | found.kinds
        levels = 31 if "stl" in formats else 255
        hidden = {(one.files, part) for one in UNSEEN if one.files in kinds for part in one.parts if part in parts}
        seen = parts - {part for _, part in hidden}
        a, b = given.counted(seen, levels), found.counted(seen, levels)
        if a != b:
            wrong = [p for p in sorted(seen) if given.counted({p}, levels) != found.counted({p}, levels)]
            examples = f"  without {list((a - b).items())[:1]}\n  instead {list((b - a).items())[:1]}"
            self.problems.append(f"{name}: {wrong or 'positions'} differ\n{examples}")
        for files, part in hidden - self.needed:
            alone = [one for one, hidden_part in hidden if hidden_part == part] == [files]
            if alone and given.counted({part}, levels) != found.counted({part}, levels):
                self.needed.add((files, part))

    def file(self, path: Path) -> None:
        given = read(path)
        place = self.work / path.parent.name / path.name
        for target in TARGETS:
            out, back = place / target / f"{path.stem}.{target}", place / f"{target}_back" / path.name
            for one in (out, back):
                one.parent.mkdir(parents=True)
            name = f"{path.parent.name}/{path.name} -> {target}"
            formats = [CODECS[path.suffix[1:]], CODECS[target]]
            try:
                self.convert(path, out)
                self.compare(name, given, read(out), formats)
                self.convert(out, back)
                self.compare(name + " -> back", given, read(back), [*formats, formats[0]])
            except (RuntimeError, OSError, ValueError, IndexError) as error:
                self.problems.append(f"{name}: {error}")

    def validate(self, validator: Path) -> int:
        """Counts the files of glTF that gltf-validator has checked."""
        written = [str(f) for f in sorted(self.work.rglob("*.gl*")) if f.is_file()]
        done = subprocess.run(
            ["node", "-e", CHECK, validator.resolve(), *written], capture_output=True, text=True, check=True
        )
        self.problems += done.stdout.splitlines()
        return len(written)


def main() -> int:
    logging.getLogger("trimesh").setLevel(logging.CRITICAL)
    parser = argparse.ArgumentParser()
    for name in ("command", "work", "page", "validator"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    options, _ = parser.parse_known_args()
    work: Path = options.work / "roundtrip"
    shutil.rmtree(work, ignore_errors=True)
    test = Test(options.command, work, options.page)
    files = [f for f in sorted(SCENES.glob("*/*")) if f.suffix[1:] in TARGETS and f.parent.name != "model"]
    programs = {f.parent.name for f in files}
    assert programs == {"assimp", "blender", "meshlab", "obj2gltf", "three", "trimesh"}, programs
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(test.file, files))
    validated = test.validate(options.validator)
    every = {(one.files, part) for one in UNSEEN for part in one.parts}
    test.problems += [
        f"trimesh sees '{part}' in '{files}': take it out of UNSEEN" for files, part in sorted(every - test.needed)
    ]
    for line in test.problems:
        print(line)
    counts = f"{len(files)} files, {test.conversions} conversions, {validated} files of glTF validated"
    print(f"{counts}, {len(test.problems)} problems")
    return 1 if test.problems else 0


if __name__ == "__main__":
    sys.exit(main())
