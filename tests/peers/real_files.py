# SPDX-License-Identifier: MIT
"""Files that other programs wrote, out of packages (real_files.tsv; scripts/fetch_real.sh fetches them): polycodec reads
each of them, and so does another program. Either both find the same numbers, or both refuse it.

real_files.py COMMAND FILES          compares each file of the list, and fails where the outcome is another one
real_files.py COMMAND FILES --write  writes the list anew: every mesh below FILES, a directory for each package

Equal is: in PLY, all properties of all elements (plyfile). In STL, all facets in order (trimesh). In OBJ and glTF, the
triangles of all faces by their coordinates, polygons cut into fans; points where there are no faces (trimesh)."""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgpack
import numpy as np
import plyfile
import trimesh

LIST = Path(__file__).with_name("real_files.tsv")
Floats = np.ndarray[Any, np.dtype[np.float64]]


class Refused(Exception):  # noqa: N818
    """A program does not read a file."""


def array_of(code: int, body: bytes) -> Any:
    if code != 110:
        return msgpack.ExtType(code, body)
    head = msgpack.unpackb(body)
    return np.frombuffer(head["data"], head["typestr"]).reshape(head["shape"])


def read(command: Path, path: Path) -> Any:
    """What polycodec reads, by way of MessagePack."""
    with tempfile.TemporaryDirectory() as directory:
        out = Path(directory) / "out.msgpack"
        run = ["convert", str(path), str(out), "--lossy", "--no-compare", "--json"]
        done = subprocess.run([str(command), *run], capture_output=True, timeout=300)
        if done.returncode != 0:
            error = json.loads(done.stdout)["error"]
            raise Refused(error.get("detail") or error.get("status", "choice"))
        limits = dict.fromkeys(("max_str_len", "max_bin_len", "max_array_len", "max_map_len", "max_ext_len"), 2**31 - 1)
        return msgpack.unpackb(out.read_bytes(), ext_hook=array_of, **limits)


def column(rows: Iterable[dict[str, Any]], names: str) -> Floats:
    """The numbers of some members, a row for each."""
    return np.array([[row[n] for n in names] for row in rows], dtype="f8").reshape(-1, len(names))


def fans(polygons: Iterable[Any], points: Floats) -> Floats:
    """The coordinates of the triangles of polygons, which are lists of indices."""
    corners = [(p[0], p[i], p[i + 1]) for p in polygons for i in range(1, len(p) - 1)]
    found: Floats = points[np.array(corners, dtype="i8").reshape(-1, 3)].reshape(-1, 9)
    return found


def triangles_of(scene: Any) -> Floats:
    """The same of what trimesh has read, or its points if there are no triangles."""
    parts = list(scene.geometry.values()) if isinstance(scene, trimesh.Scene) else [scene]
    found = [p.vertices[p.faces].reshape(-1, 9) for p in parts if isinstance(p, trimesh.Trimesh)]
    if any(len(f) for f in found):
        return np.concatenate(found)
    points = [np.asarray(p.vertices) for p in parts]
    return np.concatenate(points) if points else np.zeros((0, 3))


def ordered(rows: Floats) -> Floats:
    """Triangles from their least corner on, in the order of their coordinates; points in that order."""
    rows = rows + 0.0  # without negative zeros
    if rows.shape[1] == 9:
        corners = rows.reshape(-1, 3, 3)
        least = np.array([t.index(min(t)) for t in corners.tolist()], dtype="i8")
        turn = (least[:, None] + np.arange(3)) % 3
        rows = corners[np.arange(len(corners))[:, None], turn].reshape(-1, 9)
    found: Floats = rows[np.lexsort(rows.T[::-1])]
    return found


def unlike(found: Floats, expected: Floats, what: str = "numbers") -> str | None:
    """How two arrays differ. Both may have been float32 in one of the programs."""
    if len(found) and not len(expected):
        raise LookupError(f"it finds no {what}")
    if len(found) != len(expected):
        return f"{len(found)} and {len(expected)} {what}"
    if len(found) == 0 or np.array_equal(found, expected, equal_nan=True):
        return None
    near = np.array_equal(found.astype("f4"), expected.astype("f4"), equal_nan=True)
    return None if near else f"other {what}"


def peer_scene(path: Path, **options: Any) -> Any:
    return trimesh.load(path, process=False, **options)


def compare_ply(value: Any, path: Path) -> str | None:
    data = plyfile.PlyData.read(path)
    if [e.name for e in data.elements] != [k for k in value if k != "comments"]:
        return f"elements {list(value)}"
    for element in data.elements:
        rows = value[element.name]
        if len(rows) != element.count:
            return f"{len(rows)} and {element.count} rows of {element.name}"
        for p in element.properties:
            theirs = element.data[p.name]
            if isinstance(p, plyfile.PlyListProperty):
                same = all(np.array_equal(r[p.name], t) for r, t in zip(rows, theirs, strict=True))
            else:
                same = unlike(np.array([r[p.name] for r in rows], dtype="f8"), np.asarray(theirs, dtype="f8")) is None
            if not same:
                return f"other {p.name} of {element.name}"
    return None


