# SPDX-License-Identifier: MIT
"""Files of trimesh from the model in the directory above, in the current directory."""

from pathlib import Path

import trimesh

scene = trimesh.load_scene("../model/model.obj", process=False)
scene.export("model.glb")
scene.export("model.obj")
mesh = scene.to_mesh()
for kind in ("ply", "stl"):
    Path(f"model.{kind}").write_bytes(mesh.export(file_type=kind))
mesh.visual = trimesh.visual.ColorVisuals(
    mesh, face_colors=[[255, 51 * (i % 5), 0, 255 - 51 * (i % 2)] for i in range(len(mesh.faces))]
)
Path("faces.ply").write_bytes(mesh.export(file_type="ply"))
mesh = trimesh.load_mesh("../model/colors.obj", process=False)
for kind in ("ply", "glb"):
    Path(f"colors.{kind}").write_bytes(mesh.export(file_type=kind))
Path("colors.obj").write_text(mesh.export(file_type="obj"))
