# SPDX-License-Identifier: MIT
"""Files of MeshLab (PyMeshLab) from the model in the directory above, in the current directory."""

import pymeshlab

meshes = pymeshlab.MeshSet(verbose=False)
meshes.load_new_mesh("../model/model.obj")
meshes.meshing_poly_to_tri()  # MeshLab writes other texture coordinates of polygons
for name in ("model.ply", "model.obj", "model.stl"):
    meshes.save_current_mesh(name)
meshes.save_current_mesh("ascii.ply", binary=False, save_wedge_texcoord=True)
meshes.compute_color_by_function_per_face(r="255*(fi<4)", g="10*fi", b="128", a="255")
columns = {
    f"save_{name}": False for name in ("wedge_texcoord", "vertex_color", "vertex_normal", "face_quality", "vertex_quality")
}
meshes.save_current_mesh("faces.ply", save_face_color=True, **columns)
meshes.load_new_mesh("../model/colors.obj")
meshes.save_current_mesh(
    "colors.ply", **{f"save_{name}": False for name in ("vertex_normal", "face_quality", "vertex_quality")}
)
meshes.save_current_mesh("colors.obj", save_vertex_color=True, save_vertex_normal=False)