def compare_stl(value: Any, path: Path) -> str | None:
    ours = np.array([f["vertices"] for f in value["facets"]], dtype="f8").reshape(-1, 9)
    return unlike(ours, triangles_of(peer_scene(path)), "facets")


def compare_obj(value: Any, path: Path) -> str | None:
    scene = peer_scene(path, maintain_order=True, skip_materials=True, split_objects=False)
    points = column(value["v"], "xyz")
    ours = fans([f["v"] for f in value["f"]], points)
    return unlike(ordered(ours if len(ours) else points), ordered(triangles_of(scene)), "triangles")


def strip(mode: int, indices: list[int]) -> list[tuple[int, ...]]:
    """The triangles of a primitive of glTF."""
    if mode == 4:
        return [tuple(indices[i : i + 3]) for i in range(0, len(indices) - 2, 3)]
    if mode == 5:
        return [(indices[i], *pair(indices, i)) for i in range(len(indices) - 2)]
    return [(indices[0], indices[i], indices[i + 1]) for i in range(1, len(indices) - 1)] if mode == 6 else []


def pair(indices: list[int], i: int) -> tuple[int, int]:
    """The second and third corner of triangle `i` of a strip: every other triangle is turned."""
    return (indices[i + 2], indices[i + 1]) if i % 2 else (indices[i + 1], indices[i + 2])


def compare_gltf(value: Any, path: Path) -> str | None:
    if b"KHR_draco_mesh_compression" in path.read_bytes():
        raise LookupError("it reads compressed elements as zeros")
    scene = peer_scene(path)
    triangles, points = [np.zeros((0, 9))], [np.zeros((0, 3))]
    for mesh in value.get("meshes", []):
        for primitive in mesh["primitives"]:
            accessors = value["accessors"]
            place = np.asarray(accessors[primitive["attributes"]["POSITION"]]["values"], dtype="f8")
            given = "indices" in primitive
            order = list(accessors[primitive["indices"]]["values"]) if given else list(range(len(place)))
            points.append(place)
            triangles.append(fans(strip(primitive.get("mode", 4), order), place))
    ours = np.concatenate(triangles)
    return unlike(ordered(ours if len(ours) else np.concatenate(points)), ordered(triangles_of(scene)), "triangles")


COMPARE = {
    ".ply": (compare_ply, "plyfile"),
    ".stl": (compare_stl, "trimesh"),
    ".obj": (compare_obj, "trimesh"),
    ".gltf": (compare_gltf, "trimesh"),
    ".glb": (compare_gltf, "trimesh"),
}


def outcome(command: Path, path: Path) -> tuple[str, str]:
    """One word, and what is said about it."""
    compare, peer = COMPARE[path.suffix.lower()]
    try:
        value = read(command, path)
    except Refused as e:
        try:
            plyfile.PlyData.read(path) if peer == "plyfile" else peer_scene(path)
        except ImportError as missing:
            return "peer-only", f"{e}; {peer} needs more: {missing}"
        except Exception as theirs:
            return "refused", f"{e}; {peer}: {type(theirs).__name__}: {str(theirs)[:80]}"
        return "peer-only", str(e)
    try:
        difference = compare(value, path)
    except Exception as theirs:
        return "ours-only", f"{peer}: {type(theirs).__name__}: {str(theirs)[:80]}"
    return ("equal", peer) if difference is None else ("different", f"{peer}: {difference}")


def meshes(files: Path) -> list[str]:
    return sorted(str(p.relative_to(files)) for p in files.rglob("*") if p.suffix.lower() in COMPARE and p.is_file())


def main() -> int:
    logging.getLogger("trimesh").setLevel(logging.CRITICAL)
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser()
    parser.add_argument("command", type=Path)
    parser.add_argument("files", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()

    def line(name: str) -> tuple[str, str, str, str]:
        data = (options.files / name).read_bytes()
        word, said = outcome(options.command, options.files / name)
        return name, hashlib.sha256(data).hexdigest(), word, " ".join(said.split())

    listed = [row.split("\t") for row in LIST.read_text().splitlines()[1:]] if LIST.exists() else []
    names = meshes(options.files) if options.write else [row[0] for row in listed]
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(line, names))
    counts = Counter(row[2] for row in found)
    if options.write:
        text = "file\tsha256\toutcome\tsaid\n" + "".join("\t".join(row) + "\n" for row in found)
        LIST.write_text(text)
    wrong = [] if options.write else [(a, b) for a, b in zip(listed, found, strict=True) if a[1:3] != list(b[1:3])]
    for before, now in wrong:
        print(f"{now[0]}: {now[2]} ({now[3]}), the list has {before[2]}; SHA-256 {now[1]}")
    print(f"{len(found)} files: {', '.join(f'{n} {word}' for word, n in sorted(counts.items()))}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
