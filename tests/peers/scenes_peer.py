# SPDX-License-Identifier: MIT
"""trimesh, meshio and assimp, both ways: triangle meshes in STL and GLB, made ones and those of real OBJ files.
gltf-validator of Khronos checks every glTF file that polycodec wrote. Corners are compared in the order of the faces, which
all of them keep, but for GLB files of several materials."""

from __future__ import annotations

import io
import json
import logging
import subprocess
import sys
from pathlib import Path
from typing import Any

import meshio
import numpy as np
import trimesh

from compare import Run, same

ASSIMP_EVERY = 25
CHECK = """
const { validateBytes } = require(process.argv[1]);
const fs = require("fs");
(async () => {
  let wrong = 0;
  const names = fs.readdirSync(process.argv[2]).sort();
  for (const name of names) {
    const { issues } = await validateBytes(new Uint8Array(fs.readFileSync(process.argv[2] + "/" + name)));
    if (issues.numErrors > 0) { wrong += 1; console.error(name, JSON.stringify(issues.messages.slice(0, 3))); }
  }
  console.log(names.length, wrong);
})();
"""


def typed(points: np.ndarray[Any, Any], faces: np.ndarray[Any, Any]) -> bytes:
    """The mesh in typed JSON."""
    rows = [dict(zip("xyz", p, strict=True)) for p in points.tolist()]
    point = "{x: float32, y: float32, z: float32}"
    kind = f"{{positions: {len(rows)} * {point}, faces: {len(faces)} * {{position: var * int32}}}}"
    value = {"positions": rows, "faces": [{"position": f} for f in faces.tolist()]}
    return json.dumps({"type": kind, "value": value}).encode()


