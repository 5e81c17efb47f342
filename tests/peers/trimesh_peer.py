# SPDX-License-Identifier: MIT
"""trimesh, both ways: triangle meshes in PLY and OBJ. It reads neither other faces nor attributes as they are, so the
files here have what both sides keep."""

from __future__ import annotations

import io
import json
import logging
import sys
from typing import Any

import numpy as np
import trimesh

from compare import Run, same


def main() -> int:
    logging.getLogger("trimesh").setLevel(logging.ERROR)
    run = Run("trimesh")
    v = run.values

    def made() -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Vertices that float32 holds, as PLY files of the peer have it, and faces that use each of them in order."""
        count = v.random.randrange(3, 20)
        points = np.array([[v.random.randrange(-(10**5), 10**5) / 64 for _ in range(3)] for _ in range(count)])
        first = [[i, (i + 1) % count, (i + 2) % count] for i in range(count)]
        more = [v.random.sample(range(count), 3) for _ in range(v.random.randrange(5))]
        return points, np.array(first + more)

    def read(i: int) -> None:
        points, faces = made()
        mesh: Any = trimesh.Trimesh(points, faces, process=False)
        form = ["ply", "ascii ply", "obj"][i % 3]
        if form == "obj":
            data = mesh.export(file_type="obj", digits=10).encode()
        else:
            data = trimesh.exchange.ply.export_ply(mesh, encoding="ascii" if form != "ply" else "binary")
        text = run.session.decode(form.split()[-1], data, plain=True).split(b"\n", 1)[1]
        value = json.loads(text)
        vertices, rows, name = ("v", "f", "v") if form == "obj" else ("vertex", "face", "vertex_indices")
        same(np.array([[p[k] for k in "xyz"] for p in value[vertices]], dtype="f4").astype("f8"), points)
        same(np.array([f[name] for f in value[rows]]), faces)

    def write(i: int) -> None:
        points, faces = made()
        if i % 2:
            vertex = [dict(zip("xyz", p, strict=True)) for p in points.tolist()]
            face = [{"vertex_indices": f} for f in faces.tolist()]
            kind = f"{{vertex: {len(vertex)} * {{x: float64, y: float64, z: float64}}, face: {len(face)} * "
            text = {"type": kind + "{vertex_indices: var * int32}}", "value": {"vertex": vertex, "face": face}}
            options = {"format": v.one_of(["ascii", "binary_little_endian", "binary_big_endian"])}
            data, form = run.session.encode("ply", json.dumps(text).encode(), options=options), "ply"
        else:
            rows = [dict(zip("xyz", p, strict=True)) for p in points.tolist()]
            corners = [{"v": f} for f in faces.tolist()]
            kind = f"{{v: {len(rows)} * {{x: float64, y: float64, z: float64}}, f: {len(corners)} * {{v: var * int32}}}}"
            text = {"type": kind, "value": {"v": rows, "f": corners}}
            data, form = run.session.encode("obj", json.dumps(text).encode()), "obj"
        back: Any = trimesh.load(io.BytesIO(data), file_type=form, process=False, maintain_order=True, force="mesh")
        same(np.array(back.vertices, dtype="f8"), points)
        same(np.array(back.faces, dtype="i8"), faces)

    run.each("peer to ours", read)
    run.each("ours to peer", write)
    return run.finish()


if __name__ == "__main__":
    sys.exit(main())