def ordered(triangles: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The triangles by their coordinates, for files whose faces have another order."""
    rows = triangles.reshape(len(triangles), 9) + np.float32(0)  # without negative zeros
    result: np.ndarray[Any, Any] = rows[np.lexsort(rows.T)]
    return result


def main() -> int:
    logging.getLogger("trimesh").setLevel(logging.ERROR)
    run = Run("scenes", ["validator", "models"])
    models = sorted(run.options.models.rglob("*.obj"))
    assert len(models) >= 30, run.options.models
    v = run.values
    written = run.work / "written"
    written.mkdir(exist_ok=True)
    for old in written.iterdir():
        old.unlink()

    def made() -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Positions that float32 holds, all of them different, and faces that use each of them in order."""
        count = v.random.randrange(3, 20)
        rows = [(i, v.random.randrange(-(10**5), 10**5) / 64, v.random.randrange(100) / 4) for i in range(count)]
        points = np.array(rows, dtype="f4")
        first = [[i, (i + 1) % count, (i + 2) % count] for i in range(count)]
        more = [v.random.sample(range(count), 3) for _ in range(v.random.randrange(5))]
        return points, np.array(first + more)

    def corners(data: bytes, codec: str) -> np.ndarray[Any, Any]:
        """The corners of all faces that polycodec reads."""
        text = run.session.decode(codec, data, plain=True, lossy=True, options={"form": "mesh"}).split(b"\n", 1)[1]
        value = json.loads(text)
        points = np.array([[p[k] for k in "xyz"] for p in value["positions"]], dtype="f4")
        result: np.ndarray[Any, Any] = points[np.array([f["position"] for f in value["faces"]])]
        return result

    def read(i: int) -> None:
        points, faces = made()
        mesh: Any = trimesh.Trimesh(points, faces, process=False)
        form = ["stl", "stl_ascii", "glb", "meshio", "meshio_ascii"][i % 5]
        if form.startswith("meshio"):
            path = run.work / "meshio.stl"
            meshio.write(path, meshio.Mesh(points, [("triangle", faces)]), "stl", binary=form == "meshio")
            data = path.read_bytes()
        else:
            exported = mesh.export(file_type=form)
            data = exported.encode() if isinstance(exported, str) else exported
        same(corners(data, "gltf" if form == "glb" else "stl"), points[faces])

    def write_stl(i: int) -> None:
        points, faces = made()
        data = run.session.encode("stl", typed(points, faces), options={"format": ["binary", "ascii"][i % 2]})
        back: Any = trimesh.load(io.BytesIO(data), file_type="stl", process=False)
        same(np.array(back.triangles, dtype="f4"), points[faces])
        path = run.work / "ours.stl"
        path.write_bytes(data)
        other = meshio.read(path, "stl")
        same(np.array(other.points, dtype="f4")[np.array(other.cells_dict["triangle"])], points[faces])
        if i % ASSIMP_EVERY == 0:
            through_assimp(path, points[faces])

    def write_glb(i: int) -> None:
        points, faces = made()
        data = run.session.encode("gltf", typed(points, faces), options={"format": ["glb", "gltf"][i % 2]})
        path = written / f"{i:04}.{'glb' if i % 2 == 0 else 'gltf'}"
        path.write_bytes(data)
        back: Any = trimesh.load(path, process=False, maintain_order=True, force="mesh")
        same(np.array(back.vertices, dtype="f4"), points)
        same(np.array(back.faces, dtype="i8"), faces)
        if i % ASSIMP_EVERY == 0:
            through_assimp(path, points[faces])

    def real(i: int) -> None:
        """A real OBJ file as triangles in STL and GLB, which the peers read."""
        options = {"form": "mesh", "triangulate": True, "float32": True, "tolerant": True}
        file = models[i].read_bytes()
        text, plain = run.session.decode("obj", file, plain=True, lossy=True, options=options).split(b"\n", 1)
        value = json.loads(plain)
        faces = [f["position"] for f in value["faces"]]
        if not faces:
            return
        triangles = np.array([[p[k] for k in "xyz"] for p in value["positions"]], dtype="f4")[np.array(faces)]
        stl, glb = run.work / "real.stl", written / f"real_{i:02}.glb"
        stl.write_bytes(run.session.encode("stl", text, lossy=True, options={"format": "binary"}))
        glb.write_bytes(run.session.encode("gltf", text, lossy=True))
        back: Any = trimesh.load(stl, process=False)
        same(np.array(back.triangles, dtype="f4"), triangles)
        other = meshio.read(stl)
        same(np.array(other.points, dtype="f4")[np.array(other.cells_dict["triangle"])], triangles)
        back = trimesh.load(glb, process=False, maintain_order=True, force="mesh")
        same(ordered(np.array(back.triangles, dtype="f4")), ordered(triangles))
        out = run.work / "real.stlb"
        subprocess.run(["assimp", "export", stl, out, "-fstlb"], check=True, capture_output=True)
        same(corners(out.read_bytes(), "stl"), triangles)

    def real_of_peer(i: int) -> None:
        """A real OBJ file as trimesh reads it, in STL and GLB that trimesh writes."""
        file = io.BytesIO(models[i].read_bytes())
        found: Any = trimesh.load(file, file_type="obj", process=False, maintain_order=True)
        parts = found.geometry.values() if isinstance(found, trimesh.Scene) else [found]
        all_parts = [part.triangles for part in parts if isinstance(part, trimesh.Trimesh)]
        if not all_parts:
            return
        # Without the materials, whose textures need a library of their own.
        triangles = np.concatenate(all_parts).astype("f4")
        mesh: Any = trimesh.Trimesh(triangles.reshape(-1, 3), np.arange(3 * len(triangles)).reshape(-1, 3), process=False)
        same(corners(mesh.export(file_type="stl"), "stl"), triangles)
        same(ordered(corners(mesh.export(file_type="glb"), "gltf")), ordered(triangles))

    def through_assimp(path: Path, triangles: np.ndarray[Any, Any]) -> None:
        """assimp reads the file and writes STL and GLB, which polycodec reads."""
        for form, codec in (("stlb", "stl"), ("glb2", "gltf")):
            out = run.work / f"assimp.{codec}"
            subprocess.run(["assimp", "export", path, out, f"-f{form}"], check=True, capture_output=True)
            same(corners(out.read_bytes(), codec), triangles)

    def validate(_: int) -> None:
        done = subprocess.run(
            ["node", "-e", CHECK, run.options.validator, written], check=True, capture_output=True, text=True
        )
        count, wrong = map(int, done.stdout.split())
        assert count > 0 and wrong == 0, done.stderr[:2000]

    run.each("peer to ours", read)
    run.each("STL to peers", write_stl)
    run.each("glTF to peers", write_glb)
    run.each("real OBJ files to peers", real, len(models))
    run.each("real OBJ files of trimesh to ours", real_of_peer, len(models))
    run.each("runs of gltf-validator", validate, 1)
    return run.finish()


if __name__ == "__main__":
    sys.exit(main())
